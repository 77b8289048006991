// Days of reports against Node's own knowledge of time zones, and against the database's: among them days of
// 23 and of 25 hours, midnights that never come, and midnights that come twice.
import { expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { daysBetween, startOfDay } from './zones.ts';

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

test.each(zones)('the days of %s begin at their first moment', async (zone) => {
  const database = await testDatabase();
  const rows = await database.query<{ day: string; at: string }>(
    `select d::date::text as day, ${startOf} as at
     from generate_series(timestamp '2024-01-01', timestamp '2025-12-31', interval '1 day') as d`,
    [zone],
  );
  const expected = daysBetween('2024-01-01', '2025-12-31').map((day) => ({
    day,
    at: startOfDay(day, zone).toString(),
  }));
  expect(rows).toEqual(expected);
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
}, 120_000);

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
