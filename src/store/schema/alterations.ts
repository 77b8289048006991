// What others changed on the mirror's own tables, views and functions: row security and policies, which hide
// rows; rules and triggers; tables that became something else; views, functions, triggers and constraints with
// another definition than the migrations gave them, and functions that take calls meant for one of these. The
// definitions are recorded by the migration that ends with them.
import { type SQL, sql } from 'drizzle-orm';
import { type Database, readOne } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/binary-array.ts';
import { ownSchemas } from './schemas.ts';

export interface Alteration {
  /** Such as `row security is on for custody.transactions`. */
  readonly what: string;
  readonly fix: string;
  /** It may change what is read or written. A trigger of somebody else only sees it. */
  readonly bends: boolean;
}

const mine = sql`any(${textArray(ownSchemas)})`;

/** Not MD5: a server in FIPS 140 mode refuses it. */
const digestOf = (definition: SQL) => sql`encode(sha256(convert_to(${definition}, 'UTF8')), 'hex')`;

/** A select: the definition of each view, function, trigger and constraint, as a digest. */
const definitions = sql`
  select format('%I.%I', n.nspname, c.relname) as name, ${digestOf(sql`pg_get_viewdef(c.oid)`)} as digest
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v' and n.nspname = ${mine}
  union all
  select p.oid::regprocedure::text, ${digestOf(sql`pg_get_functiondef(p.oid)`)}
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.prokind = 'f' and n.nspname = ${mine}
  union all
  select format('trigger %I on %I.%I', t.tgname, n.nspname, c.relname), ${digestOf(sql`pg_get_triggerdef(t.oid)`)}
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where not t.tgisinternal and n.nspname = ${mine}
  union all
  select format('constraint %I on %I.%I', k.conname, n.nspname, c.relname), ${digestOf(sql`pg_get_constraintdef(k.oid)`)}
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = ${mine}`;

/** How the server writes definitions changes with its major version. */
const server = sql`current_setting('server_version_num')::int / 10000`;
/** And with a restored dump: each is made from what the server wrote, in a schema with another OID. */
const schemaOid = sql`'custody'::regnamespace::oid`;

/** Called in the transaction that migrates, at its end. */
export async function recordDefinitions(tx: Tx): Promise<void> {
  await tx.run('migrate.definitions', (db) =>
    db.execute(`
      create table if not exists drizzle.definitions (name text primary key, digest text not null, server int not null, schema_oid oid not null);
      comment on table drizzle.definitions is 'The definition of each view, function, trigger and constraint as the last migration left it, by which doctor notices that somebody replaced one.';
      comment on column drizzle.definitions.name is 'What is defined, with its schema.';
      comment on column drizzle.definitions.digest is 'SHA-256 of its definition as PostgreSQL writes it.';
      comment on column drizzle.definitions.server is 'Major version of the server that wrote it; another one may write it differently.';
      comment on column drizzle.definitions.schema_oid is 'OID of the schema custody then: it differs in a restored dump, whose definitions may be written differently.';
      delete from drizzle.definitions`),
  );
  await tx.run('migrate.definitions', (db) =>
    db.execute(
      sql`insert into drizzle.definitions select name, digest, ${server}, ${schemaOid} from (${definitions}) as d`,
    ),
  );
}

const hides = 'it may hide rows from readers: ';
const own = sql`
  select c.oid, c.relkind, c.relrowsecurity, format('%I.%I', n.nspname, c.relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = ${mine} and c.relkind not in ('i', 'I', 't', 'c', 'S')`;

/** From the catalogs alone, so that every role may ask. */
export async function findAlterations(database: Database): Promise<readonly Alteration[]> {
  const found = await readOne(database, 'alterations.read', (db) =>
    db.execute<Alteration & Record<string, unknown>>(sql`
      with own as (${own})
      select 'row security is on for ' || name as what,
        ${hides} || 'ALTER TABLE ' || name || ' DISABLE ROW LEVEL SECURITY' as fix, true as bends
      from own where relrowsecurity
      union all
      select format('policy %I on %s', polname, name), ${hides} || format('DROP POLICY %I ON %s', polname, name), true
      from pg_policy join own on own.oid = polrelid
      union all
      select format('rule %I on %s', rulename, name), format('DROP RULE %I ON %s', rulename, name), true
      from pg_rewrite join own on own.oid = ev_class where rulename <> '_RETURN'
      union all
      select format('trigger %I on %s belongs to somebody else (%s)', tgname, name, tgfoid::regprocedure),
        'it runs inside the mirror''s transactions: make sure that it is quick and never fails', false
      from pg_trigger t join own on own.oid = tgrelid join pg_proc p on p.oid = tgfoid
      where not tgisinternal and not p.pronamespace::regnamespace::text = ${mine}
      union all
      select 'triggers are switched off on ' || name, 'ALTER TABLE ' || name || ' ENABLE TRIGGER ALL', true
      from own where exists (
        select from pg_trigger t where tgrelid = own.oid and tgenabled in ('D', 'R')
          and tgfoid in (select oid from pg_proc where pronamespace::regnamespace::text = any(${textArray([...ownSchemas, 'pg_catalog'])})))
      union all
      select name || ' inherits from, or is inherited by, another table', 'ALTER TABLE … NO INHERIT', true
      from own where exists (select from pg_inherits where own.oid in (inhrelid, inhparent))
      union all
      select name || ' is neither a plain table nor a view', 'restore it from a backup', true
      from own where relkind not in ('r', 'v')`),
  );
  return [...found.rows, ...(await findRedefined(database))];
}

/** Called where nothing is to be migrated: records the definitions again in a dump that was restored. */
export async function recordRestoredDefinitions(tx: Tx): Promise<void> {
  const [table] = await tx.ask<{ mine: boolean }>(
    'migrate.restored',
    sql`select true as mine from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'drizzle' and c.relname = 'definitions' and pg_has_role(c.relowner, 'usage')`,
  );
  if (table === undefined) return;
  const restored = await tx.ask(
    'migrate.restored',
    sql`select from drizzle.definitions where schema_oid <> ${schemaOid} limit 1`,
  );
  if (restored.length > 0) await recordDefinitions(tx);
}

const redefinitions = {
  gone: 'is gone',
  other: 'has another definition than custody-mirror gave it',
  overload: 'takes calls of the function of that name',
} as const;

/** Nothing is compared that another server version recorded, or another database before a restore. */
async function findRedefined(database: Database): Promise<readonly Alteration[]> {
  const readable = await readOne(database, 'alterations.recorded', (db) =>
    db.execute<{ readable: boolean }>(
      sql`select exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'drizzle' and c.relname = 'definitions'
          and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')) as readable`,
    ),
  );
  if (readable.rows[0]?.readable !== true) return [];
  const { rows } = await readOne(database, 'alterations.redefined', (db) =>
    db.execute<{ name: string; is: keyof typeof redefinitions }>(sql`
      with was as (select name, digest from drizzle.definitions where server = ${server} and schema_oid = ${schemaOid}),
        now as (${definitions})
      select was.name, case when now.name is null then 'gone' else 'other' end as is
      from was left join now using (name) where now.digest is distinct from was.digest
      union all
      select name, 'overload' from now where name not in (select name from was)
        and name like '%(%' and split_part(name, '(', 1) in (select split_part(was.name, '(', 1) from was)
      order by name`),
  );
  return rows.map(({ name, is }) => ({
    what: `${name} ${redefinitions[is]}`,
    fix:
      is === 'overload'
        ? `DROP FUNCTION ${name}`
        : 'restore it from a backup, or from its file in sql/ or migrations/',
    bends: true,
  }));
}
