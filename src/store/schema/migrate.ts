// Applies migrations: all pending ones in one transaction under one advisory lock, so that of many processes that start at
// once a single one migrates, and a failed migration leaves nothing behind. Drizzle's own migrate() takes no lock and spreads
// over several transactions; this one reads the same files and keeps the same table, in one transaction, which is also what
// a lock needs that works through a transaction-pooling connection pooler.
// Whoever wants a table queues behind a migration that waits for it. So it waits for any lock a moment only, lets everybody
// pass, and tries again, whole. Writers are kept out by a lock on the leases, which they take first (fence.ts).
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { backoffMs, sleep } from '../../base/loop.ts';
import { MirrorError } from '../../domain/errors.ts';
import { textArray } from '../postgres/binary-array.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { sqlState } from '../postgres/database-errors.ts';
import { watchLockHolders } from './lock-holders.ts';
import { type Migration, migrationsFolder, pendingMigrations, readPending } from './migrations.ts';
import { ownSchemas } from './schemas.ts';

export interface MigrateOptions {
  /** Where the migrations are. Default: in the package. */
  readonly folder?: string;
  /** How long to wait in all, for another process that migrates and for locks of readers, the pauses included. Default 60 seconds. */
  readonly patienceMs?: number;
  /** How long to wait for one lock, and others behind this one, before they are let through. Default 2 seconds. */
  readonly lockTimeoutMs?: number;
  /** The longest one statement of a migration may take. Default 10 minutes. */
  readonly statementTimeoutMs?: number;
  /** Ends the waiting between attempts. */
  readonly signal?: AbortSignal;
}

/** Any number will do, as long as it stays the same. */
const advisoryLock = 7_238_514_906_001n;

/**
 * Brings the database up to this version.
 *
 * @returns the names of the migrations this call applied; none where everything was there
 * @throws MirrorError `SCHEMA-NEWER`; `DATABASE-REFUSED` when a lock was not to be had in time, naming who holds it, when a
 * privilege is missing, or when the database is from before the first release
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<readonly string[]> {
  // Asked first without the lock, so that a role without the privilege to create may run an up-to-date database.
  if ((await pendingMigrations(database, options.folder)).length === 0) return [];
  const { patienceMs = 60_000, lockTimeoutMs = 2_000, signal = new AbortController().signal } = options;
  let holders: readonly string[] = [];
  const onHolders = (found: readonly string[]) => {
    holders = found;
  };
  for (let waitedMs = 0, failures = 0; ; failures += 1) {
    try {
      return await attempt(database, options, lockTimeoutMs, onHolders);
    } catch (error) {
      if (sqlState(error) === '2BP01') throw await standingInTheWay(database, error);
      if (sqlState(error) !== '55P03') throw error;
      // As long as others were kept waiting they now have the tables to themselves, and longer each time.
      const pauseMs =
        lockTimeoutMs + backoffMs(failures, { minMs: lockTimeoutMs / 2, maxMs: 4 * lockTimeoutMs });
      waitedMs += lockTimeoutMs + pauseMs;
      if (waitedMs > patienceMs) throw lockRefused(database.target, failures + 1, holders, error);
      await sleep(pauseMs, signal);
    }
  }
}

/** One attempt at everything, while it is noted who keeps it waiting. */
async function attempt(
  database: Database,
  { folder, statementTimeoutMs = 600_000 }: MigrateOptions,
  lockTimeoutMs: number,
  onHolders: (holders: readonly string[]) => void,
): Promise<readonly string[]> {
  const ended = new AbortController();
  const watching: Promise<void>[] = [];
  const work = async (tx: Tx) => {
    const own = await tx.run('migrate.session', (db) =>
      db.execute<{ pid: number }>('select pg_backend_pid() as pid'),
    );
    const pid = own.rows[0]?.pid;
    if (pid !== undefined)
      watching.push(watchLockHolders(database, pid, lockTimeoutMs / 4, ended.signal, onHolders));
    return await applyPending(tx, database.target, folder);
  };
  try {
    return await database.transact('migrate', work, { lockTimeoutMs, statementTimeoutMs });
  } finally {
    ended.abort();
    await Promise.all(watching);
  }
}

/** A migration never drops what others built on the mirror's views: it names it, and changes nothing. */
async function standingInTheWay(database: Database, cause: unknown): Promise<MirrorError> {
  const found = await database.transact('migrate-dependents', (tx) =>
    tx.run('migrate.dependents', (db) =>
      db.execute<{ name: string }>(sql`
        with own (oid) as (
          select oid from pg_catalog.pg_namespace where nspname = any(${textArray(ownSchemas)}))
        select distinct format('%I.%I', n.nspname, c.relname) as name
        from pg_catalog.pg_depend d
        join pg_catalog.pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
        join pg_catalog.pg_class c on c.oid = w.ev_class
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        join pg_catalog.pg_class t on d.refclassid = 'pg_class'::regclass and t.oid = d.refobjid
        where t.relnamespace in (select oid from own) and n.oid not in (select oid from own)
        order by 1`),
    ),
  );
  const names = found.rows.map(({ name }) => name);
  const which = names.length === 0 ? 'functions' : `views (${names.join(', ')})`;
  return new MirrorError(
    'DATABASE-REFUSED',
    `database ${database.target} could not be migrated: ${which} that others made stand on views of the mirror that change; nothing was changed: drop them, run custody-mirror migrate, and make them again`,
    { cause },
  );
}

function lockRefused(
  target: string,
  attempts: number,
  holders: readonly string[],
  cause: unknown,
): MirrorError {
  const who = holders.length === 0 ? 'sessions that had gone when they were looked for' : holders.join('; ');
  return new MirrorError(
    'DATABASE-REFUSED',
    `database ${target} could not be migrated: in ${attempts} attempts a lock was not to be had, held by ${who}; nothing was changed: let them finish or end them (another process may be migrating), then try again`,
    { cause },
  );
}

/** Keeps migrations of other processes waiting until the transaction ends. */
export async function lockMigrations(tx: Tx): Promise<void> {
  await tx.run('migrate.lock', (db) => db.execute(sql`select pg_advisory_xact_lock(${advisoryLock})`));
}

/**
 * Waits for the commits under way, and keeps every writer and every candidate for a lease waiting until the migration has
 * ended: they lock a row of this table, or write one, before anything else. Readers pass.
 */
export async function lockOutWriters(tx: Tx): Promise<void> {
  const found = await tx.run('migrate.leases', (db) =>
    db.execute(sql`select from pg_catalog.pg_tables where schemaname = 'sync' and tablename = 'leases'`),
  );
  if (found.rows.length > 0)
    await tx.run('migrate.writers', (db) => db.execute('lock table sync.leases in exclusive mode'));
}

async function applyPending(tx: Tx, target: string, folder?: string): Promise<readonly string[]> {
  await lockMigrations(tx);
  const pending = await readPending(tx, target, folder);
  if (pending.length === 0) return [];
  await lockOutWriters(tx);
  await tx.run('migrate.table', (db) =>
    db.execute(`
      create schema if not exists drizzle;
      create table if not exists drizzle.__drizzle_migrations (
        id serial primary key, hash text not null, created_at bigint
      )`),
  );
  const files = readMigrationFiles({ migrationsFolder: folder ?? migrationsFolder() });
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
