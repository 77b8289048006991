// Pages of what is read span by span: whatever day or moment each of them ends with, together they are the
// whole list.
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { balanceHistory } from '../../../src/store/read-api/balances/balances.ts';
import type { Listing, Selection } from '../../../src/store/read-api/list/listing.ts';
import { type Page, type PageAsked, readPage } from '../../../src/store/read-api/list/read-page.ts';
import { streamCsv } from '../../../src/store/read-api/list/stream-csv.ts';
import { flows } from '../../../src/store/read-api/reconciliation.ts';
import { longTest } from '../../support/form.ts';
import { account, openStore, type Store } from '../../support/store.ts';

const parts = { signal: new AbortController().signal };

/** Deposits on some days of the last twenty, of which most have none; and days with several assets. */
async function fill({ query }: Store): Promise<void> {
  await query(
    `update custody.accounts set first_seen_at = now() - interval '20 days', transactions_since = now() - interval '20 days'`,
  );
  await query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, network_id, amount,
      first_seen_at, status_changed_at, changed_at, content_hash, raw)
    select $1, 'tx' || i, 'completed', 'deposit', 'A' || i % 5, 'net', i, t.at, t.at, t.at, '', '{}'
    from generate_series(1, 90) as i cross join lateral (select now() - make_interval(days => (i / 3) * 13 % 19) as at) as t`,
    [account],
  );
}

async function pagesOf(database: Database, selection: Selection, limit: number, listing: Listing = flows) {
  const rows: string[] = [];
  let shortPages = 0;
  for (let from: readonly string[] | null = null; ; ) {
    const asked: PageAsked = { limit, from, longestMs: 0 };
    const page: Page = await database.transact('test', (tx) => readPage(tx, listing, selection, asked));
    rows.push(...page.rows);
    if (page.rows.length < limit && page.next !== null) shortPages += 1;
    from = page.next;
    if (from === null) return { rows, shortPages };
  }
}

test('pages that end with the days that were read are together the whole report, in both directions', async () => {
  const store = await openStore();
  await fill(store);
  const day = async (ago: number) => {
    const [row] = await store.query<{ day: string }>('select (current_date - $1::int)::text as day', [ago]);
    return row?.day ?? '';
  };
  const [from, to] = [await day(15), await day(4)];
  const bounds: Record<string, string>[] = [
    {},
    { day_from: from },
    { day_to: to },
    { day_from: from, day_to: to },
    { day_from: to, day_to: from },
    { asset_id: 'A3' },
    { day_from: '0001-01-01', day_to: '9999-12-31' },
  ];
  let shortPages = 0;
  for (const filters of bounds)
    for (const order of ['day', '-day']) {
      const selection = { account, at: null, filters, order };
      const whole = await store.query<{ key: string }>(
        `select day || ' ' || asset_id as key from reporting.flows_daily
        where account_id = $1 and day between $2 and $3 and asset_id = coalesce($4, asset_id)
        order by day ${order === 'day' ? '' : 'desc'}, asset_id ${order === 'day' ? '' : 'desc'}`,
        [
          account,
          filters['day_from'] ?? '-infinity',
          filters['day_to'] ?? 'infinity',
          filters['asset_id'] ?? null,
        ],
      );
      const keys = whole.map(({ key }) => key);
      const pages = await pagesOf(store.database, selection, 4);
      const read = pages.rows.map((row) => JSON.parse(row) as { day: string; asset_id: string });
      expect(read.map((row) => `${row.day} ${row.asset_id}`)).toEqual(keys);
      shortPages += pages.shortPages;
      const lines: string[] = [];
      const write = async (part: string) => void lines.push(...part.trimEnd().split('\r\n'));
      await streamCsv(store.database, flows, selection, { write, ...parts });
      expect(lines.slice(1).map((line) => line.replaceAll('"', '').split(',').slice(0, 2).join(' '))).toEqual(
        keys,
      );
    }
  expect(shortPages).toBeGreaterThan(0);
});

longTest(
  'pages of changes of balances that end with the moment that was read are together all of them',
  async () => {
    const store = await openStore();
    await store.query(`update custody.accounts set first_seen_at = now() - interval '80 days'`);
    await store.query(
      `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count,
       quarantined_count, run_id)
     select $1, 'all', t.at, t.at, t.at, 1, 1, 0, 1
     from generate_series(0, 39) as i cross join lateral (select now() - make_interval(days => i * i / 20) - interval '1 hour' * i as at) as t`,
      [account],
    );
    await store.query(
      `insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since, total_balance, run_id, raw)
     select $1, 'all', a.asset, '', snapshot_at, lead(snapshot_at) over (partition by a.asset order by snapshot_at), snapshot_at,
       row_number() over (order by snapshot_at), 1, '{}'
     from custody.balance_snapshots cross join (values ('A'), ('B')) as a (asset)`,
      [account],
    );
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString();
    const bounds: Record<string, string>[] = [
      {},
      { changed_from: day(50) },
      { changed_to: day(3) },
      { changed_from: day(50), changed_to: day(3) },
      { asset_id: 'A' },
    ];
    let shortPages = 0;
    for (const filters of bounds)
      for (const order of ['changed_at', '-changed_at']) {
        const direction = order === 'changed_at' ? '' : 'desc';
        const whole = await store.query<{ key: string }>(
          `select to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || asset_id as key from reporting.balance_changes
        where account_id = $1 and changed_at >= $2 and changed_at < $3 and asset_id = coalesce($4, asset_id)
        order by changed_at ${direction}, asset_id ${direction}`,
          [
            account,
            filters['changed_from'] ?? '-infinity',
            filters['changed_to'] ?? 'infinity',
            filters['asset_id'] ?? null,
          ],
        );
        const selection = { account, at: null, filters, order };
        const pages = await pagesOf(store.database, selection, 4, balanceHistory);
        const read = pages.rows.map((row) => JSON.parse(row) as { changed_at: string; asset_id: string });
        expect(read.map((row) => row.changed_at + row.asset_id)).toEqual(whole.map(({ key }) => key));
        shortPages += pages.shortPages;
      }
    expect(shortPages).toBeGreaterThan(0);
    const forged = { limit: 4, from: ['x', 'A', '', 'all'] };
    const selection = { account, at: null, filters: {}, order: '-changed_at' };
    await expect(
      store.database.transact('test', (tx) => readPage(tx, balanceHistory, selection, forged)),
    ).rejects.toThrow('invalid input syntax');
  },
);
