// What has to be believed of the catalogs before rows prove anything: that the names stand for plain tables
// with the columns that are expected, of types that send themselves by PostgreSQL's own functions. The catalogs
// are read whole and judged here, as are the tables themselves: the server only sends rows
// (postgres/copy-out.ts).
import { type SQL, sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import { type BinaryTypeName, binaryTypes } from '../postgres/copy-out.ts';
import { type Database, readOne } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/bulk-rows.ts';
import { ownSchemas } from './schemas.ts';

// What others changed on the mirror's own tables, views and functions: row security and policies, which hide
// rows; rules and triggers; tables that became something else; what is gone, was added, or has another
// definition than the migrations gave it; and functions that take calls meant for one of theirs. The
// definitions are recorded by the migration that ends with them.

interface Alteration {
  /** Such as `row security is on for custody.transactions`. */
  readonly what: string;
  readonly fix: string;
  /** It may change what is read or written. A trigger of somebody else that runs afterwards only sees it. */
  readonly bends: boolean;
}

const mine = sql`any(${textArray(ownSchemas)})`;

/** Not MD5: a server in FIPS 140 mode refuses it. */
const digestOf = (definition: SQL) => sql`encode(sha256(convert_to(${definition}, 'UTF8')), 'hex')`;

const ofTables = sql`from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = ${mine}`;

/**
 * A select: what each view, function, trigger, constraint, index, column, table and sequence is, as
 * PostgreSQL writes it. One that was added `bends` what the mirror writes or reads, or does not.
 */
const definitions = sql`
  select format('%I.%I', n.nspname, c.relname) as name, concat_ws(' ', pg_get_viewdef(c.oid), c.reloptions) as definition, false as bends
  ${ofTables} where c.relkind = 'v'
  union all
  select p.oid::regprocedure::text, case when p.prokind = 'a' then 'aggregate' else pg_get_functiondef(p.oid) end, true
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = ${mine}
  union all
  select format('trigger %I on %I.%I', t.tgname, n.nspname, c.relname), pg_get_triggerdef(t.oid),
    t.tgfoid in (select oid from pg_proc where pronamespace::regnamespace::text = ${mine})
  ${ofTables} join pg_trigger t on t.tgrelid = c.oid where not t.tgisinternal
  union all
  select format('constraint %I on %I.%I', k.conname, n.nspname, c.relname), pg_get_constraintdef(k.oid), true
  ${ofTables} join pg_constraint k on k.conrelid = c.oid where k.contype <> 'n'
  union all
  select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), i.indisunique
  ${ofTables} join pg_index i on i.indrelid = c.oid where i.indisvalid
  union all
  select format('column %I of %I.%I', a.attname, n.nspname, c.relname), concat_ws(' ', format_type(a.atttypid, a.atttypmod),
      a.attcollation, a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, c.oid)),
    a.attnotnull and d.adbin is null and a.attidentity = ''
  ${ofTables} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.relkind = 'r'
  union all
  select format('%I.%I', n.nspname, c.relname), concat_ws(' ', c.relkind, c.relpersistence, to_jsonb(q) - 'seqrelid'), false
  ${ofTables} left join pg_sequence q on q.seqrelid = c.oid where c.relkind in ('r', 'S')`;

/**
 * A definition without what another major version or a restore writes otherwise: aliases and brackets of what
 * was parsed (of a body in quotes nothing).
 */
const formOf = sql`case when definition like '%AS $function$%' then definition else regexp_replace(
  regexp_replace(definition, ${`\\m(${ownSchemas.join('|')})\\.`}, '\\1:', 'g'), '\\m[a-z_]\\w*\\.|[()\\s]|\\mAS ("[^"]*"|\\w+)', '', 'g') end`;
const digest = digestOf(sql`definition`);
const form = digestOf(formOf);

const server = sql`current_setting('server_version_num')::int / 10000`;
/** Another one in a restored dump. */
const schemaOid = sql`'custody'::regnamespace::oid`;

/**
 * Called in the transaction that migrates, at its end. `comment` locks the table, so one process at a time
 * replaces them.
 */
export async function recordDefinitions(tx: Tx): Promise<void> {
  await tx.run('migrate.definitions', (db) =>
    db.execute(`
      create table if not exists drizzle.definitions (name text primary key, digest text not null, form text not null, server int not null, schema_oid oid not null);
      comment on table drizzle.definitions is 'The definition of each view, function, trigger, constraint, index, column, table and sequence as the last migration left it, by which doctor notices that somebody replaced one.';
      comment on column drizzle.definitions.name is 'What is defined, with its schema.';
      comment on column drizzle.definitions.digest is 'SHA-256 of its definition as PostgreSQL writes it.';
      comment on column drizzle.definitions.form is 'SHA-256 of what every server version and every restore write alike of it.';
      comment on column drizzle.definitions.server is 'Major version of the server that wrote it; another one may write it differently.';
      comment on column drizzle.definitions.schema_oid is 'OID of the schema custody then: it differs in a restored dump, whose definitions may be written differently.';
      delete from drizzle.definitions`),
  );
  await tx.run('migrate.definitions', (db) =>
    db.execute(
      sql`insert into drizzle.definitions select name, ${digest}, ${form}, ${server}, ${schemaOid} from (${definitions}) as d`,
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
        case when o.bends then format('it may change or drop rows that are written: DROP TRIGGER %I ON %s', tgname, name)
          else 'it runs inside the mirror''s transactions: make sure that it is quick and never fails' end, o.bends
      from pg_trigger t join own on own.oid = tgrelid join pg_proc p on p.oid = tgfoid
      -- Before each row.
      cross join lateral (select t.tgtype & 3 = 3 as bends) as o
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

/** A select: those that are not as they were recorded. */
const redefined = sql`
  with was as (
      select name, digest, form, (server, schema_oid) = (${server}, ${schemaOid}) as is_alike from drizzle.definitions),
    now as (${definitions})
  select was.name, case when now.name is null then 'gone' else 'other' end as is
  from was left join now using (name)
  where now.name is null or case when is_alike then ${digest} <> digest else ${form} <> form end
  union all
  select name, case when name like '%(%' and split_part(name, '(', 1) in (select split_part(was.name, '(', 1) from was)
    then 'overload' else 'added' end
  from now where bends and name not in (select name from was) and exists (select from was)
  order by name`;

/**
 * Called where nothing is to be migrated: records them again after a restore, or on another major version, if
 * they are what they were there.
 */
export async function recordRestoredDefinitions(tx: Tx): Promise<void> {
  const [table] = await tx.ask<{ mine: boolean }>(
    'migrate.restored',
    sql`select true as mine from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'drizzle' and c.relname = 'definitions' and pg_has_role(c.relowner, 'usage')`,
  );
  if (table === undefined) return;
  const restored = await tx.ask(
    'migrate.restored',
    sql`select from drizzle.definitions where (schema_oid, server) <> (${schemaOid}, ${server})
      and not exists (${redefined}) limit 1`,
  );
  if (restored.length > 0) await recordDefinitions(tx);
}

const restore = 'restore it from a backup, or from its file in sql/ or migrations/';

const redefinitions = {
  gone: 'is gone',
  other: 'has another definition than custody-mirror gave it',
  overload: 'takes calls of the function of that name',
  added: 'was added by somebody else',
} as const;

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
    db.execute<{ name: string; is: keyof typeof redefinitions }>(redefined),
  );
  return rows.map(({ name, is }) => ({
    what: `${name} ${redefinitions[is]}`,
    fix: {
      overload: `DROP FUNCTION ${name}`,
      added: 'make sure that it changes nothing that the mirror writes, or drop it',
      ...{ gone: restore, other: restore },
    }[is],
    bends: true,
  }));
}

/** A table, with PostgreSQL's types of the columns that are read. */
interface ReadTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, BinaryTypeName>;
}

/** The catalogs that are judged, with PostgreSQL's numbers of them, which never change. */
const catalogs = {
  pg_namespace: { id: 2615, columns: { oid: 'oid', nspname: 'name' } },
  pg_class: {
    id: 1259,
    columns: {
      oid: 'oid',
      relname: 'name',
      relnamespace: 'oid',
      relkind: '"char"',
      relpersistence: '"char"',
      relrowsecurity: 'boolean',
      relforcerowsecurity: 'boolean',
      relispartition: 'boolean',
    },
  },
  pg_attribute: { id: 1249, columns: { attrelid: 'oid', attname: 'name', atttypid: 'oid' } },
  pg_type: { id: 1247, columns: { oid: 'oid', typname: 'name', typsend: 'regproc' } },
  pg_inherits: { id: 2611, columns: { inhrelid: 'oid', inhparent: 'oid' } },
  pg_rewrite: { id: 2618, columns: { ev_class: 'oid' } },
  pg_subscription_rel: { id: 6102, columns: { srrelid: 'oid', srsubstate: '"char"' } },
} as const satisfies Readonly<
  Record<string, { readonly id: number; readonly columns: Readonly<Record<string, BinaryTypeName>> }>
>;

type Catalog = keyof typeof catalogs;
type CatalogRow<Name extends Catalog> = Readonly<Record<keyof (typeof catalogs)[Name]['columns'], string>>;

/** To be locked, so that nothing takes their place. */
export const catalogsRead = Object.keys(catalogs).map((name) => `pg_catalog.${name}`);

const kinds: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
  p: 'a partitioned table',
};

/** @param faults why nothing is proven, and whether it is so */
function refuse(what: string, faults: Readonly<Record<string, boolean>>): void {
  for (const [why, isSo] of Object.entries(faults))
    if (isSo) throw new MirrorError('SEAL-REFUSED', `${what}: ${why}, so its rows prove nothing; undo that`);
}

/** As the server itself resolves the names, which is how it sends the rows. */
async function refuseShape(tx: Tx, { name, columns }: ReadTable, number: string): Promise<void> {
  const { fields } = await tx.run('seal.shape', (db) =>
    db.execute(sql`select * from only ${sql.raw(name)} limit 0`),
  );
  for (const [column, type] of columns) {
    const found = fields.find((field) => field.name === column);
    const isOfType = found?.dataTypeID === binaryTypes[type].id && found.dataTypeModifier === -1;
    refuse(`${name}.${column}`, {
      'there is no such column': found === undefined,
      [`it is not of type ${type}`]: !isOfType,
      'the catalogs describe another table of this name': String(found?.tableID) !== number,
    });
  }
}

async function readCatalog<Name extends Catalog>(tx: Tx, name: Name): Promise<CatalogRow<Name>[]> {
  const { id, columns } = catalogs[name];
  const table = `pg_catalog.${name}`;
  const typed: [string, BinaryTypeName][] = Object.entries(columns);
  const rows: CatalogRow<Name>[] = [];
  // Sent together: a statement takes less time than its way.
  await Promise.all([
    refuseShape(tx, { name: table, columns: new Map(typed) }, String(id)),
    tx.copy('seal.catalog', { table, columns: typed }, (row) => {
      const texts = typed.map(([column], n) => [column, row.text(n) ?? '']);
      rows.push(Object.fromEntries(texts) as CatalogRow<Name>);
    }),
  ]);
  return rows;
}

/**
 * @param tx has locked the tables and `catalogsRead`
 * @returns the number of each table
 * @throws MirrorError `SEAL-REFUSED` if the database could show other rows than its tables hold
 */
export async function refuseDistrusted(
  tx: Tx,
  tables: readonly ReadTable[],
): Promise<ReadonlyMap<string, string>> {
  const [types, numbers] = await Promise.all([readCatalog(tx, 'pg_type'), refuseKinds(tx, tables)]);
  for (const [name, { id, sends }] of Object.entries(binaryTypes)) {
    const found = types.filter(({ oid }) => oid === String(id)).map(({ typsend }) => typsend);
    refuse(`the type ${name}`, {
      'its values are not sent by the function of PostgreSQL': found.join() !== String(sends),
    });
  }
  await Promise.all(tables.map((table) => refuseShape(tx, table, numbers.get(table.name) ?? '')));
  // The server describes a domain as the type that it is of.
  const attributes = await readCatalog(tx, 'pg_attribute');
  for (const { name, columns } of tables)
    for (const [column, type] of columns) {
      const own = attributes.filter((each) => each.attrelid === numbers.get(name) && each.attname === column);
      const isOther = own.map(({ atttypid }) => atttypid).join() !== String(binaryTypes[type].id);
      refuse(`${name}.${column}`, { [`it is not of type ${type}`]: isOther });
    }
  return numbers;
}

/** @returns the number of each table */
async function refuseKinds(tx: Tx, tables: readonly ReadTable[]): Promise<Map<string, string>> {
  const [namespaces, classes, inherits, rules] = await Promise.all([
    readCatalog(tx, 'pg_namespace'),
    readCatalog(tx, 'pg_class'),
    readCatalog(tx, 'pg_inherits'),
    readCatalog(tx, 'pg_rewrite'),
  ]);
  const schemas = new Map(namespaces.map(({ oid, nspname }) => [oid, nspname]));
  const found = new Map<string, CatalogRow<'pg_class'>[]>(tables.map(({ name }) => [name, []]));
  for (const row of classes) found.get(`${schemas.get(row.relnamespace)}.${row.relname}`)?.push(row);
  return new Map(
    [...found].map(([name, rows]) => {
      const row: Partial<CatalogRow<'pg_class'>> = rows[0] ?? {};
      const { oid = '' } = row;
      const isHeir = inherits.some((each) => each.inhrelid === oid || each.inhparent === oid);
      refuse(name, {
        'it does not exist once': rows.length !== 1,
        [`it is ${kinds[row.relkind ?? ''] ?? 'something else'}`]: row.relkind !== 'r',
        'it is not logged': row.relpersistence !== 'p',
        'it has row security': row.relrowsecurity !== 'false' || row.relforcerowsecurity !== 'false',
        'it inherits': row.relispartition !== 'false' || isHeir,
        'it has a rule': rules.some((rule) => rule.ev_class === oid),
      });
      return [name, oid];
    }),
  );
}

/**
 * Whether the rows of these tables come from another server, and the last ones may be on their way.
 *
 * @throws MirrorError `SEAL-REFUSED` while a logical replica still copies tables
 */
export async function readIsReplica(tx: Tx, numbers: ReadonlyMap<string, string>): Promise<boolean> {
  const states = new Map(
    (await readCatalog(tx, 'pg_subscription_rel')).map((row) => [row.srrelid, row.srsubstate]),
  );
  const copied = [...numbers].filter(([, oid]) => states.has(oid));
  const [unready] = copied.find(([, oid]) => states.get(oid) !== 'r') ?? [];
  if (unready !== undefined)
    throw new MirrorError(
      'SEAL-REFUSED',
      `${unready} is still being copied from its publisher: verify when it is whole`,
    );
  const [row] = await tx.ask<{ found: string }>(
    'seal.replica',
    sql`select pg_is_in_recovery()::text as found`,
  );
  return copied.length > 0 || row?.found === 'true';
}
