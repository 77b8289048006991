// Database queries of `doctor`: the server and the mirror's role.
import { sql } from 'drizzle-orm';
import { type Database, readOne } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { ownSchemas } from '../schema/schemas.ts';
import { textArray } from '../values/bulk-rows.ts';

export interface DatabaseDiagnosis {
  /** Such as 180004 for 18.4. */
  readonly serverVersion: number;
  readonly role: string;
  /** The name of the database, as SQL wants it. */
  readonly databaseName: string;
  readonly isSuperuser: boolean;
  readonly encoding: string;
  /** A standby server, or one whose transactions are read-only by default. */
  readonly isReadOnly: boolean;
  /** Such as TLSv1.3; null if the connection is not encrypted. */
  readonly tls: string | null;
  /** The role may create schemas in this database. */
  readonly mayCreate: boolean;
  /** The mirror's schemas that another role owns, with that role. */
  readonly foreignSchemas: readonly string[];
  /** How many tables, views, sequences and functions of the mirror another role owns, with that role. */
  readonly foreignObjects: readonly string[];
  /** Rights on what the mirror made that were taken from the role, such as `INSERT on sync.runs`. */
  readonly lacks: readonly string[];
  /** The order of texts in this database when its indexes were built, and now; null where it is the same. */
  readonly collation: { readonly recorded: string; readonly actual: string } | null;
  /** The server knows the time zone by its name. */
  readonly knowsTimeZone: boolean;
  /** The server's time in milliseconds since 1970. */
  readonly now: number;
  /** Of the server, the role and the database: the limit that leaves the fewest. */
  readonly connections: { readonly used: number; readonly allowed: number; readonly raise: string };
}

export async function diagnoseDatabase(database: Database, timeZone: string): Promise<DatabaseDiagnosis> {
  const { rows } = await readOne(database, 'diagnosis.read', (db) =>
    db.execute<DatabaseDiagnosis & Record<string, unknown>>(sql`
      select current_setting('server_version_num')::int as "serverVersion", current_user as role, quote_ident(current_database()) as "databaseName",
        (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
        current_setting('server_encoding') as encoding,
        pg_is_in_recovery() or current_setting('default_transaction_read_only')::bool as "isReadOnly",
        (select s.version from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl) as tls,
        has_database_privilege(current_database(), 'create') as "mayCreate",
        array(
          select format('%s of %s', n.nspname, pg_get_userbyid(n.nspowner)) from pg_namespace n
          where n.nspname = any(${textArray(ownSchemas)}) and not pg_has_role(n.nspowner, 'usage')
          order by 1
        ) as "foreignSchemas",
        array(
          select format('%s of %s', count(*), pg_get_userbyid(o.owner))
          from (select c.relnamespace as schema, c.relowner as owner from pg_class c where c.relkind in ('r', 'p', 'v', 'S')
            union all select p.pronamespace, p.proowner from pg_proc p) as o
          join pg_namespace n on n.oid = o.schema
          where n.nspname = any(${textArray(ownSchemas)}) and not pg_has_role(o.owner, 'usage')
          group by o.owner order by 1
        ) as "foreignObjects",
        array(
          select format('%s on %s', p.privilege, o.name)
          from (
            select 'table' as kind, n.nspname, format('%I.%I', n.nspname, c.relname) as name, c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p')
            union all select 'view', n.nspname, format('%I.%I', n.nspname, c.relname), c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v'
            union all select 'sequence', n.nspname, format('sequence %I.%I', n.nspname, c.relname), c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S'
            union all select 'function', n.nspname, format('function %s', f.oid::regprocedure), f.oid from pg_proc f join pg_namespace n on n.oid = f.pronamespace
            union all select 'schema', nspname, format('schema %I', nspname), oid from pg_namespace
          ) as o (kind, schema, name, oid)
          join (values ('table', 'SELECT'), ('table', 'INSERT'), ('table', 'UPDATE'), ('table', 'DELETE'), ('view', 'SELECT'),
            ('sequence', 'USAGE'), ('sequence', 'UPDATE'), ('function', 'EXECUTE'), ('schema', 'USAGE'), ('schema', 'CREATE')
          ) as p (kind, privilege) on p.kind = o.kind
          where o.schema = any(${textArray(ownSchemas)}) and not case o.kind
            when 'sequence' then has_sequence_privilege(o.oid, p.privilege)
            when 'function' then has_function_privilege(o.oid, p.privilege)
            when 'schema' then has_schema_privilege(o.oid, p.privilege)
            else has_table_privilege(o.oid, p.privilege) end
          order by 1
        ) as lacks,
        (select json_build_object('recorded', datcollversion, 'actual', pg_database_collation_actual_version(oid)) from pg_database
          where datname = current_database() and datcollversion <> pg_database_collation_actual_version(oid)) as collation,
        exists (select from pg_timezone_names where lower(name) = lower(${timeZone})) as "knowsTimeZone",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
        (
          select json_build_object('used', u.used, 'allowed', l.allowed, 'raise', l.raise)
          from pg_database d, pg_roles o, lateral (values
            (null, null, current_setting('max_connections')::int, 'max_connections'),
            (o.oid, null, case when not o.rolsuper then o.rolconnlimit end, format('CONNECTION LIMIT of role %s', o.rolname)),
            (null, d.oid, case when not o.rolsuper then d.datconnlimit end, format('CONNECTION LIMIT of database %s', d.datname))
          ) as l (role, database, allowed, raise), lateral (
            -- Null for the sessions of others, unless the role may read all statistics.
            select count(*)::int as used from pg_stat_activity a where coalesce(a.backend_type, 'client backend') = 'client backend'
              and a.usesysid = coalesce(l.role, a.usesysid) and a.datid = coalesce(l.database, a.datid)
          ) as u
          where d.datname = current_database() and o.rolname = session_user and l.allowed >= 0
          order by l.allowed - u.used limit 1
        ) as connections`),
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered without a row');
  return row;
}

/**
 * The keys whose index is not in the order in which the server sorts texts now, by what stands before its
 * neighbour, whatever version is recorded. Only the first 20,000 entries of each key are read, for speed.
 */
export async function findMisordered(database: Database): Promise<readonly string[]> {
  const read = async (tx: Tx) => {
    await tx.run('diagnosis.along-index', (db) =>
      db.execute(
        'set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off',
      ),
    );
    const looks = await tx.ask<{ look: string }>(
      'diagnosis.text-keys',
      sql`select format('select %L as name where exists (select from (select (%s) < (%s) as is_before from %s window w as (order by %2$s) limit 20000) as k where is_before)',
          i.indexrelid::regclass, k.columns, k.neighbours, i.indrelid::regclass) as look
        from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
        cross join lateral (
          select string_agg(quote_ident(a.attname), ', ' order by o.at) as columns,
            string_agg(format('lag(%I) over w', a.attname), ', ' order by o.at) as neighbours
          from unnest(i.indkey::int2[]) with ordinality as o (attnum, at)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = o.attnum
        ) as k
        where n.nspname = any(${textArray(ownSchemas)}) and i.indisunique and i.indisvalid
          and i.indexprs is null and i.indpred is null and 100 = any(i.indcollation)
        order by 1`,
    );
    const all = looks.map(({ look }) => look).join(' union all ');
    return await tx.ask<{ name: string }>('diagnosis.misordered', sql.raw(all));
  };
  return (await database.transact('diagnosis.misordered', read, { readOnly: true })).map(({ name }) => name);
}

export interface ReadingRole {
  readonly role: string;
  /** Tables and views of the mirror that it cannot read. */
  readonly unreadable: readonly string[];
}

/** The role of HTTP_DATABASE_URL: pages, API and `/custody` read every table of the mirror. */
export async function readReadingRole(database: Database): Promise<ReadingRole | null> {
  const { rows } = await readOne(database, 'diagnosis.reader', (db) =>
    db.execute<ReadingRole & Record<string, unknown>>(sql`
      select quote_ident(current_user) as role, array(
        select format('%I.%I', n.nspname, c.relname)
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = any(${textArray(ownSchemas)}) and c.relkind in ('r', 'v')
          and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))
        order by 1) as unreadable`),
  );
  return rows[0] ?? null;
}
