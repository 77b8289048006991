// What readers may read, and who owns it, from the catalogs.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { openSchemas, openSyncTables } from '../schema/schemas.ts';
import { textArray } from '../values/binary-array.ts';

/** A role in the catalogs. */
export interface Role {
  readonly oid: number;
  readonly name: string;
}

/** A select: the relations that a reader reads. */
const openRelations: SQL = sql`
  select c.oid, c.relowner as owner, n.nspname as schema, format('%I.%I', n.nspname, c.relname) as label
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
    and (n.nspname = any(${textArray(openSchemas)})
      or (n.nspname = 'sync' and c.relname = any(${textArray(openSyncTables)})))`;

/** A select: the functions that a reader calls, or that views call for it: those that change nothing. */
export const openFunctions: SQL = sql`
  select p.oid, p.oid::regprocedure::text as label
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any(${textArray(openSchemas)}) and p.prokind = 'f' and p.provolatile <> 'v'`;

/** A select: the owners of what a reader reads. They may add to it. */
export const openOwners: SQL = sql`
  select schema, owner, label from (${openRelations}) as relation
  union all
  select nspname, nspowner, format('schema %I', nspname) from pg_catalog.pg_namespace
  where nspname = any(${textArray([...openSchemas, 'sync'])})
  union all
  select n.nspname, p.proowner, p.oid::regprocedure::text
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any(${textArray(openSchemas)})`;

/** Who owns what a reader reads, by schema. */
export async function readOwners(
  tx: Tx,
): Promise<readonly { readonly schema: string; readonly owner: string }[]> {
  const owners = await tx.run('reader.owners', (db) =>
    db.execute<{ schema: string; owner: string }>(sql`
      select distinct o.schema, r.rolname as owner
      from (${openOwners}) as o join pg_catalog.pg_roles r on r.oid = o.owner order by 1, 2`),
  );
  return owners.rows;
}

/** How many tables and views of each schema the role can read now, as PostgreSQL decides it. */
export interface Readable {
  readonly schema: string;
  readonly count: number;
}

export async function readReadable(tx: Tx, role: Role): Promise<readonly Readable[]> {
  const readable = await tx.run('reader.readable', (db) =>
    db.execute<{ schema: string; count: number }>(sql`
      select schema, count(*)::int as count from (${openRelations}) as relation
      where has_schema_privilege(${role.oid}::oid, schema::text, 'usage') and has_table_privilege(${role.oid}::oid, oid, 'select')
      group by schema order by schema`),
  );
  return readable.rows;
}
