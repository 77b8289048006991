// What every page has: its address, its account, what its reader prefers, how it is kept, and the line on
// freshness.
import { beforeAll, expect, test } from 'vitest';
import { routeOf } from '../../../src/api/answer/operation.ts';
import { operations } from '../../../src/api/operations.ts';
import { createKeyStore } from '../../../src/store/keys/api-keys.ts';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { capturingLogger } from '../../../test/support/loggers.ts';
import { type Mirror, openMirror } from '../../../test/support/mirror.ts';
import { makeKey, type Site, startSite } from '../../../test/support/site.ts';
import { open } from '../../../test/support/store.ts';
import { inZones } from '../../../test/support/time-zone.ts';
import { pages } from '../src/pages.ts';

let mirror: Mirror;
let site: Site;

beforeAll(async () => {
  mirror = await openMirror({ transactions: 5 });
  await mirror.query(inZones('Pacific/Auckland'));
  await snapshotBalances(mirror.context);
  const others = { baseUrl: 'https://other.example', timeZone: 'Europe/Zurich' };
  for (const account of ['desk', 'fund & co']) await bindAccount(open(mirror.url), { account, ...others });
  site = await startSite(mirror.url, { of: 'default' });
});

test('every page is a whole document: language, one title, one heading, ways to all others, and a line on freshness', async () => {
  for (const path of ['/balances', '/sync', '/sync/runs', '/sync/quarantine', '/sync/anomalies']) {
    const { status, html, text, links, headers } = await site.page(path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html.match(/<h1>[^<]+<\/h1>/g)).toHaveLength(1);
    expect(html).toMatch(/<title>[^<]+ · default · custody-mirror<\/title>/);
    for (const to of ['/', '/balances', '/transactions', '/documents', '/reconciliation', '/sync'])
      expect(links).toContain(to);
    expect(html).toContain('aria-current="page"');
    expect(text).toContain('Health: ');
  }
  expect((await site.page('/balances')).text).toMatch(/Balances as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(/);
  expect((await site.page('/sync')).text).toContain('Transactions: not read completely yet');
});

test('an address is shared in one form: without empty fields, and with moments in UTC', async () => {
  const typed = await site.page('/balances?at=2026-06-30T10%3A00&asset_id=+&vault_type=');
  expect([typed.status, typed.headers.get('location')]).toEqual([
    303,
    '/balances?at=2026-06-29T22%3A00%3A00Z',
  ]);
  const inUtc = await site.page('/balances?at=2026-06-30T10%3A00', { cookie: 'zone=utc' });
  expect(inUtc.headers.get('location')).toBe('/balances?at=2026-06-30T10%3A00%3A00Z');
  const shared = await site.page('/balances?asset_id=BTC&vault_type=all');
  expect(shared.status).toBe(200);
  expect((await site.page('/balances?asset_id=')).headers.get('location')).toBe('/balances');
});

test('a path with a slash at its end or in capitals leads to the page, with its search and values', async () => {
  for (const [typed, meant] of [
    ['/balances/?vault_type=all', '/balances?vault_type=all'],
    ['/Transactions', '/transactions'],
    ['/Balances/Assets/BTC/', '/balances/assets/BTC'],
    ['/DOCUMENTS/vaults/a%2FB/', '/documents/vaults/a%2FB'],
    ['/reconciliation//2026-01-01/BTC', '/reconciliation/2026-01-01/BTC'],
    ['//Sync//', '/sync'],
  ]) {
    const { status, headers } = await site.page(typed ?? '');
    expect([typed, status, headers.get('location')]).toEqual([typed, 303, meant]);
  }
  for (const path of ['/nothing/', '/API/v1/balances', '/balances/assets/', '//other.example/balances'])
    expect([path, (await site.page(path)).status]).toEqual([path, 404]);
});

test('a link that others put traces behind shows the page', async () => {
  const { status, headers } = await site.page('/balances?utm_source=mail&vault_type=all&fbclid=a');
  expect([status, headers.get('location')]).toEqual([303, '/balances?vault_type=all']);
  const { text } = await site.page('/balances?statu=pending');
  expect(text).toContain('Statu: it is not a parameter');
});

test('a form that is sent as it was filled shows the same moment again', async () => {
  const at = '2026-06-29T22:00:00.123456Z';
  const { html } = await site.page(`/balances?at=${at}`);
  const [form = ''] = /<form [^>]*aria-label="Moment".*?<\/form>/s.exec(html) ?? [];
  const fields = [...form.matchAll(/<input [^>]*name="(at[^"]*)"[^>]* value="([^"]*)"/g)];
  const sent = new URLSearchParams(
    fields.map(([, name = '', value = '']): [string, string] => [name, value]),
  );
  expect(sent.get('at')).toBe('2026-06-30T10:00:00');
  const again = await site.page(`/balances?${sent}&vault_type=all`);
  expect(decodeURIComponent(again.headers.get('location') ?? '')).toBe(`/balances?at=${at}&vault_type=all`);
});

test('a preference is kept in a cookie that scripts cannot read, leaves the address, and is shown from then on', async () => {
  const chosen = await site.page('/balances?vault_type=all&zone=utc&digits=all');
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/balances?vault_type=all']);
  const cookies = chosen.headers.getSetCookie();
  expect(cookies).toEqual(
    ['zone=utc', 'digits=all'].map((pair) => `${pair}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`),
  );
  const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
  const before = await site.page('/balances?vault_type=all');
  const after = await site.page('/balances?vault_type=all', { cookie });
  expect(before.links).toContain('/balances?vault_type=all&zone=utc');
  expect(after.links).toContain('/balances?vault_type=all&zone=account');
  expect(before.text).not.toBe(after.text);
  const odd = await site.page('/balances?zone=<script>');
  expect([odd.status, odd.headers.getSetCookie()]).toEqual([303, []]);
  expect((await site.page('/balances', { cookie: 'zone=<b>; digits=7' })).status).toBe(200);
});

test('who sees several accounts chooses among them, and the choice goes with every link', async () => {
  const { text, links } = await site.page('/balances');
  expect(text).toContain('custody-mirror default default desk fund & co All accounts Overview');
  expect(links).toContain('/balances?account=fund+%26+co');
  const desk = await site.page('/balances?account=desk');
  expect(desk.html).toContain('· desk · custody-mirror</title>');
  expect(desk.html).toContain('<input type="hidden" name="account" value="desk"/>');
  for (const to of ['/?account=desk', '/sync?account=desk', '/transactions?account=desk'])
    expect(desk.links).toContain(to);
  expect(desk.text).toContain('Not known');
});

test('all accounts that a reader may see stand side by side', async () => {
  const { text, links } = await site.page('/accounts');
  expect(text).toContain('No run of transactions has succeeded yet and 2 more desk');
  expect(text).toContain('desk no price nothing mirrored yet never Nothing has been mirrored yet fund & co');
  expect(links).toContain('/?account=fund%20%26%20co');
});

test('their value is shown in one currency, and summed up', async () => {
  const mirror = await openMirror({ transactions: 1 });
  await snapshotBalances(mirror.context);
  await mirror.query(`
    insert into custody.accounts (account_id, base_url, first_seen_at) values ('north', 'https://other.example', now());
    insert into custody.balance_snapshots select 'north', vault_type, snapshot_at, asked_at, answered_at, source_timestamp,
      asset_count, changed_count, quarantined_count, unidentified_count, run_id from custody.balance_snapshots;
    insert into custody.balances select (jsonb_populate_record(b, '{"account_id": "north"}')).* from custody.balances b;
    insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    select distinct account_id, asset_id, currency, now() - interval '1 day', price
    from custody.balances, (values ('EUR', 2, 'default'), ('USD', 3, 'default'), ('EUR', 2, 'north')) p (currency, price, owner)
    where owner = account_id and vault_type = 'all'`);
  const { page } = await startSite(mirror.url, { of: 'default' });
  const sumIn = async (path: string) => (await page(path)).text;
  const [row] = await mirror.query<{ both: string }>(`
    select to_char(round(2 * sum(total_value), 2), 'FM999,999,999,999,990.00') as both from reporting.balance_values
    where account_id = 'north' and vault_type = 'all' and currency = 'EUR'`);
  expect(await sumIn('/accounts?currency=EUR')).toContain(`Sum €${row?.both}`);
  const dollars = await sumIn('/accounts?currency=USD');
  expect(dollars).toContain('north no price');
  expect(dollars).not.toContain('Sum');
});

test('the line on freshness shows when a reading last failed, also of what was never read', async () => {
  const failed = await openMirror({ transactions: 1 });
  await snapshotBalances(failed.context);
  await failed.query(`
    insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
    select 'default', job, 'full', 'failed', now() - ago, now() - ago
    from unnest(array['balances', 'transactions']) job, unnest(array[interval '3 days', interval '5 minutes']) ago
    order by ago desc`);
  const { page } = await startSite(failed.url, { of: 'default' });
  const { text } = await page('/reconciliation');
  expect(text).toMatch(/Balances as of [^,]*, not verified yet, failing, last 5 min ago/);
  expect(text).toContain('Transactions: not read completely yet, failing, last 5 min ago');
});

test('a page is not called verified by a list whose last reading was not', async () => {
  const mirror = await openMirror({ transactions: 1 });
  await snapshotBalances(mirror.context);
  await snapshotBalances(mirror.context);
  const { page } = await startSite(mirror.url, { of: 'default' });
  await mirror.query('update sync.runs set verified = true');
  expect((await page('/balances')).text).toContain('Verified · ');
  await mirror.query(
    `update sync.runs set verified = false where run_id = (select max(run_id) from sync.runs)`,
  );
  expect((await page('/balances')).text).toContain('Not verified since ');
});

test('pages value in the currency in which most assets have a price', async () => {
  const mirror = await openMirror({ transactions: 1 });
  await snapshotBalances(mirror.context);
  await mirror.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    select distinct on (asset_id, currency) account_id, asset_id, currency, now() - interval '1 day', 2
    from custody.balances, unnest(array['AUD', 'EUR']) currency where currency = 'EUR' or asset_id = 'BTC'`);
  const { page } = await startSite(mirror.url, { of: 'default' });
  for (const path of ['/', '/balances']) {
    const { text } = await page(path);
    expect([path, text.includes('€'), text.includes('A$')]).toEqual([path, true, false]);
  }
});

test('among more accounts than are listed, a page still knows the time zone of its own', async () => {
  const many = await openMirror({ transactions: 1 });
  await many.query(inZones('Pacific/Auckland'));
  await many.query(`
    insert into custody.accounts (account_id, base_url, time_zone, first_seen_at)
    select 'a' || n, 'https://other.example', 'UTC', now() from generate_series(100, 220) n`);
  await snapshotBalances(many.context);
  const { page } = await startSite(many.url, { of: 'default' });
  const { text, links } = await page('/balances');
  expect(text).toContain('Pacific/Auckland');
  expect(links).toContain('/balances?zone=utc');
  expect((await page('/reconciliation')).text).toContain('Days are those of Pacific/Auckland');
  const typed = await page('/balances?at=2026-06-30T10%3A00');
  expect(typed.headers.get('location')).toBe('/balances?at=2026-06-29T22%3A00%3A00Z');
});

test('the overview of an account that is not there does not promise its first figures', async () => {
  const { status, text } = await site.page('/?account=typo');
  expect([status, text.includes('No account of the name in the address is mirrored here')]).toEqual([
    404,
    true,
  ]);
  expect(text).not.toContain('within a minute');
});

test('a key that sees one account is shown that one, and nothing of others, not even that they are there', async () => {
  const database = open(mirror.url);
  const closed = await startSite(mirror.url, { of: 'default', keys: createKeyStore(database) });
  const as = { 'x-api-key': await makeKey(database, ['desk']) };
  const own = await closed.page('/balances', as);
  expect([own.status, own.html.includes('· desk · custody-mirror')]).toEqual([200, true]);
  expect(own.text).not.toMatch(/Account:|default|fund/);
  const all = await closed.page('/accounts', as);
  expect(all.text).toContain('Accounts (1 account)');
  expect(all.text).not.toMatch(/default|fund/);
  const foreign = await closed.page('/balances?account=default', as);
  const nowhere = await closed.page('/balances?account=nobody', as);
  expect([foreign.status, foreign.text]).toEqual([404, nowhere.text]);
  const both = { 'x-api-key': await makeKey(database, ['desk', 'fund & co']) };
  const asked = await closed.page('/balances', both);
  expect([asked.status, asked.text]).toEqual([
    400,
    expect.stringContaining('Account: it is required: the reader can see several accounts (desk, fund & co)'),
  ]);
  expect(asked.html).toContain('<input name="account" value=""');
  expect((await closed.page('/', both)).headers.get('location')).toBe('/accounts');
  const chooses = await closed.page('/accounts', both);
  expect(chooses.text).toContain('Accounts (2 accounts)');
  expect(chooses.text).not.toContain('default');
});

test('no page and no answer of the API is kept by a cache, whatever its form', async () => {
  const ofPages = pages.map(({ path }) => path.replaceAll(/:\w+/g, 'x'));
  const ofLists = operations.flatMap((operation) => {
    const path = `/api${routeOf(operation).replaceAll(/:\w+/g, 'x')}`;
    return operation.list === undefined ? [path] : [path, `${path}.csv`, `${path}.xlsx`];
  });
  const ofCustody = ['/custody/transactions', '/custody/balances', '/custody/vaults', '/custody/whitelist'];
  const statuses: number[] = [];
  for (const path of [...ofPages, ...ofLists, ...ofCustody, '/status.json', '/metrics']) {
    const answer = await site.get(path, { method: 'HEAD', redirect: 'manual' });
    expect([path, answer.headers.get('cache-control')]).toEqual([path, 'no-store']);
    statuses.push(answer.status);
  }
  // Of what the service was never asked for, the API has no list.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(50);
});

test('an answer is known again by its tag, and differs by key and preferences', async () => {
  const { headers, html } = await site.page('/balances');
  expect(headers.get('cache-control')).toBe('no-store');
  for (const name of ['Cookie', 'Authorization', 'X-Api-Key', 'Accept-Encoding'])
    expect(headers.get('vary')?.split(/, */)).toContain(name);
  // Ages are part of the page: it is the same for as long as they are.
  const askAgain = async () => {
    const etag = (await site.page('/balances')).headers.get('etag') ?? '';
    const again = await site.page('/balances', { 'if-none-match': etag });
    return [etag.startsWith('W/'), again.status, again.html];
  };
  await expect.poll(askAgain).toEqual([true, 304, '']);
  const head = await site.get('/balances', { method: 'HEAD', headers: { accept: 'text/html' } });
  expect([head.status, await head.text(), head.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/html; charset=utf-8',
  ]);
  expect(html.length).toBeGreaterThan(1_000);
  const packed = await site.get('/balances', { headers: { accept: 'text/html', 'accept-encoding': 'gzip' } });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
});

test('requests are counted and logged by route, without a value of the account', async () => {
  const { logger, text } = capturingLogger();
  const { page, metrics } = await startSite(mirror.url, { of: 'default', logger });
  await page('/balances?asset_id=SECRET-ASSET&account=default');
  await page('/sync/quarantine?resource=vaults');
  await page('/balances?asset_id=SECRET-ASSET&nonsense=SECRET-VALUE');
  await expect
    .poll(async () =>
      (await metrics.httpRequests.get()).values
        .map(({ labels }) => `${labels.route} ${labels.status}`)
        .toSorted(),
    )
    .toEqual(['/balances 200', '/balances 400', '/sync/quarantine 200']);
  const told = `${text()}${await metrics.registry.metrics()}`;
  expect(told).toContain('request answered');
  expect(told).not.toMatch(/SECRET/);
});
