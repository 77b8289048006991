import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/base/metrics.ts';
import { observeStatus } from '../../../src/server/metrics-source.ts';
import { type FigureName, readFigure } from '../../../src/store/job-queries/account-figures.ts';
import { readAllStatus, readStatus, type StatusReport } from '../../../src/store/job-queries/status.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { testDatabase } from '../../support/database.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import {
  account,
  commitPages,
  epoch,
  item,
  open,
  openStore,
  page,
  transaction,
} from '../../support/store.ts';
import { openTroubledMirror } from '../../support/troubled-mirror.ts';

const figuresOf = (mirror: Pick<Mirror, 'url'>, account = 'default') => {
  const database = open(mirror.url, { readOnly: true });
  const { signal } = new AbortController();
  return (name: FigureName) => readFigure(database, { name, account, signal });
};
const none = [{ labels: {}, value: 0 }];

test('a figure is known once what it rests on was read to its end, and there is none before', async () => {
  const mirror = await openMirror({ transactions: 60 });
  const figure = figuresOf(mirror);
  for (const name of ['openSince', 'paymentsOffWhitelist', 'unexplainedDifferences', 'movedValue'] as const)
    expect([name, await figure(name)]).toEqual([name, []]);
  await syncTransactions(mirror.context, { full: true });
  expect(await figure('paymentsOffWhitelist')).toEqual([]);
  await mirrorWhitelist(mirror.context);
  expect(await figure('paymentsOffWhitelist')).toEqual(none);
  expect(await figure('unexplainedDifferences')).toEqual([]);
  await snapshotBalances(mirror.context);
  expect(await figure('unexplainedDifferences')).toEqual(none);
  expect(await figuresOf(mirror, 'nobody')('paymentsOffWhitelist')).toEqual([]);
});

test('the oldest open transaction of each type counts, and types that nobody documented together', async () => {
  const mirror = await openMirror({ transactions: 60 });
  await syncTransactions(mirror.context, { full: true });
  await mirror.query(`update custody.transactions set transaction_type = 'loan ' || transaction_id, first_seen_at = now() - interval '9 days'
    where transaction_id in (select transaction_id from custody.transactions where status = 'pending' limit 2)`);
  const rows = await figuresOf(mirror)('openSince');
  const expected = await mirror.query(
    `select case when transaction_type like 'loan %' then 'other' else transaction_type end as type,
       extract(epoch from min(first_seen_at))::float8 as value
     from reporting.open_transactions group by 1 order by 1`,
  );
  expect(expected.map(({ type }) => type)).toContain('other');
  const found = rows.map(({ labels, value }) => ({ type: labels['transaction_type'], value }));
  expect(found.toSorted((a, b) => ((a.type ?? '') < (b.type ?? '') ? -1 : 1))).toEqual(expected);
});

test('value that moved within the hour is by direction and currency, and what has no price is left out', async () => {
  const store = await openStore();
  await store.query(`update custody.accounts set transactions_since = now() - interval '9 days'`);
  const settle = async (id: string, type: string, assetId: string, minutesAgo: number) =>
    await commitPages(
      store,
      page(
        [item({ ...transaction({ id, type, status: 'completed', amount: '3' }), assetId })],
        Date.now() - epoch - minutesAgo * 60_000,
      ),
    );
  await settle('a', 'withdraw', 'XYZ', 70);
  await settle('b', 'withdraw', 'XYZ', 50);
  await settle('c', 'withdraw', 'XYZ', 10);
  await settle('d', 'deposit', 'XYZ', 2);
  await settle('e', 'deposit', 'UNPRICED', 1);
  const moved = async () =>
    (await figuresOf(store, account)('movedValue'))
      .map(({ labels, value }) => `${labels['direction']} ${labels['currency']} ${value}`)
      .toSorted();
  expect(await moved()).toEqual([]);
  await store.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    values ('${account}', 'XYZ', 'USD', '2020-01-01', 2.5), ('${account}', 'XYZ', 'EUR', '2020-01-01', 2)`);
  expect(await moved()).toEqual(['in EUR 6', 'in USD 7.5', 'out EUR 12', 'out USD 15']);
});

test('of payments to destinations off the whitelist those count that moved money, or still may', async () => {
  const store = await openStore();
  await store.query(`update custody.accounts set transactions_since = now() - interval '9 days'`);
  await store.query(`insert into custody.document_readings (account_id, kind, first_read_at, last_read_after, last_read_at)
    values ('${account}', 'whitelist_entry', now() - interval '9 days', now() + interval '1 day', now() + interval '1 day')`);
  const statuses = ['pending', 'completed', 'on hold', 'rejected', 'cancelled', 'failed'];
  for (const status of statuses)
    await commitPages(
      store,
      page([item(transaction({ id: status, type: 'withdraw', status, amount: '3' }))], Date.now() - epoch),
    );
  await store.query(`update custody.transactions set first_seen_after = first_seen_at - interval '1 minute'`);
  expect(await store.query('select from reporting.destination_uses where not is_whitelisted')).toHaveLength(
    statuses.length,
  );
  expect(await figuresOf(store, account)('paymentsOffWhitelist')).toEqual([{ labels: {}, value: 3 }]);
});

test('the status of all accounts in one statement gives metrics the same as the report of each', async () => {
  const troubled = await openTroubledMirror();
  const calm = await openMirror(
    { transactions: 20, seed: 7 },
    { CUSTODY_ACCOUNT: 'calm', CUSTODY_RESOURCES: 'transactions' },
    {},
    troubled,
  );
  await syncTransactions(calm.context, { full: true });
  const database = open(troubled.url, { readOnly: true });
  const told = async (all: readonly StatusReport[]) => {
    const metrics = createMetrics();
    observeStatus(metrics, ...all);
    const lines = (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => /^custody.*account=/.test(line));
    return lines.filter((line) => !line.includes('status_read')).toSorted();
  };
  const accounts = await readAllStatus(database);
  expect(accounts.map(({ account }) => account)).toEqual(['calm', 'default']);
  const all = await told(accounts);
  expect(all).toEqual(
    await told([await readStatus(database, 'calm'), await readStatus(database, 'default')]),
  );
  expect(all.join()).toContain('quarantine_open_records{resource="vaults",account="default"} 15');
  expect(all.join()).toContain('last_success_timestamp_seconds{mirror_job="transactions",account="calm"} 1');
});

test('a database without accounts has no status to report', async () => {
  const database = open((await testDatabase()).url);
  expect(await readAllStatus(database)).toEqual([]);
});
