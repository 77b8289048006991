// Reads a table by COPY in PostgreSQL's binary format. `copy table (columns) to stdout` scans the table
// itself: the server plans nothing, evaluates nothing and uses no index, and refuses views and foreign
// tables. Only sealing, which reads what was added, and the proof of one row leave a condition to it.
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';

// PostgreSQL's values in binary format, as the text that is sealed (docs/sealing-format.md): decimal numbers
// as PostgreSQL writes them, moments in microseconds since 1970, JSON and texts as they are.

/** A value, from its bytes between two places. */
type TextOf = (bytes: Buffer, start: number, end: number) => string;

/** 2000-01-01T00:00:00Z, from which PostgreSQL counts. */
const epochMicros = 946_684_800_000_000;
/** By the high half of the moment, which no finite moment has. */
const infinities: Readonly<Record<number, string>> = { 2147483647: 'infinity', [-0x80000000]: '-infinity' };
/** Multiplied by this, the high half of an integer of 64 bits stays a safe integer below the bound. */
const [highHalf, highBound] = [2 ** 32, 2 ** 20];

const text: TextOf = (bytes, start, end) => bytes.toString('utf8', start, end);

function int64(bytes: Buffer, at: number, offset = 0): string {
  const high = bytes.readInt32BE(at);
  if (high < highBound && high >= -highBound)
    return String(high * highHalf + bytes.readUInt32BE(at + 4) + offset);
  return String(bytes.readBigInt64BE(at) + BigInt(offset));
}

const moment: TextOf = (bytes, at) => infinities[bytes.readInt32BE(at)] ?? int64(bytes, at, epochMicros);

const numericSigns: Readonly<Record<number, string>> = {
  0: '',
  16384: '-',
  49152: 'NaN',
  53248: 'Infinity',
  61440: '-Infinity',
};
const digitsOfGroup = 4;

/** Groups of four decimal digits: how many, the weight of the first, the sign, and the scale that is shown. */
const numeric: TextOf = (bytes, at) => {
  const [groups, weight] = [bytes.readUInt16BE(at), bytes.readInt16BE(at + 2)];
  const [sign, scale] = [numericSigns[bytes.readUInt16BE(at + 4)], bytes.readUInt16BE(at + 6)];
  if (sign === undefined) throw new Error('a number with an unknown sign');
  if (sign.length > 1) return sign;
  const group = (n: number) =>
    n < 0 || n >= groups ? '0000' : String(bytes.readUInt16BE(at + 8 + 2 * n)).padStart(digitsOfGroup, '0');
  let whole = '';
  for (let n = 0; n <= weight; n += 1) whole += group(n);
  let fraction = '';
  for (let n = weight + 1; fraction.length < scale; n += 1) fraction += group(n);
  const shown = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign}${shown}${scale === 0 ? '' : `.${fraction.slice(0, scale)}`}`;
};

/** @returns an array as JSON, of arrays where it has more dimensions */
const arrayOf =
  (element: TextOf): TextOf =>
  (bytes, start) => {
    const dimensions = bytes.readInt32BE(start);
    const sizes = Array.from({ length: dimensions }, (_, n) => bytes.readInt32BE(start + 12 + 8 * n));
    let at = start + 12 + 8 * dimensions;
    const next = () => {
      const length = bytes.readInt32BE(at);
      const from = at + 4;
      at = from + Math.max(0, length);
      return length < 0 ? null : element(bytes, from, at);
    };
    const nested = (depth: number): unknown =>
      depth === dimensions ? next() : Array.from({ length: sizes[depth] ?? 0 }, () => nested(depth + 1));
    return dimensions === 0 ? '[]' : JSON.stringify(nested(0));
  };

interface BinaryType {
  /** PostgreSQL's number of the type, and of the function that sends its values: they never change. */
  readonly id: number;
  readonly sends: number;
  readonly textOf: TextOf;
}

/** By the names that PostgreSQL shows. */
export const binaryTypes = {
  text: { id: 25, sends: 2415, textOf: text },
  integer: { id: 23, sends: 2407, textOf: (bytes, at) => String(bytes.readInt32BE(at)) },
  bigint: { id: 20, sends: 2409, textOf: (bytes, at) => int64(bytes, at) },
  boolean: { id: 16, sends: 2437, textOf: (bytes, at) => String(bytes[at] === 1) },
  numeric: { id: 1700, sends: 2461, textOf: numeric },
  'timestamp with time zone': { id: 1184, sends: 2477, textOf: moment },
  // The first byte is the version of the format.
  jsonb: { id: 3802, sends: 3803, textOf: (bytes, start, end) => text(bytes, start + 1, end) },
  'text[]': { id: 1009, sends: 2401, textOf: arrayOf(text) },
  oid: { id: 26, sends: 2419, textOf: (bytes, at) => String(bytes.readUInt32BE(at)) },
  regproc: { id: 24, sends: 2445, textOf: (bytes, at) => String(bytes.readUInt32BE(at)) },
  name: { id: 19, sends: 2423, textOf: text },
  '"char"': { id: 18, sends: 2435, textOf: text },
} as const satisfies Readonly<Record<string, BinaryType>>;

export type BinaryTypeName = keyof typeof binaryTypes;

export function isBinaryType(name: string): name is BinaryTypeName {
  return Object.hasOwn(binaryTypes, name);
}

/** One row at a time, valid until the next one comes. */
export interface CopiedRow {
  /** The column as text; null for null. */
  text(column: number): string | null;
  /** Whether the column holds these bytes. */
  holds(column: number, bytes: Buffer): boolean;
}

/** The table to read, and its columns with their types. */
export interface Copy {
  /** With its schema. */
  readonly table: string;
  readonly columns: readonly (readonly [name: string, type: BinaryTypeName])[];
  /** The wanted rows; all of them by default. */
  readonly where?: SQL | undefined;
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const headerBytes = signature.length + 8;

/** @param onRow called for each row as it arrives; an error that it throws ends the reading */
export async function copyOut(
  client: pg.PoolClient,
  { table, columns, where }: Copy,
  onRow: (row: CopiedRow) => void,
): Promise<void> {
  const reader = createReader(table, columns, onRow);
  let failure: unknown = null;
  const handleCopyData = ({ chunk }: { readonly chunk: Buffer }) => {
    if (failure !== null) return;
    try {
      reader.take(chunk);
    } catch (error) {
      failure = error ?? new Error('reading failed');
    }
  };
  const names = columns.map(([name]) => `"${name}"`).join();
  await new Promise<void>((resolve, reject) => {
    const source = where === undefined ? `${table} (${names})` : chosen(`${names} from only ${table}`, where);
    const text = `copy ${source} to stdout (format binary)`;
    const query = new pg.Query(text, (error?: Error) => (error ? reject(error) : resolve()));
    // The driver drops the rows of COPY itself.
    client.query(Object.assign(query, { handleCopyData }));
  });
  if (failure !== null) throw failure;
  reader.end();
}

/** COPY takes no parameters. */
function chosen(from: string, where: SQL): string {
  return `(select ${from} where ${new PgDialect().sqlToQuery(where.inlineParams()).sql})`;
}

/** Each message of the server is one row; the first begins with the header, the last is the trailer. */
function createReader(table: string, columns: Copy['columns'], onRow: (row: CopiedRow) => void) {
  const cut = () => new Error(`COPY of ${table} sent something that is not a row`);
  const textOf = columns.map(([, type]): TextOf => binaryTypes[type].textOf);
  const [starts, ends] = [new Int32Array(columns.length), new Int32Array(columns.length)];
  let bytes: Buffer = Buffer.alloc(0);
  let [hasBegun, hasEnded] = [false, false];
  const row: CopiedRow = {
    text(column) {
      const [start = 0, end = -1] = [starts[column], ends[column]];
      return end < 0 ? null : (textOf[column]?.(bytes, start, end) ?? null);
    },
    holds(column, own) {
      const [start = 0, end = -1] = [starts[column], ends[column]];
      return end - start === own.length && bytes.compare(own, 0, own.length, start, end) === 0;
    },
  };
  return {
    take(chunk: Buffer): void {
      bytes = chunk;
      let at = hasBegun ? 0 : headerBytes;
      if (!hasBegun && !chunk.subarray(0, signature.length).equals(signature)) throw cut();
      hasBegun = true;
      while (at < bytes.length) {
        const count = bytes.readInt16BE(at);
        at += 2;
        if (hasEnded || (count !== -1 && count !== columns.length)) throw cut();
        hasEnded = count === -1;
        for (let n = 0; n < count; n += 1) {
          const length = bytes.readInt32BE(at);
          at += 4;
          starts[n] = at;
          ends[n] = length < 0 ? -1 : at + length;
          at += Math.max(0, length);
        }
        if (at > bytes.length) throw cut();
        if (!hasEnded) onRow(row);
      }
    },
    end(): void {
      if (!hasEnded) throw cut();
    },
  };
}
