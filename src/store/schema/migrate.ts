// Applies all pending migrations in one transaction under a lock of their table: of many processes that start
// at once only one migrates, and a failed migration leaves nothing behind. It reads drizzle's files and keeps
// drizzle's table; drizzle's own migrate() takes no lock and needs several transactions.
//
// Other sessions queue behind a migration that waits for a table. So it waits for each lock only a moment,
// then rolls back, lets them pass, and starts again. A lock on the leases (leases.ts) keeps writers out.
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import pg from 'pg';
import { backoffMs, sleep } from '../../base/loop.ts';
import { MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { type Database, readOne, type TransactionOptions } from '../postgres/database.ts';
import { isKeyTaken, sqlState } from '../postgres/database-errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import {
  hasMigrations,
  type Migration,
  migrationsFolder,
  pendingMigrations,
  readPending,
} from './migrations.ts';
import { recordDefinitions, recordRestoredDefinitions } from './plain-tables.ts';

/** The longest one statement of a migration may take. */
const longestStatementMs = 600_000;

interface MigrateOptions {
  /** Where the migrations are. Default: in the package. */
  readonly folder?: string;
  /** How long to wait in all for other migrations and for locks, pauses included. Default 60 seconds. */
  readonly maxWaitMs?: number;
  /** How long to wait for one lock before others are let through. Default 2 seconds. */
  readonly lockTimeoutMs?: number;
  /** Ends the waiting between attempts. */
  readonly signal?: AbortSignal;
}

/**
 * Brings the database up to this version.
 *
 * @returns the names of the migrations that this call applied
 * @throws MirrorError `SCHEMA-NEWER`; `DATABASE-REFUSED` when a lock could not be taken in time (the message
 * names its holders), a privilege is missing, or the database is older than the first release or not UTF-8
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<readonly string[]> {
  // Asked first without the lock, so that a role that may not create tables can run too.
  if ((await pendingMigrations(database, options.folder)).length === 0) {
    await database.transact('migrate.restored', recordRestoredDefinitions);
    return [];
  }
  const { maxWaitMs = 60_000, lockTimeoutMs = 2_000, signal = new AbortController().signal } = options;
  let holders: readonly string[] = [];
  const onHolders = (found: readonly string[]) => {
    holders = found;
  };
  let isCreatedByOther = false;
  for (let waitedMs = 0, failures = 0; ; failures += 1) {
    try {
      return await attempt(database, options, lockTimeoutMs, onHolders);
    } catch (error) {
      // Another process created the table of migrations, and this one waited for it.
      if (isKeyTaken(error) && !isCreatedByOther) {
        isCreatedByOther = true;
        continue;
      }
      const dependents = foreignDependents(error);
      if (dependents !== null) throw dependentsRefused(database.target, dependents, error);
      if (sqlState(error) !== '55P03') throw error;
      // Others were kept waiting for `lockTimeoutMs`: now they have the tables for at least as long.
      const pauseMs =
        lockTimeoutMs + backoffMs(failures, { minMs: lockTimeoutMs / 2, maxMs: 4 * lockTimeoutMs });
      waitedMs += lockTimeoutMs + pauseMs;
      if (waitedMs > maxWaitMs) throw lockRefused(database.target, failures + 1, holders, error);
      await sleep(pauseMs, signal);
    }
  }
}

/** One attempt to apply all pending migrations. */
async function attempt(
  database: Database,
  { folder }: MigrateOptions,
  lockTimeoutMs: number,
  onHolders: (holders: readonly string[]) => void,
): Promise<readonly string[]> {
  const work = async (tx: Tx) => {
    const own = await tx.run('migrate.encoding', (db) =>
      db.execute<{ encoding: string }>(`select current_setting('server_encoding') as encoding`),
    );
    const { encoding } = own.rows[0] ?? {};
    // Other encodings refuse some characters only when they first arrive.
    if (encoding !== 'UTF8') throw encodingRefused(database.target, encoding);
    return await applyPending(tx, database.target, folder);
  };
  return await transactNamingHolders(
    database,
    'migrate',
    work,
    { lockTimeoutMs, statementTimeoutMs: longestStatementMs },
    onHolders,
  );
}

/**
 * Objects that others built on changing parts of the mirror, in PostgreSQL's own words; null for another
 * error. A drop names all of it (2BP01), a new type of a column (0A000) the first.
 */
function foreignDependents(error: unknown): string | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError)
      return cause.code === '2BP01' || cause.code === '0A000' ? (cause.detail ?? null) : null;
  }
  return null;
}

/** A migration never drops objects of others: it names them and changes nothing. */
function dependentsRefused(target: string, dependents: string, cause: unknown): MirrorError {
  return new MirrorError(
    'DATABASE-REFUSED',
    `database ${target} could not be migrated: others built on parts of the mirror that change (${onOneLine(dependents.replaceAll('\n', '; '))}); nothing was changed: drop what they built, run custody-mirror migrate, and create it again`,
    { cause },
  );
}

function encodingRefused(target: string, encoding = 'an unknown one'): MirrorError {
  return new MirrorError(
    'DATABASE-REFUSED',
    `database ${target} has the encoding ${encoding}, which cannot hold every text of the service; nothing was changed: create the database with encoding 'UTF8' (template template0)`,
  );
}

function lockRefused(
  target: string,
  attempts: number,
  holders: readonly string[],
  cause: unknown,
): MirrorError {
  const who = holders.length === 0 ? 'sessions that were gone when it looked for them' : holders.join('; ');
  return new MirrorError(
    'DATABASE-REFUSED',
    `database ${target} could not be migrated: ${attempts} attempts could not take a lock, held by ${who}; nothing was changed: let them finish or end them (another process may be migrating), then try again`,
    { cause },
  );
}

/** Makes migrations of other processes wait until the transaction ends. Needs more than the right to read. */
export async function lockMigrations(tx: Tx): Promise<void> {
  await tx.run('migrate.lock', (db) =>
    db.execute('lock table drizzle.__drizzle_migrations in share row exclusive mode'),
  );
}

/**
 * Waits for the commits in progress, and makes writers and candidates for a lease wait until the transaction
 * ends: before anything else, they lock or write a row of this table. Readers do not wait.
 */
export async function lockOutWriters(tx: Tx): Promise<void> {
  const found = await tx.run('migrate.leases', (db) =>
    db.execute(sql`select from pg_catalog.pg_tables where schemaname = 'sync' and tablename = 'leases'`),
  );
  if (found.rows.length > 0)
    await tx.run('migrate.writers', (db) => db.execute('lock table sync.leases in exclusive mode'));
}

async function applyPending(tx: Tx, target: string, folder?: string): Promise<readonly string[]> {
  if (!(await hasMigrations(tx)))
    await tx.run('migrate.table', (db) =>
      db.execute(`
        create schema if not exists drizzle;
        create table if not exists drizzle.__drizzle_migrations (
          id serial primary key, hash text not null, created_at bigint
        )`),
    );
  await lockMigrations(tx);
  const pending = await readPending(tx, target, folder);
  // Another process applied them, and recorded what they define.
  if (pending.length === 0) return [];
  await lockOutWriters(tx);
  // It may be behind, as a load or logical replication leaves it.
  await tx.run('migrate.sequence', (db) =>
    db.execute(`select setval(pg_get_serial_sequence('drizzle.__drizzle_migrations', 'id'), max(id))
      from drizzle.__drizzle_migrations having count(*) > 0`),
  );
  const files = readMigrationFiles({ migrationsFolder: folder ?? migrationsFolder() });
  for (const migration of pending) await apply(tx, migration, fileOf(files, migration));
  await recordDefinitions(tx);
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

// Finds who holds a lock that a transaction waits for, so that a message can name them: sessions and prepared
// transactions. It never reads the texts of their statements, which may hold private data.

/**
 * Runs the transaction. Whenever it waits for a lock for a quarter of `lockTimeoutMs`, another session looks
 * for those that hold it, and passes on a description of each; never an empty list.
 */
export async function transactNamingHolders<T>(
  database: Database,
  label: string,
  work: (tx: Tx) => Promise<T>,
  limits: TransactionOptions & { readonly lockTimeoutMs: number },
  onFound: (holders: readonly string[]) => void,
): Promise<T> {
  const ended = new AbortController();
  let pid = 0;
  const watching = watch(database, () => pid, limits.lockTimeoutMs / 4, ended.signal, onFound);
  try {
    return await database.transact(
      label,
      async (tx) => {
        const [own] = await tx.ask<{ pid: string }>('locks.own', sql`select pg_backend_pid()::text as pid`);
        pid = Number(own?.pid);
        return await work(tx);
      },
      limits,
    );
  } finally {
    ended.abort();
    await watching;
  }
}

/** It never rejects: it only helps to word an error. */
async function watch(
  database: Database,
  pid: () => number,
  everyMs: number,
  signal: AbortSignal,
  onFound: (holders: readonly string[]) => void,
): Promise<void> {
  try {
    for (;;) {
      await sleep(everyMs, signal);
      const holders = await readLockHolders(database, pid());
      if (holders.length > 0) onFound(holders);
    }
  } catch {
    // Stopped, or the catalog could not be asked.
  }
}

interface LockHolder extends Record<string, unknown> {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly state: string | null;
  readonly began: string | null;
  readonly asked: string | null;
  /** Name of a prepared transaction; its pid is 0. */
  readonly prepared: string | null;
}

async function readLockHolders(database: Database, pid: number): Promise<readonly string[]> {
  // Of other users' sessions PostgreSQL shows an ordinary user little more than the application.
  const found = await readOne(database, 'locks.holders', (db) =>
    db.execute<LockHolder>(sql`
      select distinct b.pid, coalesce(a.usename, p.owner)::text as user, a.application_name as application, a.state, p.gid as prepared,
        to_char(coalesce(a.xact_start, p.prepared) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as began,
        to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as asked
      from unnest(pg_blocking_pids(${pid})) as b (pid) left join pg_catalog.pg_stat_activity a on a.pid = b.pid
        left join pg_catalog.pg_prepared_xacts p on b.pid = 0 and p.database = current_database() and p.transaction in (
          select own.transactionid from pg_catalog.pg_locks wanted
            join pg_catalog.pg_locks held on held.pid is null and row(held.locktype, held.relation, held.transactionid)
              is not distinct from row(wanted.locktype, wanted.relation, wanted.transactionid)
            join pg_catalog.pg_locks own on own.pid is null and own.virtualtransaction = held.virtualtransaction
          where wanted.pid = ${pid} and not wanted.granted)
      order by b.pid limit 5`),
  );
  return found.rows.map(describeHolder);
}

function describeHolder({ pid, user, application, state, began, asked, prepared }: LockHolder): string {
  const name = pid === 0 ? `a prepared transaction ${onOneLine(prepared ?? '')}`.trimEnd() : `pid ${pid}`;
  const known = [
    user === null ? null : `user ${onOneLine(user)}`,
    application === null || application === '' ? null : `application ${onOneLine(application)}`,
    state,
    began === null ? null : `transaction since ${began}`,
    asked === null ? null : `last query at ${asked}`,
  ].filter((part) => part !== null);
  return known.length === 0 ? name : `${name} (${known.join(', ')})`;
}
