// An account whose time zone changed by more than a day: SQL, the API and the pages have the same days. The
// change lies days ago, or has just been made, so that the date of the new zone is one that is over.
import { expect, test } from 'vitest';
import { seePage } from '../../../packages/pages/test/read-page.ts';
import { type Api, startApi } from '../../api/documented-api.ts';
import { epoch, type Store } from '../../support/store.ts';
import { inZones } from '../../support/time-zone.ts';
import { openReporting, see, snapshot } from './told.ts';

const hour = 3_600_000;
const [before, after] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const;

interface Day extends Record<string, unknown> {
  readonly day: string;
  readonly starts_at: string;
  readonly ends_at: string;
  readonly time_zone: string;
}

const form = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;
const calendar = `select day::text, to_char(starts_at at time zone 'UTC', ${form}) as starts_at,
  to_char(ends_at at time zone 'UTC', ${form}) as ends_at, time_zone from reporting.calendar`;

/** Twenty days of the mirror; the zone changed so many hours ago. */
async function changed(hours: number): Promise<{ store: Store; api: Api; days: readonly Day[] }> {
  const store = await openReporting();
  await store.query(
    `update custody.accounts set first_seen_at = now() - interval '20 days', transactions_since = now() - interval '20 days'`,
  );
  const [{ at = '' } = {}] = await store.query<{ at: string }>(
    `select (now() - make_interval(hours => $1))::text as at`,
    [hours],
  );
  await store.query(inZones(before, [{ at, zone: after }]));
  const days = await store.query<Day>(`${calendar} order by day`);
  return { store, api: await startApi(store.url), days };
}

/** A day that was over before the change. */
function closedOne(days: readonly Day[]): Day {
  const closed = days.filter(({ time_zone }) => time_zone === before).at(-3);
  if (closed === undefined) throw new TypeError('no day was over before the change');
  return closed;
}

test('the API has the days of the calendar, and the day of each moment', async () => {
  const { api, days } = await changed(7 * 24);
  expect(new Set(days.map(({ time_zone }) => time_zone))).toEqual(new Set([before, after]));
  // A day may have begun since.
  const found = (await api.json('/api/v1/days?sort=day&limit=500')).data;
  expect(found.slice(0, days.length)).toEqual(days);
  expect((await api.json(`/api/v1/days?day_from=${days[3]?.day}&day_to=${days[4]?.day}`)).data).toEqual([
    days[4],
    days[3],
  ]);
  for (const { day, starts_at, ends_at } of days) {
    if (starts_at === ends_at) continue;
    const last = new Date(Date.parse(ends_at) - 1).toISOString();
    for (const moment of [starts_at, last])
      expect([moment, (await api.json(`/api/v1/days?holds=${moment}`)).data]).toMatchObject([
        moment,
        [{ day }],
      ]);
  }
  const first = new Date(Date.parse(days[0]?.starts_at ?? '') - 1).toISOString();
  expect((await api.json(`/api/v1/days?holds=${first}`)).data).toEqual([]);
});

test('what is asked of a day that was over before the change is its close, in SQL, in the API and on the pages', async () => {
  const { store, api, days } = await changed(7 * 24);
  const { day, starts_at, ends_at } = closedOne(days);
  const [starts, ends] = [Date.parse(starts_at) - epoch, Date.parse(ends_at) - epoch];
  await snapshot(store, starts - hour, { X: { total: '1' } });
  await snapshot(store, starts + hour, { X: { total: '7' } });
  await see(store, starts + hour, [{ id: 'seen', assetId: 'X', type: 'deposit', amount: '6' }]);
  await see(store, ends, [{ id: 'later', assetId: 'X', type: 'deposit', amount: '100' }]);
  const known = async (table: string) =>
    await store.query(
      `select f.*::text from reporting.${table}((select ends_at - interval '1 microsecond' from reporting.calendar where day = $1)) f`,
      [day],
    );
  expect((await known('transactions_at')).length).toBe(1);
  expect((await api.json(`/api/v1/transactions?at=${day}`)).data).toMatchObject([{ transaction_id: 'seen' }]);
  const csv = await (await api.get(`/api/v1/transactions.csv?at=${day}`)).text();
  expect(csv).toContain('seen');
  expect(csv).not.toContain('later');
  expect((await api.json(`/api/v1/flows?at=${day}`)).data).toMatchObject([{ day, in_amount: '6' }]);
  expect((await known('flows_daily_at')).length).toBe(1);
  const list = await seePage(api, `/transactions?at=${day}`);
  expect(list.address).toBe(`/transactions?at=${day}`);
  expect(list.links).toContain('/transactions/seen');
  expect(list.links).not.toContain('/transactions/later');
  expect(list.html).toMatch(/At the end of [^(]*\(Pacific\/Kiritimati\)/);

  const balances = await seePage(api, `/balances?at=${day}`);
  expect(balances.html).toContain('value="7"');
  expect(balances.text).toContain('23 h before that moment');
  // The field has the last second of the day, in the present zone.
  expect(balances.html).toContain(`value="${localIn(after, ends + epoch - 1000)}"`);
  const asset = await seePage(api, `/balances/assets/X?at=${day}`);
  expect(asset.links).toContainEqual(
    expect.stringContaining(`/series?account=acme&to=${encodeURIComponent(ends_at)}`),
  );
  const days7 = await seePage(api, `/reconciliation?day_from=${day}&day_to=${day}&asset_id=none`);
  expect(days7.text).toContain('No asset matches on any of these days.');
  expect(days7.text).toContain(`Days are those of ${before}.`);
});

test('on the day of a change to the west, today is the day that goes on', async () => {
  const { store, api, days } = await changed(0);
  const [yesterday, today] = days.slice(-2);
  const now = await store.query<{ at: string }>(`select extract(epoch from now())::text as at`);
  const present = Number(now[0]?.at) * 1000 - epoch;
  // Only days on which balances were observed are offered.
  const earlier = Date.parse(String(yesterday?.starts_at)) + hour - epoch;
  for (const at of [earlier, present]) await snapshot(store, at, { X: { total: '1' } });
  expect(localIn(after, Date.now()).slice(0, 10) < String(today?.day)).toBe(true);
  const page = await seePage(api, '/reconciliation');
  expect(page.html).toMatch(new RegExp(`day_to=${today?.day}" title="[^"]*, so far"`));
  const balances = await seePage(api, '/balances');
  expect(balances.links).toContain(`/balances?at=${yesterday?.day}`);
  const overview = await seePage(api, '/');
  expect(overview.links).toContainEqual(
    expect.stringContaining(`settled_from=${encodeURIComponent(String(yesterday?.starts_at))}`),
  );
});

test('a day of which nothing was read yet is unknown, and one to come is refused, in every list with a past', async () => {
  const { api, days } = await changed(7 * 24);
  const lists = ['transactions', 'vaults', 'whitelist', 'flows', 'fees', 'balances', 'balances/value'];
  const [first] = days;
  const earlier = new Date(Date.parse(String(first?.day)) - 24 * hour).toISOString().slice(0, 10);
  for (const path of lists)
    for (const form of ['', '.csv']) {
      const of = async (at: string) => {
        const answer = await api.get(`/api/v1/${path}${form}?at=${at}`);
        return [path, form, at, answer.status, ((await answer.json()) as { code: string }).code];
      };
      expect(await of(earlier)).toEqual([path, form, earlier, 404, 'moment-unknown']);
      expect(await of('2199-01-01')).toEqual([path, form, '2199-01-01', 400, 'bad-parameter']);
    }
});

function localIn(zone: string, ms: number): string {
  const parts = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(ms);
  return parts.replace(' ', 'T');
}
