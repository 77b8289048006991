// The database as readers use it: read only whatever the role may do, with a role that `grant` made, and
// through a pooler that lends a connection for one transaction.
import { expect, test } from 'vitest';
import { resources } from '../../../src/domain/jobs.ts';
import { runCycle } from '../../../src/sync/jobs/runners.ts';
import { runHere } from '../../support/in-process.ts';
import { openMirror } from '../../support/mirror.ts';
import { testRole } from '../../support/roles.ts';
import { serveCustody } from '../../support/served-custody.ts';
import { errorOf } from '../../support/served-sandbox.ts';
import type { open } from '../../support/store.ts';
import { pgbouncerIsInstalled, poolTransactions } from '../../system/faults/pgbouncer.ts';

const paths = [
  '/transactions',
  '/transactions?asset_id=ETH&status=completed&start_date=2020-01-01',
  '/transactions?offset=250',
  '/balances',
  '/balances/cold',
  '/vaults?vault_type=warm',
  '/whitelist?status=approved',
];

async function mirrorOnce() {
  const mirror = await openMirror();
  await runCycle(mirror.context, resources, {});
  return mirror;
}

test('a role that grant made can read all that /custody shows, and a transaction of readers writes nothing', async () => {
  const mirror = await mirrorOnce();
  const role = await testRole(mirror);
  const env = { DATABASE_URL: mirror.url };
  const granted = await runHere(['grant', role.name], { env });
  expect(granted, granted.stderr).toMatchObject({ code: 0 });
  const { get, readDatabase } = await serveCustody({ url: role.url });
  for (const path of paths) expect(errorOf(await get(path)), path).toBe('200 undefined');
  const [vault] = (await get('/vaults')).json.vaults;
  const [transaction] = (await get('/transactions?limit=1')).json.transactions;
  expect((await get(`/vaults/${vault?.['vault_id']}`)).status).toBe(200);
  expect((await get(`/transaction/${transaction?.transaction_id}`)).status).toBe(200);
  await expect(write(readDatabase)).rejects.toMatchObject({ code: 'DATABASE-REFUSED' });
});

function write(database: ReturnType<typeof open>) {
  return database.transact('write', (tx) =>
    tx.run('write', (db) => db.execute("update custody.accounts set time_zone = 'Asia/Tokyo'")),
  );
}

const absent = pgbouncerIsInstalled ? '' : ' (skipped: pgbouncer is not installed)';
test.skipIf(!pgbouncerIsInstalled)(
  `every path answers through a transaction-pooling pgbouncer${absent}`,
  async () => {
    const mirror = await mirrorOnce();
    const { get } = await serveCustody({ url: await poolTransactions(mirror.url) });
    const answers = await Promise.all([...paths, ...paths, ...paths].map((path) => get(path)));
    expect(answers.map(errorOf)).toEqual(answers.map(() => '200 undefined'));
  },
);
