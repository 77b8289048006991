// Days of reports against Node's own knowledge of time zones, and against the database's: among them days of
// 23 and of 25 hours, midnights that never come, midnights that come twice, and accounts that change their
// zone.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneRun } from '../../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { differences, none } from '../../support/differences.ts';
import { sized } from '../../support/form.ts';
import { inZones } from '../../support/time-zone.ts';
import { dayOf, daysBetween, isoOf, type Micros, micros, nextDay, startOfDay, type Zone } from './zones.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'America/Nuuk',
  // Midnight is skipped in spring.
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  // Midnight comes twice in autumn.
  'America/Havana',
  'Atlantic/Azores',
];

const startOf = `(extract(epoch from reporting.day_starts_at(d, $1)) * 1000000)::bigint::text`;

test('the days of each zone begin at their first moment, as Node.js knows it', async () => {
  const database = await testDatabase();
  for (const zone of zones) {
    const rows = await database.query<{ day: string; at: string }>(
      `select d::date::text as day, ${startOf} as at
       from generate_series(timestamp '2024-01-01', timestamp '2025-12-31', interval '1 day') as d`,
      [zone],
    );
    const days = daysBetween('2024-01-01', '2025-12-31');
    const expected = days.map((day) => ({ day, at: startOfDay(day, zone).toString() }));
    expect(differences(rows, expected), zone).toEqual(none);
  }
});

test('in every time zone a day holds the moments whose local date it is', async () => {
  const database = await testDatabase();
  const astray = await database.query(
    `select z.name, d
     from pg_timezone_names as z
     cross join generate_series(timestamp '2025-01-01', timestamp '2025-12-31', interval '1 day') as d
     cross join lateral (select reporting.day_starts_at(d, z.name) as at) as s
     where (s.at at time zone z.name)::date <> d::date
        or ((s.at - interval '1 microsecond') at time zone z.name)::date >= d::date
     limit 5`,
  );
  expect(astray).toEqual([]);
});

test('the calendar goes from the day the mirror began to today, in the time zone of each account', async () => {
  const database = await testDatabase();
  await database.query(
    `insert into custody.accounts (account_id, base_url, first_seen_at, time_zone) values
      ('lisbon', 'https://a.example', '2025-03-29 23:30:00+00', 'Europe/Lisbon'),
      ('auckland', 'https://b.example', '2025-03-29 23:30:00+00', 'Pacific/Auckland')`,
  );
  const edges = await database.query(
    `select account_id, min(day)::text as first, min(month)::text as month, bool_or(ends_at > now() and starts_at <= now()) as today,
       bool_and(starts_at <= now()) as begun, count(*) = count(distinct day) as once,
       max(ends_at - starts_at) filter (where day = '2025-03-30') as length, min(time_zone) as zone
     from reporting.calendar group by account_id order by account_id`,
  );
  const known = { today: true, begun: true, once: true };
  expect(edges).toMatchObject([
    { account_id: 'auckland', first: '2025-03-30', month: '2025-03-01', ...known, length: { days: 1 } },
    { account_id: 'lisbon', first: '2025-03-29', month: '2025-03-01', ...known, length: { hours: 23 } },
  ]);
  expect(
    await database.query(
      `select from reporting.calendar c join reporting.calendar n using (account_id)
       where n.day = c.day + 1 and n.starts_at <> c.ends_at`,
    ),
  ).toEqual([]);
});

interface Change {
  readonly at: Micros;
  readonly zone: string;
}

interface Day {
  readonly day: string;
  readonly starts: Micros;
  readonly ends: Micros;
  readonly zone: string;
}

const began = micros('2025-03-26T12:00:00Z');

/** Zones more than a day apart among them, and those in which midnight is skipped or comes twice. */
const someZone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/Santiago', 'Atlantic/Azores', 'Africa/Cairo', 'Asia/Kathmandu'],
  ...['Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Pacific/Auckland', 'America/Havana'],
);

/** Changes of the zone in two weeks around changes of the clocks; some at the midnight of a zone. */
const history = fc
  .uniqueArray(
    fc.record({
      hours: fc.integer({ min: 1, max: 14 * 24 }),
      zone: someZone,
      midnightOf: fc.option(someZone, { freq: 2 }),
    }),
    { selector: ({ hours }) => hours, maxLength: 4 },
  )
  .map((list) => {
    const moments = list.map(({ hours, zone, midnightOf }) => {
      const at = began + BigInt(hours) * 3_600_000_000n;
      return { at: midnightOf === null ? at : startOfDay(nextDay(dayOf(at, midnightOf)), midnightOf), zone };
    });
    const sorted = moments.toSorted((a, b) => (a.at < b.at ? -1 : 1));
    return sorted.filter(({ at }, index) => at !== sorted[index - 1]?.at);
  });

async function daysWith(database: TestDatabase, first: string, changes: readonly Change[]): Promise<Day[]> {
  await database.query(
    `insert into custody.accounts (account_id, base_url, first_seen_at, time_zone) values ('a', 'https://a.example', $1, $2)
     on conflict (account_id) do update set time_zone = excluded.time_zone`,
    [isoOf(began), first],
  );
  await database.query(
    inZones(
      first,
      changes.map(({ at, zone }) => ({ at: isoOf(at), zone })),
    ),
  );
  const rows = await database.query<{ day: string; starts: string; ends: string; zone: string }>(
    `select day::text, (extract(epoch from starts_at) * 1000000)::bigint::text as starts,
       (extract(epoch from ends_at) * 1000000)::bigint::text as ends, time_zone as zone
     from reporting.calendar where day < '2025-04-20' order by day`,
  );
  return rows.map((row) => ({ ...row, starts: BigInt(row.starts), ends: BigInt(row.ends) }));
}

test('a change of the time zone moves no day that is over, and days meet without gap and overlap', async () => {
  const database = await testDatabase();
  await fc.assert(
    fc.asyncProperty(
      someZone,
      history,
      oneRun(async (first, changes) => {
        const days = await daysWith(database, first, changes);
        const zones: Zone = [[first, 0n], ...changes.map(({ at, zone }) => [zone, at] as const)];
        expect(days.map(({ day }) => day)).toEqual(daysBetween(days[0]?.day ?? '', '2025-04-19'));
        expect(days.slice(1).map(({ starts }) => starts)).toEqual(days.slice(0, -1).map(({ ends }) => ends));
        expect(days[0]?.day).toBe(dayOf(began, zones));
        const edges = [...days.map(({ starts }) => starts), ...changes.map(({ at }) => at)];
        for (const moment of edges.flatMap((at) => [at - 1n, at, at + 3_600_000_000n])) {
          if (moment < began) continue;
          const holding = days.filter(({ starts, ends }) => starts <= moment && moment < ends);
          expect(holding.map(({ day }) => day)).toEqual([dayOf(moment, zones)]);
        }
        for (const { ends, zone } of days)
          expect(zone).toBe(changes.findLast(({ at }) => at < ends)?.zone ?? first);
        for (const [index, { at }] of changes.entries()) {
          const closed = (await daysWith(database, first, changes.slice(0, index))).filter(
            ({ ends }) => ends <= at,
          );
          expect(days.slice(0, closed.length)).toEqual(closed);
        }
      }),
    ),
    { numRuns: sized({ short: 25, long: 300 }) },
  );
}, 240_000);

test('no matter who sets the time zone, past days keep theirs, and a name that is none is refused', async () => {
  const database = await testDatabase();
  await database.query(
    `insert into custody.accounts (account_id, base_url, first_seen_at, time_zone)
     values ('a', 'https://a.example', now() - interval '40 days', 'Pacific/Kiritimati')`,
  );
  const days = `select day::text, starts_at, ends_at, time_zone from reporting.calendar where ends_at <= $1 order by day`;
  const [{ at } = {}] = await database.query('select clock_timestamp()::text as at');
  const before = await database.query(days, [at]);
  expect(before.length).toBeGreaterThan(38);
  for (const zone of ['Pacific/Pago_Pago', 'Pacific/Pago_Pago', 'Europe/Berlin'])
    await database.query('update custody.accounts set time_zone = $1', [zone]);
  expect(await database.query(days, [at])).toEqual(before);
  const former =
    'select time_zone, valid_from::text as since from custody.former_time_zones order by valid_from';
  expect(await database.query(former)).toMatchObject([
    { time_zone: 'Pacific/Kiritimati', since: '-infinity' },
    { time_zone: 'Pacific/Pago_Pago' },
  ]);
  await expect(database.query(`update custody.accounts set time_zone = 'Mars/Olympus'`)).rejects.toThrow(
    'time zone "Mars/Olympus" not recognized',
  );
});
