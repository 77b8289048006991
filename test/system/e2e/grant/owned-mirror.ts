// A mirror that a role owns which is no superuser, as in production, and what others may do with it, as
// PostgreSQL decides.
import { expect } from 'vitest';
import { type Row, type TestDatabase, testDatabase } from '../../../support/database.ts';
import { runHere } from '../../../support/in-process.ts';
import { type TestRole, testRole } from '../../../support/roles.ts';
import { withClient } from '../../../support/server.ts';

export interface OwnedMirror {
  readonly database: TestDatabase;
  /** Owns the mirror and is no superuser. */
  readonly owner: TestRole;
}

export type OpenMirror = () => Promise<OwnedMirror>;

/**
 * Migrates by a role that may create schemas and nothing more. Called outside of a test: what it gives makes
 * a copy of the database for each test.
 */
export async function ownedMirrors(): Promise<OpenMirror> {
  const original = await testDatabase({ empty: true });
  const owner = await testRole(original);
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  await original.query(`grant create on database "${nameOf(original.url)}" to ${owner.quoted}`);
  const migrated = await runHere(['migrate'], { env: { DATABASE_URL: owner.url } });
  expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
  // One that could be written through.
  await as(owner, 'create view reporting.probe as select * from custody.transactions');
  return async () => {
    const database = await testDatabase({ copyOf: original });
    const url = new URL(owner.url);
    url.pathname = `/${nameOf(database.url)}`;
    return { database, owner: { ...owner, url: url.href } };
  };
}

export function as<Found extends Row = Row>(role: { readonly url: string }, sql: string): Promise<Found[]> {
  return withClient(role.url, async (client) => (await client.query<Found>(sql)).rows);
}

export interface Refusal {
  readonly sql: string;
  /** The SQLSTATE with which the statement is refused; null where it is not. */
  readonly code: string | null;
}

/** What PostgreSQL says of each statement. One that is not refused takes effect. */
export function refusals(role: TestRole, statements: readonly string[]): Promise<Refusal[]> {
  return withClient(role.url, async (client) => {
    const found: Refusal[] = [];
    for (const sql of statements) {
      const failed = await client.query(sql).then(
        () => null,
        (error: unknown) => error,
      );
      if (sql.startsWith('begin')) await client.query('rollback');
      found.push({ sql, code: failed instanceof Error && 'code' in failed ? String(failed.code) : null });
    }
    return found;
  });
}

export async function refusal(role: TestRole, sql: string): Promise<string | null> {
  return (await refusals(role, [sql]))[0]?.code ?? null;
}

export const grant = (by: { readonly url: string }, ...args: string[]) =>
  runHere(['grant', ...args], { env: { DATABASE_URL: by.url } });

export const relationsOf = async (database: TestDatabase, schemas: readonly string[]) =>
  await database.query<{ schema: string; name: string; label: string }>(
    `select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as label
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm') and n.nspname = any($1) order by 1, 2`,
    [schemas],
  );
