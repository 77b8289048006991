// A list that is found empty is believed when a second run finds the same, and only then is anything
// concluded from it.
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

const sweep = (mirror: Mirror) => sweepTransactions(mirror.context, { job: 'transactions' });

const nothing = { transactions: 0, warmVaults: 0, coldVaults: 0, whitelistEntries: 0 };
const doubted = { status: 'succeeded', verified: false, doubts: ['empty-once'] };
const believed = { status: 'succeeded', verified: true, doubts: [] };

/**
 * Whether it is known, and which run was the last to begin before it; the clocks of two runs differ by less
 * than a run takes.
 */
const since = `select transactions_since is null as unknown,
  (select max(run_id)::int from sync.runs r where r.started_at < a.transactions_since) as run from custody.accounts a`;
const ages = `select is_older_than_mirror as older, count(*)::int from reporting.transactions group by 1`;

test('records behind answers that claimed an empty account are not taken for new ones', async () => {
  const mirror = await openMirror();
  mirror.sandbox.faults.add({ kind: 'falseempty', endpoint: 'transactions', times: 3 });
  expect(await sweep(mirror)).toMatchObject({ ...doubted, records: 0, requests: 3 });
  expect(await mirror.query(since)).toEqual([{ unknown: true, run: null }]);
  expect(await sweep(mirror)).toMatchObject({ ...believed, inserted: 300 });
  expect(await mirror.query(ages)).toEqual([{ older: true, count: 300 }]);
  expect(await mirror.query('select * from reporting.flows_daily')).toEqual([]);
});

test('an empty account is verified by the second run, and what appears after that is new', async () => {
  const mirror = await openMirror({ transactions: 0 });
  expect(await sweep(mirror)).toMatchObject({ ...doubted, records: 0, requests: 3 });
  expect(await sweep(mirror)).toMatchObject({ ...believed, records: 0, requests: 3 });
  expect(await mirror.query(since)).toEqual([{ unknown: false, run: 2 }]);
  mirror.sandbox.world.insertTransaction('head');
  expect(await sweep(mirror)).toMatchObject({ ...believed, inserted: 1 });
  expect(await mirror.query(since)).toEqual([{ unknown: false, run: 2 }]);
  expect(await mirror.query(ages)).toEqual([{ older: false, count: 1 }]);
});

test('a list that showed records in between is doubted anew', async () => {
  const mirror = await openMirror();
  const empty = () => mirror.sandbox.faults.add({ kind: 'falseempty', endpoint: 'transactions' });
  for (let time = 0; time < 2; time += 1) {
    const end = empty();
    expect(await sweep(mirror)).toMatchObject(doubted);
    end();
    expect(await sweep(mirror)).toMatchObject(believed);
  }
  empty();
  expect(await sweep(mirror)).toMatchObject(doubted);
  expect(await sweep(mirror)).toMatchObject(believed);
  expect(await mirror.query(`select value from sync.learned where fact = 'empty:transactions'`)).toEqual([
    { value: 'again' },
  ]);
});

test('balances are observed to be none at the second run, and no zero stands for the first', async () => {
  const mirror = await openMirror(nothing);
  expect(await snapshotBalances(mirror.context)).toMatchObject(doubted);
  expect(await mirror.query('select 1 from custody.balance_snapshots')).toEqual([]);
  expect(await snapshotBalances(mirror.context)).toMatchObject(believed);
  expect(await mirror.query('select asset_count from custody.balance_snapshots')).toEqual(
    Array(3).fill({ asset_count: 0 }),
  );
});

test('an account without cold vaults has its other balances at the first run', async () => {
  const mirror = await openMirror({ coldVaults: 0 });
  const types = 'select vault_type from custody.balance_snapshots order by snapshot_at, vault_type';
  expect(await snapshotBalances(mirror.context)).toMatchObject(doubted);
  expect(await mirror.query(types)).toEqual([{ vault_type: 'all' }, { vault_type: 'warm' }]);
  expect(await snapshotBalances(mirror.context)).toMatchObject(believed);
  expect(await mirror.query(types)).toHaveLength(5);
});

test('vaults and whitelist are held to be empty after the second run', async () => {
  const mirror = await openMirror(nothing);
  for (const mirrorList of [mirrorVaults, mirrorWhitelist]) {
    expect(await mirrorList(mirror.context)).toMatchObject(doubted);
    expect(await mirrorList(mirror.context)).toMatchObject(believed);
  }
});

test('nobody is said to be off a whitelist that was found empty once', async () => {
  const mirror = await openMirror({ whitelistEntries: 0 });
  await sweep(mirror);
  await sweep(mirror);
  const pay = async (transactionId: string) => {
    mirror.sandbox.world.insertTransaction('head', { transactionId, transactionType: 'withdraw' });
    await sweep(mirror);
    await mirrorWhitelist(mirror.context);
  };
  const shown = async (transactionId: string) => {
    const [use] = await mirror.query(
      `select is_whitelisted, whitelist_reason from reporting.destination_uses where transaction_id = '${transactionId}'`,
    );
    return [use?.['is_whitelisted'], use?.['whitelist_reason']];
  };
  await mirrorWhitelist(mirror.context);
  // The second reading believes that it is empty, and says nothing of what was paid before it.
  await pay('early');
  expect(await shown('early')).toEqual([null, 'unknown: before the whitelist was first read']);
  // A sweep that begins after that reading proves of what comes later that it came later.
  await sweep(mirror);
  await pay('late');
  expect(await shown('late')).toEqual([false, 'not listed']);
});
