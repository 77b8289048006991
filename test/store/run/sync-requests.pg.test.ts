// Requests of `sync` at the holder of the lease.
import { expect, test } from 'vitest';
import { type Lease, releaseLease } from '../../../src/store/run/leases.ts';
import { startRun } from '../../../src/store/run/runs.ts';
import {
  finishRequest,
  followRequest,
  requestSync,
  takeRequest,
} from '../../../src/store/run/sync-requests.ts';
import { account, lease, openStore } from '../../support/store.ts';

const wish = { resources: null, isFull: false, trustEmpty: false };

test('a request that was taken and is not worked on waits again, for this holder and the next', async () => {
  const store = await openStore();
  const { database } = store;
  const [first, second] = [
    await requestSync(database, account, 'here', wish),
    await requestSync(database, account, 'there', wish),
  ];
  const take = (holder: Lease, working: readonly bigint[]) =>
    takeRequest(database, holder, working, new AbortController().signal);
  const followed = () => followRequest(database, account, first);
  // As when the server stops after the commit: nobody learns that it was taken.
  await take(store.lease, []);
  const taken = await take(store.lease, []);
  expect(taken).toMatchObject({ requestId: first });
  expect(await take(store.lease, [first])).toMatchObject({ requestId: second });
  expect(await take(store.lease, [first, second])).toBeNull();
  await startRun(database, store.lease, { job: 'vaults', mode: 'full' }, taken);
  expect(await followed()).toMatchObject({
    takenBy: store.lease.holder,
    finished: null,
    runs: [{ job: 'vaults', mode: 'full', status: 'running', recordsRead: 0, seconds: 0 }],
  });
  await releaseLease(database, store.lease);
  const next = await lease(database, 'next');
  const again = await take(next, []);
  // What the holder before did of it is done again.
  expect(await followed()).toMatchObject({ takenBy: 'next', runs: [] });
  if (again === null) throw new Error('it was not taken');
  await finishRequest(database, next, again, { resources: ['vaults'], refusal: 'no' });
  expect(await followed()).toMatchObject({ finished: ['vaults'], refusal: 'no' });
  expect(await take(next, [second])).toBeNull();
});
