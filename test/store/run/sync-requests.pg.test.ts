// Requests of `sync` at the holder of the lease.
import { expect, test } from 'vitest';
import { releaseLease } from '../../../src/store/run/leases.ts';
import { reportOnRequest, requestSync, takeRequest } from '../../../src/store/run/sync-requests.ts';
import { account, lease, openStore } from '../../support/store.ts';

const wish = { resources: null, isFull: false, trustEmpty: false };

test('a request that was taken and is not worked on waits again, for this holder and the next', async () => {
  const store = await openStore();
  const { database } = store;
  const [first, second] = [
    await requestSync(database, account, 'here', wish),
    await requestSync(database, account, 'there', wish),
  ];
  // As when the server stops after the commit: nobody learns that it was taken.
  await takeRequest(database, store.lease, []);
  expect(await takeRequest(database, store.lease, [])).toMatchObject({ requestId: first });
  expect(await takeRequest(database, store.lease, [first])).toMatchObject({ requestId: second });
  expect(await takeRequest(database, store.lease, [first, second])).toBeNull();
  await reportOnRequest(database, store.lease, first, { progress: [] });
  await releaseLease(database, store.lease);
  const next = await lease(database, 'next');
  expect(await takeRequest(database, next, [])).toMatchObject({ requestId: first });
  await reportOnRequest(database, next, first, { result: { refused: 'no' } });
  expect(await takeRequest(database, next, [second])).toBeNull();
});
