// The pages of balances, as a reader sees them: on twelve days of June 2026, in which the mirror stood still
// on the 13th.
import { beforeAll, expect, test } from 'vitest';
import { startApi } from '../../../test/api/documented-api.ts';
import { openReading } from '../../../test/support/api-source.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { textOf } from '../../../test/support/page-text.ts';
import { type RunningServer, startServer } from '../../../test/support/running-server.ts';
import { openStore } from '../../../test/support/store.ts';
import { inZones } from '../../../test/support/time-zone.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { mirrorOfJune } from '../../../test/system/dashboards/june.ts';

let mirror: TestDatabase;
let server: RunningServer;

beforeAll(async () => {
  mirror = await mirrorOfJune();
  const hostile = `<script>alert(1)</script>\u202e${'x'.repeat(9_000)}`;
  await mirror.query(`update custody.balances set asset_name = $1 where asset_id = 'DOT'`, [hostile]);
  server = await startServer({ reading: openReading(mirror.url), account: 'default' });
});

/** The text of a page without its markup, as it is read. */
async function read(path: string): Promise<{ status: number; text: string; html: string }> {
  const answer = await server.get(path);
  const html = await answer.text();
  const text = textOf(html.replace(/^.*<main/s, '<main'));
  return { status: answer.status, text, html };
}

test('balances stand side by side with their value, and what has no price is named', async () => {
  const { text, status, html } = await read('/balances');
  expect(status).toBe(200);
  const [btc] = await mirror.query<{ total: string }>(
    `select total_balance::text as total from reporting.balances_current where asset_id = 'BTC' and vault_type = 'all'`,
  );
  expect(html).toContain(`value="${btc?.total}"`);
  expect(text).toMatch(/Leaves out \d+ assets without a price/);
  expect(text).toContain('no price');
  // Hostile text is text, on one line and cut.
  expect(html).not.toContain('<script>alert');
  expect(html).not.toContain('\u202e');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});

test('what was held at year’s end, at midnight of another zone, is one address, and before the mirror it is unknown', async () => {
  await mirror.query(inZones('Pacific/Auckland'));
  const typed = await server.get('/balances?at=2026-06-15T00%3A00&asset_id=BTC', { redirect: 'manual' });
  expect([typed.status, typed.headers.get('location')]).toEqual([
    303,
    '/balances?at=2026-06-14T12%3A00%3A00Z&asset_id=BTC',
  ]);
  const { html } = await read('/balances?at=2026-06-14T12:00:00Z&asset_id=BTC&vault_type=all');
  const [btc] = await mirror.query<{ total: string }>(
    `select total_balance::text as total from reporting.balances_at('2026-06-14T12:00:00Z')
     where asset_id = 'BTC' and vault_type = 'all'`,
  );
  expect(html).toContain(`value="${btc?.total}"`);
  for (const path of ['/balances', '/balances/assets/BTC', '/transactions', '/documents'])
    for (const at of ['2026-01-01T00:00:00Z', '2026-01-01']) {
      const { text, status } = await read(`${path}?at=${at}`);
      expect([path, status, text]).toEqual([
        path,
        200,
        expect.stringMatching(
          /The data at that moment is unknown, not empty: the first observation is from \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(/,
        ),
      ]);
      expect(text).not.toContain('No prices');
      const later = await read(`${path}?at=${at.replace('2026', '2199')}`);
      expect([path, later.status, later.text]).toEqual([
        path,
        400,
        expect.stringContaining('is in the future'),
      ]);
    }
  await mirror.query(inZones('UTC'));
});

test('two moments stand side by side with what changed of amounts and value, and what the sum leaves out', async () => {
  const { text, html } = await read('/balances?at=2026-06-18&compare=2026-06-15');
  expect(text).toContain('From the end of Monday 15 June 2026 to the end of Thursday 18 June 2026.');
  expect(text).toContain('Value before');
  expect(text).not.toMatch(/Then Now|Present value/);
  const [unpriced] = await mirror.query<{ asset: string }>(
    `select asset_id as asset from reporting.balances_daily where day = '2026-06-15' and vault_type = 'all'
       and asset_id not in (select asset_id from custody.asset_prices) limit 1`,
  );
  const one = await read(`/balances?at=2026-06-18&compare=2026-06-15&asset_id=${unpriced?.asset}`);
  expect(one.text).toContain('All but 1 without a price unknown unknown unknown');
  const [btc] = await mirror.query<{ change: string; value: string }>(
    `select trim_scale(b.total_balance - a.total_balance)::text as change,
       trim_scale(b.total_value - a.total_value)::text as value
     from reporting.balance_values_daily a join reporting.balance_values_daily b using (account_id, vault_type, asset_id, currency)
     where asset_id = 'BTC' and vault_type = 'all' and a.day = '2026-06-15' and b.day = '2026-06-18'`,
  );
  const row = html.split('<tr>').find((each) => each.includes('/balances/assets/BTC?')) ?? '';
  const figures = [...row.matchAll(/<data [^>]*value="([^"]*)"/g)].map(([, value]) => value);
  expect([figures[2], figures[5]]).toEqual([btc?.change, btc?.value]);
  expect(text).toMatch(/All but \d+ without a price/);
  expect((await read('/balances?compare=2026-01-01')).text).toContain('unknown, not empty');
  for (const moment of ['2026-06-15', '2026-06-18'])
    expect(html).toMatch(new RegExp(`/api/v1/balances/split\\.csv\\?[^"]*at=${moment}[^"]*" download`));
});

test('the fees of a month are added up by the asset in which they were paid, and lead to their rows', async () => {
  const span = 'day_from=2026-06-01&day_to=2026-06-30';
  const { text, html, status } = await read(`/balances/fees?${span}`);
  expect(status).toBe(200);
  const fees = await mirror.query<{ asset: string; fee: string | null }>(
    `select fee_asset_id as asset, case when count(fee) = count(*) then trim_scale(sum(fee))::text end as fee from reporting.fees_daily
     where day between '2026-06-01' and '2026-06-30' group by fee_asset_id`,
  );
  expect(fees.length).toBeGreaterThan(2);
  for (const { asset, fee } of fees) {
    const row = html.split('<tr>').find((each) => each.includes(`/balances/assets/${asset}"`));
    expect([asset, row]).toEqual([
      asset,
      expect.stringMatching(fee === null ? 'unknown' : `value="${fee}0*"`),
    ]);
  }
  expect(html).toContain(`/api/v1/fees.csv?account=default&amp;${span.replace('&', '&amp;')}`);
  expect(text).toContain('Fees from 2026-06-01 to 2026-06-30');
  // Also where the account has more assets than a page of the list.
  await mirror.query(`insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since,
      total_balance, available_balance, processing_balance, staking_balance, claimable_balance, run_id, raw)
    select account_id, vault_type, '0-' || n, '0-' || n, valid_from, unchanged_since, 1, 1, 0, 0, 0, run_id, raw
    from custody.balances, generate_series(1, 501) n where asset_id = 'DOT' and vault_type = 'all' and valid_to is null`);
  const many = await read(`/balances/fees?${span}`);
  await mirror.query(`delete from custody.balances where asset_id like '0-%'`);
  expect(many.html).toContain('/balances/assets/BTC"');
});

test('the history of an asset shows its gap, its changes, what explains them, and the same rows as CSV', async () => {
  const { text, html, status } = await read('/balances/assets/BTC?from=2026-06-08T00:00:00Z');
  expect(status).toBe(200);
  expect(text).toContain('not observed until 2026-06-14 08:00:00');
  expect(text).toContain('Explanation of the change observed');
  expect(text).toMatch(/Transactions explain the change|not explained|rewards|unknown/);
  const [csv] = /\/api\/v1\/balances\/assets\/BTC\/series\.csv[^"]*/.exec(html) ?? [''];
  const rows = await (await server.get(csv.replaceAll('&amp;', '&'))).text();
  expect(rows).toContain('not observed');
  // Each link to an explanation leads to one.
  const [link] = /\/balances\/assets\/BTC\?[^"]*change=[^"#]*/.exec(html) ?? [''];
  expect((await read(link.replaceAll('&amp;', '&'))).text).toContain('Explanation of the change observed');
  expect((await read('/balances/assets/BTC?change=2026-06-09T03:00:00Z')).text).toContain('No such change');
});

test('each part of a balance shows since when it has been unchanged, now and at an observation', async () => {
  const last = (at: string) =>
    mirror.query<{ part: string; since: string }>(
      `select part, max(valid_from) as since from (
         select valid_from, part, value is distinct from lag(value) over (partition by part order by valid_from) as is_other
         from custody.balances, lateral (values ('Total', total_balance), ('Available', available_balance),
           ('Processing', processing_balance), ('Staked', staking_balance), ('Claimable', claimable_balance)) v (part, value)
         where asset_id = 'ETH' and vault_type = 'all' and valid_from <= '${at}') c
       where is_other group by part`,
    );
  const [seen] = await mirror.query<{ at: string }>(
    `select to_char(max(valid_from) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from custody.balances
     where asset_id = 'ETH' and vault_type = 'all' and valid_to is not null`,
  );
  for (const at of ['9999-01-01T00:00:00Z', seen?.at ?? '']) {
    const { html } = await read(`/balances/assets/ETH${at.startsWith('9999') ? '' : `?at=${at}`}`);
    const parts = await last(at);
    expect(parts).toHaveLength(5);
    for (const { part, since } of parts) {
      const row = html.split('<tr>').find((each) => new RegExp(`^<td[^>]*>${part}</td>`).test(each)) ?? '';
      const [first] = [...row.matchAll(/<time datetime="([^"]*)"/g)].map(([, moment]) => moment);
      expect([at, part, first && Date.parse(first)]).toEqual([at, part, Date.parse(since)]);
    }
  }
});

test('an asset that was never listed is a 404 that says so, and a mirror that read nothing says unknown', async () => {
  const { status, text } = await read('/balances/assets/%3Cb%3E');
  expect([status, text.includes('No observed balance lists this asset')]).toEqual([404, true]);
  const store = await openStore();
  const own = await startServer({ reading: openReading(store.url), account: 'acme' });
  const empty = await (await own.get('/balances')).text();
  expect(empty).toContain('Not known');
  expect(empty).not.toContain('No balance matches');
});

/** Balances of all vaults from the last observation on. */
async function held(rows: readonly (readonly [asset: string, network: string, total: string])[]) {
  for (const [asset, network, total] of rows)
    await mirror.query(
      `insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
       select 'default', 'all', $1, $2, max(snapshot_at), max(snapshot_at), $3, 1, '{}' from custody.balance_snapshots where vault_type = 'all'`,
      [asset, network, total],
    );
}

async function priced(asset: string, price: string) {
  await mirror.query(
    `insert into custody.asset_prices (asset_id, currency, as_of, price) select $1, currency, '2026-06-01Z', $2
     from (select distinct currency from custody.asset_prices) as c`,
    [asset, price],
  );
}

async function unreadable(asset: string) {
  await mirror.query(
    `insert into custody.unreadable_balances (account_id, vault_type, asset_id, network_id, valid_from)
     select 'default', 'all', asset_id, network_id, valid_from from custody.balances where asset_id = $1 and vault_type = 'all'`,
    [asset],
  );
}

test('a balance that is unknown is not said to have no price', async () => {
  await held([['DARK', 'D', '7']]);
  await priced('DARK', '2');
  await unreadable('DARK');
  for (const query of ['asset_id=DARK', 'asset_id=DARK&vault_type=all']) {
    const { text } = await read(`/balances?${query}`);
    expect(text, query).toContain('DARK D unknown');
    expect(text, query).not.toContain('no price');
  }
});

test('the value of an asset on two networks is that of both together, and unknown where one of them is', async () => {
  await held([
    ['TWIN', 'A', '1.25'],
    ['TWIN', 'B', '2.5'],
  ]);
  await priced('TWIN', '4');
  const { text } = await read('/balances/assets/TWIN');
  expect(text).toMatch(/\$15\.00 3\.75 TWIN in all vaults, at 4 USD of [\d:\- ]+\(.*Where it is held/);
  await held([['TWIN', 'C', '1']]);
  await mirror.query(`insert into custody.unreadable_balances (account_id, vault_type, asset_id, network_id, valid_from)
    select 'default', 'all', asset_id, network_id, valid_from from custody.balances where asset_id = 'TWIN' and network_id = 'C'`);
  expect((await read('/balances/assets/TWIN')).text).toMatch(/unknown unknown TWIN in all vaults, at 4 USD/);
});

test('an asset that may be a record of which nobody knows what it is of was not certainly absent', async () => {
  await held([['CAME', 'C', '3']]);
  await priced('CAME', '2');
  const identified = async (count: number) => {
    await mirror.query(`begin; set local session_replication_role = replica;
      update custody.balance_snapshots set unidentified_count = ${count}
      where snapshot_at >= '2026-06-18Z' and snapshot_at < '2026-06-19Z'; commit`);
    return (await read('/balances?compare=2026-06-18&asset_id=CAME')).text;
  };
  expect(await identified(0)).toMatch(/CAME on C 0 3 \+3 \S*0\.00 \S*6\.00/);
  expect(await identified(1)).toMatch(/CAME on C unknown 3 unknown unknown \S*6\.00 –/);
  const { html } = await read('/balances?compare=2026-06-18');
  const changes = [...html.matchAll(/data-label="Change">(.*?)<\/td>/g)].map(([, cell]) => cell);
  const unknown = changes.filter((cell) => cell?.includes('unknown'));
  expect(unknown.length).toBeGreaterThan(0);
  expect(changes.slice(0, unknown.length)).toEqual(unknown);
  await identified(0);
});

test('what no observation of a vault type showed is unknown there, not unlisted', async () => {
  const store = await openStore();
  const [of, at] = [`'default'`, `now() - interval '1 minute'`];
  await store.query(`insert into custody.accounts (account_id, base_url, first_seen_at) values (${of}, 'https://a.invalid', ${at})
    on conflict do nothing`);
  await store.query(`with observed as (
      insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
      values (${of}, 'all', ${at}, ${at}, ${at}, 1, 1, 0, 1), (${of}, 'cold', ${at}, ${at}, ${at}, 0, 0, 0, 1) returning vault_type, snapshot_at)
    insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
    select ${of}, vault_type, 'BTC', 'BTC', snapshot_at, snapshot_at, 3, 1, '{}' from observed where vault_type = 'all'`);
  const own = await startServer({ reading: openReading(store.url), account: 'default' });
  for (const moment of ['', `?at=${new Date(Date.now() - 30_000).toISOString()}`]) {
    const answer = await own.get(`/api/v1/balances/split${moment}`);
    const { data } = (await answer.json()) as { data: unknown[] };
    expect(data, moment).toMatchObject([
      { all_is_known: true, warm_is_known: false, cold_is_known: null, warm_total: null },
    ]);
  }
  // A sum of nothing is not worth nothing.
  await store.query(
    `insert into custody.asset_prices (asset_id, currency, as_of, price) values ('ETH', 'USD', '2026-01-01Z', 7)`,
  );
  const page = await (await own.get('/balances')).text();
  expect(textOf(page)).toMatch(/Total value unknown Leaves out 1 asset without a price/);
});

test('the value of a balance that could not be read is unknown, and not for want of a price', async () => {
  await mirror.query(`insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    values ('default', 'BTC', 'USD', '2026-06-01', 1) on conflict do nothing`);
  await mirror.query(`insert into custody.unreadable_balances (account_id, vault_type, asset_id, network_id, valid_from)
    select account_id, vault_type, asset_id, network_id, observed_at from reporting.balances_current
    where asset_id = 'BTC' and vault_type in ('all', 'warm')`);
  for (const path of ['/balances?asset_id=BTC', '/balances?asset_id=BTC&vault_type=warm']) {
    const { text } = await read(path);
    expect([path, text.includes('Value in USD')]).toEqual([path, true]);
    expect([path, text.includes('no price')]).toEqual([path, false]);
  }
});

test('an asset is found by its name and without regard to case, and the address becomes exact', async () => {
  const location = async (path: string) => {
    const { status, headers } = await server.get(path, { redirect: 'manual' });
    return status === 303 ? headers.get('location') : status;
  };
  for (const named of ['btc', 'Btc', 'bitcoin', '+BITCOIN+'])
    for (const [path, exact] of [
      ['/transactions?asset_id=*&is_open=false', '/transactions?asset_id=BTC&is_open=false'],
      ['/balances?vault_type=warm&asset_id=*', '/balances?vault_type=warm&asset_id=BTC'],
      ['/reconciliation?asset_id=*', '/reconciliation?asset_id=BTC'],
      ['/documents?asset_id=*', '/documents?asset_id=BTC'],
    ] as const) {
      const { url, status } = await server.get(path.replace('*', named));
      expect([named, status, url]).toEqual([named, 200, `${server.url}${exact}`]);
    }
  expect(await location('/balances/assets/bitcoin?vault_type=cold')).toBe(
    '/balances/assets/BTC?vault_type=cold',
  );
  expect(await location('/reconciliation/2026-06-12/btc')).toBe('/reconciliation/2026-06-12/BTC');
  // Exact, none, and several.
  await mirror.query(
    `update custody.balances set asset_name = 'Coin of ours' where asset_id in ('BTC', 'ETH')`,
  );
  for (const path of [
    '/balances?asset_id=BTC',
    '/balances?asset_id=nothing',
    '/balances?asset_id=coin+of+ours',
  ])
    expect([path, await location(path)]).toEqual([path, 200]);
  expect(await location('/balances/assets/nothing')).toBe(404);
  // Another asset, of which only transactions tell.
  await mirror.query(`update custody.transactions set asset_id = 'btc' where transaction_id = (
    select transaction_id from custody.transactions where asset_id = 'BTC' limit 1)`);
  expect(await location('/transactions?asset_id=btc')).toBe(200);
  await mirror.query(`update custody.transactions set asset_id = 'BTC' where asset_id = 'btc'`);
});

test('assets beyond the first page of the API have their lines of 30 days, too', async () => {
  const { url, query } = await openStore();
  const yesterday = `date_trunc('day', now(), 'UTC') - interval '1 hour'`;
  await query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    values ('default', 'https://a.invalid', ${yesterday}) on conflict do nothing`);
  await query(`with observed as (insert into custody.balance_snapshots
        (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
      select 'default', 'all', at, at, at, 600, 600, 0, 1 from unnest(array[${yesterday}, now()]) as at)
    insert into custody.balances
      (account_id, vault_type, asset_id, network_id, valid_from, unchanged_since, total_balance, run_id, raw)
    select 'default', 'all', 'A' || to_char(i, 'FM0000'), '', ${yesterday}, ${yesterday}, i, 1, '{}'
      from generate_series(1, 600) as i`);
  const api = await startApi(url, { of: 'default' });
  const { next_cursor } = await api.json('/api/v1/balances/split?limit=500');
  const linesOf = async (path: string) =>
    (await (await api.get(path)).text()).match(/<svg class="sparkline"/g)?.length ?? 0;
  await waitFor(async () => (await linesOf(`/balances?cursor=${next_cursor}`)) === 100);
  await waitFor(async () => (await linesOf('/balances?asset_id=A0600')) === 1);
});
