// The pages of the mirror over real HTTP: what they show of a real mirror, with and without the database.
import { createServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { MirrorError } from '../../../src/domain/errors.ts';
import { createKeyStore } from '../../../src/store/keys/api-keys.ts';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { listening } from '../../../test/support/listening.ts';
import type { Mirror } from '../../../test/support/mirror.ts';
import { makeKey, type Site, startSite } from '../../../test/support/site.ts';
import { statusReport } from '../../../test/support/status-report.ts';
import { openStore } from '../../../test/support/store.ts';
import { openTroubledMirror } from '../../../test/support/troubled-mirror.ts';

let mirror: Mirror;
let site: Site;

beforeAll(async () => {
  mirror = await openTroubledMirror();
  site = await startSite(mirror.url, { of: 'default' });
});

test('the mirror shows health, jobs, requests and findings, and loads nothing from elsewhere', async () => {
  const { status, text, html, links } = await site.page('/sync');
  expect(status).toBe(200);
  for (const said of [
    'What to do:',
    'transactions 40',
    'reads new and unsettled transactions',
    'last sweep of the list',
    'verified: all 40 records in the list were read',
    'The service rate-limited 0 requests.',
    'In the last 24 hours:',
    'vaults that could not be read 15',
    'a transaction that the service no longer lists missing 1',
  ])
    expect(text).toContain(said);
  expect(html).toMatch(/aria-label="1 run: 1 (?:succeeded|not verified)"/);
  expect(html).not.toMatch(/<script(?! defer="" src="\/assets\/)|<img|<iframe|\bstyle=|\bon\w+=/i);
  expect(links.filter((to) => !to.startsWith('/') && to !== 'data:,' && to !== '#content')).toEqual([]);
  expect((html.match(/<h1[ >]/g) ?? []).length).toBe(1);
});

test('quarantine shows the record as it came and the reason, as text; each filter finds what the API finds', async () => {
  const first = await site.page('/sync/quarantine');
  expect(first.text).toContain('status is no text <b>');
  expect(first.text).toContain(
    String.raw`{"id": "<script>alert(1)</script>\u{202e}", "note": "=1+1\u{0007}"}32`,
  );
  expect(first.html).not.toMatch(/<script(?! defer="" src="\/assets\/)|\u202e/);
  expect(first.text).toContain('(25 records on this page)');
  const next = first.links.find((to) => to.includes('cursor=')) ?? '';
  expect((await site.page(next)).text).toContain('no. 1 ');

  for (const [search, count] of [
    ['resource=vaults&resolved=false', 15],
    ['resource=transactions&resolved=true', 1],
    ['resource=balances', 0],
  ] as const) {
    const page = await site.page(`/sync/quarantine?${search}`);
    expect([search, (page.text.match(/Record as received/g) ?? []).length]).toEqual([search, count]);
    if (count === 0) expect(page.text).toContain('No record matches.');
    const json = page.links.find((to) => to.startsWith('/api/v1/quarantine?')) ?? '';
    const rows = json === '' ? [] : ((await (await site.get(json)).json()) as { data: unknown[] }).data;
    expect(rows).toHaveLength(count);
    const csv = page.links.find((to) => to.startsWith('/api/v1/quarantine.csv')) ?? '';
    if (csv !== '') expect((await site.get(csv)).status).toBe(200);
  }
});

test('a long record is cut with a mark that says by how much', async () => {
  const [row] = await mirror.query<{ id: string }>(
    `insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
     values ('default', 'whitelist', 'long', 'r', repeat('x', 10000), 1, now(), now()) returning quarantine_id::text as id`,
  );
  const { text } = await site.page('/sync/quarantine?resource=whitelist');
  expect(text).toContain(`no. ${row?.id}`);
  expect(text).toContain('… 6,000 more characters: see JSON');
  expect(text).not.toContain('x'.repeat(4_001));
});

test('anomalies are explained in words, filtered, and lead to their transaction by an address that holds any id', async () => {
  const { text, links } = await site.page('/sync/anomalies?kind=missing');
  expect(text).toContain('a transaction that the service no longer lists missing');
  expect(text).toContain('"seen": "<script>"');
  expect(text).not.toContain('an undocumented value, kept as received unknown-value');
  expect(links).toContain('/transactions/tx%2F1%3F%3Ci%3E');
  expect((await site.page('/sync/anomalies?resource=vaults&resolved=false')).text).toContain(
    'the whole list',
  );
  expect((await site.page('/sync/anomalies?resolved=true')).text).toContain('No anomaly matches.');
});

test('runs have their verdict in words, and every filter', async () => {
  const all = await site.page('/sync/runs');
  expect(all.text).toContain('verified all 40 records in the list were read');
  const doubted = await site.page('/sync/runs?verified=false');
  expect(doubted.text).toContain(
    'not verified read 3 of 5 records; the list holds more records than the sweep read; not covered: records that the list holds and the sweep did not read.',
  );
  const count = async (search: string) =>
    ((await site.page(`/sync/runs?${search}`)).text.match(/ no\. \d+ /g) ?? []).length;
  expect(await count('job=reconcile')).toBe(1);
  expect(await count('job=balances&status=succeeded')).toBe(1);
  expect(await count('status=failed')).toBe(0);
  expect(await count('started_to=2026-01-02T03:04:05Z')).toBe(0);
  expect(await count('started_from=2026-01-02T03:04:05Z&started_to=2026-01-02T03:04:06Z')).toBe(1);
});

/** A mirror whose reading database cannot be reached, or says nothing. */
async function awaySite(port: number, changes: Parameters<typeof startSite>[1]) {
  return await startSite(`postgres://u:p@127.0.0.1:${port}/none`, { of: 'treasury', ...changes });
}

test('when the database goes away the page says since when all is unknown, and keeps what was read before', async () => {
  let away = false;
  let clockMs = 0;
  const readStatus = async () => {
    if (away) throw new MirrorError('DATABASE-UNREACHABLE', 'db.example:5432 cannot be reached; start it');
    return statusReport();
  };
  const { page, get } = await awaySite(1, { readStatus, monotonicMs: () => clockMs });
  expect((await get('/status.json')).status).toBe(200);
  away = true;
  clockMs = 40 * 60_000;
  const { status, text, html, headers } = await page('/sync');
  expect(status).toBe(503);
  expect(headers.get('cache-control')).toBe('no-store');
  for (const said of [
    'Unknown since 2026-07-01 12:00:00: the status cannot be read',
    'db.example:5432 cannot be reached; start it (DATABASE-UNREACHABLE)',
    'Below is the last known state, from 40 min ago.',
    'Figures are those of 2026-07-01 12:00:00 UTC.',
    'assets, as of 41 min ago',
    'transactions 12,345',
  ])
    expect(text).toContain(said);
  expect(text).not.toContain('Healthy');
  expect(html).toContain('class="old items"');
  // The browser asks again, and puts the answer in place.
  expect(html).toMatch(/<main [^>]*data-live-every="15"/);
  const json = await get('/status.json');
  expect([json.status, await json.json()]).toMatchObject([
    503,
    { unknownSince: '2026-07-01T12:00:00.000000Z' },
  ]);
  const other = await page('/sync?account=desk');
  expect([other.status, other.text]).toMatchObject([
    503,
    expect.stringContaining('The database does not answer'),
  ]);
  expect((await page('/sync?at=2026-01-01T00:00:00Z')).status).toBe(400);
  expect((await page('/sync/runs')).status).toBe(503);
});

test('a database that says nothing leaves a page that says so within seconds', async () => {
  const { port, sockets } = await listening(createServer());
  const { page } = await awaySite(port, { readStatus: () => new Promise(() => undefined) });
  const begun = performance.now();
  const { status, text } = await page('/sync');
  expect(status).toBe(503);
  expect(text).toContain(
    'the database did not answer within 3 s (DATABASE-UNREACHABLE) The state is unknown until the database answers.',
  );
  expect(performance.now() - begun).toBeLessThan(15_000);
  // So that whoever waits for it is let go.
  for (const socket of sockets) socket.destroy();
});

test('another account of the database is shown as such, and a key sees its accounts and no other', async () => {
  const { database, url } = await openStore();
  await bindAccount(database, { account: 'desk', baseUrl: 'https://desk.example', timeZone: 'UTC' });
  const open = await startSite(url);
  const desk = await open.page('/sync?account=desk');
  expect([desk.status, desk.text]).toEqual([
    200,
    expect.stringContaining('This process mirrors acme. The data below is what the database holds for desk.'),
  ]);
  expect(desk.text).toContain('Read from https://desk.example');
  expect(desk.links).toContain('/sync/runs?account=desk');
  expect(desk.links).toContain('/status.json?account=desk');
  expect(await (await open.get('/status.json?account=desk')).json()).toMatchObject({ account: 'desk' });
  expect((await open.page('/sync?account=nobody')).status).toBe(404);
  expect((await open.get('/status.json?account=nobody')).status).toBe(404);

  const closed = await startSite(url, { keys: createKeyStore(database) });
  const as = { 'x-api-key': await makeKey(database, ['desk']) };
  const own = await closed.page('/sync', as);
  expect([own.status, own.text]).toEqual([200, expect.stringContaining('Read from https://desk.example')]);
  expect(own.text).not.toContain('https://custody.example');
  expect((await closed.page('/sync?account=acme', as)).status).toBe(404);
  expect((await closed.get('/status.json?account=acme', { headers: as })).status).toBe(404);
});

test('where the status can be read and readers get no answer, the page shows the status', async () => {
  const { page } = await awaySite(1, { readStatus: async () => statusReport() });
  const { status, text } = await page('/sync');
  expect(status).toBe(503);
  expect(text).toContain('The database does not answer readers');
  expect(text).toContain('Healthy Everything is mirrored and fresh.');
  expect(text).toContain('transactions 12,345');
});
