// Refusals as people see them: a page that says what is wrong and what to do, and text for who takes no HTML.
import { expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { createKeyStore } from '../../../src/store/keys/api-keys.ts';
import { openReading } from '../../../test/support/api-source.ts';
import { withClient } from '../../../test/support/server.ts';
import { startSite } from '../../../test/support/site.ts';
import { open, openStore } from '../../../test/support/store.ts';

const asTreasurer = (token: string) => ({ authorization: `Basic ${btoa(`anybody:${token}`)}` });
const token = 'a-token-of-some-length';

test('what is wrong in an address is named, field by field, with a way to the page without it', async () => {
  const { url } = await openStore();
  const { page, get } = await startSite(url);
  const { status, headers, text, links, html } = await page(
    '/balances?vault_type=%3Cb%3E&at=yesterday&asset_id=BTC&x%3Cscript%3E=1',
  );
  expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  for (const said of [
    'Vault type: “<b>” is invalid: it must be one of all, warm, cold.',
    'As of: “yesterday” is not a date with a time. Write 2026-11-20T06:32',
    'X<script>: it is not a parameter; the parameters are account, vault_type',
  ])
    expect(text).toContain(said);
  expect(links).toContain('/balances?asset_id=BTC');
  expect(html).not.toMatch(/<script|<b>/);
  const plain = await get('/balances?at=yesterday', { headers: { accept: '*/*' } });
  expect([plain.status, plain.headers.get('content-type')]).toEqual([400, 'text/plain; charset=UTF-8']);
  expect(headers.get('vary')).toContain('Accept');
  const nothing = await page('/nothing/<b>');
  expect([nothing.status, nothing.text]).toEqual([404, expect.stringContaining('Not found')]);
  expect(nothing.links).toEqual(expect.arrayContaining(['/', '/sync', '/assets/style.css']));
});

test('a wrong value can be corrected where it is reported, and right ones stay', async () => {
  const { url } = await openStore();
  const { page } = await startSite(url);
  const { text, html, links } = await page(
    '/transactions?status=pending&amount_from=1.000%2C5&amount_to=7&cursor=x&asset_id=%22BTC',
  );
  expect(text).toContain('Amount from: “1.000,5” is not an amount. Write 1,250.50 or 1250.50.');
  const fields = [...html.matchAll(/<input([^>]*) name="([^"]*)" value="([^"]*)"/g)].map(
    ([, ...found]) => found,
  );
  expect(fields).toEqual([
    [' type="hidden"', 'status', 'pending'],
    [' type="hidden"', 'amount_to', '7'],
    [' type="hidden"', 'asset_id', '&quot;BTC'],
    ['', 'amount_from', '1.000,5'],
  ]);
  expect(links).toContain('/transactions?status=pending&amount_to=7&asset_id=%22BTC');
  const reversed = await page('/transactions?amount_from=9&amount_to=7');
  expect(reversed.text).toContain('Amount from: it must not be greater than amount_to.');
  const place = await page('/documents?vaults_cursor=x&vault_type=warm');
  expect(place.text).toContain('start with the first page');
  expect(place.links).toContain('/documents?vault_type=warm');
  const day = await page('/reconciliation/yesterday/BTC');
  expect(day.text).toContain('Day: This is invalid: it must be a calendar day such as 2026-11-20');
  expect(day.links).toContain('/reconciliation');
});

test('a moment that is to come, or long before the mirror, is answered by a sentence', async () => {
  const { url } = await openStore();
  const { page } = await startSite(url);
  for (const path of ['/balances', '/balances?vault_type=all', '/documents', '/transactions']) {
    const at = async (moment: string) =>
      (await page(`${path}${path.includes('?') ? '&' : '?'}at=${moment}`)).text;
    for (const moment of ['2199-01-01T00:00:00Z', '2199-01-01'])
      expect([path, await at(moment)]).toEqual([path, expect.stringContaining('As of: it is in the future')]);
    for (const moment of ['1900-01-01T00:00:00Z', '1900-01-01', '0001-01-01T00:00:00Z'])
      expect([path, await at(moment)]).toEqual([
        path,
        expect.stringContaining(`“${moment}” is before the first mirrored day.`),
      ]);
  }
});

test('without a key a page says that one is needed and how it is sent, and a browser asks for it', async () => {
  const { database, url } = await openStore();
  const { page } = await startSite(url, {
    host: '0.0.0.0',
    keys: createKeyStore(database),
    token: new Secret(token),
  });
  for (const path of ['/balances', '/sync', '/sync/runs']) {
    const { status, headers, text } = await page(path);
    expect([path, status]).toEqual([path, 401]);
    expect(headers.get('www-authenticate')).toContain('Basic realm="custody-mirror"');
    expect(text).toContain('A key is required');
    expect(text).toContain('custody-mirror key create <name>');
    expect(text).toContain('as the password of any user');
  }
  expect((await page('/balances', asTreasurer(token))).status).toBe(200);
  expect((await page('/balances', asTreasurer('another-token-of-length'))).status).toBe(401);
});

test('pages count towards the rate limit, and one that is over it says when to go on', async () => {
  const { url } = await openStore();
  const { page } = await startSite(url, { rateLimit: 1, monotonicMs: () => 0 });
  expect((await page('/balances')).headers.get('ratelimit')).toBe('"requests";r=1;t=1');
  expect((await page('/sync/runs')).status).toBe(200);
  const { status, headers, text } = await page('/balances');
  expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  expect(text).toContain('Too many requests');
});

test('a database that is offline, and one that takes too long, are reported by a page that can be tried again', async () => {
  const away = await startSite('postgres://u:p@127.0.0.1:1/none');
  const gone = await away.page('/balances');
  expect([gone.status, gone.headers.get('retry-after')]).toEqual([503, '5']);
  expect(gone.text).toContain('The database does not answer');
  expect(gone.headers.get('cache-control')).toBe('no-store');

  const { url } = await openStore();
  const readDatabase = open(url, { readOnly: true, maxConnections: 2, statementTimeoutMs: 300 });
  const { changes } = openReading(url);
  const slow = await startSite(url, { reading: { readDatabase, changes } });
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query('lock table sync.runs');
    const late = await slow.page('/sync/runs');
    expect([late.status, late.text]).toEqual([503, expect.stringContaining('The response took too long')]);
    await client.query('rollback');
  });
  expect((await slow.page('/sync/runs')).status).toBe(200);
});
