// Reads a table by COPY in PostgreSQL's binary format. `copy table (columns) to stdout` scans the table itself:
// the server plans nothing, evaluates nothing and uses no index, and refuses views and foreign tables.
import pg from 'pg';
import type { TextOf } from './binary-text.ts';

/** One row at a time, valid until the next one comes. */
export interface CopiedRow {
  /** The column as text; null for null. */
  text(column: number): string | null;
  /** Whether the column holds these bytes. */
  holds(column: number, bytes: Buffer): boolean;
}

/** What is read: columns with their types. */
export interface Copy {
  /** With its schema. */
  readonly table: string;
  readonly columns: readonly (readonly [name: string, textOf: TextOf])[];
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const headerBytes = signature.length + 8;

/** The driver's query, with the rows of COPY, which it drops itself. */
class CopyQuery extends pg.Query {
  readonly #take: (bytes: Buffer) => void;

  constructor(text: string, take: (bytes: Buffer) => void, end: (error?: Error) => void) {
    super(text, end);
    this.#take = take;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.#take(chunk);
  }
}

/** @param onRow called for each row as it arrives; what it throws ends the reading */
export async function copyOut(
  client: pg.PoolClient,
  { table, columns }: Copy,
  onRow: (row: CopiedRow) => void,
): Promise<void> {
  const reader = createReader(table, columns, onRow);
  let failure: unknown = null;
  const take = (bytes: Buffer) => {
    if (failure !== null) return;
    try {
      reader.take(bytes);
    } catch (error) {
      failure = error ?? new Error('reading failed');
    }
  };
  const names = columns.map(([name]) => `"${name}"`).join();
  const ended = new Promise<void>((resolve, reject) => {
    const text = `copy ${table} (${names}) to stdout (format binary)`;
    client.query(new CopyQuery(text, take, (error) => (error ? reject(error) : resolve())));
  });
  await ended;
  if (failure !== null) throw failure;
  reader.end();
}

/** Each message of the server is one row; the first begins with the header, the last is the trailer. */
function createReader(table: string, columns: Copy['columns'], onRow: (row: CopiedRow) => void) {
  const cut = () => new Error(`COPY of ${table} sent something that is not a row`);
  const [starts, ends] = [new Int32Array(columns.length), new Int32Array(columns.length)];
  let bytes: Buffer = Buffer.alloc(0);
  let [hasBegun, hasEnded] = [false, false];
  const row: CopiedRow = {
    text(column) {
      const [start = 0, end = -1] = [starts[column], ends[column]];
      return end < 0 ? null : (columns[column]?.[1](bytes, start, end) ?? null);
    },
    holds(column, own) {
      const [start = 0, end = -1] = [starts[column], ends[column]];
      return end - start === own.length && bytes.compare(own, 0, own.length, start, end) === 0;
    },
  };
  const takeRow = (from: number): number => {
    const count = bytes.readInt16BE(from);
    let at = from + 2;
    if (count === -1) hasEnded = true;
    if (count === -1) return at;
    if (count !== columns.length) throw cut();
    for (let n = 0; n < count; n += 1) {
      const length = bytes.readInt32BE(at);
      at += 4;
      starts[n] = at;
      ends[n] = length < 0 ? -1 : at + length;
      at += Math.max(0, length);
    }
    if (at > bytes.length) throw cut();
    onRow(row);
    return at;
  };
  return {
    take(chunk: Buffer): void {
      bytes = chunk;
      let at = 0;
      if (!hasBegun) {
        if (!chunk.subarray(0, signature.length).equals(signature)) throw cut();
        hasBegun = true;
        at = headerBytes;
      }
      while (at < bytes.length) {
        if (hasEnded) throw cut();
        at = takeRow(at);
      }
    },
    end(): void {
      if (!hasEnded) throw cut();
    },
  };
}
