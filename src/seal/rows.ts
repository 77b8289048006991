// The rows of an account that are sealed, as leaves of the log.
import { type Bytes, type Hash, utf8, value } from '../base/encoded-values.ts';
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

/** The text of a column. */
export type Row = (column: string) => string | null;

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
  encode(text: string): Bytes;
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
  return [...names].sort().map((column) => fieldOf(column, encoders[columns.get(column) ?? 'text']));
}

function fieldOf(column: string, encode: Field['encode']): Field {
  return { column, name: value('t', column), encode };
}

function encodeObject(fields: readonly Field[], text: Row): Bytes {
  let members = '';
  for (const { column, name, encode } of fields) {
    const own = text(column);
    if (own !== null) members += name + encode(own);
  }
  return value('o', members);
}

/** The members of a snapshot that are intervals: those that begin with it, whole, or end, by their keys. */
export const intervalParts = (
  [
    ['balances', balancesTable],
    ['unreadable', unreadableTable],
  ] as const
).flatMap(([name, table]) => {
  const began = fieldsOf(table, table.columns.keys());
  const ended = fieldsOf(table, table.key);
  return [
    { member: `${name}_began`, table, moment: 'valid_from', encode: (row: Row) => encodeObject(began, row) },
    { member: `${name}_ended`, table, moment: 'valid_to', encode: (row: Row) => encodeObject(ended, row) },
  ] as const;
});

/** A table, and how its rows become leaves. */
export interface Source {
  readonly table: SealedTable;
  readonly fields: readonly Field[];
  readonly key: readonly Field[];
}

function sourceOf(table: SealedTable): Source {
  const columns = fieldsOf(table, table.columns.keys());
  const ofKey = (name: string) => columns.filter(({ column }) => column === name);
  // What begins and ends there comes encoded.
  const parts = intervalParts.map(({ member }) => fieldOf(member, (rows) => value('a', rows)));
  const fields = [...columns, ...(table === snapshotTable ? parts : [])];
  return {
    table,
    fields: fields.sort((a, b) => (a.column < b.column ? -1 : 1)),
    key: table.key.flatMap(ofKey),
  };
}

export const sources: readonly Source[] = sealedTables.map(sourceOf);

/** JavaScript cannot distinguish larger numbers; rows that a superuser numbers beyond them have no place. */
export const lastNumber = Number.MAX_SAFE_INTEGER;

export function leafOf({ table, fields, key }: Source, text: Row): Leaf {
  const changeId = Number(text('change_id'));
  const content = encodeObject(fields, text);
  const keyValues = key.map(({ column, encode }) => encode(text(column) ?? ''));
  const entry = entryOf(table, changeId, keyValues, content);
  return { table: table.name, changeId, content, entry, hash: hashOfLeaf(entry) };
}
