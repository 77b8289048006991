// Days that are over. What was reported for one at its end comes back as it was, whatever was seen later; and the difference to what is
// known now is what late_corrections says. Held against reports that were read and kept when each day ended.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { markVanished } from '../../../src/store/commit/mark-vanished.ts';
import {
  account,
  digest,
  epoch,
  item,
  noRequests,
  openStore,
  page,
  type Store,
  transaction,
} from '../../support/store.ts';
import { sum, textOrNull, unitsOrNull } from './decimal.ts';

const hour = 3_600_000;
const decimal = (text: string | null) => (text === null ? null : (parseDecimal(text)?.value ?? null));

interface Seen {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly asset: string;
}

type Event = { readonly gone: string } | { readonly shown: readonly Seen[] };

async function openAccount(): Promise<Store> {
  const store = await openStore();
  await store.query(
    'update custody.accounts set first_seen_at = to_timestamp($1), transactions_since = to_timestamp($1)',
    [epoch / 1000],
  );
  await store.query(
    `insert into custody.fee_rules (account_id, network_id, asset_id) values ($1, 'net', 'GAS')`,
    [account],
  );
  return store;
}

async function play(store: Store, event: Event, at: number): Promise<void> {
  const { database, lease, run } = store;
  if ('gone' in event) {
    const moment = epoch + at;
    await markVanished(database, lease, run, { ids: [event.gone], asked: moment, missingSince: moment });
    return;
  }
  const records = event.shown.map((seen) => ({
    ...transaction({ id: seen.id, status: seen.status, type: seen.type }),
    assetId: seen.asset,
    networkId: seen.asset === 'X' ? 'net' : 'other',
    amount: decimal(seen.amount),
    fee: decimal(seen.fee),
    contentHash: digest(JSON.stringify(seen)),
  }));
  await commitTransactionPages(database, lease, run, {
    pages: [{ ...page(records.map(item), at), beganAt: epoch + at, arrivedAt: epoch + at }],
    tally: noRequests,
    position: null,
  });
}

const reports = ['flows_daily', 'fees_daily', 'transaction_outcomes_daily'] as const;
const asKnownAt = ['flows_daily_at', 'fees_daily_at', 'transaction_outcomes_daily_at'] as const;

const rowsOf = async (store: Store, from: string, days: string, given: readonly unknown[] = []) =>
  (await store.query<{ row: string }>(`select r::text as row from ${from} as r where ${days}`, [...given]))
    .map(({ row }) => row)
    .sort();

const reportOf = async (store: Store, day: string) =>
  await Promise.all(reports.map((report) => rowsOf(store, `reporting.${report}`, `day = '${day}'`)));

/** The days in which something happens, of which there are many more by now. */
const inDays = `day <= '2026-01-13'`;

const dayOf = (at: number) => new Date(epoch + at).toISOString().slice(0, 10);
const endOf = (at: number) => new Date(Math.floor((epoch + at) / (24 * hour) + 1) * 24 * hour).toISOString();

const seen = fc.uniqueArray(
  fc.record<Seen>({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    type: fc.constantFrom('deposit', 'withdraw', 'withdraw', 'rebalance', 'airdrop'),
    status: fc.constantFrom('pending', 'confirming', 'completed', 'completed', 'failed', 'on hold'),
    amount: fc.constantFrom('1', '1', '2.5', null),
    fee: fc.constantFrom('0.1', '0.1', '0.25', null),
    asset: fc.constantFrom('X', 'X', 'Y'),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
);
const past = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 14 }),
      fc.oneof(
        { weight: 8, arbitrary: seen.map((shown): Event => ({ shown })) },
        { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((gone): Event => ({ gone })) },
      ),
    ),
    { minLength: 6, maxLength: 20 },
  )
  .map((steps) => {
    let at = 0;
    return steps.map(([hours, event]) => {
      at += hours * hour;
      return { at, event };
    });
  });

test('a day comes back as it was reported at its end, and late corrections are the difference', async () => {
  await fc.assert(
    fc.asyncProperty(past, async (steps) => {
      const store = await openAccount();
      const closed: { day: string; end: string; report: string[][]; figures: Map<string, string | null> }[] =
        [];
      for (const [index, { at, event }] of steps.entries()) {
        await play(store, event, at);
        const next = steps[index + 1]?.at;
        if (next === undefined || dayOf(next) === dayOf(at)) continue;
        const day = dayOf(at);
        const [report, figures] = [await reportOf(store, day), await figuresOf(store, day)];
        closed.push({ day, end: endOf(at), report, figures });
      }
      for (const { day, end, report } of closed)
        for (const [index, name] of asKnownAt.entries()) {
          const at = `reporting.${name}($1::timestamptz - interval '1 microsecond')`;
          expect(await rowsOf(store, at, `day = '${day}'`, [end]), `${name} ${day}`).toEqual(report[index]);
        }
      for (const [index, name] of asKnownAt.entries())
        expect(await rowsOf(store, `reporting.${name}('infinity')`, inDays)).toEqual(
          await rowsOf(store, `reporting.${reports[index]}`, inDays),
        );
      const corrections = await store.query(
        `select day::text, measure, transaction_type, asset_id, network_id, as_reported, as_known_now, difference,
           corrected_after >= '0' as late from reporting.late_corrections where ${inDays}`,
      );
      const expected = await Promise.all(
        closed.map(async ({ day, figures }) => differencesOf(day, figures, await figuresOf(store, day))),
      );
      expect(sorted(corrections)).toEqual(sorted(expected.flat()));
      await store.database.close();
      await store.drop();
    }),
    { numRuns: 8, endOnFailure: true },
  );
}, 240_000);

/** The figures of one day, from the transactions behind it, by what late_corrections calls them. */
async function figuresOf(store: Store, day: string): Promise<Map<string, string | null>> {
  const rows = await store.query<Record<string, string | null>>(
    `select transaction_type, asset_id, network_id, fee_asset_id, status, amount, fee from reporting.settlement_history
     where known_until is null and settled_at >= $1::timestamptz and settled_at < $1::timestamptz + interval '1 day'`,
    [`${day}T00:00:00Z`],
  );
  const figures = new Map<string, string | null>();
  const add = (measure: string, row: Record<string, string | null>, asset: string, value: string | null) => {
    const key = JSON.stringify([measure, row['transaction_type'], asset, row['network_id']]);
    const before = figures.get(key);
    const known = before === null || value === null ? null : [unitsOrNull(before ?? '0'), unitsOrNull(value)];
    figures.set(key, known === null ? null : textOrNull(sum(known)));
  };
  for (const row of rows) {
    const { transaction_type: type, status, asset_id: asset } = row;
    add(String(status), row, String(asset), '1');
    if (status === 'completed' && type === 'deposit')
      add('in_amount', row, String(asset), row['amount'] ?? null);
    if (status === 'completed' && type === 'withdraw')
      add('out_amount', row, String(asset), row['amount'] ?? null);
    const outcome = status === 'completed' ? 'completed_amount' : 'unsuccessful_amount';
    add(outcome, row, String(asset), row['amount'] ?? null);
    const costs = type !== 'deposit' && type !== 'airdrop' && (status === 'completed' || status === 'failed');
    if (costs && row['fee'] !== null) add('fee', row, String(row['fee_asset_id']), row['fee'] ?? null);
  }
  return figures;
}

function differencesOf(
  day: string,
  reported: ReadonlyMap<string, string | null>,
  known: ReadonlyMap<string, string | null>,
) {
  return [...new Set([...reported.keys(), ...known.keys()])].flatMap((key) => {
    const value = (figures: ReadonlyMap<string, string | null>) =>
      (figures.has(key) ? figures.get(key) : '0') ?? null;
    const [then, now] = [value(reported), value(known)];
    if (then === now) return [];
    const [measure, type, asset, network] = JSON.parse(key) as string[];
    const units = then === null || now === null ? null : (unitsOrNull(now) ?? 0n) - (unitsOrNull(then) ?? 0n);
    return [
      {
        day,
        measure,
        transaction_type: type,
        asset_id: asset,
        network_id: network,
        as_reported: then,
        as_known_now: now,
        difference: textOrNull(units),
        late: true,
      },
    ];
  });
}

const sorted = (rows: readonly object[]) =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).toSorted();

const withdrawal: Seen = {
  id: 'w',
  type: 'withdraw',
  status: 'completed',
  amount: '5',
  fee: '0.1',
  asset: 'Y',
};
const day = 24 * hour;

test('what is completed, left and completed again counts on the day on which it was first seen so', async () => {
  const store = await openAccount();
  for (const [index, status] of ['completed', 'confirming', 'completed'].entries())
    await play(store, { shown: [{ ...withdrawal, status }] }, index * day + hour);
  for (const report of reports)
    expect(await store.query(`select day::text from reporting.${report}`), report).toEqual([
      { day: '2026-01-01' },
    ]);
  expect(
    await store.query(`select day::text, out_amount from reporting.flows_daily_at('2026-01-02 12:00Z')`),
  ).toEqual([]);
  expect(await store.query('select measure from reporting.late_corrections')).toEqual([]);
});

test('a withdrawal that fails after the day is over stays in what was reported, and the difference is shown', async () => {
  const store = await openAccount();
  await play(store, { shown: [withdrawal] }, hour);
  await play(store, { shown: [{ ...withdrawal, status: 'failed' }] }, 3 * day);
  expect(
    await store.query(`select day::text, out_amount from reporting.flows_daily_at('2026-01-03') union all
      select day::text, out_amount from reporting.flows_daily`),
  ).toEqual([{ day: '2026-01-01', out_amount: '5' }]);
  expect(
    await store.query(
      `select day::text, measure, as_reported, as_known_now, difference, transactions::int, corrected_after::text
       from reporting.late_corrections order by measure`,
    ),
  ).toMatchObject([
    {
      day: '2026-01-01',
      measure: 'completed',
      as_reported: '1',
      as_known_now: '0',
      difference: '-1',
      transactions: 1,
    },
    { day: '2026-01-01', measure: 'completed_amount', as_reported: '5', as_known_now: '0' },
    { day: '2026-01-01', measure: 'fee', as_reported: '0.1', as_known_now: '0', corrected_after: '2 days' },
    { day: '2026-01-01', measure: 'out_amount', as_reported: '5', as_known_now: '0', difference: '-5' },
  ]);
});

test('a corrected amount is posted when it is seen, and what was posted before stays', async () => {
  const store = await openAccount();
  await play(store, { shown: [withdrawal] }, hour);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3' }] }, 3 * day);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3', asset: 'X' }] }, 4 * day);
  expect(
    await store.query(
      `select kind, observed_at::date::text as day, asset_id, outflow, fee, total_change, fee_asset_is_assumed as assumed
       from reporting.postings order by observed_at, asset_id`,
    ),
  ).toEqual([
    {
      kind: 'status',
      day: '2026-01-01',
      asset_id: 'Y',
      outflow: '5',
      fee: '0.1',
      total_change: '-5.1',
      assumed: true,
    },
    {
      kind: 'correction',
      day: '2026-01-04',
      asset_id: 'Y',
      outflow: '2',
      fee: '0.2',
      total_change: '-2.2',
      assumed: true,
    },
    // On the network of X, fees are paid in GAS.
    {
      kind: 'correction',
      day: '2026-01-05',
      asset_id: 'GAS',
      outflow: '0',
      fee: '0.3',
      total_change: '-0.3',
      assumed: false,
    },
    {
      kind: 'correction',
      day: '2026-01-05',
      asset_id: 'X',
      outflow: '7',
      fee: '0',
      total_change: '-7',
      assumed: null,
    },
    {
      kind: 'correction',
      day: '2026-01-05',
      asset_id: 'Y',
      outflow: '-7',
      fee: '-0.3',
      total_change: '7.3',
      assumed: true,
    },
  ]);
});

test('a deposit put on a status that nobody documented leaves the balances as they were, and is open', async () => {
  const store = await openAccount();
  const deposit = { ...withdrawal, type: 'deposit' };
  for (const [index, status] of ['confirming', 'on hold', 'checking', 'completed'].entries())
    await play(store, { shown: [{ ...deposit, status }] }, (index + 1) * hour);
  const inflows = await store.query('select to_status, inflow from reporting.postings order by sequence');
  expect(inflows).toEqual([
    { to_status: 'confirming', inflow: '5' },
    { to_status: 'on hold', inflow: '0' },
    { to_status: 'checking', inflow: '0' },
    { to_status: 'completed', inflow: '0' },
  ]);
});

test('what vanished while open is not open, is not stuck, and is found among what vanished', async () => {
  const store = await openAccount();
  await play(
    store,
    {
      shown: [
        { ...withdrawal, status: 'pending' },
        { ...withdrawal, id: 'done' },
      ],
    },
    hour,
  );
  await play(store, { gone: 'w' }, day);
  await play(store, { gone: 'done' }, day);
  expect(await store.query('select transaction_id from reporting.open_transactions')).toEqual([]);
  expect(
    await store.query(
      'select transaction_id, is_open, age is null as unknown from reporting.transactions order by 1',
    ),
  ).toEqual([
    { transaction_id: 'done', is_open: false, unknown: false },
    { transaction_id: 'w', is_open: null, unknown: true },
  ]);
  expect(
    await store.query(
      'select transaction_id, status, was_open from reporting.vanished_transactions order by 1',
    ),
  ).toEqual([
    { transaction_id: 'done', status: 'completed', was_open: false },
    { transaction_id: 'w', status: 'pending', was_open: true },
  ]);
  expect(await store.query('select withdrawals::int, missing::int from reporting.flows_daily')).toEqual([
    { withdrawals: 1, missing: 1 },
  ]);
});
