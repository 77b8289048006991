// How much a server reads of the transactions and their histories, as PostgreSQL counts it.
import { expect } from 'vitest';
import type { TestDatabase } from '../support/database.ts';

/** Rows of the tables and entries of their indexes that other sessions read for the work. It ends them. */
export async function rowsReadBy(store: TestDatabase, work: () => Promise<void>): Promise<number> {
  await store.query('select pg_stat_force_next_flush()');
  const read = async () => {
    const [row] = await store.query<{ read: number }>(
      `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)
         + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::float8 as read
       from pg_stat_user_tables t where schemaname = 'custody' and starts_with(relname, 'transaction')`,
    );
    return row?.read ?? Number.NaN;
  };
  const before = await read();
  await work();
  // Sessions tell what they read when they end.
  await store.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await expect.poll(async () => (await read()) - before).toBeGreaterThan(0);
  return (await read()) - before;
}
