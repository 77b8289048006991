// An account that is new in a database full of another one: the statistics know nothing of it.
import { expect, test } from 'vitest';
import { commitPages, openStore, pageOf, type Store } from '../../support/store.ts';

/**
 * Rows with identifiers so long that the primary key is a deeper tree than the other indexes of an account.
 */
async function fill({ query }: Store, count: number): Promise<void> {
  await query(`insert into custody.accounts (account_id, base_url, time_zone, first_seen_at)
    values ('full', 'https://custody.example/full', 'UTC', now())`);
  await query(
    `insert into custody.transactions (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
    select 'full', repeat(md5(i::text), 12), 'completed', now(), now(), now(), '', '{}' from generate_series(1, $1::int) as i`,
    [count],
  );
  await query('analyze custody.transactions');
  // Else what this session read may be counted with what is read later.
  await query('select pg_stat_force_next_flush()');
}

test('each of its transactions is looked up by its key, not by its account', async () => {
  const store = await openStore();
  await fill(store, 5_000);
  const groups = 6;
  const perGroup = 200;
  const commit = (group: number, at: number) =>
    commitPages(
      store,
      pageOf(
        Array.from({ length: perGroup }, (_, index) => ({ id: `${group}/${index}`, note: `at ${at}` })),
        at,
      ),
    );
  const read = async () => {
    const [row] = await store.query<{ count: string }>(
      `select sum(idx_tup_read) as count from pg_stat_user_indexes
      where schemaname = 'custody' and relname = 'transactions'`,
    );
    return Number(row?.count);
  };
  const before = await read();
  for (let group = 0; group < groups; group += 1) await commit(group, group * 1_000);
  for (let group = 0; group < groups; group += 1)
    expect(await commit(group, 10_000 + group * 1_000)).toMatchObject({ changed: perGroup });
  // The sessions of the pool tell what they read when they end.
  await store.database.close();
  await expect.poll(async () => (await read()) - before).toBeGreaterThan(0);
  // Each row is found a few times, and not as often as there are rows.
  expect((await read()) - before).toBeLessThan(groups * perGroup * 20);
});
