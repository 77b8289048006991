// The rows of an account that are sealed, as leaves of the log. The entry of a row says which row it is, and
// the SHA-256 of its content: tlog-tiles allows an entry 65,535 bytes, which the content may exceed.
// docs/sealing-format.md defines both, for third-party programs.
import { type Bytes, type Hash, sha256, toBuffer, uint, utf8, value } from '../base/encoded-values.ts';
import { createContentDigest, parseExactly } from '../custody/decode/exact-json.ts';
import { onOneLine } from '../domain/words.ts';
import type { BinaryTypeName } from '../store/postgres/copy-out.ts';
import { microsToIso } from '../store/values/micros.ts';
import {
  balancesTable,
  provenTables,
  type SealedTable,
  sealedTables,
  snapshotTable,
  unreadableTable,
} from './tables.ts';
import { hashOfLeaf } from './tree.ts';

/** The text of a column. */
export type Row = (column: string) => string | null;

/** A row, by its key. */
export interface RowNamed {
  readonly table: string;
  /** The values of its primary key. */
  readonly key: readonly string[];
}

/** What an entry says of its row. */
export interface EntryRead extends RowNamed {
  readonly changeId: number;
  /** The encoded key: equal for equal keys. */
  readonly keyBytes: Bytes;
}

/** A row as it stands in the log. */
export interface Leaf {
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

const number = (text: string) => value('n', text);

const encoders: Readonly<Partial<Record<BinaryTypeName, Field['encode']>>> = {
  text: (text) => value('t', utf8(text)),
  integer: number,
  bigint: number,
  numeric: number,
  'timestamp with time zone': (text) => value('m', text),
  jsonb: encodeJson,
  'text[]': encodeJson,
};

/** @param names of columns, or of members for intervals of a snapshot, which come encoded */
function fieldsOf({ columns }: SealedTable, names: readonly string[]): Field[] {
  return names.toSorted().map((column) => {
    const type = columns.get(column);
    const encode = type === undefined ? (rows: string) => value('a', rows) : encoders[type];
    if (encode === undefined) throw new TypeError(`${column} has a type that cannot be sealed`);
    return { column, name: value('t', column), encode };
  });
}

/** The end of a balance is sealed with the snapshot in which it ends. */
const sealedOf = ({ columns }: SealedTable) => [...columns.keys()].filter((name) => name !== 'valid_to');

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
    ['balances_began', balancesTable, 'valid_from'],
    ['balances_ended', balancesTable, 'valid_to'],
    ['unreadable_began', unreadableTable, 'valid_from'],
    ['unreadable_ended', unreadableTable, 'valid_to'],
  ] as const
).map(([member, table, moment]) => {
  const fields = fieldsOf(table, moment === 'valid_from' ? sealedOf(table) : table.key);
  return { member, table, moment, encode: (row: Row) => encodeObject(fields, row) };
});

/** A table, and how its rows become leaves. */
export interface Source {
  readonly table: SealedTable;
  readonly fields: readonly Field[];
  readonly key: readonly Field[];
}

export const sources: readonly Source[] = sealedTables.map((table) => {
  const parts = table === snapshotTable ? intervalParts.map(({ member }) => member) : [];
  const key = table.key.flatMap((column) => fieldsOf(table, [column]));
  return { table, fields: fieldsOf(table, [...sealedOf(table), ...parts]), key };
});

/** JavaScript cannot distinguish larger numbers; rows that a superuser numbers beyond them have no place. */
export const lastNumber = Number.MAX_SAFE_INTEGER;

const format = value('t', 'custody-mirror row 1');

export function leafOf({ table, fields, key }: Source, row: Row): Leaf {
  const changeId = Number(row('change_id'));
  const content = encodeObject(fields, row);
  const ofKey = key.map(({ column, encode }) => encode(row(column) ?? '')).join('');
  const which = format + value('t', table.name) + value('n', String(changeId)) + value('a', ofKey);
  const entry = value('a', which + value('b', sha256(content)));
  return { changeId, content, entry, hash: hashOfLeaf(entry) };
}

/** Bytes that are not an entry give the entry of no row. */
export function readEntry(entry: Bytes): EntryRead {
  const bodies = (bytes: Bytes) => readValues(bytes).map(({ body }) => body);
  const [, table = '', changeId, keyBytes = ''] = bodies(bodies(entry)[0] ?? '');
  const key = bodies(keyBytes).map((body) => toBuffer(body).toString());
  return { table, changeId: Number(changeId), key, keyBytes };
}

export function isSameRow(a: EntryRead, b: EntryRead): boolean {
  return a.table === b.table && a.keyBytes === b.keyBytes;
}

/** Entries as tlog-tiles bundles them: each after its length in two bytes. */
export function bundle(entries: readonly Bytes[]): Bytes {
  return entries.map((entry) => uint(entry.length, 2) + entry).join('');
}

/** Null when the bytes are not a bundle. */
export function unbundle(bytes: Bytes): Bytes[] | null {
  const entries: Bytes[] = [];
  for (let at = 0; at < bytes.length; ) {
    const start = at + 2;
    const end = start + bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1);
    if (!(end <= bytes.length)) return null;
    entries.push(bytes.slice(start, end));
    at = end;
  }
  return entries;
}

/** A letter and a length. */
const headLength = 5;

/** @param source JSON text, as PostgreSQL gives it */
export function encodeJson(source: string): Bytes {
  const body = parseExactly(source);
  const marks = { ...body, mayHoldUnstorable: false };
  return createContentDigest(marks, Number.POSITIVE_INFINITY, true).encode(body.value);
}

/** The whole values that stand one after the other: the letters of their types, and their bodies. */
export function readValues(bytes: Bytes) {
  const values: { readonly type: string; readonly body: Bytes }[] = [];
  for (let at = 0; at + headLength <= bytes.length; ) {
    const body = at + headLength;
    const end = body + toBuffer(bytes.slice(at + 1, body)).readUInt32BE();
    if (end > bytes.length) break;
    values.push({ type: bytes.charAt(at), body: bytes.slice(body, end) });
    at = end;
  }
  return values;
}

// Keys of rows, as people read them: moments as ISO 8601 in UTC.

/** `custody.… (account_id …, transaction_id …, sequence 2)`. */
export function shownRow({ table, key }: RowNamed) {
  const columns = tableOf(table)?.key ?? [];
  const shown = key.map((value, n) => `${columns[n]} ${shownValue(table, columns[n] ?? '', value)}`);
  return `${table} (${shown.join(', ')})`;
}

function tableOf(name: string) {
  return provenTables.find((each) => each.name === name);
}

/** A value of a column as people read it. */
export function shownValue(name: string, column: string, value: string): string {
  return tableOf(name)?.columns.get(column) === 'timestamp with time zone'
    ? shownMoment(value)
    : onOneLine(value);
}

/** From microseconds as text. Those beyond JavaScript's range stay a number. */
export function shownMoment(micros: string): string {
  return /^-?\d{1,18}$/.test(micros) ? microsToIso(Number(micros)) : onOneLine(micros);
}
