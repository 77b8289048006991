// What has to be believed of the catalogs before rows prove anything: that the names stand for plain tables
// with the columns that are expected, of types that send themselves by PostgreSQL's own functions. The catalogs
// are read whole and judged here, as are the tables themselves: the server only sends rows
// (postgres/copy-out.ts).
import { sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import { type BinaryTypeName, binaryTypes, isBinaryType } from '../postgres/binary-text.ts';
import type { Tx } from '../postgres/transaction.ts';

/** A table, with PostgreSQL's types of the columns that are read. */
export interface ReadTable {
  readonly name: string;
  readonly types: ReadonlyMap<string, string>;
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
  pg_attribute: {
    id: 1249,
    columns: {
      attrelid: 'oid',
      attname: 'name',
      attnum: 'smallint',
      atttypid: 'oid',
      atttypmod: 'integer',
      attcollation: 'oid',
      attgenerated: '"char"',
      attisdropped: 'boolean',
    },
  },
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

/** The collation of the database, and none. */
const collations: readonly string[] = ['0', '100'];

const kinds: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
  p: 'a partitioned table',
};

function distrusted(what: string, why: string): MirrorError {
  return new MirrorError('SEAL-REFUSED', `${what}: ${why}, so its rows prove nothing; undo that`);
}

/** The numbers of a table and of its columns' types, as the server itself resolves the names. */
async function readShape(tx: Tx, name: string, columns: readonly string[]) {
  const list = sql.join(
    columns.map((column) => sql.identifier(column)),
    sql`, `,
  );
  const { fields } = await tx.run('seal.shape', (db) =>
    db.execute(sql`select ${list} from only ${sql.raw(name)} limit 0`),
  );
  return fields;
}

/** @param isWanted of the rows, by the first column; all by default */
async function readCatalog<Name extends Catalog>(
  tx: Tx,
  name: Name,
  isWanted: (first: string) => boolean = () => true,
): Promise<CatalogRow<Name>[]> {
  const { id, columns } = catalogs[name];
  const table = `pg_catalog.${name}`;
  const typed = Object.entries(columns);
  const rows: CatalogRow<Name>[] = [];
  const read = typed.map(([column, type]) => [column, binaryTypes[type].textOf] as const);
  // Sent together: a statement takes less time than its way.
  const [fields] = await Promise.all([
    readShape(tx, table, Object.keys(columns)),
    tx.copy('seal.catalog', { table, columns: read }, (row) => {
      if (!isWanted(row.text(0) ?? '')) return;
      const texts = typed.map(([column], n) => [column, row.text(n) ?? '']);
      rows.push(Object.fromEntries(texts) as CatalogRow<Name>);
    }),
  ]);
  for (const [n, [column, type]] of typed.entries())
    if (fields[n]?.tableID !== id || fields[n]?.dataTypeID !== binaryTypes[type].id)
      throw distrusted(`${table}.${column}`, 'this is not the catalog of PostgreSQL');
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
  const ids = new Set(Object.values(binaryTypes).map(({ id }) => String(id)));
  const [types, numbers] = await Promise.all([
    readCatalog(tx, 'pg_type', (oid) => ids.has(oid)),
    refuseKinds(tx, tables),
  ]);
  refuseTypes(types);
  const owners = new Set(numbers.values());
  const attributes = await readCatalog(tx, 'pg_attribute', (owner) => owners.has(owner));
  for (const table of tables) refuseColumns(table, numbers.get(table.name), attributes);
  const shapes = await Promise.all(tables.map(({ name, types }) => readShape(tx, name, [...types.keys()])));
  for (const [nth, { name, types }] of tables.entries())
    for (const [n, [column, type]] of [...types].entries()) {
      const number = attributes.find(
        (each) => each.attrelid === numbers.get(name) && each.attname === column,
      );
      const shape = shapes[nth]?.[n];
      const isOwn = String(shape?.tableID) === number?.attrelid && String(shape?.columnID) === number?.attnum;
      if (!isOwn || shape?.dataTypeID !== typeOf(type).id)
        throw distrusted(`${name}.${column}`, 'the catalogs describe another table of this name');
    }
  return numbers;
}

function refuseColumns(
  { name, types }: ReadTable,
  number: string | undefined,
  attributes: readonly CatalogRow<'pg_attribute'>[],
): void {
  for (const [column, type] of types) {
    const found = attributes.find(
      (each) => each.attrelid === number && each.attname === column && each.attisdropped === 'false',
    );
    const what = `${name}.${column}`;
    if (found === undefined) throw distrusted(what, 'there is no such column');
    if (found.atttypid !== String(typeOf(type).id) || found.atttypmod !== '-1')
      throw distrusted(what, `it is not of type ${type}`);
    if (!collations.includes(found.attcollation)) throw distrusted(what, 'it has a collation of its own');
    if (found.attgenerated !== '' && found.attgenerated !== '\0') throw distrusted(what, 'it is generated');
  }
}

function typeOf(name: string) {
  if (!isBinaryType(name)) throw new TypeError(`the type ${name} cannot be sealed`);
  return binaryTypes[name];
}

function refuseTypes(types: readonly CatalogRow<'pg_type'>[]): void {
  for (const [name, { id, sends }] of Object.entries(binaryTypes)) {
    const found = types.filter(({ oid }) => oid === String(id));
    if (found.length !== 1 || found[0]?.typsend !== String(sends))
      throw distrusted(`the type ${name}`, 'its values are not sent by the function of PostgreSQL');
  }
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
    [...found].map(([name, [row, second]]) => {
      if (row === undefined || second !== undefined) throw distrusted(name, 'it does not exist once');
      const { oid } = row;
      const isTrue = (value: string) => value === 'true';
      if (row.relkind !== 'r') throw distrusted(name, `it is ${kinds[row.relkind] ?? 'something else'}`);
      if (row.relpersistence !== 'p') throw distrusted(name, 'it is not logged');
      if (isTrue(row.relrowsecurity) || isTrue(row.relforcerowsecurity))
        throw distrusted(name, 'it has row security');
      if (
        isTrue(row.relispartition) ||
        inherits.some((each) => each.inhrelid === oid || each.inhparent === oid)
      )
        throw distrusted(name, 'it inherits');
      if (rules.some((rule) => rule.ev_class === oid)) throw distrusted(name, 'it has a rule');
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
