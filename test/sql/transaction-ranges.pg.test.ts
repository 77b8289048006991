// Whatever is written: the ranges hold what the transactions are, by the definition of a range, and none grows long where transactions
// are added behind the others, as the mirror does.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneRun } from '../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { sized } from '../support/form.ts';

const accounts = ['one', 'two'] as const;

/** A page for each moment, which all of it shares; moments are seconds. */
interface Added {
  readonly kind: 'added';
  readonly account: (typeof accounts)[number];
  readonly from: number;
  readonly pages: number;
  readonly perPage: number;
  readonly missing: boolean;
}

/** Of the transactions one in so many, in both accounts. */
interface Changed {
  readonly kind: 'missing' | 'returned' | 'earlier' | 'later' | 'settled';
  readonly oneIn: number;
}

const steps: fc.Arbitrary<(Added | Changed)[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('added' as const),
      account: fc.constantFrom(...accounts),
      from: fc.integer({ min: 0, max: 400 }),
      pages: fc.integer({ min: 1, max: 30 }),
      perPage: fc.integer({ min: 1, max: 700 }),
      missing: fc.boolean(),
    }),
    fc.record({
      kind: fc.constantFrom('missing', 'returned', 'earlier', 'later', 'settled'),
      oneIn: fc.integer({ min: 1, max: 50 }),
    }),
  ),
  { minLength: 3, maxLength: 6 },
);

const changes = {
  missing: 'missing_since = coalesce(missing_since, now())',
  returned: 'missing_since = null',
  earlier: "first_seen_at = first_seen_at - interval '77 seconds'",
  later: "first_seen_at = first_seen_at + interval '333 seconds'",
  settled: "status = 'completed'",
} as const satisfies Record<Changed['kind'], string>;

/** Without the indexes that take most of the time of a write. */
async function openAccounts(): Promise<TestDatabase> {
  const database = await testDatabase();
  await database.query(`
    drop index custody.transactions_search_idx, custody.transactions_filter_idx, custody.transactions_destination_idx;
    insert into custody.accounts (account_id, base_url, first_seen_at)
    select a, 'https://custody.example', now() from unnest(array['${accounts.join("', '")}']) as a`);
  return database;
}

async function add(database: TestDatabase, added: Omit<Added, 'kind'>, name: string): Promise<void> {
  const { account, from, pages, perPage, missing } = added;
  await database.query(`
    insert into custody.transactions
      (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, missing_since, content_hash, raw)
    select '${account}', '${name}-' || i, 'pending', at, at, at, case when ${missing} and i % 3 = 0 then now() end, '', '{}'
    from generate_series(0, ${pages * perPage - 1}) as i
    cross join lateral (select timestamptz '2026-01-01Z' + interval '1 second' * (${from} + i / ${perPage}) as at) as m`);
}

async function take(database: TestDatabase, step: Added | Changed, index: number): Promise<void> {
  if (step.kind === 'added') await add(database, step, `step-${index}`);
  else
    await database.query(
      `update custody.transactions set ${changes[step.kind]} where hashtext(transaction_id) % ${step.oneIn} = 0`,
    );
}

const ranges = (database: TestDatabase, account: string) =>
  database.query<{ begins_at: string; shown: number }>(
    `select r.begins_at::text, r.shown::int from custody.transaction_ranges r where r.account_id = '${account}' order by r.begins_at`,
  );

/** Ranges that hold another number than they should, and accounts of which something is in no range. */
const wrong = (database: TestDatabase) =>
  database.query(`
    with ranges as (
      select *, lead(begins_at, 1, 'infinity') over (partition by account_id order by begins_at) as ends_before
      from custody.transaction_ranges)
    select r.account_id, r.begins_at::text, r.shown, c.shown as counted, c.last_at, r.last_at as told
    from ranges r cross join lateral (
      select count(*) as shown, max(t.first_seen_at) as last_at from custody.transactions t
      where t.account_id = r.account_id and t.missing_since is null
        and t.first_seen_at >= r.begins_at and t.first_seen_at < r.ends_before) as c
    where r.shown <> c.shown or c.last_at > r.last_at
    union all
    select t.account_id, null, null, count(*), null, null from custody.transactions t
    where t.missing_since is null
      and not exists (select from ranges r where r.account_id = t.account_id and r.begins_at = '-infinity')
    group by 1`);

test('each range holds what it counts, whatever is written in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      oneRun(async (past) => {
        const database = await openAccounts();
        for (const [index, step] of past.entries()) {
          await take(database, step, index);
          expect(await wrong(database)).toEqual([]);
        }
      }),
    ),
    { numRuns: sized({ short: 5, long: 30 }), endOnFailure: true },
  );
}, 600_000);

test('what is added behind the others makes ranges of ten thousand, by pages or in one statement', async () => {
  const database = await openAccounts();
  const page = { pages: 1, perPage: 1_000, missing: false };
  for (let index = 0; index < 25; index += 1)
    await add(database, { ...page, account: 'one', from: index }, `page-${index}`);
  await add(database, { ...page, account: 'two', from: 0, pages: 25 }, 'whole');
  const expected = [
    { begins_at: '-infinity', shown: 10_000 },
    { begins_at: expect.stringMatching(/^2026-01-01 .*:10/), shown: 10_000 },
    { begins_at: expect.stringMatching(/^2026-01-01 .*:20/), shown: 5_000 },
  ];
  expect(await ranges(database, 'one')).toEqual(expected);
  expect(await ranges(database, 'two')).toEqual(expected);
});

test('ranges that are made anew are the same', async () => {
  const database = await openAccounts();
  await add(database, { account: 'one', from: 0, pages: 35, perPage: 777, missing: true }, 'whole');
  const kept = await ranges(database, 'one');
  await database.query(`
    truncate custody.transaction_ranges;
    insert into custody.transaction_ranges select * from internal.transaction_ranges_anew`);
  expect(await wrong(database)).toEqual([]);
  expect(await ranges(database, 'one')).toHaveLength(kept.length);
});
