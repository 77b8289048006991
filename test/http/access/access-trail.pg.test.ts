// Who read what: a line for each answer that shows something of an account, and for each refusal.
import { expect, test } from 'vitest';
import { digestOfKey, makeApiKey } from '../../../src/base/api-key.ts';
import type { AccessRecord } from '../../../src/http/access/observe.ts';
import { createKey, createKeyStore } from '../../../src/store/keys/api-keys.ts';
import { openReading } from '../../support/api-source.ts';
import { startServer } from '../../support/running-server.ts';
import { account, openStore } from '../../support/store.ts';

test('the trail names key, account, route, status and bytes of each answer, and nothing that was asked for', async () => {
  const store = await openStore();
  const records: AccessRecord[] = [];
  const { key, prefix } = makeApiKey();
  const digest = digestOfKey(key.reveal());
  await createKey(store.database, { name: 'reporting', prefix, digest, accounts: [account], expires: null });
  const { get } = await startServer({
    account,
    keys: createKeyStore(store.database),
    reading: openReading(store.url),
    trail: (record) => records.push(record),
  });
  const headers = { 'x-api-key': key.reveal() };
  const paths = [
    '/healthz',
    '/assets/live.js',
    `/api/v1/balances?account=${account}&asset_id=Secret-Asset`,
    '/transactions/Secret-Transaction',
    '/api/v1/balances?account=another',
    '/api/v1/accounts',
  ];
  let bytes = 0;
  for (const path of paths) {
    const answer = await get(path, { headers });
    bytes += (await answer.arrayBuffer()).byteLength;
  }
  const refused = await get('/balances', { headers: { 'x-api-key': makeApiKey().key.reveal() } });
  await refused.arrayBuffer();
  await expect.poll(() => records.length).toBe(5);
  const common = { reader: prefix, key_name: 'reporting', account, address: '127.0.0.1', whole: true };
  expect(records).toMatchObject([
    { ...common, route: '/api/v1/balances', status: 404 },
    { ...common, route: '/transactions/:transaction_id', status: 404 },
    { ...common, account: null, route: '/api/v1/balances', status: 404 },
    { ...common, account: null, route: '/api/v1/accounts', status: 200 },
    { reader: null, key_name: null, account: null, route: '/balances', status: 401, address: '127.0.0.1' },
  ]);
  for (const { time, ms } of records) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(ms).toBeGreaterThanOrEqual(0);
  }
  const sent = records.reduce((sum, record) => sum + record.bytes, 0);
  expect([sent > 500, bytes > 500]).toEqual([true, true]);
  const text = JSON.stringify(records);
  for (const secret of ['Secret', key.reveal(), 'another']) expect(text).not.toContain(secret);
});
