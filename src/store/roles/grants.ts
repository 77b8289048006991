// Grants an existing role what it needs: a reader reads custody, reporting and the run tables of sync, a
// server also what is private to the software, such as the keys of readers, and notes when a key was last used,
// a writer writes the tables that people fill. It only adds privileges.
import { type SQL, sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import type { Database } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';
import { lockMigrations } from '../schema/migrate.ts';
import { refusePending } from '../schema/migrations.ts';
import { openSchemas, openSyncTables } from '../schema/schemas.ts';
import { textArray } from '../values/bulk-rows.ts';

// What readers may read, and who owns it, from the catalogs.

/** A role in the catalogs. */
interface Role {
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
const openFunctions: SQL = sql`
  select p.oid, p.oid::regprocedure::text as label
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any(${textArray(openSchemas)}) and p.prokind = 'f' and p.provolatile <> 'v'`;

/** A select: the owners of everything that a reader reads. They may add to it. */
const openOwners: SQL = sql`
  select schema, owner, label from (${openRelations}) as relation
  union all
  select nspname, nspowner, format('schema %I', nspname) from pg_catalog.pg_namespace
  where nspname = any(${textArray([...openSchemas, 'sync'])})
  union all
  select n.nspname, p.proowner, p.oid::regprocedure::text
  from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  where n.nspname = any(${textArray(openSchemas)})`;

/** The owners of what a reader reads, by schema. */
async function readOwners(tx: Tx): Promise<readonly { readonly schema: string; readonly owner: string }[]> {
  return await tx.ask<{ schema: string; owner: string }>(
    'reader.owners',
    sql`select distinct o.schema, r.rolname as owner
      from (${openOwners}) as o join pg_catalog.pg_roles r on r.oid = o.owner order by 1, 2`,
  );
}

/** How many tables and views of each schema the role can read now, as PostgreSQL decides it. */
interface Readable {
  readonly schema: string;
  readonly count: number;
}

async function readReadable(tx: Tx, role: Role): Promise<readonly Readable[]> {
  return await tx.ask<{ schema: string; count: number }>(
    'reader.readable',
    sql`select schema, count(*)::int as count from (${openRelations}) as relation
      where has_schema_privilege(${role.oid}::oid, schema::text, 'usage') and has_table_privilege(${role.oid}::oid, oid, 'select')
      group by schema order by schema`,
  );
}

/** Tables of custody that people fill. */
export type FilledTable = 'asset_prices' | 'fee_rules';

/** The privileges that a role needs for one purpose. */
type Purpose = (tx: Tx, role: Role) => Promise<readonly SQL[]>;

/** To serve pages and read API. */
export const serving: Purpose = async (tx, role) => [
  ...(await reading(tx, role)),
  ...(await grantsForServing(tx, role)),
];

/** To read and write the given tables, and no other. */
export function writing(tables: readonly FilledTable[]): Purpose {
  const filled = tables.map((table) => sql`${sql.identifier('custody')}.${sql.identifier(table)}`);
  return async (_tx, { name }) => [
    sql`grant usage on schema custody to ${sql.identifier(name)}`,
    sql`grant select, insert, update, delete on ${sql.join(filled, sql`, `)} to ${sql.identifier(name)}`,
  ];
}

export interface Granted {
  readonly readable: readonly Readable[];
  /** Only the owner of the database can let it in. */
  readonly mayConnect: boolean;
}

/**
 * Grants the role what the purpose needs. It may be repeated at any time, also while the daemon runs.
 *
 * @param name of the role, spelled as in the catalogs: without quotes, and case counts
 * @returns what the role can read afterwards
 * @throws MirrorError `ROLE-UNUSABLE` when there is no such role, or it is a superuser or an owner;
 * `SCHEMA-MISSING`, `SCHEMA-NEWER`; `DATABASE-REFUSED` when the user of DATABASE_URL does not own it
 */
export async function grant(database: Database, name: string, purpose: Purpose): Promise<Granted> {
  const { target } = database;
  const grantAll = async (tx: Tx) => {
    await refuseWithoutMirror(tx, target);
    await refuseOthers(tx, target);
    // A migration or another grant at the same time would change the same rows of the catalogs.
    await lockMigrations(tx);
    await refusePending(tx, target);
    const role = await readRole(tx, target, name);
    for (const one of await purpose(tx, role)) await tx.run('reader.grant', (db) => db.execute(one));
    const connecting = await tx.ask(
      'reader.connects',
      sql`select where has_database_privilege(${role.oid}::oid, current_database(), 'connect')`,
    );
    return { readable: await readReadable(tx, role), mayConnect: connecting.length > 0 };
  };
  return await database.transact('grant', grantAll, { lockTimeoutMs: 60_000 });
}

/** To read all tables of a schema, and those that its owners add later. */
function readingSchema(schema: string, owners: Iterable<string>, reader: SQL): SQL[] {
  const within = sql`in schema ${sql.identifier(schema)}`;
  return [
    sql`grant usage on schema ${sql.identifier(schema)} to ${reader}`,
    // No REFERENCES: a foreign key to a table holds up the mirror's writes while it is added.
    sql`grant select on all tables ${within} to ${reader}`,
    ...[...owners].map((owner) => addingTo(owner, within, sql`select on tables to ${reader}`)),
  ];
}

function addingTo(owner: string, within: SQL, rights: SQL): SQL {
  return sql`alter default privileges for role ${sql.identifier(owner)} ${within} grant ${rights}`;
}

/** To read what exists, and what later migrations add. */
export async function reading(tx: Tx, role: Role): Promise<readonly SQL[]> {
  const reader = sql`${sql.identifier(role.name)}`;
  const owners = await readOwners(tx);
  const ownersOf = (schema: string) =>
    owners.filter((row) => row.schema === schema).map(({ owner }) => owner);
  // Views call functions with the rights of the caller; PUBLIC may execute none. A later migration
  // adds its own.
  const functions = await tx.ask<{ label: string }>('reader.functions', openFunctions);
  const syncTables = openSyncTables.map((table) => sql`${sql.identifier('sync')}.${sql.identifier(table)}`);
  return [
    ...openSchemas.flatMap((schema) => readingSchema(schema, ownersOf(schema), reader)),
    ...ownersOf('reporting').map((owner) =>
      addingTo(owner, sql`in schema reporting`, sql`execute on functions to ${reader}`),
    ),
    ...functions.map(({ label }) => sql`grant execute on function ${sql.raw(label)} to ${reader}`),
    sql`grant usage on schema sync to ${reader}`,
    sql`grant select on ${sql.join(syncTables, sql`, `)} to ${reader}`,
  ];
}

const closedSchemas = ['sync', 'internal', 'drizzle'];

/** What `serve` needs beyond a reader. */
async function grantsForServing(tx: Tx, { name }: Role): Promise<readonly SQL[]> {
  const server = sql`${sql.identifier(name)}`;
  const owners = new Set((await readOwners(tx)).map(({ owner }) => owner));
  return [
    ...closedSchemas.flatMap((schema) => readingSchema(schema, owners, server)),
    sql`grant update (last_used_at) on sync.api_keys to ${server}`,
  ];
}

async function refuseWithoutMirror(tx: Tx, target: string): Promise<void> {
  const found = await tx.ask(
    'reader.mirror',
    sql`select from pg_catalog.pg_tables where schemaname = 'custody' and tablename = 'transactions'`,
  );
  if (found.length > 0) return;
  throw new MirrorError(
    'SCHEMA-MISSING',
    `database ${target} holds no mirror yet: run custody-mirror migrate`,
  );
}

/** Only owners may grant: PostgreSQL answers others with no more than a warning. */
async function refuseOthers(tx: Tx, target: string): Promise<void> {
  const [first] = await tx.ask<{ owner: string; label: string; me: string }>(
    'reader.foreign',
    sql`select quote_ident(r.rolname) as owner, min(o.label) as label, quote_ident(current_user) as me
      from (${openOwners}) as o join pg_catalog.pg_roles r on r.oid = o.owner
      where not pg_has_role(current_user, r.oid, 'usage')
      group by r.rolname order by r.rolname`,
  );
  if (first === undefined) return;
  throw new MirrorError(
    'DATABASE-REFUSED',
    `user ${first.me} of DATABASE_URL may not grant on database ${target}: ${first.label} belongs to ${first.owner}; use that user (the one the daemon migrates with), a member of it, or a superuser`,
  );
}

interface FoundRole extends Role, Record<string, unknown> {
  readonly label: string;
  readonly superuser: string | null;
  readonly owner: string | null;
}

/** Finds the role; refuses a superuser and an owner, who may do everything. */
async function readRole(tx: Tx, target: string, name: string): Promise<Role> {
  // Compared as text: PostgreSQL would cut a name that is too long, and find another role.
  const [role] = await tx.ask<FoundRole>(
    'reader.role',
    sql`select role.oid, role.rolname as name, quote_ident(role.rolname) as label,
        (select quote_ident(min(r.rolname)) from pg_catalog.pg_roles r
         where r.rolsuper and (role.rolsuper and r.oid = role.oid or not role.rolsuper and pg_has_role(role.oid, r.oid, 'member'))) as superuser,
        (select quote_ident(min(r.rolname)) from pg_catalog.pg_roles r
         where r.oid in (select owner from (${openOwners}) as o
                         union all select datdba from pg_catalog.pg_database where datname = current_database())
           and pg_has_role(role.oid, r.oid, 'member')) as owner
      from pg_catalog.pg_roles role where role.rolname::text = ${name}`,
  );
  if (role === undefined) throw await unknownRole(tx, target, name);
  const itself = (other: string) => (other === role.label ? 'is' : `is a member of ${other},`);
  const why =
    role.superuser !== null
      ? `${itself(role.superuser)} a superuser and may do everything`
      : role.owner !== null
        ? `${itself(role.owner)} the owner of the mirror in database ${target} and may change everything`
        : null;
  if (why === null) return role;
  throw new MirrorError(
    'ROLE-UNUSABLE',
    `role ${role.label} can be no reader: it ${why}; create a separate role for reading`,
  );
}

async function unknownRole(tx: Tx, target: string, name: string): Promise<MirrorError> {
  if (name.toLowerCase() === 'public') {
    return new MirrorError(
      'ROLE-UNUSABLE',
      'PUBLIC is everybody, not a role: name the role that should read, so that nobody else can',
    );
  }
  const [found] = await tx.ask<{ label: string; similar: string | null }>(
    'reader.similar',
    sql`select quote_ident(${name}::text) as label,
        (select min(rolname::text) from pg_catalog.pg_roles where lower(rolname::text) = lower(${name}::text)) as similar`,
  );
  const { label = name, similar = null } = found ?? {};
  const fix =
    similar === null
      ? `create it first: CREATE ROLE ${label} LOGIN PASSWORD '…'`
      : `there is ${similar}, and case counts`;
  return new MirrorError(
    'ROLE-UNUSABLE',
    `role ${label} does not exist on the server of database ${target}: ${fix}`,
  );
}
