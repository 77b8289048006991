// The rows of an account that are sealed, in the order of its commits, as leaves of the log. One statement
// reads a page of all tables together, every value as text.
import { type SQL, sql } from 'drizzle-orm';
import { type Bytes, type Hash, utf8, value } from '../base/encoded-values.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { encodeJson, entryOf } from './entry.ts';
import {
  balancesTable,
  type ColumnType,
  type SealedTable,
  sealedTables,
  snapshotTable,
  unreadableTable,
} from './tables.ts';
import { hashOfLeaf } from './tree.ts';

/** Runs one statement that only reads. */
export type Ask = Tx['ask'];

/** A row as it stands in the log. */
export interface Leaf {
  readonly table: string;
  readonly changeId: number;
  readonly content: Bytes;
  readonly entry: Bytes;
  readonly hash: Hash;
}

/** A member of a row's content. */
interface Field {
  readonly column: string;
  /** The column's name, encoded. */
  readonly name: Bytes;
  readonly sql: string;
  encode(text: string): Bytes;
}

type Texts = readonly (string | null)[];

/**
 * A double holds all digits of moments in these years, and takes half the time. Of the last moments PostgreSQL
 * rounds the epoch. An infinite moment, which no writer makes, stays a word.
 */
const micros = (column: string) =>
  `case when ${column} between '1970-01-01Z' and '2100-01-01Z' then (date_part('epoch', ${column}) * 1000000)::bigint::text
    when not isfinite(${column}) then ${column}::text
    when ${column} > '200000-01-01Z' then trim_scale(extract(epoch from ${column} - interval '876582000 hours') * 1000000 + 3155695200000000000)::text
    else trim_scale(extract(epoch from ${column}) * 1000000)::text end`;

/** A column as text in the form in which it is encoded. */
export function asText(column: string, type: ColumnType = 'text'): string {
  if (type === 'text') return column;
  if (type === 'moment') return micros(column);
  return type === 'texts' ? `to_json(${column})::text` : `${column}::text`;
}

const encoders: Readonly<Record<ColumnType, (text: string) => Bytes>> = {
  text: (text) => value('t', utf8(text)),
  // A superuser can change the type of a column.
  number: (text) => value('n', utf8(text)),
  moment: (text) => value('m', utf8(text)),
  json: encodeJson,
  texts: encodeJson,
};

function fieldsOf({ columns }: SealedTable, names: Iterable<string>): Field[] {
  return [...names].sort().map((column) => {
    const type = columns.get(column) ?? 'text';
    return field(column, asText(`"${column}"`, type), encoders[type]);
  });
}

function field(column: string, expression: string, encode: Field['encode']): Field {
  return { column, name: value('t', column), sql: expression, encode };
}

function encodeObject(fields: readonly Field[], texts: Texts): Bytes {
  let members = '';
  fields.forEach(({ name, encode }, n) => {
    const text = texts[n] ?? null;
    if (text !== null) members += name + encode(text);
  });
  return value('o', members);
}

/** The columns of an interval that are sealed as it begins, or ends. */
export function intervalColumns(table: SealedTable, moment: 'valid_from' | 'valid_to'): readonly string[] {
  return moment === 'valid_from' ? [...table.columns.keys()].sort() : table.key.toSorted();
}

/** The intervals that begin, or end, with a snapshot `s`: whole, or by their keys. */
function intervals(column: string, table: SealedTable, moment: 'valid_from' | 'valid_to'): Field {
  const fields = fieldsOf(table, intervalColumns(table, moment));
  const select = `(select json_agg(array[${fields.map((each) => each.sql).join()}]
      order by asset_id collate "C", network_id collate "C", valid_from)::text
    from ${table.name} i where i.account_id = s.account_id and i.vault_type = s.vault_type and i.${moment} = s.snapshot_at)`;
  return field(column, select, (text) => {
    const rows: readonly Texts[] = JSON.parse(text);
    return value('a', rows.map((row) => encodeObject(fields, row)).join(''));
  });
}

const parts = [
  intervals('balances_began', balancesTable, 'valid_from'),
  intervals('balances_ended', balancesTable, 'valid_to'),
  intervals('unreadable_began', unreadableTable, 'valid_from'),
  intervals('unreadable_ended', unreadableTable, 'valid_to'),
];

/** What one branch of the statement reads. */
export interface Source {
  readonly table: SealedTable;
  readonly fields: readonly Field[];
  /** Of the key, their places among the fields. */
  readonly key: readonly number[];
  /** The place of the number. */
  readonly number: number;
}

function sourceOf(table: SealedTable): Source {
  const columns = fieldsOf(table, table.columns.keys());
  const fields = [...columns, ...(table === snapshotTable ? parts : [])].sort((a, b) =>
    a.column < b.column ? -1 : 1,
  );
  const placeOf = (name: string) => fields.findIndex(({ column }) => column === name);
  return { table, fields, key: table.key.map(placeOf), number: placeOf('change_id') };
}

export const sources: readonly Source[] = sealedTables.map(sourceOf);

/** JavaScript cannot distinguish larger numbers; rows that a superuser numbers beyond them have no place. */
export const lastNumber = Number.MAX_SAFE_INTEGER;

/** A page ends before the row that would exceed this weight, so that no history fills the memory. */
const weightOfPage = 2_000_000;
const rowsTogether = 256;

/** Many rows as one JSON array: that is read several times as fast as rows and columns are. */
type PageRow = Readonly<Record<'rows', string>>;

/** The first rows after the number. Rows that share a number, which no writer makes, are on one page. */
function selectPage(account: string, after: number, count: number): SQL {
  const from = ({ table }: Source) =>
    sql`from ${sql.raw(table.name)} s where s.account_id = ${account}
      and ${sql.raw(`s.change_id > ${after} and s.change_id <= ${lastNumber}`)}`;
  const numbers = sources.map(
    (source) => sql`(select change_id as number, (${sql.raw(source.table.weight)})::float8 as weight
      ${from(source)} order by 1 limit ${sql.raw(String(count))})`,
  );
  const rows = sources.map((source, nth) => {
    const texts = source.fields.map((each) => each.sql).join();
    return sql`select ${sql.raw(`${nth} as nth, change_id as number, to_json(array[${texts},'${nth}'])::text as texts`)}
      ${from(source)} and s.change_id <= (select last from bound)`;
  });
  return sql`
    with bound as materialized (
      select max(number) as last from (
        select number, rank() over upto as nth, sum(weight) over upto as weight
        from (select * from (${sql.join(numbers, sql` union all `)}) as a order by number limit ${sql.raw(String(count))}) as n
        window upto as (order by number)
      ) as p where nth = 1 or weight <= ${sql.raw(String(weightOfPage))}
    )
    select '[' || string_agg(texts, ',' order by number, nth) || ']' as rows
    from (${sql.join(rows, sql` union all `)}) as r group by number / ${sql.raw(String(rowsTogether))} order by number / ${sql.raw(String(rowsTogether))}`;
}

/** @param texts of the fields of the source */
export function leafOf({ table, fields, key, number }: Source, texts: Texts): Leaf {
  const changeId = Number(texts[number]);
  const content = encodeObject(fields, texts);
  const keyValues = key.map((n) => fields[n]?.encode(texts[n] ?? '') ?? '');
  const entry = entryOf(table, changeId, keyValues, content);
  return { table: table.name, changeId, content, entry, hash: hashOfLeaf(entry) };
}

const ask = (from: Ask, account: string, after: number, count: number) =>
  from<PageRow>('seal.read', selectPage(account, after, count));

/** The first rows after a number: about so many, fewer if they are large. */
export async function readPage(from: Ask, account: string, after: number, count: number): Promise<Leaf[]> {
  return [...leavesOf(await ask(from, account, after, count))];
}

/** If all were encoded before the first is taken, they would survive the next garbage collection. */
function* leavesOf(rows: readonly PageRow[]): Generator<Leaf> {
  for (const { rows: texts } of rows)
    for (const row of JSON.parse(texts) as Texts[]) yield leafOf(sources[Number(row.at(-1))] as Source, row);
}
