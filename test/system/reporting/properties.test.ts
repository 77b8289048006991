// Random observations at random moments around changes of the clocks, against naive walks through what was
// written down.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BalanceRecord, TransactionRecord } from '../../../packages/sandbox/src/world/records.ts';
import { type Balance, balanceKey } from '../../../src/domain/balance.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { commitBalanceSnapshot } from '../../../src/store/commit/commit-balances.ts';
import { oneRun } from '../../support/cleanup.ts';
import { differences, none } from '../../support/differences.ts';
import { sized } from '../../support/form.ts';
import {
  account,
  commitPages,
  digest,
  item,
  noRequests,
  openStore,
  type Store,
  transaction,
  undecodable,
} from '../../support/store.ts';
import { inZones } from '../../support/time-zone.ts';
import type { ObservedBalances } from './balance-walk.ts';
import {
  balancesAtRows,
  changeRows,
  currentRows,
  dailyRows,
  snapshotRows,
  splitRows,
} from './expected-balances.ts';
import { transactionsAtRows } from './expected-moments.ts';
import { type BalanceReading, type TransactionReading, type Type, vaultTypes } from './observed.ts';
import { readAt, readView, type ViewRow } from './views.ts';
import { isoOf, type Micros, micros } from './zones.ts';

const decimal = (text: string) => parseDecimal(text)?.value ?? null;

/** Clocks change on the second day, in one direction or the other. */
const changes = [
  { zone: 'Europe/Berlin', from: '2025-10-25T00:00:00Z' },
  { zone: 'America/New_York', from: '2025-03-08T00:00:00Z' },
  { zone: 'America/Santiago', from: '2025-09-06T00:00:00Z' },
  { zone: 'Atlantic/Azores', from: '2025-10-25T00:00:00Z' },
  { zone: 'Asia/Kathmandu', from: '2025-10-25T00:00:00Z' },
];
const place = fc.constantFrom(...changes);

/** Minutes after the beginning, in order, each once. */
const minutes = (most: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 3 * 24 * 60 }), { minLength: 1, maxLength: most })
    .map((list) => list.toSorted((a, b) => a - b));

const amount = fc.constantFrom(
  '0',
  '0.000000000000000001',
  '1.50',
  '1.5',
  '99999999999999999999999999999999999999.9',
  '-3',
  '7',
);

async function openAt(from: string, zone: string): Promise<Store> {
  const store = await openStore();
  await store.query('update custody.accounts set first_seen_at = $1', [from]);
  await store.query(inZones(zone));
  return store;
}

/** What one list holds: amounts by asset; null is a record that cannot be read. */
const shown = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.option(amount, { freq: 5 }), { maxKeys: 3 });
/**
 * Beside the list: a record of which cannot be read what it is, one that names an asset alone, and the time
 * it took.
 */
const listed = fc.record({
  told: shown,
  unidentified: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
  withoutNetwork: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  askedAfter: fc.integer({ min: 0, max: 20 }),
  took: fc.integer({ min: 0, max: 30 }),
});
const tick = fc.record({ all: fc.option(listed), warm: fc.option(listed), cold: fc.option(listed) });
type Listed = NonNullable<(typeof tick extends fc.Arbitrary<infer T> ? T : never)['all']>;

/** One second of the tests' time: readings are a minute apart and take up to 50. */
const second = 1_000_000n;

function readingOf(at: Micros, lists: ReadonlyMap<Type, Listed>): BalanceReading {
  const of = <Value>(make: (listed: Listed) => Value) =>
    new Map([...lists].map(([type, told]) => [type, make(told)] as const));
  return {
    at,
    lists: of(({ told }) =>
      Object.entries(told).flatMap(([assetId, total]) =>
        total === null ? [] : [balanceRecord(assetId, total)],
      ),
    ),
    bounds: of(({ askedAfter, took }) => ({
      askedAt: at + BigInt(askedAfter) * second,
      answeredAt: at + BigInt(askedAfter + took) * second,
    })),
    unreadable: of(({ told, unidentified, withoutNetwork }) => ({
      named: [
        ...Object.entries(told).flatMap(([assetId, total]) =>
          total === null ? [{ assetId, networkId: 'net' }] : [],
        ),
        ...(withoutNetwork ? [{ assetId: 'a', networkId: '' }] : []),
      ],
      unidentified,
    })),
  };
}

test('balances of each day, moment and change are those of a naive walk, whatever could not be read', async () => {
  await fc.assert(
    fc.asyncProperty(
      place,
      minutes(9),
      fc.array(tick, { minLength: 9, maxLength: 9 }),
      oneRun(async ({ zone, from }, times, ticks) => {
        const store = await openAt(from, zone);
        const balances: BalanceReading[] = [];
        for (const [index, minute] of times.entries()) {
          const at = micros(from) + BigInt(minute) * 60n * second;
          const lists = new Map<Type, Listed>();
          for (const type of vaultTypes) {
            const told = ticks[index]?.[type];
            if (told !== null && told !== undefined) lists.set(type, told);
          }
          const reading = readingOf(at, lists);
          for (const type of lists.keys()) await snapshot(store, type, reading);
          balances.push(reading);
        }
        const observed: ObservedBalances = { account, balances };
        const compare = async (view: string, expected: (now: Micros) => readonly ViewRow[]) => {
          const { now, rows } = await readView(store, view, account);
          expect(differences(rows, expected(now)), view).toEqual(none);
        };
        await compare('balances_daily', (now) => dailyRows(observed, zone, now));
        await compare('balance_snapshots', () => snapshotRows(observed));
        await compare('balances_current', (now) => currentRows(observed, now));
        await compare('balance_changes', () => changeRows(observed));
        await compare('vault_split', () => splitRows(observed));
        const moments = balances.flatMap(({ bounds }) =>
          [...(bounds?.values() ?? [])].flatMap(({ askedAt, answeredAt }) => [askedAt, answeredAt]),
        );
        for (const moment of new Set(moments.flatMap((at) => [at - 1n, at])))
          expect(
            differences(
              await readAt(store, 'balances_at', account, isoOf(moment)),
              balancesAtRows(observed, moment),
            ),
            isoOf(moment),
          ).toEqual(none);
      }),
    ),
    { numRuns: sized({ short: 4, long: 30 }, 'REPORTING_PASTS'), endOnFailure: true },
  );
}, 240_000);

function balanceRecord(assetId: string, total: string): BalanceRecord {
  const zero = { processing: '0', staking: '0', claimable: '0' };
  return {
    assetId,
    assetName: assetId.toUpperCase(),
    networkId: 'net',
    networkName: 'Net',
    total,
    available: total,
    ...zero,
  };
}

async function snapshot(store: Store, vaultType: Type, reading: BalanceReading): Promise<void> {
  const records = (reading.lists.get(vaultType) ?? []).map((told) => {
    const record: Balance = {
      assetId: told.assetId,
      assetName: told.assetName,
      networkId: told.networkId,
      networkName: told.networkName,
      totalBalance: decimal(told.total),
      availableBalance: decimal(told.available),
      processingBalance: decimal('0'),
      stakingBalance: decimal('0'),
      claimableBalance: decimal('0'),
      raw: JSON.stringify(told),
    };
    return { kind: 'record' as const, key: balanceKey(record), hash: digest(record.raw), record };
  });
  const { named = [], unidentified = false } = reading.unreadable?.get(vaultType) ?? {};
  const keys = [...named.map(balanceKey), ...(unidentified ? [digest('without an asset')] : [])];
  const ms = (at: Micros | undefined) => Number((at ?? reading.at) / 1000n);
  const bounds = reading.bounds?.get(vaultType);
  const observation = { beganAt: ms(bounds?.askedAt), arrivedAt: ms(bounds?.answeredAt) };
  await commitBalanceSnapshot(store.database, store.lease, store.run, {
    vaultType,
    snapshotAt: ms(reading.at),
    observation,
    pages: [
      { items: [...records, ...keys.map((key) => undecodable(key))], ...observation, sourceTimestamp: null },
    ],
    tally: noRequests,
  });
}

const told = fc.record({
  status: fc.constantFrom('pending', 'confirming', 'completed', 'failed', 'on-hold'),
  amount: fc.oneof(amount, fc.constant('')),
  fee: fc.oneof(amount, fc.constant('')),
  note: fc.constantFrom('', 'a', 'b "quoted" \\ | ü'),
  transactionType: fc.constantFrom('deposit', 'withdraw', 'airdrop'),
  destinationType: fc.constantFrom('vault', 'whitelist'),
});
const list = fc.dictionary(fc.constantFrom('t1', 't2', 't3'), told, { maxKeys: 3 });

test('transactions as known at a moment are those that were read last by then', async () => {
  await fc.assert(
    fc.asyncProperty(
      minutes(10),
      fc.array(list, { minLength: 10, maxLength: 10 }),
      oneRun(async (times, lists) => {
        const from = '2025-10-25T00:00:00Z';
        const store = await openAt(from, 'UTC');
        const readings: TransactionReading[] = [];
        let records = new Map<string, TransactionRecord>();
        for (const [index, minute] of times.entries()) {
          const at = micros(from) + BigInt(minute) * 60_000_000n;
          const page = Object.entries(lists[index] ?? {}).map(([id, fields]) =>
            transactionRecord(id, fields),
          );
          const ms = Number(at / 1000n);
          await commitPages(store, {
            items: page.map((record) => item(toTransaction(record))),
            beganAt: ms,
            arrivedAt: ms,
            sourceTimestamp: null,
          });
          // What is not on this page stays as it was.
          records = new Map([...records, ...page.map((record) => [record.transactionId, record] as const)]);
          readings.push({ at, records });
        }
        for (const { at } of readings)
          for (const moment of [at - 1n, at, at + 1n]) {
            const rows = await readAt(store, 'transactions_at', account, isoOf(moment));
            expect(
              differences(rows, transactionsAtRows({ account, transactions: readings }, moment)),
            ).toEqual(none);
          }
      }),
    ),
    { numRuns: sized({ short: 4, long: 30 }, 'REPORTING_PASTS'), endOnFailure: true },
  );
}, 240_000);

function transactionRecord(transactionId: string, fields: Partial<TransactionRecord>): TransactionRecord {
  return {
    transactionId,
    createdAt: 0,
    transactionType: 'deposit',
    status: 'pending',
    assetId: 'X',
    assetName: 'X',
    networkId: 'net',
    networkName: 'Net',
    amount: '1',
    fee: '',
    sourceType: 'vault',
    sourceId: 's',
    sourceName: 'S',
    sourceAddress: 'from',
    destinationType: 'vault',
    destinationId: 'd',
    destinationName: 'D',
    destinationAddress: 'to',
    memo: '',
    txnHash: '',
    blockexplorerLink: '',
    note: '',
    ...fields,
  };
}

function toTransaction(record: TransactionRecord): Transaction {
  const { amount: amountText, fee, memo, createdAt: _, ...same } = record;
  const raw = JSON.stringify({
    transaction_id: record.transactionId,
    status: record.status,
    transaction: { ...record, status: '' },
  });
  return {
    ...transaction({ id: record.transactionId }),
    ...same,
    amount: decimal(amountText),
    fee: decimal(fee),
    destinationMemo: memo,
    raw,
    contentHash: digest(raw),
  };
}
