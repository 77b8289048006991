// A database as an earlier version left it: the first migrations and no other.
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { migrationsFolder } from '../../../src/store/schema/migrations.ts';
import type { TestDatabase } from '../../support/database.ts';

/** Applies the first migrations to an empty database, and records them as a migration does. */
export async function applyFirst({ query }: TestDatabase, count: number): Promise<void> {
  const files = readMigrationFiles({ migrationsFolder: migrationsFolder() });
  await query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  for (const { sql, hash, folderMillis } of files.slice(0, count)) {
    for (const statement of sql) await query(statement);
    await query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ]);
  }
}
