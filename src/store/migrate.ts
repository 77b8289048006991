// Applies migrations: all pending ones in one transaction under one advisory lock, so that of many processes that start at
// once a single one migrates, and a failed migration leaves nothing behind. Drizzle's own migrate() takes no lock and spreads
// over several transactions; this one reads the same files and keeps the same table, in one transaction, which is also what
// a lock needs that works through a transaction-pooling connection pooler.
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { MirrorError } from '../domain/errors.ts';
import type { Database, Tx } from './database.ts';
import { sqlState } from './database-errors.ts';
import { type Migration, migrationsFolder, pendingMigrations, readPending } from './migrations.ts';

export interface MigrateOptions {
  /** How long to wait for another process that migrates, and for locks of readers. Default 60 seconds. */
  readonly lockTimeoutMs?: number;
  /** The longest one statement of a migration may take. Default 10 minutes. */
  readonly statementTimeoutMs?: number;
}

/** Any number will do, as long as it stays the same. */
const advisoryLock = 7_238_514_906_001n;

/**
 * Brings the database up to this version.
 *
 * @returns the names of the migrations this call applied; none where everything was there
 * @throws MirrorError `SCHEMA-NEWER`; `DATABASE-REFUSED` when a lock was not to be had in time or a privilege is missing
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<readonly string[]> {
  // Asked first without the lock, so that a role without the privilege to create may run an up-to-date database.
  if ((await pendingMigrations(database)).length === 0) return [];
  const { lockTimeoutMs = 60_000, statementTimeoutMs = 600_000 } = options;
  try {
    return await database.transact('migrate', (tx) => applyPending(tx, database.target), {
      lockTimeoutMs,
      statementTimeoutMs,
    });
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    throw new MirrorError(
      'DATABASE-REFUSED',
      `database ${database.target} could not be migrated: a lock was not to be had within ${lockTimeoutMs / 1000} s; look for another process that migrates or for open transactions`,
      { cause: error },
    );
  }
}

/** Keeps migrations of other processes waiting until the transaction ends. */
export async function lockMigrations(tx: Tx): Promise<void> {
  await tx.run('migrate.lock', (db) => db.execute(sql`select pg_advisory_xact_lock(${advisoryLock})`));
}

async function applyPending(tx: Tx, target: string): Promise<readonly string[]> {
  await lockMigrations(tx);
  const pending = await readPending(tx, target);
  if (pending.length === 0) return [];
  await tx.run('migrate.table', (db) =>
    db.execute(`
      create schema if not exists drizzle;
      create table if not exists drizzle.__drizzle_migrations (
        id serial primary key, hash text not null, created_at bigint
      )`),
  );
  const files = readMigrationFiles({ migrationsFolder: migrationsFolder() });
  for (const migration of pending) await apply(tx, migration, fileOf(files, migration));
  return pending.map((migration) => migration.name);
}

function fileOf(files: readonly MigrationMeta[], migration: Migration): MigrationMeta {
  const file = files.find((candidate) => candidate.folderMillis === migration.madeAt);
  if (file === undefined) throw new Error(`migration ${migration.name} has no file`);
  return file;
}

async function apply(tx: Tx, migration: Migration, file: MigrationMeta): Promise<void> {
  for (const statement of file.sql) {
    await tx.run(`migrate.${migration.name}`, (db) => db.execute(sql.raw(statement)));
  }
  await tx.run('migrate.record', (db) =>
    db.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at) values (${file.hash}, ${file.folderMillis})`),
  );
}
