// The reconciliation as a reader sees it, over the days of June, and down to the postings.
import { beforeAll, expect, test } from 'vitest';
import { openReading } from '../../../test/support/api-source.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { type RunningServer, startServer } from '../../../test/support/running-server.ts';
import { mirrorOfJune } from '../../../test/system/dashboards/june.ts';
import { rowsBehind, type SeenPage, seePage } from './read-page.ts';

type Day = {
  readonly day: string;
  readonly asset_id: string;
  readonly is_explained: boolean | null;
  readonly difference: string | null;
  readonly inflow: string | null;
  readonly outflow: string | null;
  readonly fees: string | null;
  readonly uncertain: boolean;
};

let mirror: TestDatabase;
let server: RunningServer;
let days: readonly Day[];
const see = (path: string): Promise<SeenPage> => seePage(server, path);

beforeAll(async () => {
  mirror = await mirrorOfJune();
  server = await startServer({ reading: openReading(mirror.url), account: 'default' });
  days = await mirror.query<Day>(
    `select day::text, asset_id, is_explained, unexplained_difference::text as difference, inflow::text, outflow::text, fees::text,
       coalesce(uncertain_at_opening <> 0 or uncertain_at_closing <> 0, false) as uncertain
     from reporting.reconciliation_daily order by day, asset_id`,
  );
});

const found = (wanted: (day: Day) => boolean): Day => {
  const day = days.find(wanted);
  if (day === undefined) throw new TypeError('June has no such day');
  return day;
};

test('days are grouped, what is not explained stands out, and a day without observation is not known', async () => {
  const bad = found(({ is_explained }) => is_explained === false);
  const page = await see(`/reconciliation?day_from=${bad.day}&day_to=${bad.day}`);
  const own = days.filter(({ day }) => day === bad.day);
  const explained = own.filter(({ is_explained }) => is_explained === true).length;
  expect(page.text).toMatch(/\d+ differences? without an explanation/);
  expect(page.text).toContain(`${explained} of ${own.length} assets explained`);
  const assets = page.links.flatMap((to) => to.split(`/reconciliation/${bad.day}/`).slice(1));
  const [first, ...rest] = assets;
  expect([first, rest]).toEqual([bad.asset_id, rest.toSorted()]);
  expect(page.links).toContain(`/reconciliation/${bad.day}/${bad.asset_id}`);
  expect((await rowsBehind(server, page, '/v1/reconciliation')).length).toBe(own.length);
  expect((await see('/reconciliation?day_from=2026-06-13&day_to=2026-06-13')).text).toContain(
    'Saturday 13 June 2026. Not known: no balances were observed on this day.',
  );
});

test('a calendar has a square for each day and asset, with a sign for each state, that leads to the day', async () => {
  const bad = found(({ is_explained, difference }) => is_explained === false && difference !== null);
  const page = await see(`/reconciliation?day_to=${bad.day}`);
  const own = days.filter(({ day }) => day <= bad.day);
  const count = (state: boolean | null) => own.filter(({ is_explained }) => is_explained === state).length;
  const squares = [
    ...page.html.matchAll(/<a class="(\w+)" href="([^"]*)" aria-label="([^"]*)"[^>]*>(.)<\/a>/g),
  ];
  for (const [state, sign, tone] of [
    [true, '✓', 'good'],
    [false, '✗', 'bad'],
    [null, '?', 'note'],
  ] as const)
    expect([sign, squares.filter(([, a, , , b]) => a === tone && b === sign).length]).toEqual([
      sign,
      count(state),
    ]);
  expect(squares.map(([, , to, said]) => [to, said])).toContainEqual([
    `/reconciliation/${bad.day}/${bad.asset_id}`,
    `not explained: ${bad.difference}`,
  ]);
  expect(page.text).toMatch(/Days by asset .* Asset .* Fri 12 Sat 13 Sun 14 .*? [A-Z]+ /);
  expect(page.links).toContain('/reconciliation?day_from=2026-06-13&day_to=2026-06-13');
  expect(page.text).toContain(`Not explained or not known (${own.length - count(true)} figure`);
  // What is not explained is the first row.
  expect(page.links.find((to) => to.includes('?asset_id='))).toBe(`/reconciliation?asset_id=${bad.asset_id}`);
});

test('filters: an asset, what is not explained, what is not known; a few days at a time', async () => {
  const bad = found(({ is_explained }) => is_explained === false);
  const only = await see(`/reconciliation?day_from=${bad.day}&day_to=${bad.day}&asset_id=${bad.asset_id}`);
  expect(only.text).toContain(`Assets of ${bad.day} (1 asset)`);
  const unexplained = await see(`/reconciliation?day_from=${bad.day}&day_to=${bad.day}&is_explained=false`);
  expect(unexplained.text).not.toContain('explained partly');
  expect(unexplained.text).toContain(`Assets of ${bad.day} (1 asset)`);
  const first = await see('/reconciliation?day_to=2026-06-08&is_explained=unknown');
  expect(first.text).toContain('Balances were not observed before this day');
  const week = await see('/reconciliation?day_to=2026-06-26&asset_id=BTC');
  expect(week.text).toContain('Saturday 13 June 2026');
  expect(week.links).toContain('/reconciliation/2026-06-14/BTC');
  expect(week.text).not.toContain('2026-06-12');
  expect(week.links).toContain('/reconciliation?day_to=2026-06-26&asset_id=BTC&shown_to=2026-06-12');
  // A day that was not observed is told; of one that was there is nothing to say.
  const none = (await see('/reconciliation?day_to=2026-06-19&asset_id=none')).text;
  expect(none).toContain('Saturday 13 June 2026. Not known');
  expect(none).not.toContain('Sunday 14 June 2026');
  const nothing = await see('/reconciliation?day_from=2026-06-14&day_to=2026-06-19&asset_id=none');
  expect(nothing.text).toContain('No asset matches on any of these days.');
});

test('a day of an asset leads from the opening balance by its postings to the closing one', async () => {
  const busy = found(
    ({ is_explained, inflow, outflow, fees }) =>
      [inflow, outflow, fees].every((sum) => sum !== null && sum !== '0') && is_explained === true,
  );
  const page = await see(`/reconciliation/${busy.day}/${busy.asset_id}`);
  expect(page.text).toContain('Transactions explain the balance to the last digit.');
  expect(page.text).toMatch(/Opening balance observed .* Expected balance .* Closing balance observed/);
  expect(page.links.filter((to) => to.startsWith('/balances?at='))).toHaveLength(2);
  // A bar for each line that moved the balance, and for the three levels.
  expect(page.html.match(/<svg class="bar"/g)?.length).toBeGreaterThanOrEqual(6);
  const postings = await rowsBehind(server, page, '/v1/reconciliation/postings');
  expect(postings.length).toBeGreaterThan(0);
  for (const { transaction_id } of postings) expect(page.links).toContain(`/transactions/${transaction_id}`);
  const [sums] = await mirror.query(
    `select coalesce(sum(inflow), 0) = ${busy.inflow} and coalesce(sum(outflow), 0) = ${busy.outflow} and coalesce(sum(fee), 0) = ${busy.fees} as agree
     from reporting.reconciliation_postings where day = '${busy.day}' and asset_id = '${busy.asset_id}'`,
  );
  expect(sums).toEqual({ agree: true });
});

test('the postings of every day and asset add up to its flows', async () => {
  const wrong = await mirror.query(
    `select d.day, d.asset_id from reporting.reconciliation_daily d
     left join (select day, asset_id, sum(inflow) as inflow, sum(outflow) as outflow, sum(fee) as fee
       from reporting.reconciliation_postings group by 1, 2) p using (day, asset_id)
     where d.inflow is not null and (d.inflow, d.outflow, d.fees)
       is distinct from (coalesce(p.inflow, 0), coalesce(p.outflow, 0), coalesce(p.fee, 0))`,
  );
  expect(wrong).toEqual([]);
});

test('what is not explained is said with its amount and where to look', async () => {
  const bad = found(({ is_explained, difference }) => is_explained === false && difference !== null);
  const page = await see(`/reconciliation/${bad.day}/${bad.asset_id}`);
  expect(page.text).toMatch(/than transactions explain\. not explained/);
  const amount = bad.difference?.replace('-', '');
  expect(page.links).toContain(
    `/transactions?asset_id=${bad.asset_id}&amount_from=${amount}&amount_to=${amount}`,
  );
  expect(page.links).toContain('/sync/quarantine');
  expect(page.links).toContain(`/reconciliation?day_from=${bad.day}&day_to=${bad.day}`);
});

test('a correction is a posting, a day that the mirror does not know is a 404, and one that was not observed not known', async () => {
  const [corrected] = await mirror.query<{ day: string; asset_id: string }>(
    `select day::text, asset_id from reporting.reconciliation_postings where kind = 'correction' limit 1`,
  );
  const page = await see(`/reconciliation/${corrected?.day}/${corrected?.asset_id}`);
  expect(page.text).toContain('corrected');
  expect((await see('/reconciliation/2026-06-07/BTC')).status).toBe(404);
  const gap = await see('/reconciliation/2026-06-13/BTC');
  expect([gap.status, gap.text]).toEqual([200, expect.stringContaining('Not known')]);
  expect((await see('/reconciliation/2026-06-14/%3Cscript%3E')).text).toContain('Not known');
  expect((await see('/reconciliation/yesterday/BTC')).status).toBe(400);
});

test('days before the mirror and days to come are not known, which is said', async () => {
  const before = await see('/reconciliation?day_from=2020-01-01&day_to=2020-01-31');
  expect(before.text).toMatch(/Not known This account has been mirrored since \w+ \d+ \w+ 20\d\d\./);
  const later = await see('/reconciliation?day_from=2999-01-01');
  expect(later.text).toContain('Not known These days are in the future.');
});

test('an asset in the address does not turn the title round', async () => {
  const { html } = await see('/reconciliation/2026-06-14/ETH%E2%80%AE%0Ax');
  expect(html).toContain('<h1>ETH x on Sunday 14 June 2026</h1>');
  expect(html).not.toContain('\u202e');
});
