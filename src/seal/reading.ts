// Reads the tables of one account as the server sends them: whole, in any order, all rows of all accounts. What
// is not wanted is dropped here, so nothing rests on an order, a condition or a join of the server. What does
// not fit into memory at once is read in passes: each keeps the lowest numbers that fit, and leaves the others.
import { type Bytes, type Hash, utf8 } from '../base/encoded-values.ts';
import type { CopiedRow } from '../store/postgres/copy-out.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { intervalColumns, type Leaf, lastNumber, leafOf, type Source, sources } from './rows.ts';
import { balancesTable, intervalTables, type SealedTable, snapshotTable } from './tables.ts';

/** The text of a column. */
export type Row = (column: string) => string | null;

/** The tables of an account in one state of the database. */
export interface Reader {
  readonly account: string;
  /** Reads the rows of the account, in any order. */
  scan(table: SealedTable, columns: readonly string[], onRow: (row: CopiedRow) => void): Promise<void>;
  /** Reads all columns of them, by name; each row is valid until the next one comes. */
  scanWhole(table: SealedTable, onRow: (row: Row) => void): Promise<void>;
}

/** @param onRow called for each row that is read */
export function createReader(tx: Tx, account: string, onRow: () => void): Reader {
  const own = Buffer.from(account);
  const scan: Reader['scan'] = async ({ copy }, columns, onOwn) => {
    const given = columns.indexOf('account_id');
    const wanted = given === -1 ? [...columns, 'account_id'] : columns;
    const ofAccount = given === -1 ? columns.length : given;
    const read = wanted.flatMap((name) => copy.columns.filter(([column]) => column === name));
    if (read.length !== wanted.length) throw new TypeError(`${copy.table} has no such columns`);
    await tx.copy('seal.copy', { table: copy.table, columns: read }, (row) => {
      onRow();
      if (row.holds(ofAccount, own)) onOwn(row);
    });
  };
  return {
    account,
    scan,
    async scanWhole(table, onOwn) {
      const columns = [...table.types.keys()];
      const places = new Map(columns.map((column, n) => [column, n]));
      await scan(table, columns, (row) => onOwn((column) => row.text(places.get(column) ?? -1)));
    },
  };
}

/** Whether a row with this number can have a place in the log. */
export function isNumber(number: number): boolean {
  return number >= 1 && number <= lastNumber;
}

/** How much a pass keeps at most: of leaves, intervals, and keys with what is known of their histories. */
export const roomOfPass = { leaves: 560_000, intervals: 50_000, keys: 160_000 };
/** What is kept where there is no room for more. */
const keptOfFull = 3 / 4;

/** A leaf, without what it was made from. */
export type LeafSeen = Pick<Leaf, 'changeId' | 'hash'>;
export type Leaves = ReturnType<typeof createLeaves>;

/**
 * The hashes of the leaves after a number, the lowest that there is room for.
 *
 * @param last the greatest number that is wanted
 */
export function createLeaves(after: number, last = lastNumber) {
  // What is not used takes no memory.
  const numbers = new Float64Array(roomOfPass.leaves);
  const hashes = Buffer.from(new ArrayBuffer(32 * roomOfPass.leaves));
  const tables = new Uint8Array(roomOfPass.leaves);
  let [count, upTo] = [0, last];
  /** Drops the greater ones of these numbers; those that share the least one stay. */
  const keepLower = (of: Float64Array) => {
    const sorted = of.toSorted();
    upTo = Math.max((sorted[Math.floor(sorted.length * keptOfFull)] ?? 0) - 1, sorted[0] ?? 0);
    let kept = 0;
    for (let n = 0; n < count; n += 1) {
      if ((numbers[n] ?? 0) > upTo) continue;
      numbers[kept] = numbers[n] ?? 0;
      tables[kept] = tables[n] ?? 0;
      hashes.copyWithin(32 * kept, 32 * n, 32 * n + 32);
      kept += 1;
    }
    count = kept;
  };
  return {
    /** The last number that is kept: the next pass begins after it. */
    upTo: () => upTo,
    isWanted: (number: number) => number > after && number <= upTo,
    keepLower,
    add(number: number, table: number, hash: Hash): void {
      if (count === roomOfPass.leaves) keepLower(numbers);
      // Where all share one number, some of them are enough to find that.
      if (number > upTo || count === roomOfPass.leaves) return;
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

/** All leaves, pass after pass. */
export async function* readLeaves(reader: Reader): AsyncGenerator<Leaves> {
  for (let after = 0; after < lastNumber; ) {
    const leaves = createLeaves(after);
    await readHistory(reader, leaves);
    yield leaves;
    after = leaves.upTo();
  }
}

/** What sees every row of history, and every interval. */
export interface HistorySeen {
  onRow(table: SealedTable, text: Row): void;
  /** Whether the key of a snapshot is to be known when the intervals come. */
  isWanted(snapshot: string): boolean;
  onInterval(table: SealedTable, text: Row, isSnapshot: (snapshot: string) => boolean): void;
}

/**
 * Reads history once, the snapshots with what begins and ends there.
 *
 * @param onLeaf called with each leaf that is wanted, whole
 */
export async function readHistory(
  reader: Reader,
  leaves: Leaves,
  seen?: HistorySeen,
  onLeaf?: (leaf: Leaf) => void,
): Promise<void> {
  const add = (source: Source, nth: number, texts: readonly (string | null)[]) => {
    const leaf = leafOf(source, texts);
    leaves.add(leaf.changeId, nth, leaf.hash);
    onLeaf?.(leaf);
  };
  for (const [nth, source] of sources.entries()) {
    if (source.table === snapshotTable)
      await readSnapshots(reader, leaves, seen, (texts) => add(source, nth, texts));
    else {
      const columns = source.fields.map(({ column }) => column);
      const places = new Map(columns.map((column, n) => [column, n]));
      await reader.scan(source.table, columns, (row) => {
        if (leaves.isWanted(Number(row.text(source.number))))
          add(
            source,
            nth,
            columns.map((_, n) => row.text(n)),
          );
        seen?.onRow(source.table, (column) => row.text(places.get(column) ?? -1));
      });
    }
  }
}

export const keyOfSnapshot = (vaultType: string | null, at: string | null) => `${vaultType}\0${at}`;

type Part = 'balances_began' | 'balances_ended' | 'unreadable_began' | 'unreadable_ended';
interface Interval {
  readonly order: Bytes;
  readonly json: string;
}
/** What begins and ends with a snapshot. */
type Parts = { readonly number: number } & Partial<Record<Part, Interval[]>>;

async function readSnapshots(
  reader: Reader,
  leaves: Leaves,
  seen: HistorySeen | undefined,
  add: (texts: readonly (string | null)[]) => void,
): Promise<void> {
  const snapshots = new Map<string, number>();
  const keys = ['vault_type', 'snapshot_at', 'change_id'];
  await reader.scan(snapshotTable, keys, (row) => {
    const number = Number(row.text(2));
    const key = keyOfSnapshot(row.text(0), row.text(1));
    if (leaves.isWanted(number) || seen?.isWanted(key)) snapshots.set(key, number);
    seen?.onRow(snapshotTable, (column) => row.text(keys.indexOf(column)));
  });
  if (snapshots.size === 0 && seen === undefined) return;
  const isSnapshot = (key: string) => snapshots.has(key);
  const parts = new Map<string, Parts>();
  let kept = 0;
  const take = (snapshot: string, part: Part, columns: readonly string[], text: Row) => {
    const number = snapshots.get(snapshot);
    if (number === undefined || !leaves.isWanted(number)) return;
    const own = parts.get(snapshot) ?? { number };
    parts.set(snapshot, own);
    own[part] ??= [];
    own[part].push({ order: orderOf(text), json: JSON.stringify(columns.map(text)) });
    kept += 1;
    if (kept < roomOfPass.intervals || parts.size < 2) return;
    leaves.keepLower(Float64Array.from(parts.values(), (each) => each.number));
    for (const [key, each] of parts) if (!leaves.isWanted(each.number)) parts.delete(key);
    kept = 0;
  };
  for (const table of intervalTables) {
    const prefix = table === balancesTable ? 'balances' : 'unreadable';
    const began = intervalColumns(table, 'valid_from');
    const ended = intervalColumns(table, 'valid_to');
    await reader.scanWhole(table, (text) => {
      const type = text('vault_type');
      take(keyOfSnapshot(type, text('valid_from')), `${prefix}_began`, began, text);
      take(keyOfSnapshot(type, text('valid_to')), `${prefix}_ended`, ended, text);
      seen?.onInterval(table, text, isSnapshot);
    });
  }
  const { fields } = sources.find(({ table }) => table === snapshotTable) as Source;
  await reader.scanWhole(snapshotTable, (text) => {
    if (!leaves.isWanted(Number(text('change_id')))) return;
    const own = parts.get(keyOfSnapshot(text('vault_type'), text('snapshot_at')));
    add(
      fields.map(({ column }) =>
        snapshotTable.columns.has(column) ? text(column) : jsonOf(own?.[column as Part]),
      ),
    );
  });
}

function orderOf(text: Row): Bytes {
  const [asset, network] = [utf8(text('asset_id') ?? ''), utf8(text('network_id') ?? '')];
  return `${asset}\0${network}\0${(text('valid_from') ?? '').padStart(20, '0')}`;
}

function jsonOf(rows: Interval[] | undefined): string | null {
  if (rows === undefined) return null;
  rows.sort((a, b) => (a.order < b.order ? -1 : 1));
  return `[${rows.map(({ json }) => json).join()}]`;
}
