// Reads what a role may do with the mirror, as PostgreSQL decides it: directly, through PUBLIC and through
// roles whose privileges it inherits; beyond reading also through roles that it can SET.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { openSchemas, openSyncTables, ownSchemas } from '../schema/schemas.ts';
import { textArray } from '../values/binary-array.ts';

/** One privilege on one object. */
export interface Privilege {
  /** Such as `SELECT`. */
  readonly privilege: string;
  /** Such as `custody.transactions` or `schema custody`, quoted where SQL would need it. */
  readonly on: string;
  /** The roles (or `PUBLIC`) through which the role holds it; null when it holds it through no grant. */
  readonly through: string | null;
}

export interface ReaderReport {
  /** How many tables and views of each schema the role can read. */
  readonly readable: readonly { readonly schema: string; readonly count: number }[];
  /** What a reader needs and the role lacks. */
  readonly lacks: readonly Privilege[];
  /** What the role may do to the mirror beyond reading. */
  readonly exceeds: readonly Privilege[];
  /** Where else the role may create tables, which may have foreign keys to those of the mirror. */
  readonly creates: readonly Privilege[];
}

/** A role in the catalogs. */
export interface Role {
  readonly oid: number;
  readonly name: string;
}

/** A select: the relations that a reader reads. */
export const openRelations: SQL = sql`
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

/** What the role can read, lacks, and has beyond reading. Superusers and owners hold everything. */
export async function readPrivileges(tx: Tx, role: Role): Promise<ReaderReport> {
  const readable = await tx.run('reader.readable', (db) =>
    db.execute<{ schema: string; count: number }>(sql`
      select schema, count(*)::int as count from (${openRelations}) as relation
      where has_schema_privilege(${role.oid}::oid, schema::text, 'usage') and has_table_privilege(${role.oid}::oid, oid, 'select')
      group by schema order by schema`),
  );
  return {
    readable: readable.rows,
    lacks: await readLacks(tx, role),
    exceeds: await readExceeds(tx, role),
    creates: await readCreates(tx, role),
  };
}

async function readLacks(tx: Tx, role: Role): Promise<readonly Privilege[]> {
  const reader = sql`${role.oid}::oid`;
  const found = await tx.run('reader.lacks', (db) =>
    db.execute<Found>(sql`
      with relations as (${openRelations}), owners as (${openOwners}), lacks as (
        select 1 as place, 'CONNECT' as privilege, format('database %I', current_database()) as "on"
        where not has_database_privilege(${reader}, current_database(), 'connect')
        union all
        select 2, 'USAGE', format('schema %I', nspname) from pg_catalog.pg_namespace
        where nspname = any(${textArray([...openSchemas, 'sync'])}) and not has_schema_privilege(${reader}, oid, 'usage')
        union all
        select 3, 'SELECT', label from relations where not has_table_privilege(${reader}, oid, 'select')
        union all
        select 4, 'REFERENCES', label from relations where not has_any_column_privilege(${reader}, oid, 'references')
        union all
        select 5, 'EXECUTE', f.label from (${openFunctions}) as f where not has_function_privilege(${reader}, f.oid, 'execute')
        union all
        select distinct 6, 'SELECT', format('what %I creates in schema %I from now on', r.rolname, o.schema)
        from owners o join pg_catalog.pg_roles r on r.oid = o.owner
        where o.schema = any(${textArray(openSchemas)})
          and not pg_has_role(${reader}, 'pg_read_all_data', 'usage')
          and not exists (
            select from pg_catalog.pg_default_acl d, aclexplode(d.defaclacl) as a
            where d.defaclrole = o.owner and d.defaclobjtype = 'r' and a.privilege_type = 'SELECT'
              and (d.defaclnamespace = 0 or d.defaclnamespace = to_regnamespace(quote_ident(o.schema)))
              and case when a.grantee = 0 then true else pg_has_role(${reader}, a.grantee, 'usage') end))
      select privilege, "on", null::text as through from lacks order by place, "on"`),
  );
  return found.rows;
}

/** What the role may do to the mirror beyond reading. */
export async function readExceeds(tx: Tx, role: Role): Promise<readonly Privilege[]> {
  // Privileges on single columns count: a role that may update one column may write.
  const found = await tx.run('reader.exceeds', (db) =>
    db.execute<Found>(sql`
      with member_roles as (${memberRolesOf(role)}), ours as (
        select oid, nspname, nspacl from pg_catalog.pg_namespace
        where nspname = any(${textArray(ownSchemas)})
      ), things as (
        select c.oid, case c.relkind when 'S' then 'sequence' else 'table' end as kind, c.relacl as acl,
          format('%I.%I', n.nspname, c.relname) as label
        from pg_catalog.pg_class c join ours n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
        union all
        select oid, 'schema', nspacl, format('schema %I', nspname) from ours
      ), held as (
        select t.*, privilege from things t cross join lateral unnest(case t.kind
          when 'schema' then array['CREATE']
          when 'sequence' then array['USAGE', 'UPDATE']
          else array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']
            || case when current_setting('server_version_num')::int >= 170000 then array['MAINTAIN'] else '{}' end
        end) as privilege
        where exists (select from member_roles g where case
          when t.kind = 'schema' then has_schema_privilege(g.oid, t.oid, privilege)
          when t.kind = 'sequence' then has_sequence_privilege(g.oid, t.oid, privilege)
          when privilege in ('INSERT', 'UPDATE') then has_any_column_privilege(g.oid, t.oid, privilege)
          else has_table_privilege(g.oid, t.oid, privilege)
        end)
      )
      select privilege, label as "on", coalesce(
        (select string_agg(distinct case a.grantee when 0 then 'PUBLIC' else quote_ident(g.rolname) end, ', ')
         from (
           select * from aclexplode(held.acl)
           union all
           select a.* from pg_catalog.pg_attribute c, aclexplode(c.attacl) as a where held.kind = 'table' and c.attrelid = held.oid
         ) as a left join member_roles g on g.oid = a.grantee
         where a.privilege_type = privilege and (a.grantee = 0 or g.oid is not null)),
        (select string_agg(rolname, ', ' order by rolname) from member_roles where rolname in ('pg_write_all_data', 'pg_maintain'))
      ) as through
      from held
      union all
      select 'the rights of ' || rolname, 'the server', null from member_roles
      where rolname in ('pg_execute_server_program', 'pg_write_server_files')
      union all
      -- Before PostgreSQL 16 a role with CREATEROLE may join any role that is no superuser.
      select 'the attribute CREATEROLE of ' || quote_ident(rolname), 'the server', null from member_roles
      where rolcreaterole and current_setting('server_version_num')::int < 160000
      order by "on", privilege`),
  );
  return found.rows;
}

/** Where else the role may create tables. */
export async function readCreates(tx: Tx, role: Role): Promise<readonly Privilege[]> {
  const found = await tx.run('reader.creates', (db) =>
    db.execute<Found>(sql`
      with member_roles as (${memberRolesOf(role)})
      select 'CREATE' as privilege, format('schema %I', n.nspname) as "on", null::text as through
      from pg_catalog.pg_namespace n
      where n.nspname <> all(${textArray(ownSchemas)}) and n.nspname !~ '^pg_'
        and exists (select from member_roles g where has_schema_privilege(g.oid, n.oid, 'create'))
      union all
      select 'CREATE', format('database %I', current_database()), null
      where exists (select from member_roles g where has_database_privilege(g.oid, current_database(), 'create'))
      order by "on"`),
  );
  return found.rows;
}

export interface Found extends Privilege, Record<string, unknown> {}

/** A select: the role and every role it is a member of, whether it inherits or has to SET ROLE. */
export function memberRolesOf(role: Role): SQL {
  return sql`select oid, rolname, rolcreaterole from pg_catalog.pg_roles where pg_has_role(${role.oid}::oid, oid, 'member')`;
}
