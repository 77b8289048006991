// A long list as CSV: every row once, and in order.
import { expect, test } from 'vitest';
import { streamCsv } from '../../../src/store/read-api/list/stream-csv.ts';
import { transactions } from '../../../src/store/read-api/transactions.ts';
import { account, open, openStore } from '../../support/store.ts';

const { signal } = new AbortController();

test('where the clocks of the session go back, and dates are written in another style, the rows are in the order of time', async () => {
  const store = await openStore();
  await store.query(`do $$ begin
    execute format('alter database %I set timezone = %L', current_database(), 'Europe/Berlin');
    execute format('alter database %I set datestyle = %L', current_database(), 'SQL, DMY');
  end $$`);
  // In Berlin the second hour of these comes before the first by its text.
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
    select $1, 'tx' || to_char(i, 'FM00'), 'completed', t.at, t.at, t.at, '', '{}'
    from generate_series(1, 60) as i
      cross join lateral (select '2026-10-24T23:30:00Z'::timestamptz + make_interval(mins => i * 3) as at) as t`,
    [account],
  );
  const database = open(store.url);
  for (const order of ['first_seen_at', '-first_seen_at']) {
    const lines: string[] = [];
    const write = async (part: string) => void lines.push(...part.trimEnd().split('\r\n'));
    const selection = { account, at: null, filters: {}, order };
    await streamCsv(database, transactions, selection, { write, signal });
    const ids = lines.slice(1).map((line) => line.split(',')[0] ?? '');
    expect(ids).toHaveLength(60);
    expect(ids).toEqual(order === 'first_seen_at' ? ids.toSorted() : ids.toSorted().reverse());
    expect(new Set(ids).size).toBe(60);
  }
});

test('every row comes once and in order, also those of one moment', async () => {
  const store = await openStore();
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, asset_id, first_seen_at, status_changed_at, changed_at,
      content_hash, raw)
    select $1, 'tx' || i, 'completed', 'A' || i % 2, t.at, t.at, t.at, '', '{}'
    from generate_series(1, 60) as i cross join lateral (select '2026-01-01'::timestamptz + make_interval(mins => i / 7) as at) as t`,
    [account],
  );
  for (const order of ['first_seen_at', '-first_seen_at', 'transaction_id'])
    for (const [filters, count] of [
      [{}, 60],
      [{ asset_id: 'A1' }, 30],
      [{ asset_id: 'none' }, 0],
    ] as const) {
      const lines: string[] = [];
      const write = async (part: string) => void lines.push(...part.trimEnd().split('\r\n'));
      const selection = { account, at: null, filters, order };
      await streamCsv(store.database, transactions, selection, { write, signal });
      const keys = order.endsWith('first_seen_at') ? ['first_seen_at', 'transaction_id'] : ['transaction_id'];
      const expected = await store.query<{ id: string }>(
        `select transaction_id as id from custody.transactions where account_id = $1 and asset_id = coalesce($2, asset_id)
        order by ${keys.map((key) => `${key} ${order.startsWith('-') ? 'desc' : 'asc'}`).join(', ')}`,
        [account, 'asset_id' in filters ? filters.asset_id : null],
      );
      expect(expected).toHaveLength(count);
      expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(expected.map(({ id }) => `"${id}"`));
    }
});
