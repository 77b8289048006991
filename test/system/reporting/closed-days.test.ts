// A day that is over comes back as it was reported, whatever is corrected later.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneRun } from '../../support/cleanup.ts';
import { differences, none } from '../../support/differences.ts';
import { epoch, type Store } from '../../support/store.ts';
import { sum, textOrNull, unitsOrNull } from './decimal.ts';
import { type Event, hour, openAccount, play, reports, type Seen, seen, withdrawal } from './late.ts';
import { day } from './told.ts';

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

interface Step {
  readonly at: number;
  readonly event: Event;
}

const past: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 14 }),
      fc.oneof(
        { weight: 8, arbitrary: seen.map((shown): Event => ({ shown })) },
        { weight: 1, arbitrary: fc.constantFrom('a', 'b').map((gone): Event => ({ gone })) },
        { weight: 2, arbitrary: fc.constantFrom('GAS', 'OIL', 'X').map((rule): Event => ({ rule })) },
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

const deposit: Seen = { ...withdrawal, type: 'deposit' };
const second: Seen = { ...deposit, id: 'second', amount: '7' };
const other: Seen = { ...withdrawal, id: 'other', amount: '6' };
const story = (...steps: readonly (readonly [at: number, ...seen: readonly Seen[]])[]): Step[] =>
  steps.map(([at, ...shown]) => ({ at, event: { shown } }));

const stories: readonly (readonly Step[])[] = [
  // One that goes missing is no cause of what another one changed, and no later moment of it.
  [
    ...story([hour, deposit, second], [3 * day, { ...second, amount: '8' }]),
    { at: 8 * day, event: { gone: 'w' } },
  ],
  // What takes a transaction out of a figure is its last correction, whatever was corrected before.
  story(
    [hour, deposit],
    [3 * day, { ...deposit, amount: '6' }],
    [7 * day, { ...deposit, amount: '6', type: 'withdraw' }],
  ),
  // A count is not dated by an amount, and what came back to what it was is no cause.
  story(
    [hour, withdrawal, other],
    [2 * day, { ...other, fee: '0.7' }],
    [3 * day, { ...withdrawal, status: 'failed' }],
    [5 * day, { ...other, amount: '7' }],
    [7 * day, other],
  ),
];

test('a day comes back as it was reported at its end, and late corrections are the difference', async () => {
  await fc.assert(
    fc.asyncProperty(
      past,
      oneRun(async (steps) => {
        const store = await openAccount();
        const closed: {
          day: string;
          end: string;
          report: string[][];
          figures: Map<string, string | null>;
        }[] = [];
        const known: Known[] = [];
        for (const [index, { at, event }] of steps.entries()) {
          await play(store, event, at);
          known.push({ at, given: await givenIn(store) });
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
           corrected_after >= '0' as late, transactions::int as causes, to_char(corrected_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as on from reporting.late_corrections where ${inDays}`,
        );
        const expected = await Promise.all(
          closed.map(async ({ day, figures }) =>
            differencesOf(day, figures, await figuresOf(store, day)).map((row) => ({
              ...row,
              ...causesOf(row, known),
            })),
          ),
        );
        expect(differences(corrections, expected.flat())).toEqual(none);
      }),
    ),
    { examples: stories.map((steps) => [steps]), numRuns: 11, endOnFailure: true },
  );
}, 240_000);

/** The figures of one day, from the transactions behind it, by what late_corrections calls them. */
async function figuresOf(store: Store, day: string): Promise<Map<string, string | null>> {
  const rows = await store.query<Record<string, string | null>>(
    `select transaction_type, asset_id, network_id, fee_asset_id, status, amount, fee from reporting.settlement_history
     where known_until is null and settled_at >= $1::timestamptz and settled_at < $1::timestamptz + interval '1 day'`,
    [`${day}T00:00:00Z`],
  );
  return addTo(new Map(), rows);
}

function addTo(figures: Map<string, string | null>, rows: readonly Record<string, string | null>[]) {
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

/** What each transaction gave to each figure of each day, as it was known after a step. */
interface Known {
  readonly at: number;
  readonly given: ReadonlyMap<string, string>;
}

async function givenIn(store: Store): Promise<Map<string, string>> {
  const rows = await store.query<Record<string, string | null>>(
    `select s.*, settled_at::date::text as day from reporting.settlement_history s where known_until is null`,
  );
  return new Map(
    rows.flatMap((row) =>
      [...addTo(new Map(), [row])].map(
        ([key, value]) => [`${row['day']} ${key} ${row['transaction_id']}`, value ?? 'unknown'] as const,
      ),
    ),
  );
}

/** How many transactions give something else than at the end of the day, and when these last changed. */
function causesOf(row: ReturnType<typeof differencesOf>[number], known: readonly Known[]) {
  const key = `${row.day} ${JSON.stringify([row.measure, row.transaction_type, row.asset_id, row.network_id])} `;
  const then = known.findLastIndex(({ at }) => dayOf(at) <= row.day);
  const causes = new Set(
    known.flatMap(({ given }) => [...given.keys()].filter((each) => each.startsWith(key))),
  );
  const at = (index: number, each: string) => known[index]?.given.get(each) ?? '0';
  const changed = [...causes].flatMap((each) => {
    if (at(then, each) === at(known.length - 1, each)) return [];
    return [known.findLastIndex((_, index) => at(index, each) !== at(index - 1, each))];
  });
  return { causes: changed.length, on: momentOf(known[Math.max(...changed)]?.at ?? 0) };
}

const momentOf = (at: number) => new Date(epoch + at).toISOString();

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
