// The entry of a row in the log: which row it is, and the SHA-256 of its content. tlog-tiles allows an entry
// 65,535 bytes, which the content may exceed. docs/sealing-format.md has both, for programs of other makers.
import {
  createValueWriter,
  type Hash,
  readValues,
  type Scalar,
  sha256,
  type ValueWriter,
  writeJson,
} from './encoding.ts';
import {
  type ColumnType,
  type IntervalTableName,
  intervalTables,
  type SealedTableName,
  sealedTables,
  snapshotTable,
} from './tables.ts';
import { hashOfLeaf } from './tree.ts';

const format = 'custody-mirror row 1';
/** A longer value of a key stands as its SHA-256, so that an entry is short whatever the service names. */
const longestKeyBytes = 1_024;

/** The values of a row by column, without account_id; of `rows` the encoded rows. */
export type Row = Readonly<Record<string, string | readonly Uint8Array[] | null>>;

/** A row as it stands in the log. */
export interface Leaf {
  readonly table: SealedTableName;
  readonly changeId: number;
  readonly entry: Buffer;
  readonly hash: Hash;
}

/** What an entry says of its row. */
export interface EntryRead {
  readonly table: string;
  readonly changeId: number;
  /** The values of its primary key; of a long one `sha256:` and the digest. */
  readonly key: readonly string[];
  /** The encoded key, as latin1: equal for equal keys. */
  readonly keyBytes: string;
  /** Of a snapshot with which no balance began or ended. */
  readonly mayBeThinned: boolean;
}

interface Member {
  readonly name: string;
  readonly encodedName: Buffer;
  readonly type: ColumnType;
}

/** Makes leaves of the rows of a table. */
export function createRowEncoder(
  table: SealedTableName,
  account: string,
): (row: Row, changeId: number) => Leaf {
  const { key, columns } = sealedTables[table];
  const members = membersOf({ account_id: 'text', ...columns });
  const types: Columns = columns;
  const writer = createValueWriter();
  return (row, changeId) => {
    writeRow(writer, members, row, account);
    const digest = sha256(writer.take());
    writer.around('array', () => {
      writer.scalar('text', format);
      writer.scalar('text', table);
      writer.scalar('number', String(changeId));
      writer.around('array', () => {
        writer.scalar('text', account);
        for (const name of key) writeKeyValue(writer, types[name] as Scalar, row[name]);
      });
      writer.digest(digest);
      if (table === snapshotTable && !members.some(({ name, type }) => type === 'rows' && row[name]?.length))
        writer.scalar('boolean', 'true');
    });
    const entry = Buffer.from(writer.take());
    return { table, changeId, entry, hash: hashOfLeaf(entry) };
  };
}

/** Encodes rows that are sealed within another: whole, or by the columns of their key alone. */
export function createPartEncoder(table: IntervalTableName, account: string, part: 'whole' | 'key') {
  const { key, columns } = intervalTables[table];
  const types: Columns = columns;
  const named =
    part === 'whole' ? types : Object.fromEntries(key.map((name) => [name, types[name] ?? 'text']));
  const members = membersOf({ account_id: 'text', ...named });
  const writer = createValueWriter();
  return (row: Row): Uint8Array => {
    writeRow(writer, members, row, account);
    return Buffer.from(writer.take());
  };
}

type Columns = Readonly<Record<string, ColumnType>>;

function membersOf(columns: Columns): readonly Member[] {
  const writer = createValueWriter();
  return Object.entries(columns)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => {
      writer.scalar('text', name);
      return { name, type, encodedName: Buffer.from(writer.take()) };
    });
}

function writeRow(writer: ValueWriter, members: readonly Member[], row: Row, account: string): void {
  writer.around('object', () => {
    for (const { name, encodedName, type } of members) {
      const value = name === 'account_id' ? account : row[name];
      if (value === null || value === undefined || (type === 'rows' && value.length === 0)) continue;
      writer.encoded(encodedName);
      writeValue(writer, type, value);
    }
  });
}

function writeValue(writer: ValueWriter, type: ColumnType, value: string | readonly Uint8Array[]): void {
  if (typeof value !== 'string')
    writer.around('array', () => {
      for (const each of value) writer.encoded(each);
    });
  else if (type === 'json' || type === 'texts') writeJson(writer, value);
  else if (type !== 'rows') writer.scalar(type, value);
}

function writeKeyValue(writer: ValueWriter, type: Scalar, value: Row[string] | undefined): void {
  const text = typeof value === 'string' ? value : '';
  if (text.length * 3 > longestKeyBytes && Buffer.byteLength(text) > longestKeyBytes)
    writer.digest(sha256(Buffer.from(text)));
  else writer.scalar(type, text);
}

/** Of bytes that are no entry, that of no row. */
export function readEntry(entry: Buffer): EntryRead {
  const [list = ''] = readValues(entry);
  const [, table = '', changeId, keyBytes = '', , mark] = readValues(Buffer.from(list, 'latin1'));
  const key = readValues(Buffer.from(keyBytes, 'latin1'));
  return { table, changeId: Number(changeId), key, keyBytes, mayBeThinned: mark === 'true' };
}

/** Whether the entry is of the snapshot that was thinned, and of one that may be. */
export function isThinned({ table, changeId, mayBeThinned }: EntryRead, thinned: number): boolean {
  return table === snapshotTable && changeId === thinned && mayBeThinned;
}

/** Entries as tlog-tiles bundles them: each after its length in two bytes. */
export function bundle(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.allocUnsafe(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );
}

/** @throws RangeError when the bytes are no bundle */
export function unbundle(bytes: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + bytes.readUInt16BE(at);
    if (end > bytes.length) throw new RangeError('a bundle of entries is cut');
    entries.push(bytes.subarray(at + 2, end));
    at = end;
  }
  return entries;
}
