// The views against the ledger of a world that is known: each figure equals the one computed from the
// recorded world without SQL, to the last digit. Two accounts live in one database, with the same identifiers
// and other figures, and do not mix.
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { differences, none } from '../../support/differences.ts';
import { sampled, sized } from '../../support/form.ts';
import { inZones } from '../../support/time-zone.ts';
import {
  balancesAtRows,
  changeRows,
  closing,
  currentRows,
  dailyRows,
  type Price,
  snapshotRows,
  splitRows,
  valueRows,
} from './expected-balances.ts';
import { destinationRows, destinationUseRows } from './expected-destinations.ts';
import { vaultRows, whitelistRows } from './expected-documents.ts';
import { transactionsAtRows } from './expected-moments.ts';
import { reconciliationRows } from './expected-reconciliation.ts';
import { feeRows, flowRows, outcomeRows, postingRows, staysByMonth } from './expected-sums.ts';
import { missingRows, openRows, timelineRows, transactionRows } from './expected-transactions.ts';
import { type Observed, observe } from './observed.ts';
import { boundaries, tellStory, zones } from './story.ts';
import { readAt, readView, type ViewRow } from './views.ts';
import { isoOf, type Micros, micros, type Zone } from './zones.ts';

const prices: readonly Price[] = [
  { assetId: 'ETH', currency: 'USD', asOf: micros('2025-03-09T05:00:00Z'), price: '3123.450000' },
  {
    assetId: 'ETH',
    currency: 'USD',
    asOf: micros('2025-10-25T21:59:59.999999Z'),
    price: '0.000000000000000001',
  },
  { assetId: 'ETH', currency: 'EUR', asOf: micros('2025-04-24T22:00:00.000001Z'), price: '2871' },
  {
    assetId: 'HUGE',
    currency: 'USD',
    asOf: micros('2025-01-01T00:00:00Z'),
    price: '98765432109876543210.12345',
  },
  { assetId: 'BTC', currency: 'USD', asOf: micros('2999-01-01T00:00:00Z'), price: '1' },
];

/** When a person stated other rules for fees. */
const spring = micros('2025-04-24T12:00:00Z');

let accounts: readonly Observed[] = [];

beforeAll(async () => {
  const database = await testDatabase();
  const options = { seed: 11, transactions: 70, whitelistEntries: 12, frozen: false };
  const own = await observe('2025-03-07T12:00:00Z', options, { database });
  const other = await observe('2025-03-08T01:00:00Z', options, { account: 'other', database });
  await tellStory(own, 4);
  // The other shows that accounts do not mix.
  await tellStory(other, 9, sized({ short: 6, long: boundaries.length }));
  await database.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
     select a.account_id, p.* from custody.accounts a
     cross join unnest($1::text[], $2::text[], $3::timestamptz[], $4::numeric[]) as p`,
    [
      prices.map(({ assetId }) => assetId),
      prices.map(({ currency }) => currency),
      prices.map(({ asOf }) => isoOf(asOf)),
      prices.map(({ price }) => price),
    ],
  );
  // The first account alone knows in which assets its networks take fees; one of them is nobody's.
  own.feeRules.push(
    { networkId: 'ETH', transactionType: null, assetId: 'ETH', knownFrom: 0n, knownUntil: null },
    { networkId: 'ETH', transactionType: 'stake', assetId: 'GAS', knownFrom: 0n, knownUntil: null },
    { networkId: 'SOL', transactionType: 'withdraw', assetId: 'GAS', knownFrom: 0n, knownUntil: spring },
    { networkId: 'SOL', transactionType: 'withdraw', assetId: 'SOL', knownFrom: spring, knownUntil: null },
    { networkId: 'BTC', transactionType: null, assetId: 'GAS', knownFrom: spring, knownUntil: null },
    { networkId: 'BTC', transactionType: 'withdraw', assetId: 'GAS', knownFrom: 0n, knownUntil: spring },
  );
  for (const { networkId, transactionType, assetId, knownFrom, knownUntil } of own.feeRules)
    await database.query(
      knownUntil === null
        ? `insert into custody.fee_rules (network_id, transaction_type, asset_id, known_from)
           select $1, $2, $3, $4 where $5::timestamptz is null`
        : `insert into custody.former_fee_rules (account_id, fee_rule_id, network_id, transaction_type, asset_id, known_from, known_until)
           select 'default', coalesce(max(fee_rule_id), 0) + 1, $1, $2, $3, $4, $5 from custody.former_fee_rules`,
      [networkId, transactionType, assetId, isoOf(knownFrom), knownUntil === null ? null : isoOf(knownUntil)],
    );
  // A database of minutes has no statistics yet, and plans that show it.
  await database.query('analyze');
  accounts = [own, other];
}, 300_000);

async function compare(
  view: string,
  expected: (observed: Observed, now: Micros) => readonly ViewRow[],
): Promise<void> {
  for (const observed of accounts) {
    const { now, rows } = await readView(observed.mirror, view, observed.account);
    const own = expected(observed, now);
    expect(own.length).toBeGreaterThan(0);
    expect(differences(rows, own)).toEqual(none);
  }
}

/** Of an account that moved west and, half a year later, far to the east. */
const changes = [
  { at: '2025-04-20T21:30:00Z', zone: 'America/New_York' },
  { at: '2025-10-25T10:30:00Z', zone: 'Pacific/Auckland' },
];

async function inEachZone(work: (zone: Zone) => Promise<void>): Promise<void> {
  // UTC, and one in which midnight is skipped.
  for (const zone of sampled(zones, { every: 4 })) {
    await accounts[0]?.mirror.query(inZones(zone));
    await work(zone);
  }
  await accounts[0]?.mirror.query(inZones('Europe/Berlin', changes));
  await work([['Europe/Berlin', 0n], ...changes.map(({ at, zone }) => [zone, micros(at)] as const)]);
}

describe('one row for each thing', () => {
  test('transactions', () => compare('transactions', transactionRows));
  test('open transactions', () => compare('open_transactions', openRows));
  test('missing transactions', () => compare('missing_transactions', missingRows));
  test('timeline', () => compare('transaction_timeline', timelineRows));
  test('postings', () => compare('postings', postingRows));
  test('destinations', () => compare('destinations', destinationRows));
  test('uses of destinations', () => compare('destination_uses', destinationUseRows));
  test('vaults', () => compare('vaults', vaultRows));
  test('entries of the whitelist', () => compare('whitelist_history', whitelistRows));
  test('snapshots of balances', () => compare('balance_snapshots', snapshotRows));
  test('current balances', () => compare('balances_current', currentRows));
  test('changes of balances', () => compare('balance_changes', changeRows));
  test('warm and cold', () => compare('vault_split', splitRows));
  test('values of balances', () =>
    compare('balance_values', (observed, now) => valueRows(currentRows(observed, now), prices, () => now)));
});

describe('days of each time zone', () => {
  test('outcomes', () =>
    inEachZone((zone) => compare('transaction_outcomes_daily', (observed) => outcomeRows(observed, zone))));
  test('flows', () => inEachZone((zone) => compare('flows_daily', (observed) => flowRows(observed, zone))));
  test('fees', () => inEachZone((zone) => compare('fees_daily', (observed) => feeRows(observed, zone))));
  test('balances', () =>
    inEachZone((zone) => compare('balances_daily', (observed, now) => dailyRows(observed, zone, now))));
  test('values', () =>
    inEachZone((zone) =>
      compare('balance_values_daily', (observed, now) =>
        valueRows(dailyRows(observed, zone, now), prices, closing(now)),
      ),
    ));
  test('reconciliation', () =>
    inEachZone((zone) => compare('reconciliation_daily', (observed) => reconciliationRows(observed, zone))));
});

test('durations in each status, by the month in which it was left', async () => {
  await inEachZone(async (zone) => {
    for (const observed of accounts) {
      const { rows } = await readView(observed.mirror, 'status_durations', observed.account);
      const expected = staysByMonth(observed, zone);
      const keyOf = (row: ViewRow) => JSON.stringify([row['month'], row['transaction_type'], row['status']]);
      expect(new Set(rows.map(keyOf))).toEqual(new Set(expected.keys()));
      expect(rows).toHaveLength(expected.size);
      for (const row of rows) {
        const stays = expected.get(keyOf(row)) ?? [];
        expect(row).toMatchObject({
          stays: String(stays.length),
          shortest: String(stays[0]),
          longest: String(stays.at(-1)),
        });
        // Between two stays the database interpolates with the precision of a double, and keeps microseconds.
        near(row['median'], share(stays, 50n));
        near(row['p95'], share(stays, 95n));
        near(row['mean'], stays.reduce((all, stay) => all + stay, 0n) / BigInt(stays.length));
      }
    }
  });
});

function share(stays: readonly bigint[], percent: bigint): bigint {
  const place = percent * BigInt(stays.length - 1);
  const below = stays[Number(place / 100n)] ?? 0n;
  const above = stays[Number(place / 100n) + 1] ?? below;
  return below + ((above - below) * (place % 100n)) / 100n;
}

function near(found: ViewRow[string] | undefined, expected: bigint): void {
  const difference = BigInt(String(found)) - expected;
  expect(difference >= -1n && difference <= 1n, `${found} is not ${expected}`).toBe(true);
}

/** At each reading, a microsecond before and a microsecond after; and when nothing was read for weeks. */
function momentsOf({ transactions, balances }: Observed): readonly Micros[] {
  const readings = new Set([...transactions, ...balances].map(({ at }) => at));
  const moments = new Set([...readings].flatMap((at) => [at - 1n, at, at + 1n]));
  return sampled([...moments, micros('2025-07-01T00:00:00Z')], { every: 7 });
}

describe('what was known at a moment', () => {
  test.each([
    ['transactions_at', transactionsAtRows],
    ['balances_at', balancesAtRows],
  ] as const)('%s', async (name, expected) => {
    for (const observed of accounts) {
      for (const at of momentsOf(observed)) {
        const rows = await readAt(observed.mirror, name, observed.account, isoOf(at));
        expect(differences(rows, expected(observed, at)), isoOf(at)).toEqual(none);
      }
      const before = await readAt(observed.mirror, name, observed.account, '2025-03-08T07:59:59.999999Z');
      expect(before).toEqual([]);
    }
  });
});

describe('what the story is about, in plain figures', () => {
  const rowsOf = async (view: string, matching: ViewRow) => {
    const [own] = accounts;
    if (own === undefined) throw new Error('nothing was observed');
    const { rows } = await readView(own.mirror, view, own.account);
    return rows.filter((row) => Object.entries(matching).every(([column, value]) => row[column] === value));
  };

  test('a withdrawal that failed after it was confirming costs its fee; a deposit that did comes in and goes out again; a status nobody knows moves nothing', async () => {
    const figures = ({ from_status, to_status, inflow, outflow, fee, total_change }: ViewRow) =>
      [from_status, to_status, inflow, outflow, fee, total_change].join(' ');
    const postings = async (id: string) =>
      (await rowsOf('postings', { transaction_id: id }))
        .toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']))
        .map(figures);
    expect(await postings('fails-out')).toEqual([
      ' pending 0 0 0 0',
      'pending processing 0 0 0 0',
      'processing confirming 0 0 0 0',
      'confirming failed 0 0 0.010000000000000001 -0.010000000000000001',
    ]);
    expect(await postings('fails-in')).toEqual([
      ' processing 7.000000000000000001 0 0 7.000000000000000001',
      'processing confirming 0 0 0 0',
      'confirming failed -7.000000000000000001 0 0 -7.000000000000000001',
    ]);
    expect((await postings('reversed')).slice(1)).toEqual([
      'confirming reversed 0 0 0 0',
      'reversed checking 0 0 0 0',
      'checking completed 0 0 0 0',
    ]);
    expect(await postings('unknown-amount')).toEqual([' completed  0 0 ']);
    expect(await postings('airdrop')).toEqual([' completed 0 0 0 0']);
  });
});

describe('lines behind the figures', () => {
  /** Rows of one query that the other one does not have, in both directions; of figures that both know. */
  const differ = async (lines: string, figures: string) => {
    const [own] = accounts;
    const either = (one: string, other: string) => own?.mirror.query(`(${one}) except all (${other})`);
    expect(((await own?.mirror.query(lines)) ?? []).length).toBeGreaterThan(0);
    expect([await either(lines, figures), await either(figures, lines)]).toEqual([[], []]);
  };

  test('the value of a day is that of its balances, and shows what it leaves out', () =>
    differ(
      `select account_id, day, vault_type, currency, total_value, valued, oldest_price_as_of
         from reporting.portfolio_value_daily where valued > 0`,
      `select account_id, day, vault_type, currency, trim_scale(sum(total_value)), count(total_value), min(price_as_of) filter (where total_balance is not null)
         from reporting.balance_values_daily where currency is not null
        group by 1, 2, 3, 4 having count(total_value) > 0`,
    ));

  test('at the end of time is known what is known now', () =>
    differ(
      `select transaction_id, status, amount, fee, note, missing_since from reporting.transactions`,
      `select transaction_id, status, amount, fee, note, missing_since from reporting.transactions_at('infinity')`,
    ));

  test('a movement is a deposit or withdrawal that was completed, at the price of that moment', () =>
    differ(
      'select account_id, transaction_id, currency, value from reporting.movement_values',
      `select t.account_id, t.transaction_id, p.currency, trim_scale(t.amount * p.price)
         from reporting.transactions t
         join lateral (select distinct on (q.currency) q.currency, q.price from custody.asset_prices q
           where q.account_id = t.account_id and q.asset_id = t.asset_id and q.as_of <= t.settled_at
           order by q.currency, q.as_of desc) as p on true
        where t.status = 'completed' and t.direction in ('in', 'out') and t.amount is not null`,
    ));

  test('the postings of a day add up to its reconciliation', () =>
    differ(
      `select r.account_id, r.day, r.asset_id, coalesce(sum(p.inflow), 0), coalesce(sum(p.outflow), 0)
         from reporting.reconciliation_daily r
         left join reporting.reconciliation_postings p using (account_id, day, asset_id)
        where r.inflow is not null and r.outflow is not null group by 1, 2, 3`,
      `select account_id, day, asset_id, inflow, outflow from reporting.reconciliation_daily
        where inflow is not null and outflow is not null`,
    ));

  test('what changed in a document turns the one before into the one after', () =>
    differ(
      `select account_id, kind, document_id, revision, document::jsonb from reporting.document_changes where revision > 1`,
      `select c.account_id, c.kind, c.document_id, c.revision, (f.document - string_to_array(c.changed_fields, ', ')) || c.after::jsonb
         from reporting.document_changes c
         join custody.document_revisions f on f.account_id = c.account_id and f.kind = c.kind
           and f.document_id = c.document_id and f.revision = c.revision - 1`,
    ));
});
