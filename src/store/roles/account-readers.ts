// A role that reads only some accounts, through schemas of views that the database makes for it
// (sql/readers). Invariant: it has no right on the schemas of the mirror, only on its own.
import { type SQL, sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { refuseUnknownAccounts } from '../run/known-accounts.ts';
import { buildReaderViews } from '../schema/reader-views.ts';
import { openSchemas, ownSchemas } from '../schema/schemas.ts';
import { textArray } from '../values/binary-array.ts';
import type { GrantProfile } from './grants.ts';
import {
  type Found,
  memberRolesOf,
  openFunctions,
  openRelations,
  type Privilege,
  type ReaderReport,
  type Role,
  readCreates,
  readExceeds,
} from './reader-privileges.ts';

/** To read the given accounts, and no other. */
export function readingAccounts(accounts: readonly string[]): GrantProfile<ReaderReport> {
  return {
    grantsFor: (tx, role) => giveAccounts(tx, role, accounts),
    report: (tx, role) => readAccountReader(tx, role, accounts),
  };
}

const schemasOf = ({ name }: Role) => [...openSchemas, 'sync'].map((schema) => `${schema}_${name}`);

/** @throws MirrorError `CONFIGURATION`, `ROLE-UNUSABLE` */
async function giveAccounts(tx: Tx, role: Role, accounts: readonly string[]): Promise<readonly SQL[]> {
  await refuseUnknownAccounts(tx, accounts, 'CONFIGURATION');
  await refuseSchemasOfOthers(tx, role);
  const change = (label: string, one: SQL) => tx.run(label, (db) => db.execute(one));
  await change('readers.clear', sql`delete from internal.account_readers where reader = ${role.name}`);
  await change(
    'readers.accounts',
    sql`insert into internal.account_readers (reader, account_id) select ${role.name}, unnest(${textArray(accounts)})`,
  );
  // The views look the accounts up. They are not made again without need: somebody may be using them, which
  // would keep a right that is to go.
  const { lacks } = await readAccountReader(tx, role, accounts);
  if (lacks.length > 0) await buildReaderViews(tx, role.name);
  return [];
}

async function refuseSchemasOfOthers(tx: Tx, role: Role): Promise<void> {
  const found = await tx.run('reader.schemas', (db) =>
    db.execute<{ name: string }>(sql`
      select nspname as name from pg_catalog.pg_namespace
      where nspname = any(${textArray(schemasOf(role))})
        and obj_description(oid, 'pg_namespace') is distinct from
          'What ' || ${role.name}::text || ' may read of ' || split_part(nspname, '_', 1) || '. Made by custody-mirror grant --account.'`),
  );
  const [taken] = found.rows;
  if (taken === undefined && schemasOf(role).every((name) => Buffer.byteLength(name) < 64)) return;
  throw new MirrorError(
    'ROLE-UNUSABLE',
    taken === undefined
      ? `role ${role.name} cannot be a reader of some accounts: its name is longer than 53 bytes, and its schemas are named after it; use a role with a shorter name`
      : `role ${role.name} cannot be a reader of some accounts: its views need the schema ${taken.name}, which custody-mirror did not make; rename that schema or the role`,
  );
}

/** Also tries it: whether a view of the role, read as the role reads it, holds a row of another account. */
async function readAccountReader(tx: Tx, role: Role, accounts: readonly string[]): Promise<ReaderReport> {
  const views = await tx.run('reader.views', (db) =>
    db.execute<{ label: string; name: string | null; byAccount: boolean }>(sql`
      select v.label, quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name, exists (
        select from pg_catalog.pg_attribute a where a.attrelid = v.oid and a.attname = 'account_id') as "byAccount"
      from (select r.*, relname from (${openRelations}) as r join pg_catalog.pg_class on pg_class.oid = r.oid) as v
      left join pg_catalog.pg_namespace n on n.nspname = v.schema || '_' || ${role.name}::text
        and has_schema_privilege(${role.oid}::oid, n.oid, 'usage')
      left join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = v.relname
        and has_table_privilege(${role.oid}::oid, c.oid, 'select')
      order by v.label`),
  );
  const seen: Privilege[] = [];
  for (const { name, byAccount } of views.rows) {
    if (name === null || !byAccount) continue;
    const others = await tx.run('reader.try', (db) =>
      db.execute(
        sql`select from ${sql.raw(name)} where account_id is null or account_id <> all(${textArray(accounts)}) limit 1`,
      ),
    );
    if (others.rows.length > 0) seen.push({ privilege: 'rows of other accounts', on: name, through: null });
  }
  return {
    readable: [],
    lacks: [
      ...(await readMissing(tx, role, accounts)),
      ...views.rows
        .filter(({ name }) => name === null)
        .map(({ label }) => ({ privilege: 'a view', on: label, through: null })),
    ],
    exceeds: [...seen, ...(await readLeaks(tx, role)), ...(await readExceeds(tx, role))],
    creates: await readCreates(tx, role),
  };
}

async function readMissing(tx: Tx, role: Role, accounts: readonly string[]): Promise<readonly Privilege[]> {
  const found = await tx.run('reader.missing', (db) =>
    db.execute<Found>(sql`
      select 'CONNECT' as privilege, format('database %I', current_database()) as "on", null::text as through
      where not has_database_privilege(${role.oid}::oid, current_database(), 'connect')
      union all
      select 'the account', a.name, null from unnest(${textArray(accounts)}) as a (name)
      where a.name not in (select account_id from internal.account_readers where reader = ${role.name})
      union all
      select 'EXECUTE', f.label, null from (${openFunctions}) as f
      where not has_function_privilege(${role.oid}::oid, f.oid, 'execute')`),
  );
  return found.rows;
}

/**
 * Through what else the role reads the mirror, by itself or a role it is in: tables and views of the mirror,
 * views of others that read those, and functions that run with the rights of somebody who may read them.
 */
async function readLeaks(tx: Tx, role: Role): Promise<readonly Privilege[]> {
  const mine = sql`any(${textArray(schemasOf(role))})`;
  const found = await tx.run('reader.leaks', (db) =>
    db.execute<Found>(sql`
      with recursive member_roles as (${memberRolesOf(role)}), mirrored (oid) as (
        select c.oid from pg_catalog.pg_class c
        where c.relnamespace::regnamespace::text = any(${textArray(ownSchemas)}) and c.relkind in ('r', 'v')
        union
        select w.ev_class from mirrored m
        join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = m.oid and d.classid = 'pg_rewrite'::regclass
        join pg_catalog.pg_rewrite w on w.oid = d.objid
      )
      select 'SELECT' as privilege, format('%I.%I', n.nspname, c.relname) as "on",
        case when has_any_column_privilege('public', c.oid, 'select') then 'PUBLIC' else
          (select string_agg(quote_ident(g.rolname), ', ' order by g.rolname) from member_roles g
           where g.oid <> ${role.oid}::oid and has_any_column_privilege(g.oid, c.oid, 'select')) end as through
      from mirrored m join pg_catalog.pg_class c on c.oid = m.oid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where not n.nspname = ${mine}
        and exists (select from member_roles g where has_any_column_privilege(g.oid, c.oid, 'select'))
      union all
      select 'EXECUTE', p.oid::regprocedure::text, null
      from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where p.prosecdef and p.prorettype <> 'trigger'::regtype and not n.nspname = ${mine}
        and n.nspname not in ('pg_catalog', 'information_schema')
        and has_any_column_privilege(p.proowner, 'custody.transactions', 'select')
        and exists (select from member_roles g
          where has_schema_privilege(g.oid, n.oid, 'usage') and has_function_privilege(g.oid, p.oid, 'execute'))
      union all
      select 'the rights of ' || rolname, 'the server', null from member_roles where rolname = 'pg_read_server_files'
      order by "on"`),
  );
  return found.rows;
}
