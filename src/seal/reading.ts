// Reads the tables of one account as the server sends them: whole, in any order, all rows of all accounts.
// Unwanted rows are dropped here, so nothing rests on an order, a condition or a join of the server. Rows
// that do not fit into memory at once are read in passes: each keeps the lowest numbers that fit, and leaves
// the others. Sealing, which signs whatever is there, reads added rows the same way, and lets the server
// choose them.
import { type SQL, sql } from 'drizzle-orm';
import type { Bytes } from '../base/encoded-values.ts';
import type { CopiedRow } from '../store/postgres/copy-out.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { intervalParts, type Leaf, lastNumber, leafOf, type Row, type RowNamed, sources } from './rows.ts';
import { intervalTables, type SealedTable, sealedTables, snapshotTable } from './tables.ts';

/** Statements that only read. */
export type Reads = Pick<Tx, 'ask' | 'copy'>;

/** The tables of an account, in one state of the database. */
export interface Reader {
  readonly account: string;
  /** Reads the rows of the account in any order, by default all columns; each is valid until the next. */
  scan(table: SealedTable, onRow: (text: Row) => void, names?: readonly string[]): Promise<void>;
}

/** @param where the rows that the server chooses; by default all of them */
export function createReader(
  tx: Pick<Tx, 'copy'>,
  account: string,
  where?: (table: SealedTable) => SQL,
): Reader {
  const own = Buffer.from(account);
  return {
    account,
    async scan(table, onOwn, names = [...table.columns.keys()]) {
      const columns = [...table.columns].filter(([name]) => name === 'account_id' || names.includes(name));
      const places = new Map(columns.map(([name], n) => [name, n]));
      const owner = columns.findIndex(([name]) => name === 'account_id');
      let row: CopiedRow | undefined;
      const text: Row = (column) => row?.text(places.get(column) ?? -1) ?? null;
      await tx.copy('seal.copy', { table: table.name, columns, where: where?.(table) }, (copied) => {
        row = copied;
        if (copied.holds(owner, own)) onOwn(text);
      });
    },
  };
}

/** Whether a row with this number can have a place in the log. */
export function isNumber(number: number): boolean {
  return number >= 1 && number <= lastNumber;
}

/** How much a pass keeps at most: leaves, intervals, and keys with the known parts of their histories. */
export const roomOfPass = { leaves: 560_000, intervals: 50_000, keys: 160_000 };
/** The part that a full pass keeps: most of it, so that few passes are needed. */
export const keptOfFull = 15 / 16;

/** A leaf, without its row. */
export type LeafSeen = Pick<Leaf, 'changeId' | 'hash'>;
export type Leaves = ReturnType<typeof createLeaves>;

/** The hashes of the leaves after a number and up to another: the lowest ones that fit. */
export function createLeaves(first = 0, last = lastNumber) {
  // Unused room takes no memory.
  const numbers = new Float64Array(roomOfPass.leaves);
  const hashes = Buffer.from(new ArrayBuffer(32 * roomOfPass.leaves));
  let [count, after, upTo] = [0, first, last];
  /** Drops the greater of these numbers; leaves that share the least one stay. */
  const keepLower = (of: Float64Array) => {
    const sorted = of.toSorted();
    upTo = Math.max((sorted[Math.floor(sorted.length * keptOfFull)] ?? 0) - 1, sorted[0] ?? 0);
    let kept = 0;
    for (let n = 0; n < count; n += 1) {
      if ((numbers[n] ?? 0) > upTo) continue;
      numbers[kept] = numbers[n] ?? 0;
      hashes.copyWithin(32 * kept, 32 * n, 32 * n + 32);
      kept += 1;
    }
    count = kept;
  };
  return {
    hasMore: () => upTo < last,
    /** Begins with those that did not fit. */
    next(): void {
      [count, after, upTo] = [0, upTo, last];
    },
    isWanted: (number: number) => number > after && number <= upTo,
    keepLower,
    add({ changeId, hash }: LeafSeen): void {
      if (count === roomOfPass.leaves) keepLower(numbers);
      // Where all share one number, some of them are enough to find that.
      if (changeId > upTo || count === roomOfPass.leaves) return;
      numbers[count] = changeId;
      hashes.write(hash, 32 * count, 'latin1');
      count += 1;
    },
    /** In the order of their numbers; leaves with the same number as they were added. */
    *inOrder(): Generator<LeafSeen> {
      const order = new Uint32Array(count).map((_, n) => n);
      const at = (n: number) => numbers[n] ?? 0;
      order.sort((a, b) => at(a) - at(b) || a - b);
      for (const n of order) yield { changeId: at(n), hash: hashes.toString('latin1', 32 * n, 32 * n + 32) };
    },
  };
}

/**
 * All leaves in the order of their numbers, pass after pass.
 *
 * @param endPass called before the leaves of a pass; whether what sees the rows wants another pass
 */
export async function* readLeaves(
  reader: Reader,
  seen: HistorySeen = {},
  endPass: () => Promise<boolean> = async () => false,
): AsyncGenerator<LeafSeen, undefined> {
  const leaves = createLeaves();
  for (let hasMore = true; hasMore; leaves.next()) {
    await readHistory(reader, leaves, seen);
    hasMore = await endPass();
    yield* leaves.inOrder();
    hasMore ||= leaves.hasMore();
  }
}

/** The leaves after a number and up to another, in order: the first of them, if there is no room for all. */
export async function readNumbered(reader: Reader, after: number, last: number): Promise<Leaf[]> {
  const found: Leaf[] = [];
  const leaves = createLeaves(after, last);
  await readHistory(reader, leaves, { onLeaf: (leaf) => found.push(leaf) });
  return found.filter(({ changeId }) => leaves.isWanted(changeId)).sort((a, b) => a.changeId - b.changeId);
}

/** The same leaves, where the server chooses the rows. */
export async function readAdded(tx: Reads, account: string, after: number, last: number): Promise<Leaf[]> {
  const own = sql`account_id = ${account}`;
  const added = sql`${own} and change_id > ${after} and change_id <= ${last}`;
  const end = (of: 'min' | 'max') =>
    sql`(select ${sql.raw(of)}(snapshot_at) from ${sql.raw(snapshotTable.name)} where ${added})`;
  const then = sql`between ${end('min')} and ${end('max')}`;
  const where = (table: SealedTable) =>
    table.columns.has('change_id') ? added : sql`${own} and (valid_from ${then} or valid_to ${then})`;
  return await readNumbered(createReader(tx, account, where), after, last);
}

/** Sees every row of history, and every interval. */
interface HistorySeen {
  /** All snapshots come before the intervals, and these before the other rows. */
  onRow?(table: SealedTable, row: Row): void;
  onInterval?(table: SealedTable, row: Row): void;
  /** Called with each leaf that is wanted, whole. */
  onLeaf?(leaf: Leaf): void;
}

/** Reads history once: first the snapshots, with the intervals that begin and end there. */
export async function readHistory(reader: Reader, leaves: Leaves, seen: HistorySeen = {}): Promise<void> {
  for (const source of sources.toReversed()) {
    const { table } = source;
    const add = (row: Row) => {
      if (!leaves.isWanted(Number(row('change_id')))) return;
      const leaf = leafOf(source, row);
      leaves.add(leaf);
      seen.onLeaf?.(leaf);
    };
    if (table === snapshotTable) await readSnapshots(reader, leaves, seen, add);
    else
      await reader.scan(table, (row) => {
        add(row);
        seen.onRow?.(table, row);
      });
  }
}

/** The values of some columns, as one text. */
export const keyOf = (row: Row, ...columns: readonly string[]) => columns.map(row).join('\0');

async function readSnapshots(
  reader: Reader,
  leaves: Leaves,
  seen: HistorySeen,
  add: (row: Row) => void,
): Promise<void> {
  const snapshots = new Map<string, number>();
  const keyOfSnapshot = (row: Row) => keyOf(row, 'vault_type', 'snapshot_at');
  const onSnapshot = (row: Row) => {
    const number = Number(row('change_id'));
    if (leaves.isWanted(number)) snapshots.set(keyOfSnapshot(row), number);
    seen.onRow?.(snapshotTable, row);
  };
  await reader.scan(snapshotTable, onSnapshot, ['vault_type', 'snapshot_at', 'change_id']);
  if (snapshots.size === 0 && seen.onInterval === undefined) return;
  const isKept = (key: string) => leaves.isWanted(snapshots.get(key) ?? 0);
  /** By snapshot and member. */
  const parts = new Map<string, Map<string, Bytes[]>>();
  let kept = 0;
  const makeRoom = () => {
    if (kept < roomOfPass.intervals || parts.size < 2) return;
    leaves.keepLower(Float64Array.from(parts.keys(), (key) => snapshots.get(key) ?? 0));
    for (const key of parts.keys()) if (!isKept(key)) parts.delete(key);
    kept = 0;
    for (const members of parts.values()) for (const own of members.values()) kept += own.length;
  };
  for (const table of intervalTables) {
    const own = intervalParts.filter((part) => part.table === table);
    await reader.scan(table, (row) => {
      for (const { member, moment, encode } of own) {
        const snapshot = keyOf(row, 'vault_type', moment);
        if (!isKept(snapshot)) continue;
        const members = parts.get(snapshot) ?? new Map<string, Bytes[]>();
        parts.set(snapshot, members);
        members.set(member, members.get(member) ?? []);
        members.get(member)?.push(encode(row));
        kept += 1;
        makeRoom();
      }
      seen.onInterval?.(table, row);
    });
  }
  await reader.scan(snapshotTable, (row) => {
    const own = parts.get(keyOfSnapshot(row));
    add((column) => own?.get(column)?.sort().join('') ?? row(column));
  });
}

/** The number of the row with a key; null where there is none. */
export async function findPlace(reader: Reader, { table: name, key }: RowNamed): Promise<number | null> {
  const table = sealedTables.find((each) => each.name === name);
  if (table === undefined) return null;
  let place: number | null = null;
  const onRow = (row: Row) => {
    if (table.key.every((column, n) => row(column) === key[n])) place ??= Number(row('change_id'));
  };
  await reader.scan(table, onRow, [...table.key, 'change_id']);
  return place;
}
