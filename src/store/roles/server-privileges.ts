// The least role for `serve`: it reads what readers read and what is private to the software, such as the
// keys of readers, and notes when a key was last used. It changes nothing else.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { ownSchemas } from '../schema/schemas.ts';
import { textArray } from '../values/binary-array.ts';
import {
  type Found,
  memberRolesOf,
  type ReaderReport,
  type Role,
  readOwners,
  readPrivileges,
} from './reader-privileges.ts';

const closedSchemas = ['sync', 'internal', 'drizzle'];

/** What `serve` needs beyond a reader. */
export async function grantsForServing(tx: Tx, { name }: Role): Promise<readonly SQL[]> {
  const server = sql.identifier(name);
  const owners = new Set((await readOwners(tx)).map(({ owner }) => owner));
  const grants = closedSchemas.flatMap((schema) => {
    const within = sql`in schema ${sql.identifier(schema)}`;
    return [
      sql`grant usage on schema ${sql.identifier(schema)} to ${server}`,
      sql`grant select on all tables ${within} to ${server}`,
      ...[...owners].map(
        (owner) =>
          sql`alter default privileges for role ${sql.identifier(owner)} ${within} grant select on tables to ${server}`,
      ),
    ];
  });
  return [...grants, sql`grant update (last_used_at) on sync.api_keys to ${server}`];
}

/** What the role may do, measured by what `serve` needs. */
export async function readServer(tx: Tx, role: Role): Promise<ReaderReport> {
  const report = await readPrivileges(tx, role);
  const lacks = await tx.run('server.lacks', (db) =>
    db.execute<Found>(sql`
      select 'SELECT' as privilege, format('%I.%I', n.nspname, c.relname) as "on", null::text as through
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any(${textArray(ownSchemas)}) and c.relkind in ('r', 'v')
        and not (has_schema_privilege(${role.oid}::oid, n.oid, 'usage') and has_table_privilege(${role.oid}::oid, c.oid, 'select'))
      union all
      select 'UPDATE (last_used_at)', 'sync.api_keys', null
      where not has_column_privilege(${role.oid}::oid, 'sync.api_keys', 'last_used_at', 'update')
      order by "on"`),
  );
  const missing = new Set(lacks.rows.map(({ on }) => on));
  const writesMore = await writesMoreOfKeys(tx, role);
  return {
    ...report,
    lacks: [...report.lacks.filter(({ on }) => !missing.has(on)), ...lacks.rows],
    exceeds: report.exceeds.filter(
      ({ on, privilege }) => writesMore || on !== 'sync.api_keys' || privilege !== 'UPDATE',
    ),
  };
}

/** Whether the role may change more of a key than its last use, by itself or through a role it is in. */
async function writesMoreOfKeys(tx: Tx, role: Role): Promise<boolean> {
  const found = await tx.run('server.keys', (db) =>
    db.execute(sql`
      select from (${memberRolesOf(role)}) as g, pg_catalog.pg_attribute a
      where a.attrelid = 'sync.api_keys'::regclass and a.attnum > 0 and not a.attisdropped
        and a.attname <> 'last_used_at' and has_column_privilege(g.oid, a.attrelid, a.attnum, 'update') limit 1`),
  );
  return found.rows.length > 0;
}
