// Reads the tables of one account as the server sends them: whole, in any order, all rows of all accounts. What
// is not wanted is dropped here, so nothing rests on an order, a condition or a join of the server. What does
// not fit into memory at once is read in passes, each of which keeps a window of the history's numbers.
import type { Bytes, Hash } from '../base/encoded-values.ts';
import { utf8 } from '../base/encoded-values.ts';
import type { CopiedRow } from '../store/postgres/copy-out.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { intervalColumns, type Leaf, lastNumber, leafOf, type Source, sources } from './rows.ts';
import { balancesTable, type SealedTable, sealedTables, snapshotTable, unreadableTable } from './tables.ts';

/** The tables of an account in one state of the database. */
export interface Reader {
  readonly account: string;
  /** Reads the rows of the account, in any order. */
  scan(table: SealedTable, columns: readonly string[], onRow: (row: CopiedRow) => void): Promise<void>;
}

/** @param onRow called for each row that is read */
export function createReader(tx: Tx, account: string, onRow: () => void): Reader {
  const own = Buffer.from(account);
  return {
    account,
    async scan({ copy }, columns, onOwn) {
      const given = columns.indexOf('account_id');
      const wanted = given === -1 ? [...columns, 'account_id'] : columns;
      const ofAccount = given === -1 ? columns.length : given;
      const read = wanted.flatMap((name) => copy.columns.filter(([column]) => column === name));
      if (read.length !== wanted.length) throw new TypeError(`${copy.table} has no such columns`);
      await tx.copy('seal.copy', { table: copy.table, columns: read }, (row) => {
        onRow();
        if (row.holds(ofAccount, own)) onOwn(row);
      });
    },
  };
}

/** Numbers of the history: after one, up to another. */
export interface Window {
  readonly after: number;
  readonly upTo: number;
}

/** Whether a part of the rows, chosen by their keys, belongs to a pass. */
export interface Slice {
  readonly nth: number;
  readonly of: number;
}

export function isInSlice({ nth, of }: Slice, key: string): boolean {
  if (of === 1) return true;
  let hash = 0;
  for (let n = 0; n < key.length; n += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(n)) | 0;
  return (hash >>> 0) % of === nth;
}

/** About what a pass may keep in memory: rows of history, of which a balance counts as several. */
export const weightOfPass = 400_000;
const weightOfChange = 16;
const bucketsOfCensus = 4_096;

/** How many rows of history there are, and about where, by their numbers. */
export async function takeCensus(reader: Reader) {
  const buckets = new Float64Array(bucketsOfCensus);
  let [width, rows] = [1, 0];
  const widen = () => {
    for (let n = 0; n < bucketsOfCensus; n += 1)
      buckets[n] = n < bucketsOfCensus / 2 ? (buckets[2 * n] ?? 0) + (buckets[2 * n + 1] ?? 0) : 0;
    width *= 2;
  };
  for (const table of sealedTables) {
    const isSnapshot = table === snapshotTable;
    await reader.scan(table, ['change_id', ...(isSnapshot ? ['changed_count'] : [])], (row) => {
      const number = Number(row.text(0));
      rows += 1;
      if (!isNumber(number)) return;
      while (number >= width * bucketsOfCensus) widen();
      const weight =
        1 + (isSnapshot ? weightOfChange * Math.min(1_000, Math.max(0, Number(row.text(1)))) : 0);
      buckets[Math.floor(number / width)] = (buckets[Math.floor(number / width)] ?? 0) + weight;
    });
  }
  return {
    rows,
    /** All numbers, in windows of about this weight at most. */
    windows(atMost: number): Window[] {
      const windows: Window[] = [];
      let [from, weight] = [0, 0];
      for (const [n, next] of buckets.entries()) {
        const end = n * width - 1;
        if (weight > 0 && weight + next > atMost && end > from) {
          windows.push({ after: from, upTo: end });
          [from, weight] = [end, 0];
        }
        weight += next;
      }
      return [...windows, { after: from, upTo: lastNumber }];
    },
  };
}

/** Whether a row with this number can have a place in the log. */
export function isNumber(number: number): boolean {
  return number >= 1 && number <= lastNumber;
}

/** The hashes of leaves, by number. */
function createLeaves() {
  let numbers = new Float64Array(1_024);
  let hashes = Buffer.alloc(32 * 1_024);
  let tables = new Uint8Array(1_024);
  let count = 0;
  const grow = () => {
    const [oldNumbers, oldHashes, oldTables] = [numbers, hashes, tables];
    numbers = new Float64Array(2 * count);
    numbers.set(oldNumbers);
    hashes = Buffer.alloc(64 * count);
    hashes.set(oldHashes);
    tables = new Uint8Array(2 * count);
    tables.set(oldTables);
  };
  return {
    add(number: number, table: number, hash: Hash): void {
      if (count === numbers.length) grow();
      numbers[count] = number;
      tables[count] = table;
      hashes.write(hash, 32 * count, 'latin1');
      count += 1;
    },
    /** In the order of their numbers. */
    *inOrder(): Generator<LeafSeen> {
      const order = new Uint32Array(count).map((_, n) => n);
      const at = (n: number) => numbers[n] ?? 0;
      order.sort((a, b) => at(a) - at(b) || (tables[a] ?? 0) - (tables[b] ?? 0) || a - b);
      for (const n of order) yield { changeId: at(n), hash: hashes.toString('latin1', 32 * n, 32 * n + 32) };
    },
  };
}

/** The leaves of a window; rows of all numbers are seen by the way. */
export async function readLeaves(
  reader: Reader,
  window: Window,
  seen: Omit<HistoryReading, 'window' | 'onLeaf'> = {},
) {
  const leaves = createLeaves();
  await readHistory(reader, {
    ...seen,
    window,
    onLeaf: ({ changeId, hash }, table) => leaves.add(changeId, table, hash),
  });
  return leaves;
}

/** A leaf, without what it was made from. */
export type LeafSeen = Pick<Leaf, 'changeId' | 'hash'>;

export interface HistoryReading {
  /** Whose leaves are wanted; null for none. */
  readonly window: Window | null;
  readonly onLeaf: (leaf: Leaf, table: number) => void;
  /** Called for each row of history, whatever its number; texts of all columns, by name. */
  readonly onRow?: (table: SealedTable, text: (column: string) => string | null) => void;
  /** Called for each interval: its columns, and each snapshot in which it begins or ends. */
  readonly onInterval?: (table: SealedTable, text: (column: string) => string | null) => void;
}

/** Reads history once, the snapshots with what begins and ends there. */
export async function readHistory(reader: Reader, reading: HistoryReading): Promise<void> {
  const { window, onLeaf, onRow, onInterval } = reading;
  const isWanted = (number: number) => window !== null && number > window.after && number <= window.upTo;
  for (const [nth, source] of sources.entries()) {
    if (source.table === snapshotTable) continue;
    const places = new Map(source.fields.map(({ column }, n) => [column, n]));
    await reader.scan(
      source.table,
      source.fields.map(({ column }) => column),
      (row) => {
        if (isWanted(Number(row.text(source.number))))
          onLeaf(
            leafOf(
              source,
              source.fields.map((_, n) => row.text(n)),
            ),
            nth,
          );
        onRow?.(source.table, (column) => row.text(places.get(column) ?? -1));
      },
    );
  }
  await readSnapshots(reader, isWanted, reading, onInterval);
}

const keyOfSnapshot = (vaultType: string | null, at: string | null) => `${vaultType}\0${at}`;

type Part = 'balances_began' | 'balances_ended' | 'unreadable_began' | 'unreadable_ended';
type Parts = Partial<Record<Part, { readonly order: Bytes; readonly json: string }[]>>;

async function readSnapshots(
  reader: Reader,
  isWanted: (number: number) => boolean,
  { onLeaf, onRow }: HistoryReading,
  onInterval: HistoryReading['onInterval'],
): Promise<void> {
  const parts = new Map<string, Parts | null>();
  const key = ['vault_type', 'snapshot_at', 'change_id'];
  await reader.scan(snapshotTable, key, (row) => {
    if (isWanted(Number(row.text(2)))) parts.set(keyOfSnapshot(row.text(0), row.text(1)), null);
    onRow?.(snapshotTable, (column) =>
      column === 'account_id' ? reader.account : row.text(key.indexOf(column)),
    );
  });
  if (parts.size === 0 && onInterval === undefined) return;
  for (const table of [balancesTable, unreadableTable]) await readIntervals(reader, table, parts, onInterval);
  if (parts.size === 0) return;
  const nth = sources.findIndex(({ table }) => table === snapshotTable);
  const source = sources[nth] as Source;
  const columns = source.fields
    .map(({ column }) => column)
    .filter((column) => snapshotTable.columns.has(column));
  const places = source.fields.map(({ column }) => columns.indexOf(column));
  const [vaultType, at] = [columns.indexOf('vault_type'), columns.indexOf('snapshot_at')];
  const number = columns.indexOf('change_id');
  await reader.scan(snapshotTable, columns, (row) => {
    if (!isWanted(Number(row.text(number)))) return;
    const own = parts.get(keyOfSnapshot(row.text(vaultType), row.text(at))) ?? {};
    const texts = source.fields.map(({ column }, n) =>
      places[n] === -1 ? jsonOf(own[column as Part]) : row.text(places[n] ?? -1),
    );
    onLeaf(leafOf(source, texts), nth);
  });
}

function jsonOf(rows: Parts[Part]): string | null {
  if (rows === undefined) return null;
  rows.sort((a, b) => (a.order < b.order ? -1 : 1));
  return `[${rows.map(({ json }) => json).join()}]`;
}

async function readIntervals(
  reader: Reader,
  table: SealedTable,
  parts: Map<string, Parts | null>,
  onInterval: HistoryReading['onInterval'],
): Promise<void> {
  const prefix = table === balancesTable ? 'balances' : 'unreadable';
  const columns = [...table.types.keys()].filter((column) => column !== 'account_id');
  const places = new Map(columns.map((column, n) => [column, n]));
  const ends = (['valid_from', 'valid_to'] as const).map((moment) => ({
    moment,
    part: `${prefix}_${moment === 'valid_from' ? 'began' : 'ended'}` as Part,
    sealed: intervalColumns(table, moment),
  }));
  await reader.scan(table, columns, (row) => {
    const text = (column: string) =>
      column === 'account_id' ? reader.account : row.text(places.get(column) ?? -1);
    for (const { moment, part, sealed } of ends) {
      const snapshot = keyOfSnapshot(text('vault_type'), text(moment));
      const known = parts.get(snapshot);
      if (known === undefined) continue;
      const own = known ?? {};
      if (known === null) parts.set(snapshot, own);
      const order = `${utf8(text('asset_id') ?? '')}\0${utf8(text('network_id') ?? '')}\0${(text('valid_from') ?? '').padStart(20, '0')}`;
      const rows = own[part] ?? [];
      own[part] = rows;
      rows.push({ order, json: JSON.stringify(sealed.map(text)) });
    }
    onInterval?.(table, text);
  });
}
