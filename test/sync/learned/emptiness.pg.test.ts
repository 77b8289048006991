// A list that is found empty is believed when a run an hour later finds the same, no record seen in between,
// or when the operator says so. Only then is anything concluded from it.
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
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

/** Moves the time at which transactions were first found empty to a minute before that hour is over. */
async function almostAnHourLater({ context: { facts, clock } }: Mirror): Promise<void> {
  const value = new Date(clock.now() - 59 * 60_000).toISOString();
  facts.learn({ fact: 'empty:transactions', value, evidence: 'told by the test' });
}

test('records behind answers that claimed an empty account for some seconds are not taken for new ones', async () => {
  const mirror = await openMirror({ transactions: 60 });
  mirror.sandbox.faults.add({ kind: 'falseempty', endpoint: 'transactions', times: 9 });
  for (let times = 0; times < 3; times += 1) {
    expect(await sweep(mirror)).toMatchObject({ ...doubted, records: 0, requests: 3 });
    expect(await mirror.query(since)).toEqual([{ unknown: true, run: null }]);
    await almostAnHourLater(mirror);
  }
  expect(await sweep(mirror)).toMatchObject({ ...believed, inserted: 60 });
  expect(await mirror.query(ages)).toEqual([{ older: true, count: 60 }]);
  expect(await mirror.query('select * from reporting.flows_daily')).toEqual([]);
});

test('an empty account is verified by the run an hour later, and what appears after that is new', async () => {
  const mirror = await openMirror({ transactions: 0 });
  expect(await sweep(mirror)).toMatchObject({ ...doubted, records: 0, requests: 3 });
  letAnHourPass(mirror.context);
  // Each filter is asked once whether it shows anything: a default range of dates may hide an old account.
  expect(await sweep(mirror)).toMatchObject({ ...believed, records: 0, requests: 24 });
  expect(await sweep(mirror)).toMatchObject({ ...believed, records: 0, requests: 3 });
  expect(await mirror.query(since)).toEqual([{ unknown: false, run: 2 }]);
  mirror.sandbox.world.insertTransaction('head');
  expect(await sweep(mirror)).toMatchObject({ ...believed, inserted: 1 });
  expect(await mirror.query(since)).toEqual([{ unknown: false, run: 2 }]);
  expect(await mirror.query(ages)).toEqual([{ older: false, count: 1 }]);
});

test('the operator is believed at once, and so are the runs after that', async () => {
  const mirror = await openMirror(nothing);
  const context = { ...mirror.context, trustEmptyLists: true };
  expect(await sweepTransactions(context, { job: 'transactions' })).toMatchObject(believed);
  expect(await mirror.query(since)).toEqual([{ unknown: false, run: 1 }]);
  expect(await sweep(mirror)).toMatchObject(believed);
  for (const mirrorList of [mirrorVaults, mirrorWhitelist, snapshotBalances])
    expect(await mirrorList(context)).toMatchObject(believed);
});

test('the time of a clock that was ahead is replaced', async () => {
  const mirror = await openMirror({ transactions: 0 });
  const { facts } = mirror.context;
  facts.learn({ fact: 'empty:transactions', value: '2999-01-01T00:00:00Z', evidence: 'told by the test' });
  expect(await sweep(mirror)).toMatchObject(doubted);
  letAnHourPass(mirror.context);
  expect(await sweep(mirror)).toMatchObject(believed);
});

test('a list that showed records in between is doubted again', async () => {
  const mirror = await openMirror({ transactions: 60 });
  const empty = () => mirror.sandbox.faults.add({ kind: 'falseempty', endpoint: 'transactions' });
  for (let time = 0; time < 2; time += 1) {
    const end = empty();
    expect(await sweep(mirror)).toMatchObject(doubted);
    letAnHourPass(mirror.context);
    end();
    expect(await sweep(mirror)).toMatchObject(believed);
  }
  empty();
  expect(await sweep(mirror)).toMatchObject(doubted);
  letAnHourPass(mirror.context);
  expect(await sweep(mirror)).toMatchObject(believed);
  expect(await mirror.query(`select value from sync.learned where fact = 'empty:transactions'`)).toEqual([
    { value: 'again' },
  ]);
});

test('records that an increment showed in between make a list doubted again', async () => {
  const mirror = await openMirror({ transactions: 60 });
  const { context, sandbox } = mirror;
  const cycle = () => syncTransactions(context, { full: false });
  const empty = () => sandbox.faults.add({ kind: 'falseempty', endpoint: 'transactions' });
  await sweep(mirror);
  context.facts.learn({ fact: 'transactions_grow_at', value: 'head', evidence: 'told by the test' });
  const end = empty();
  expect(await cycle()).toMatchObject(doubted);
  letAnHourPass(context);
  end();
  expect(await cycle()).toMatchObject({ status: 'succeeded', verified: null });
  empty();
  expect(await cycle()).toMatchObject(doubted);
});

test('a list that showed records at the beginning of the same walk is doubted again', async () => {
  const mirror = await openMirror({ transactions: 20 });
  await sweep(mirror);
  let shown = 0;
  mirror.sandbox.faults.add({
    kind: 'falseempty',
    endpoint: 'transactions',
    when: () => {
      shown -= 1;
      return shown < 0;
    },
  });
  expect(await sweep(mirror)).toMatchObject(doubted);
  letAnHourPass(mirror.context);
  shown = 1;
  expect(await sweep(mirror)).toMatchObject({ ...doubted, records: 20 });
});

test('balances are observed to be none an hour later, and no zero stands for the first time', async () => {
  const mirror = await openMirror(nothing);
  expect(await snapshotBalances(mirror.context)).toMatchObject(doubted);
  expect(await mirror.query('select 1 from custody.balance_snapshots')).toEqual([]);
  letAnHourPass(mirror.context);
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
  letAnHourPass(mirror.context);
  expect(await snapshotBalances(mirror.context)).toMatchObject(believed);
  expect(await mirror.query(types)).toHaveLength(5);
});

test('vaults and whitelist are held to be empty an hour later, not by runs in a row', async () => {
  const mirror = await openMirror(nothing);
  for (const mirrorList of [mirrorVaults, mirrorWhitelist]) {
    for (let times = 0; times < 3; times += 1)
      expect(await mirrorList(mirror.context)).toMatchObject(doubted);
    letAnHourPass(mirror.context);
    expect(await mirrorList(mirror.context)).toMatchObject(believed);
  }
});

test('nobody is said to be off a whitelist that was found empty for less than an hour', async () => {
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
  letAnHourPass(mirror.context);
  // This reading believes that it is empty, and says nothing of what was paid before it.
  await pay('early');
  expect(await shown('early')).toEqual([null, 'unknown: before the whitelist was first read']);
  // A sweep that begins after that reading proves of what comes later that it came later.
  await sweep(mirror);
  await pay('late');
  expect(await shown('late')).toEqual([false, 'not listed']);
});
