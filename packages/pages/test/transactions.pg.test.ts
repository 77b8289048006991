// The pages of transactions, as a reader sees them.
import { beforeAll, expect, test } from 'vitest';
import { withWholeFigures } from '../../../test/support/page-text.ts';
import { hash, ids, longNote, openTransactionsWorld, type TransactionsWorld } from './transactions-world.ts';

let world: TransactionsWorld;

beforeAll(async () => {
  world = await openTransactionsWorld();
});

/** The text of the page's content, with its spaces made one. */
async function read(path: string) {
  const answer = await world.server.get(path, { redirect: 'manual' });
  const html = await answer.text();
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  const text = withWholeFigures(main)
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
  const [, heading = ''] = /<h1>(.*?)<\/h1>/s.exec(html) ?? [];
  return { status: answer.status, location: answer.headers.get('location'), html, main, text, heading };
}

/** Identifiers of the rows that a page shows, by their links. */
async function shown(search: string): Promise<string[]> {
  const { main } = await read(`/transactions?${search}`);
  return [...main.matchAll(/href="\/transactions\/([^"?]+)"/g)].map(([, id]) => decodeURIComponent(id ?? ''));
}

async function answered(search: string): Promise<string[]> {
  const answer = await world.server.get(`/api/v1/transactions?limit=500&${search}`);
  const { data } = (await answer.json()) as { data: { transaction_id: string }[] };
  return data.map(({ transaction_id }) => transaction_id);
}

test('rows show what a transaction is and how it stands, in the order of the API', async () => {
  const { text, status } = await read('/transactions');
  expect(status).toBe(200);
  expect(text).toContain('Withdrawal 1,250.5 USDT Ethereum Treasury → Kraken Ltd confirming 3 days');
  expect(text).toContain('pending no longer listed since');
  expect(await shown('')).toEqual(await answered(''));
});

test('views lead to open, settled and stuck ones, with the counts that cost nothing', async () => {
  const { text, main } = await read('/transactions');
  expect(text).toMatch(/Open 2 Settled All 24 This week Last 7 days Stuck Not whitelisted Large/);
  expect(main).toContain('href="/documents/payments?is_whitelisted=false"');
  const [, stuck = ''] = /href="\/transactions\?([^"]*first_seen_to=[^"]*)"/.exec(main) ?? [];
  expect(await shown(stuck.replaceAll('&amp;', '&'))).toEqual([ids.stuck]);
  expect((await read('/transactions?asset_id=USDT')).text).toMatch(/Open Settled All This week/);
});

test('a settled one shows its value at the price of that time, if there is one', async () => {
  expect((await read('/transactions')).text).not.toContain('Value');
  await world.store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
     values ('acme', 'USDT', 'USD', now() - interval '2 days', 2), ('acme', 'USDT', 'EUR', now() - interval '1 hour', 3)`,
  );
  const { text, main } = await read('/transactions');
  await world.store.query('delete from custody.asset_prices');
  expect(text).toContain('Value (USD)');
  expect(text).toContain('Withdrawal 1,250.5 USDT Ethereum $2,501.00 Treasury → Kraken Ltd completed');
  expect(text).toContain('Withdrawal 1,250.5 USDT Ethereum – Treasury → Kraken Ltd confirming 3 days');
  expect(main).toContain('value="2501.000000000000000002"');
});

test('large movements are those above the value that the address names, in the currency that it names', async () => {
  await world.store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
     values ('acme', 'USDT', 'USD', now() - interval '9 days', 2), ('acme', 'USDT', 'EUR', now() - interval '9 days', 1)`,
  );
  const [usd, above, euros, none] = await Promise.all(
    ['value_from=2501', 'value_from=2501.01', 'currency=EUR&value_from=1250', 'direction=in'].map((query) =>
      read(`/movements?${query}&settled_from=2020-01-01T00:00:00Z`),
    ),
  );
  await world.store.query('delete from custody.asset_prices');
  expect(usd?.main).toContain('value="2501.000000000000000002"');
  expect(usd?.text).toMatch(/Out 1,250\.5 USDT \$2,501\.00 Kraken Ltd/);
  expect(above?.text).toContain('No movement in this time reaches that value');
  expect(euros?.text).toMatch(/Value \(EUR\).* €1,250\.50 Kraken Ltd/);
  expect(none?.text).toContain('No movement');
  expect((await read('/movements')).text).toContain('at the known prices');
});

test('both lists are valued in the currency in which most of what is held has a price', async () => {
  const { query } = world.store;
  await query(`insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count,
      changed_count, quarantined_count, run_id)
    values ('acme', 'all', now() - interval '1 minute', now() - interval '1 minute', now() - interval '1 minute', 2, 0, 0, 1)`);
  await query(`insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
    select 'acme', 'all', asset, 'ETH', s.snapshot_at, s.snapshot_at, 1, 1, '{}' from custody.balance_snapshots s, unnest(array['USDT', 'ETH']) asset`);
  await query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    values ('acme', 'USDT', 'EUR', now() - interval '60 days', 1), ('acme', 'USDT', 'USD', now() - interval '9 days', 2),
      ('acme', 'ETH', 'USD', now() - interval '9 days', 3)`);
  for (const path of ['/transactions', '/movements?settled_from=2020-01-01T00:00:00Z'])
    expect([path, (await read(path)).text]).toEqual([path, expect.stringContaining('Value (USD)')]);
  for (const table of ['asset_prices', 'balances', 'balance_snapshots'])
    await query(`set session_replication_role = replica; delete from custody.${table}`);
});

test('every filter shows the rows that the API answers', async () => {
  const filters: Record<string, number> = {
    'status=confirming': 1,
    'is_open=true': 2,
    'is_open=false': 21,
    'transaction_type=deposit': 1,
    'asset_id=USDT': 24,
    'network_id=BTC': 0,
    'vault=vlt_1': 23,
    'vault=wl_1': 24,
    'destination_id=wl_1': 24,
    'amount_from=1250.5': 24,
    'amount_to=1250.5': 0,
    'missing=true': 1,
    'missing=false': 23,
    'sort=first_seen_at': 24,
    'search=salaries': 20,
    'search=salaries&is_open=true': 0,
    [`at=${new Date(Date.now() - 5 * 86_400_000).toISOString()}`]: 17,
    [`first_seen_from=${new Date(Date.now() - 86_400_000).toISOString()}`]: 3,
    [`changed_to=${new Date(Date.now() - 10 * 86_400_000).toISOString()}`]: 11,
  };
  for (const [search, count] of Object.entries(filters)) {
    const rows = await shown(search);
    expect(rows, search).toHaveLength(count);
    expect(rows, search).toEqual(await answered(search));
  }
});

test('the next page goes on where the last one ended, and the links below lead to the same rows', async () => {
  const first = await read('/transactions?limit=20&sort=transaction_id');
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.main) ?? [];
  const rest = await shown(next.replaceAll('&amp;', '&').replace('/transactions?', ''));
  expect([...(await shown('limit=20&sort=transaction_id')), ...rest]).toEqual(
    await answered('sort=transaction_id'),
  );
  const [, csv = ''] = /href="(\/api[^"]+\.csv[^"]*)"/.exec(first.main) ?? [];
  const lines = (await (await world.server.get(csv.replaceAll('&amp;', '&'))).text()).split('\r\n');
  expect(lines.filter((line) => line.includes('USDT'))).toHaveLength(24);
});

test('a search finds identifiers, hashes, addresses, names and words, whole and by their beginning', async () => {
  const one = (id: string) => ({ status: 303, location: `/transactions/${id}` });
  for (const text of [
    ids.stuck,
    ids.stuck.toUpperCase(),
    '795d8712',
    '795d8712-0a2b-4ced-ad1a-67c8',
    '4711',
    'zürich',
    'ticket payout',
    'PAYOUT office,',
  ])
    expect(await read(`/transactions?search=${encodeURIComponent(text)}`), text).toMatchObject(
      one(ids.stuck),
    );
  for (const text of [hash, '0x3fa2', hash.slice(0, 40)])
    expect(await read(`/transactions?search=${text}`), text).toMatchObject(one(ids.done));
  for (const [text, count] of Object.entries({
    kraken: 24,
    'kraken treasury': 23,
    '0xbbbb': 24,
    '0xbbbb00000000000000000000000000000000bbbb': 24,
    vlt_1: 23,
    wl_1: 24,
    'INV-2026-0042': 20,
    '0042 inv': 20,
    '795d8713': 0,
    '0xbbbb00000000000000000000000000000000bbbc': 0,
    krake: 24,
    'treasury salaries': 20,
    'vault-that-is-not': 0,
    "'\\": 0,
  }))
    expect((await answered(`search=${encodeURIComponent(text)}`)).length, text).toBe(count);
  expect((await read('/transactions?search=nothing-like-it')).text).toContain(
    'Nothing found for “ nothing-like-it ”',
  );
});

test('a search finds a hash or address that was shortened, or pasted as the address of an explorer, and an exact amount', async () => {
  for (const [text, found] of [
    [`${hash.slice(0, 6)}…${hash.slice(-4)}`, [ids.done]],
    [`${hash.slice(0, 40).toUpperCase().replace('X', 'x')}...${hash.slice(-4).toUpperCase()}`, [ids.done]],
    ['795d8712…ccc3', [ids.stuck]],
    ['795d8712…ccc4', []],
    // Begins as one of them and ends as another.
    [`795d8712…${hash.slice(-4)}`, []],
    [`${hash.slice(0, 4)}…${hash.slice(-4)}`, []],
    [`https://explorer.example/tx/${hash}`, [ids.done]],
    [`HTTPS://explorer.example/tx/${hash}/?a=b/c#d`, [ids.done]],
    [`https://explorer.example/#/transaction/${hash}`, [ids.done]],
    ['https://explorer.example/tx/', []],
  ] as const)
    expect([text, await answered(`search=${encodeURIComponent(text)}`)]).toEqual([text, found]);
  const many = Object.entries({
    '0xbbbb…bbbb': 24,
    '0xaaaa…aaaa kraken': 24,
    '0xaaaa…aaaa 4711': 1,
    '1,250.500000000000000001': 24,
    '1250.5000000000000000010': 24,
    '1250.500000000000000001 4711': 1,
    '1250.5': 0,
    '1,25': 0,
  });
  for (const [text, count] of many)
    expect([text, (await answered(`search=${encodeURIComponent(text)}`)).length]).toEqual([text, count]);
});

test('a search that finds too much says so, and what to do', async () => {
  await world.store.query(
    `insert into custody.transactions (account_id, transaction_id, status, note, first_seen_at, status_changed_at, changed_at, content_hash, raw)
     select 'acme', 'many-' || g, 'completed', 'crowd', '2026-01-01', '2026-01-01', '2026-01-01', g::text, '{}' from generate_series(1, 1001) g`,
  );
  const { text, status } = await read('/transactions?search=crowd');
  expect(status).toBe(200);
  expect(text).toContain('Too many matches for “crowd”');
  const answer = await world.server.get('/api/v1/transactions?search=crowd');
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'too-many-matches' });
  await world.store.query(`delete from custody.transactions where note = 'crowd'`);
});

test('an open transaction shows since when, what it waits for, and what is usual', async () => {
  const { text, heading } = await read(`/transactions/${ids.stuck}`);
  expect(heading).toBe('Withdrawal of 1,250.500000000000000001 USDT');
  expect(text).toContain('Open for 3 days: confirming, stuck, longer than usual');
  expect(text).toContain(
    '95 % of the last 21 completed transactions of this kind (withdrawal of USDT) completed within 1 h 23 min',
  );
  expect(text).toContain('open for more than a day count as stuck, even if others took as long');
  expect(text).toContain('half of them within 20 min');
  expect(text).toMatch(
    /pending took 5 min to 7 min First seen between .* and .* confirming for at least 2 days Began between .* and /,
  );
});

test('facts, bounds, changes and the record stand on the page of a transaction', async () => {
  const { text, main } = await read(`/transactions/${ids.done}`);
  expect(text).toContain('Completed First seen in this status at');
  expect(text).toContain('it took at least 1 h 6 min and at most 1 h 40 min');
  expect(main).toContain(`<a href="https://explorer.example/tx/${hash}" rel="noreferrer">`);
  expect(text).toContain('View on explorer.example');
  expect(text).toContain('Whitelist not known the whitelist was never read');
  expect(text).toMatch(/note <b>old<\/b> none .* hash empty 0x3fa2/);
  expect(text).toContain('"exact": 12345678901234567890.10');
  for (const path of ['/documents/vaults/vlt_1', '/documents/whitelist/wl_1', '/balances/assets/USDT'])
    expect(main).toContain(`href="${path}`);
  // No balances were observed here, so no moment of theirs is offered.
  expect(main).not.toContain('href="/balances?at=');
  expect(main).not.toContain('style=');
});

test('a missing transaction is marked', async () => {
  const { text } = await read(`/transactions/${ids.missing}`);
  expect(text).toContain('Pending, no longer listed by the service');
  expect(text).toContain('its later status is unknown');
});

test('hostile text is shown as text, and bounded', async () => {
  for (const path of ['/transactions', `/transactions/${ids.hostile}`]) {
    const { html, text } = await read(path);
    expect(html).not.toMatch(/<script>|<img|<b>vault|<i>odd|href="javascript/);
    expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain('<i>odd</i>');
    expect(text).toContain('\\u{202e}evil\\u{2066} <b>vault</b>');
  }
  const { text, html } = await read(`/transactions/${ids.hostile}`);
  expect(text).toContain('javascript:alert(1) (no web address)');
  expect(text).toContain('\\u{202e}gnp.exe');
  expect(html.length).toBeLessThan(longNote.length * 3 + 30_000);
  const csv = await (await world.server.get('/api/v1/transactions.csv')).text();
  expect(csv).toContain("'=1+1");
});

test('the page says what is not mirrored, and what was looked for', async () => {
  const { status, text, heading } = await read('/transactions/%3Cb%3Enot-there%3C%2Fb%3E');
  expect(status).toBe(404);
  expect(heading).toBe('Transaction not found');
  expect(text).toContain('Looked for <b>not-there</b>');
});
