// Vaults, whitelist and payments as a reader sees them, over the days of June.
import { beforeAll, expect, test } from 'vitest';
import { openReading } from '../../../test/support/api-source.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { type RunningServer, startServer } from '../../../test/support/running-server.ts';
import { mirrorOfJune } from '../../../test/system/dashboards/june.ts';
import { rowsBehind, type SeenPage, seePage } from './read-page.ts';

let mirror: TestDatabase;
let server: RunningServer;
/** The entry that left the whitelist on June 11 and was paid twice afterwards. */
let removed: string;
const see = (path: string): Promise<SeenPage> => seePage(server, path);
const june = 'first_seen_from=2026-06-08T00:00:00Z&first_seen_to=2026-06-20T00:00:00Z';

beforeAll(async () => {
  mirror = await mirrorOfJune();
  server = await startServer({ reading: openReading(mirror.url), account: 'default' });
  const [row] = await mirror.query<{ id: string }>(
    'select entry_id as id from custody.whitelist_entries where missing_since is not null',
  );
  removed = row?.id ?? '';
});

test('vaults and whitelist now and at a moment, with their filters and the rows of the API', async () => {
  const now = await see('/documents');
  expect(now.text).toContain('Vaults (10 vaults)');
  expect(now.text).toContain('Whitelist: allowed payees (40 entries)');
  expect(now.text).toMatch(/Kestrel Custody USDC .* USDC ETH removed 11 Jun( 2026)? /);
  const then = await see('/documents?at=2026-06-12T00:00:00Z');
  expect(then.text).toContain('(39 entries)');
  expect(then.text).not.toContain('Kestrel Custody USDC 0x');
  expect(then.text).toMatch(/Changes in the 30 days before this moment .* removed no longer listed/);
  expect((await see('/documents?missing=true')).text).toContain('Whitelist: allowed payees (1 entry)');
  expect((await see('/documents?vault_type=cold&asset_id=BTC')).text).toMatch(
    /Vaults \(4 vaults\).*allowed payees \(2 entries\)/,
  );
  expect((await rowsBehind(server, then, '/v1/whitelist')).length).toBe(39);
  expect((await see('/documents?asset_id=&missing=true&vault_type=')).address).toBe(
    '/documents?missing=true',
  );
});

test('an entry says when it was last paid', async () => {
  const [paid] = await mirror.query<{ id: string; at: string }>(
    `select destination_id as id, to_char(max(last_used_at) at time zone 'UTC', 'FMDD Mon') as at
     from reporting.destinations where destination_id = $1 group by 1`,
    [removed],
  );
  const { html, text } = await see('/documents');
  const row = html.split('<tr>').find((each) => each.includes(`/documents/whitelist/${removed}`)) ?? '';
  const cells = row.slice(row.indexOf('Last paid')).replace(/<[^>]*>/g, '');
  expect(cells).toContain(paid?.at);
  expect(text).toContain('not seen');
  expect((await see('/documents?at=2026-06-12T00:00:00Z')).text).not.toContain('Last paid');
});

test('a day is its close, and what changed before it goes up to its end', async () => {
  const [day] = await mirror.query<{ ends: string }>(
    `select to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ends from reporting.calendar where day = '2026-06-12'`,
  );
  const then = await see('/documents?at=2026-06-12');
  expect(then.html).toContain('At the end of Friday 12 June 2026');
  expect(then.links).toContainEqual(
    expect.stringMatching(`/v1/documents/changes\\?.*observed_to=${encodeURIComponent(day?.ends ?? '')}`),
  );
});

test('a moment before the first reading is unknown, and no empty list', async () => {
  const { text } = await see('/documents?at=2026-06-01T00:00:00Z');
  expect(text).toContain('Vaults are not known');
  expect(text).toContain('The whitelist is not known');
  expect(text).not.toContain('No vault matches');
});

test('changes of a span, newest first, with each value before and after', async () => {
  const all = await see('/documents/changes?observed_from=2026-06-10T00:00:00Z');
  expect(all.text).toContain('(2 changes)');
  expect(all.text).toMatch(
    /Treasury Operations \(C0\) vault changed vault_name before: Treasury Operations → after: Treasury Operations \(C0\) \d+ Jun( 2026)? /,
  );
  expect(await rowsBehind(server, all, '/v1/documents/changes')).toMatchObject([
    { change: 'changed', changed_fields: ['vault_name'], before: { vault_name: 'Treasury Operations' } },
    { change: 'removed', document_id: removed, changed_fields: [], before: {}, after: {} },
  ]);
  expect((await see('/documents/changes?kind=vault&change=changed')).text).toContain('(1 change)');
  expect((await see(`/documents/changes?document_id=${removed}`)).text).toMatch(/removed .* first read/);
  expect((await see('/documents/changes?observed_to=2026-06-01T00:00:00Z')).text).toContain(
    'No such change was observed',
  );
});

test('an entry with its periods, its payments and its record; a vault with what is known of its balances', async () => {
  const entry = await see(`/documents/whitelist/${removed}`);
  expect(entry.text).toMatch(
    /before 2026-06-08 [\d:]{8}, the initial sync between 2026-06-10 [\d:]{8} and 2026-06-11 [\d:]{8}/,
  );
  expect(entry.text).toMatch(/2,500 USDC completed not whitelisted not listed/);
  expect(entry.links).toContain(`/transactions?destination_id=${removed}`);
  expect(entry.links).toContain('/transactions/0f000001-0000-4000-8000-000000000012');
  const [vault] = await mirror.query<{ id: string }>(
    `select document_id as id from custody.document_revisions where kind = 'vault' and change = 'changed'`,
  );
  const page = await see(`/documents/vaults/${vault?.id}`);
  expect(page.text).toContain('how much this one holds is not known');
  expect(page.text).toMatch(/still listed 2026-06-19 /);
  expect((await see('/documents/vaults/nothing')).status).toBe(404);
  expect((await see('/documents/whitelist/nothing')).status).toBe(404);
});

test('payments to non-whitelisted destinations, why, the sums, and what is not known', async () => {
  const off = await see(`/documents/payments?${june}&is_whitelisted=false`);
  const rows = await mirror.query<{ id: string; state: boolean | null }>(
    'select transaction_id as id, is_whitelisted as state from reporting.destination_uses',
  );
  const count = (state: boolean | null) => rows.filter((row) => row.state === state).length;
  expect(off.text).toContain(
    `${count(false)} payments to non-whitelisted destinations ${rows.length} payments`,
  );
  expect(off.text).toContain(`For ${count(null)} payments it is not known`);
  const named = rows.filter(({ state }) => state === false).map(({ id }) => `/transactions/${id}`);
  expect(off.links.filter((link) => link.startsWith('/transactions/')).sort()).toEqual(named.sort());
  expect(off.text).toContain('listed for another asset or network');
  expect(off.text).toMatch(/USD Coin USDC \d+ \d+ [\d,.]+ 6 345,243\.74094/);
  const doubtful = await see(`/documents/payments?${june}&is_whitelisted=unknown`);
  expect(doubtful.text).toContain('before the whitelist was first read. Listed after it, at 2026-06-08 ');
  expect((await rowsBehind(server, doubtful, '/v1/destinations/uses')).length).toBe(50);
  expect(
    (await see(`/documents/payments?${june}&destination_id=${removed}&status=completed`)).text,
  ).toContain('(5 payments)');
  const lately = await see('/documents/payments');
  expect(lately.text).toContain('No such payment was observed in this time.');
});
