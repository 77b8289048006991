// The migrations of this version, and which of them a database has. A migration is recognised by the time it
// was made; drizzle.__drizzle_migrations keeps the times of those that were applied.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { MirrorError } from '../../domain/errors.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';

export interface Migration {
  /** Such as `0000_custody_and_sync`. */
  readonly name: string;
  /** When it was made, in milliseconds since 1970: its identity. */
  readonly madeAt: number;
}

const journalShape = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) });

/** The folder of the package's migrations, whether this runs from src/ or from dist/src/. */
export function migrationsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'migrations');
    if (folder === dirname(folder)) throw new Error('the package has no migrations folder');
  }
}

/** Read once: during an upgrade the files of a later version may replace those of this running process. */
let journal: readonly Migration[] | undefined;

/** @param folder where the migrations are; else they are those of the package */
export function knownMigrations(folder?: string): readonly Migration[] {
  if (folder !== undefined) return readJournal(folder);
  journal ??= readJournal(migrationsFolder());
  return journal;
}

function readJournal(folder: string): readonly Migration[] {
  const file = join(folder, 'meta/_journal.json');
  const { entries } = journalShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  return entries.map(({ tag, when }) => ({ name: tag, madeAt: when }));
}

/** An expression for any statement: when the youngest migration of the database was made. */
export const youngestMigration = sql<
  string | null
>`(select max(created_at)::text from drizzle.__drizzle_migrations)`;

/**
 * Checks that the tables are of this version, by the youngest migration of the database. Every statement that
 * takes, renews or locks a lease selects it. A migration locks the leases first (migrate.ts), so that an
 * older process has committed before the migration, or finds it here and writes nothing.
 *
 * @throws MirrorError `SCHEMA-NEWER` when a newer version migrated the database, `SCHEMA-MISSING` when
 * migrations are pending, `DATABASE-REFUSED` when the database is from before the first release
 */
export function refuseOtherSchema(youngest: string | null, target: string): void {
  const own = Math.max(...knownMigrations().map((migration) => migration.madeAt));
  const found = Number(youngest ?? 0);
  if (found > own) throw schemaNewer(target);
  if (found > 0) refuseUnreleased([found], target);
  if (found < own) {
    const names = knownMigrations().filter((migration) => migration.madeAt > found);
    throw schemaMissing(target, names);
  }
}

/** True when a newer version migrated the database: this process can write nothing any more. */
export function isSchemaNewer(error: unknown): error is MirrorError {
  return error instanceof MirrorError && error.code === 'SCHEMA-NEWER';
}

/** The baseline replaced the migrations of earlier builds, and nothing migrates their tables to it. */
function refuseUnreleased(appliedAt: Iterable<number>, target: string): void {
  const first = Math.min(...knownMigrations().map((migration) => migration.madeAt));
  if ([...appliedAt].every((madeAt) => madeAt >= first)) return;
  throw new MirrorError(
    'DATABASE-REFUSED',
    `database ${target} was made by a build of custody-mirror from before its first release, and cannot be brought to this version; nothing was changed: name a new, empty database in DATABASE_URL and mirror into it`,
  );
}

function schemaNewer(target: string): MirrorError {
  return new MirrorError(
    'SCHEMA-NEWER',
    `database ${target} was migrated by a newer version of custody-mirror, and this one writes nothing more: run that version or a later one`,
  );
}

function schemaMissing(target: string, missing: readonly Migration[]): MirrorError {
  const few = missing.length <= 3;
  const names = few ? missing.map((migration) => migration.name).join(', ') : `${missing.length} of them`;
  return new MirrorError(
    'SCHEMA-MISSING',
    `database ${target} lacks migrations (${names}): run custody-mirror migrate`,
  );
}

/** Reads the catalog's rows, because to_regclass may answer from a cache that is older than the lock. */
export async function hasMigrations(tx: Tx): Promise<boolean> {
  const found = await tx.ask(
    'migrations.exists',
    sql`select from pg_catalog.pg_tables where schemaname = 'drizzle' and tablename = '__drizzle_migrations'`,
  );
  return found.length > 0;
}

/**
 * @returns the migrations of this version that the database lacks
 * @throws MirrorError `SCHEMA-NEWER` when the database has one that this version does not know,
 * `DATABASE-REFUSED` when it has one from before the first release
 */
export async function readPending(tx: Tx, target: string, folder?: string): Promise<readonly Migration[]> {
  const all = knownMigrations(folder);
  if (!(await hasMigrations(tx))) return all;
  const applied = await tx.ask<{ made_at: string }>(
    'migrations.read',
    sql`select created_at::text as made_at from drizzle.__drizzle_migrations`,
  );
  const appliedAt = new Set(applied.map((row) => Number(row.made_at)));
  refuseUnreleased(appliedAt, target);
  const known = new Set(all.map((migration) => migration.madeAt));
  if ([...appliedAt].some((madeAt) => !known.has(madeAt))) throw schemaNewer(target);
  return all.filter((migration) => !appliedAt.has(migration.madeAt));
}

/**
 * The names of the pending migrations.
 *
 * @throws MirrorError `SCHEMA-NEWER`, `DATABASE-REFUSED`
 */
export async function pendingMigrations(database: Database, folder?: string): Promise<readonly string[]> {
  const read = (tx: Tx) => readPending(tx, database.target, folder);
  const pending = await database.transact('pending-migrations', read, { snapshot: true });
  return pending.map((migration) => migration.name);
}

/**
 * Checks that the database has exactly the migrations of this version.
 *
 * @throws MirrorError `SCHEMA-MISSING` when some are pending, `SCHEMA-NEWER` for a newer version
 */
export async function checkSchema(database: Database): Promise<void> {
  await database.transact('pending-migrations', (tx) => refusePending(tx, database.target), {
    snapshot: true,
  });
}

/** `checkSchema` within an open transaction. */
export async function refusePending(tx: Tx, target: string): Promise<void> {
  const pending = await readPending(tx, target);
  if (pending.length > 0) throw schemaMissing(target, pending);
}
