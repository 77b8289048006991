// The schemas of roles that read some accounts (sql/readers). Their views depend on those of the mirror, so a
// migration drops and recreates them.
import { sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';

export async function buildReaderViews(tx: Tx, reader: string): Promise<void> {
  // The views show what their owner may see, so the owner of the tables owns them, whoever migrates.
  await tx.run('readers.owner', (db) =>
    db.execute(
      sql`select set_config('role', pg_get_userbyid(nspowner), true) from pg_catalog.pg_namespace where nspname = 'custody'`,
    ),
  );
  await tx.run('readers.build', (db) => db.execute(sql`select internal.build_reader_views(${reader})`));
  await tx.run('readers.owner', (db) => db.execute(sql`reset role`));
}

/** @returns a function that recreates them, at the end of the same transaction */
export async function removeReaderViews(tx: Tx): Promise<() => Promise<void>> {
  const there = await tx.run('readers.there', (db) =>
    db.execute(sql`select where to_regclass('internal.account_readers') is not null`),
  );
  if (there.rows.length === 0) return () => Promise.resolve();
  const readers = await tx.run('readers.names', (db) =>
    db.execute<{ reader: string; isThere: boolean }>(sql`
      select reader, exists (select from pg_catalog.pg_roles r
        join pg_catalog.pg_namespace n on n.nspname = 'custody_' || reader
        where r.rolname = reader and has_schema_privilege(r.oid, n.oid, 'usage')) as "isThere"
      from (select distinct reader from internal.account_readers) as r`),
  );
  for (const { reader } of readers.rows)
    await tx.run('readers.drop', (db) => db.execute(sql`select internal.drop_reader_views(${reader})`));
  return async () => {
    for (const { reader, isThere } of readers.rows) if (isThere) await buildReaderViews(tx, reader);
  };
}
