// The overview as a reader sees it: what is held, what moved, what needs attention, and what is not known
// yet.
import { beforeAll, expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { startApi } from '../../../test/api/documented-api.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { type Mirror, openMirror } from '../../../test/support/mirror.ts';
import { textOf, withWholeFigures } from '../../../test/support/page-text.ts';
import { openStore } from '../../../test/support/store.ts';
import { waitFor } from '../../../test/support/wait-for.ts';

const hostile = '<script>alert(1)</script>\u202e=cmd';

/** The text of the page, and its addresses. What is computed in the background is waited for. */
async function overview(url: string, path = '/') {
  const server = await startApi(url, { of: 'default' });
  let html = '';
  await waitFor(async () => {
    const answer = await server.get(path);
    expect(answer.status).toBe(200);
    html = await answer.text();
    return !/being checked|being computed/i.test(html);
  });
  const text = textOf(html);
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    (href ?? '').replaceAll('&amp;', '&'),
  );
  return { html, text, links, server };
}

test('before anything is mirrored, the page says so and leads on', async () => {
  const { url } = await testDatabase();
  const { text, links } = await overview(url);
  expect(text).toContain('Nothing is mirrored yet');
  expect(text).toContain('its balances are unknown, not zero');
  expect(links).toContain('/sync');
});

test('what was not read yet is unknown, and what is left out is named', async () => {
  const mirror = await openMirror({ transactions: 5 });
  await snapshotBalances(mirror.context);
  await mirror.query(`insert into sync.expectations
      (account_id, job, started_by, is_mirrored, is_scheduled, confirmed_at)
    values ('default', 'whitelist', 'daemon', false, false, now())
    on conflict (account_id, job) do update set is_mirrored = false`);
  const { text } = await overview(mirror.url);
  expect(text).toContain('The first sync');
  expect(text).toContain('Transactions: not read completely yet');
  expect(text).toContain('Whitelist: not mirrored');
  expect(text).toContain('Unknown: transactions were not read yet.');
  expect(text).not.toContain('Nothing needs attention');
  expect(text).toContain('Not checked: transactions, which have not been read completely; whitelist entries');
  expect(text).toContain('Value unknown, there are no prices');
  expect(text).not.toContain('The account holds nothing');
});

/** Only so many exports may be in progress. @returns the status */
async function readWhole(server: Awaited<ReturnType<typeof overview>>['server'], link: string) {
  const answer = await server.get(link);
  await answer.arrayBuffer();
  return answer.status;
}

test('a mirror younger than a day offers no moment that it does not know', async () => {
  const mirror = await openMirror({ transactions: 5 });
  await syncTransactions(mirror.context, { full: false });
  await snapshotBalances(mirror.context);
  const { links, server } = await overview(mirror.url);
  const holdings = links.filter((link) => /^\/api\/v1\/balances\/split/.test(link));
  expect(holdings.length).toBeGreaterThan(2);
  expect(holdings.filter((link) => link.includes('at='))).toEqual([]);
  for (const link of holdings) expect([link, await readWhole(server, link)]).toEqual([link, 200]);
  const offered = async (path: string) =>
    [...(await (await server.get(path)).text()).matchAll(/href="([^"]*)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => /[?;](at|compare)=/.test(href));
  expect(await offered('/balances')).toEqual([]);
  const [day] = await mirror.query<{ before: string }>(
    `select (now() - interval '3 days')::date::text as before`,
  );
  expect(
    (await offered(`/balances?compare=${day?.before}`)).filter((href) => href.startsWith('/api')),
  ).toEqual([]);
  // They were read before the balances were.
  const [first] = await mirror.query<{ id: string }>(
    'select transaction_id as id from custody.transactions order by transaction_id limit 1',
  );
  expect(await offered(`/transactions/${first?.id}`)).toEqual([]);
});

test('of the periods before, those ends are offered at which balances were observed', async () => {
  const mirror = await openMirror({ transactions: 5 });
  await snapshotBalances(mirror.context);
  // As if it had been observed each day since a year but for yesterday.
  await mirror.query(`update custody.accounts set first_seen_at = now() - interval '400 days'`);
  await mirror.query(
    `insert into custody.balance_snapshots
       (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
     select account_id, 'all', at, at, at + interval '1 second', 1, 0, 0, run_id
     from (select account_id, run_id from custody.balance_snapshots limit 1) as s,
       generate_series(now() - interval '400 days', now() - interval '2 days 6 hours', interval '6 hours') as at
     where at::date < now()::date - 1`,
  );
  const { html, links, server } = await overview(mirror.url);
  expect(html).not.toContain('Holdings at the end of yesterday');
  expect(html).toContain('Holdings at the end of last year');
  for (const link of links.filter((link) => /^\/api\/v1\/balances\/split/.test(link)))
    expect([link, await readWhole(server, link)]).toEqual([link, 200]);
});

test('where nothing was observed nothing is known, and what a sum leaves out is named', async () => {
  const { url, query } = await openStore();
  const [of, at] = [`'default'`, `now() - interval '1 minute'`];
  await query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    values (${of}, 'https://a.invalid', ${at}) on conflict do nothing`);
  await query(`insert into custody.asset_prices (asset_id, currency, as_of, price)
    values ('BTC', 'USD', '2026-01-01Z', 7), ('ETH', 'USD', '2026-01-01Z', 2)`);
  const observe = (vaults: string, count: number) =>
    query(`insert into custody.balance_snapshots
        (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
      values (${of}, '${vaults}', '2026-06-01Z', '2026-06-01Z', '2026-06-01Z', ${count}, ${count}, 0, 1)`);
  const hold = (vaults: string, asset: string, total: number) =>
    query(`insert into custody.balances
        (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
      values (${of}, '${vaults}', '${asset}', '${asset}', '2026-06-01Z', '2026-06-01Z', ${total}, 1, '{}')`);
  await observe('all', 2);
  await hold('all', 'BTC', 3);
  await hold('all', 'ETH', 5);
  await observe('cold', 2);
  await hold('cold', 'BTC', 3);
  await hold('cold', 'ETH', 5);
  await query(`insert into custody.unreadable_balances (account_id, vault_type, asset_id, network_id, valid_from)
    values (${of}, 'cold', 'ETH', 'ETH', '2026-06-01Z')`);
  const before = await overview(url);
  expect(before.text).toMatch(/By vaults Warm unknown/);
  expect(before.text).toContain('Cold $21.00 without 1 balance that could not be read 67.7 %');
  const balances = async () => await (await before.server.get('/balances')).text();
  expect(cellsOf(await balances(), 'Warm')).toEqual(['unknown', 'unknown']);
  expect(cellsOf(await balances(), 'Cold')).toEqual(['3', 'unknown']);
  // Observed, and empty: there is nothing.
  await observe('warm', 0);
  const after = await overview(url);
  expect(after.text).toContain('Warm $0.00');
  expect(cellsOf(await balances(), 'Warm')).toEqual(['not listed', 'not listed']);
});

test('the greatest holdings are the most valuable ones of any number of assets', async () => {
  const { url, query } = await openStore();
  await query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    values ('default', 'https://a.invalid', now()) on conflict do nothing`);
  await query(`insert into custody.balance_snapshots
      (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
    values ('default', 'all', '2026-06-01Z', '2026-06-01Z', '2026-06-01Z', 700, 700, 0, 1)`);
  await query(`insert into custody.balances
      (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
    select 'default', 'all', 'A' || lpad(n::text, 4, '0'), 'N', '2026-06-01Z', '2026-06-01Z', n, 1, '{}'
    from generate_series(1, 700) n`);
  // Each tenth asset has a price.
  await query(`insert into custody.asset_prices (asset_id, currency, as_of, price)
    select 'A' || lpad(n::text, 4, '0'), 'USD', '2026-01-01Z', 2 from generate_series(10, 700, 10) n`);
  const { html } = await overview(url);
  const [table = ''] = /id="holdings".*?<\/table>/s.exec(html) ?? [];
  const shown = [...table.matchAll(/\/balances\/assets\/(A\d{4})"/g)].map(([, asset]) => asset);
  expect(shown).toEqual(Array.from({ length: 10 }, (_, index) => `A0${700 - 10 * index}`));
});

type Held = readonly [asset: string, total: number, how: 'kept' | 'bought' | 'sold'];

/**
 * The holdings that the page shows, of assets at 2 USD each that were held yesterday or are today.
 *
 * @param unidentified how many records of the last observation of each day could not be identified
 */
async function sinceYesterday(held: readonly Held[], unidentified: readonly [number, number] = [0, 0]) {
  const { url, query } = await openStore();
  await query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    values ('default', 'https://a.invalid', now()) on conflict do nothing`);
  await query(`update custody.accounts set first_seen_at = now() - interval '10 days'`);
  const today = `date_trunc('day', now(), 'UTC')`;
  const yesterday = `${today} - interval '1 hour'`;
  await query(`insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at,
      asset_count, changed_count, quarantined_count, unidentified_count, run_id)
    select 'default', 'all', at, at, at, 2, 2, 0, n, 1
    from (values (${yesterday}, ${unidentified[0]}), (${today}, 0), (now(), ${unidentified[1]})) as s (at, n)`);
  await query(
    `insert into custody.balances
      (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since, total_balance, run_id, raw)
    select 'default', 'all', a, 'N', f, u, f, n, 1, '{}' from unnest($1::text[], $2::numeric[], $3::text[]) as b (a, n, how),
      lateral (select case how when 'bought' then ${today} else ${yesterday} end, case how when 'sold' then ${today} end) as i (f, u)`,
    [0, 1, 2].map((column) => held.map((row) => row[column])),
  );
  await query(
    `insert into custody.asset_prices (asset_id, currency, as_of, price) select a, 'USD', '2026-01-01Z', 2 from unnest($1::text[]) as a`,
    [held.map(([asset]) => asset)],
  );
  const { html, text } = await overview(url);
  const [table = ''] = /id="holdings".*?<\/table>/s.exec(html) ?? [];
  const shown = [...table.matchAll(/\/balances\/assets\/([A-Z]+\d*)"/g)].map(([, asset]) => asset);
  const values =
    await query(`select 'held' as of, unknown::text from reporting.portfolio_value_held('default', null, null)
    union all select 'daily', unknown::text from reporting.portfolio_value_daily where day = ${today}::date`);
  return {
    ...{ shown, changes: cellsOf(table, 'Since yesterday'), held: cellsOf(table, 'Held'), text },
    values: values.map((row) => Object.values(row)),
  };
}

const threeAssets: readonly Held[] = [
  ['KEPT', 4, 'kept'],
  ['BOUGHT', 3, 'bought'],
  ['SOLD', 5, 'sold'],
];

test('what was bought or sold whole since yesterday changed by its whole value', async () => {
  const { shown, changes, text } = await sinceYesterday(threeAssets);
  expect(shown).toEqual(['KEPT', 'BOUGHT', 'SOLD']);
  expect(changes).toEqual(['$0.00', '+$6.00', '-$10.00']);
  expect(text).toContain('since the end of yesterday (by asset)');
  expect(text).toContain('Value over 30 days');
});

test('what an observation does not list may be a record that could not be identified: its change is unknown', async () => {
  const before = await sinceYesterday(threeAssets, [1, 0]);
  expect(before.shown).toEqual(['KEPT', 'BOUGHT', 'SOLD']);
  expect(before.changes).toEqual(['$0.00', 'unknown', '-$10.00']);
  expect(before.text).toContain('Since the end of yesterday: unknown, a balance could not be read.');
  // Of the two days one is a gap: there is no line.
  expect(before.text).not.toContain('Value over 30 days');
  const now = await sinceYesterday(threeAssets, [0, 1]);
  expect(now.shown).toEqual(['SOLD', 'KEPT', 'BOUGHT']);
  expect([now.held[0], ...now.changes]).toEqual(['unknown', 'unknown', '$0.00', '+$6.00']);
  // The total of today does not look whole, as that of the day does not.
  expect(now.values).toEqual([
    ['held', '1'],
    ['daily', '1'],
  ]);
});

test('a great holding that was sold whole is in sight among ten others', async () => {
  const kept = Array.from({ length: 12 }, (_, index): Held => [`A${10 + index}`, 10 + index, 'kept']);
  const { shown, changes, text } = await sinceYesterday([...kept, ['SOLD', 20, 'sold'], ['TINY', 1, 'sold']]);
  expect(shown).toEqual([
    ...kept
      .slice(-9)
      .map(([asset]) => asset)
      .toReversed(),
    'SOLD',
  ]);
  expect(changes.at(-1)).toBe('-$40.00');
  expect(text).toContain('The first 10 of 14 assets held now or yesterday');
  expect(text).toContain('All balances: 12 assets held');
});

test('the changes of the greatest holdings are known in an account of any number of assets', async () => {
  const kept = Array.from({ length: 600 }, (_, index): Held => [`A${100 + index}`, 100 + index, 'kept']);
  const { shown, changes } = await sinceYesterday([...kept, ['NEW', 9999, 'bought'], ['GONE', 8888, 'sold']]);
  expect([shown[0], shown.at(-1), shown.length]).toEqual(['NEW', 'GONE', 10]);
  expect([changes[0], changes[1], changes.at(-1)]).toEqual(['+$19,998.00', '$0.00', '-$17,776.00']);
});

function cellsOf(html: string, title: string): readonly string[] {
  return [
    ...withWholeFigures(html.replace(/<tfoot.*/s, '')).matchAll(
      new RegExp(`<td class="number[^"]*" data-label="${title}">(.*?)</td>`, 'g'),
    ),
  ].map(([, cell]) => (cell ?? '').replace(/<[^>]*>/g, ''));
}

let mirror: Mirror;

beforeAll(async () => {
  mirror = await openMirror({ transactions: 40, frozen: true });
  await mirrorVaults(mirror.context);
  await mirrorWhitelist(mirror.context);
  await syncTransactions(mirror.context, { full: true });
  await snapshotBalances(mirror.context);
  await mirror.query('delete from custody.asset_prices');
  await mirror.query(`update custody.accounts set first_seen_at = now() - interval '10 days'`);
});

/** A transaction that the service showed the mirror. */
async function transaction(values: Record<string, string>): Promise<void> {
  const row = {
    account_id: `'default'`,
    asset_id: `'BTC'`,
    asset_name: `'Bitcoin'`,
    network_id: `'BTC'`,
    status_changed_at: `now() - interval '1 hour'`,
    changed_at: `now() - interval '1 hour'`,
    first_seen_at: `now() - interval '1 hour'`,
    first_seen_after: `now() - interval '61 minutes'`,
    content_hash: `'x'`,
    raw: `'{}'`,
    ...values,
  };
  await mirror.query(`insert into custody.transactions (${Object.keys(row)}) values (${Object.values(row)})`);
}

test('with everything in order, nothing needs attention, and the page says what was checked', async () => {
  await mirror.query(
    `update custody.transactions set status = 'completed' where not reporting.is_settled(status)`,
  );
  const { text, html } = await overview(mirror.url);
  expect(text).toContain('Nothing needs attention');
  expect(text).toContain('Checked: health, unreadable records');
  expect(text).toContain('Nothing is in progress.');
  expect(text).toContain('Today, since the end of yesterday: no deposit or withdrawal was completed.');
  expect(text).toContain('Yesterday: no deposit or withdrawal was completed.');
  expect(html).not.toContain('<figure');
});

test('each item that needs attention has its line, with the page that shows it', async () => {
  await transaction({
    transaction_id: `'stuck-1'`,
    status: `'processing'`,
    transaction_type: `'withdraw'`,
    amount: '1.5',
    source_type: `'vault'`,
    destination_type: `'network'`,
    destination_name: `'${hostile}'`,
    first_seen_at: `now() - interval '3 days'`,
    first_seen_after: `now() - interval '3 days 1 minute'`,
  });
  await mirror.query(`update custody.document_readings set first_read_at = now() - interval '8 days',
    last_read_after = now(), last_read_at = now() where kind = 'whitelist_entry'`);
  await transaction({
    transaction_id: `'off-1'`,
    status: `'completed'`,
    transaction_type: `'withdraw'`,
    amount: '0.25',
    source_type: `'vault'`,
    destination_type: `'network'`,
    destination_address: `'bc1nobody'`,
  });
  await mirror.query(`insert into sync.quarantine
      (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at, occurrences)
    values ('default', 'transactions', 'k', 'amount is no number', '{}', 1, now(), now(), 1)`);
  const { text, html, links, server } = await overview(mirror.url);
  expect(text).toContain('3 items need attention');
  expect(text).toContain('1 record of transactions could not be read');
  expect(links).toContain('/sync/quarantine');
  expect(text).toMatch(/stuck 1 transaction open for more than a day, the oldest for at least 3 days/);
  expect(text).toMatch(
    /not whitelisted 2 payments in the last 7 days went to .* and 1 other, not whitelisted at the time/,
  );
  expect(text).toContain('Withdrawal 1.5 BTC');
  expect(html).not.toContain('<script>alert');
  expect(text).toContain('<script>alert(1)</script>');
  const stuck = links.find((href) => href.startsWith('/transactions?is_open=true&first_seen_to='));
  const same = await server.json(`/api/v1${stuck}`);
  expect(same.data.map((row) => row['transaction_id'])).toEqual(['stuck-1']);
  expect(links).toContain('/transactions/stuck-1');
});

test('a day whose change no transaction explains needs attention', async () => {
  await mirror.query(`insert into custody.balance_snapshots
      (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
    select account_id, vault_type, snapshot_at - interval '1 day', asked_at - interval '1 day', answered_at - interval '1 day',
      asset_count, 0, 0, run_id from custody.balance_snapshots`);
  await mirror.query(`insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since,
      total_balance, available_balance, processing_balance, staking_balance, claimable_balance, run_id, raw)
    select account_id, vault_type, asset_id, network_id, valid_from - interval '1 day', valid_from, valid_from - interval '1 day',
      total_balance + case when asset_id = 'ETH' then 1 else 0 end, available_balance + case when asset_id = 'ETH' then 1 else 0 end,
      processing_balance, staking_balance, claimable_balance, run_id, raw from custody.balances`);
  await syncTransactions(mirror.context, { full: true });
  const { text, links } = await overview(mirror.url);
  expect(text).toMatch(/unexplained Transactions do not explain how .*ETH/);
  expect(links.some((href) => /^\/reconciliation\?day_from=[\d-]+&is_explained=false$/.test(href))).toBe(
    true,
  );
});

test('the value is exact, and says what it leaves out and what moved', async () => {
  await mirror.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    select 'default', a, 'USD', now() - interval '5 days', 2.5 from unnest(array['BTC', 'ETH']) a
    union all select 'default', 'BTC', 'NZD', now() - interval '5 days', 4`);
  await transaction({
    transaction_id: `'in-1'`,
    status: `'completed'`,
    transaction_type: `'deposit'`,
    amount: '8.00000001',
    destination_type: `'vault'`,
    source_name: `'A payer'`,
    first_seen_at: 'now()',
  });
  await mirror.query(`insert into custody.transaction_status_history
      (account_id, transaction_id, sequence, to_status, observed_at, run_id)
    values ('default', 'in-1', 1, 'completed', now(), 1)`);
  const { text, html, links, server } = await overview(mirror.url);
  const value = (await server.json('/api/v1/balances/value?vault_type=all&currency=USD')).data[0] ?? {};
  const [sum] = await mirror.query<{ sum: string }>(`select trim_scale(sum(total_balance * 2.5))::text as sum
    from reporting.balances_current where vault_type = 'all' and asset_id in ('BTC', 'ETH')`);
  expect(value['total_value']).toBe(sum?.sum);
  expect(html).toContain(`value="${sum?.sum}"`);
  expect(text).toMatch(/Leaves out \d+ assets without a price/);
  expect(text).toContain('since the end of yesterday');
  // What came in today at the present price, and the rest of the change.
  expect(text).toMatch(
    /\+\$20\.00 by deposits and withdrawals, [+-]?\$[\d,.]+ by prices and everything else/,
  );
  expect(text).toMatch(/Greatest holdings .* Since yesterday Held, 30 days/);
  expect(html).toMatch(/<svg class="sparkline"/);
  const days = (await server.json('/api/v1/balances/value/daily?vault_type=all&currency=USD')).data;
  expect(days).toHaveLength(2);
  expect(html).toContain('28 days unknown');
  expect(text).toMatch(/Today, since the end of yesterday.* Bitcoin BTC ≈?8 0 \+≈?8 \+\$20\.00 1 in /);
  expect(text).toMatch(/Deposits and withdrawals Computed (?:just now|\d+ s ago)/);
  expect(text).toMatch(/In ≈?8 BTC from A payer \(\$20\.00,/);
  expect(links).toContain('/transactions/in-1');
  expect(
    links.some((href) =>
      /^\/transactions\?status=completed&settled_from=[^&]+&transaction_type=deposit&asset_id=BTC&network_id=BTC$/.test(
        href,
      ),
    ),
  ).toBe(true);
  expect(links).toContain('/?currency=NZD');
  const other = await overview(mirror.url, '/?currency=NZD');
  expect(other.text).toContain('Value in NZD');
  const without = await overview(mirror.url, '/?currency=EUR');
  expect(without.text).toContain('Value unknown, there are no prices in EUR');
  expect(without.text).not.toMatch(/Value in |Leaves out/);
  expect(without.links).toEqual(expect.arrayContaining(['/?currency=NZD', '/?currency=USD']));
});

test('what left whole and is no longer listed is not said to be a change of prices', async () => {
  await transaction({
    transaction_id: `'out-gone'`,
    status: `'completed'`,
    transaction_type: `'withdraw'`,
    asset_id: `'GONE'`,
    amount: '3',
    source_type: `'vault'`,
    first_seen_at: 'now()',
  });
  await mirror.query(`insert into custody.transaction_status_history
      (account_id, transaction_id, sequence, to_status, observed_at, run_id)
    values ('default', 'out-gone', 1, 'completed', now(), 1)`);
  const { text } = await overview(mirror.url);
  expect(text).toContain('since the end of yesterday');
  expect(text).not.toContain('by prices and everything else');
});

test('where one asset gained its price and another lost it, the value did not change by them', async () => {
  const { url, query } = await openStore();
  const yesterday = `date_trunc('day', now(), 'UTC') - interval '1 hour'`;
  await query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    values ('default', 'https://a.invalid', ${yesterday}) on conflict do nothing`);
  await query(`with at as (select ${yesterday} as moment), observed as (insert into custody.balance_snapshots
        (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
      select 'default', 'all', moment, moment, moment, 4, 4, 0, 1 from at
      union all select 'default', 'all', now(), now(), now(), 4, 1, 0, 1)
    insert into custody.balances
      (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since, total_balance, run_id, raw)
    select 'default', 'all', asset, '', moment, case asset when 'LEFT' then now() end, moment, 4, 1, '{}'
      from at, unnest(array['HELD', 'LEFT', 'STAYS', 'GAINED']) as asset`);
  await query(`insert into custody.asset_prices (asset_id, currency, as_of, price)
    values ('HELD', 'USD', '2026-01-01Z', 7), ('STAYS', 'USD', '2026-01-01Z', 2)`);
  // One that is not priced left, and another that is not priced came.
  await query(`insert into custody.balances
      (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
    select 'default', 'all', 'CAME', '', max(snapshot_at), max(snapshot_at), 9, 1, '{}' from custody.balance_snapshots`);
  const { text } = await overview(url);
  expect(text).toContain('end of yesterday: unknown, different assets had prices');
});
