// Reads the tables of one account as the server sends them: whole, in any order, all rows of all accounts.
// What is not wanted is dropped here, so nothing rests on an order, a condition or a join of the server. What
// does not fit into memory at once is read in passes: each keeps the lowest numbers that fit, and leaves the
// others. Sealing, which signs what is there, reads by the same way what was added, and leaves the choice to
// the server.
import { type SQL, sql } from 'drizzle-orm';
import { type Bytes, type Hash, utf8 } from '../base/encoded-values.ts';
import type { CopiedRow } from '../store/postgres/copy-out.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { intervalParts, type Leaf, lastNumber, leafOf, type Row, sources } from './rows.ts';
import { intervalTables, type SealedTable, snapshotTable } from './tables.ts';

/** Statements that only read. */
export type Reads = Pick<Tx, 'ask' | 'copy'>;

/** The tables of an account in one state of the database. */
export interface Reader {
  readonly account: string;
  /** Reads the rows of the account in any order, by default all columns; each is valid until the next comes. */
  scan(table: SealedTable, onRow: (text: Row) => void, columns?: readonly string[]): Promise<void>;
}

interface ReaderOptions {
  /** Called for each row that is read. */
  readonly onRow?: () => void;
  /** The rows that the server chooses; by default all of them. */
  readonly where?: (table: SealedTable) => SQL;
}

export function createReader(
  tx: Pick<Tx, 'copy'>,
  account: string,
  { onRow, where }: ReaderOptions = {},
): Reader {
  const own = Buffer.from(account);
  return {
    account,
    async scan(table, onOwn, columns = [...table.types.keys()]) {
      const names = [...new Set(['account_id', ...columns])];
      const read = names.flatMap((name) => table.copy.columns.filter(([column]) => column === name));
      if (read.length !== names.length) throw new TypeError(`${table.name} has no such columns`);
      const places = new Map(names.map((column, n) => [column, n]));
      let row: CopiedRow | undefined;
      const text: Row = (column) => row?.text(places.get(column) ?? -1) ?? null;
      await tx.copy('seal.copy', { table: table.name, columns: read, where: where?.(table) }, (copied) => {
        row = copied;
        onRow?.();
        if (copied.holds(0, own)) onOwn(text);
      });
    },
  };
}

/** Whether a row with this number can have a place in the log. */
export function isNumber(number: number): boolean {
  return number >= 1 && number <= lastNumber;
}

/** How much a pass keeps at most: of leaves, intervals, and keys with what is known of their histories. */
export const roomOfPass = { leaves: 560_000, intervals: 50_000, keys: 160_000 };
/** What is kept where there is no room for more: much, so that few passes are needed. */
export const keptOfFull = 15 / 16;

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

/** The leaves after a number and up to another, in order: the first of them, if there is no room for all. */
export async function readNumbered(reader: Reader, after: number, last: number): Promise<Leaf[]> {
  const found: Leaf[] = [];
  const leaves = createLeaves(after, last);
  await readHistory(reader, leaves, undefined, (leaf) => found.push(leaf));
  return found.filter(({ changeId }) => changeId <= leaves.upTo()).sort((a, b) => a.changeId - b.changeId);
}

/** The same, where the server chooses the rows. */
export async function readAdded(tx: Reads, account: string, after: number, last: number): Promise<Leaf[]> {
  const own = sql`account_id = ${account}`;
  const added = sql`${own} and change_id > ${after} and change_id <= ${last}`;
  const end = (of: 'min' | 'max') =>
    sql`(select ${sql.raw(of)}(snapshot_at) from ${sql.raw(snapshotTable.name)} where ${added})`;
  const then = sql`between ${end('min')} and ${end('max')}`;
  const where = (table: SealedTable) =>
    table.columns.has('change_id') ? added : sql`${own} and (valid_from ${then} or valid_to ${then})`;
  return await readNumbered(createReader(tx, account, { where }), after, last);
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
  for (const [nth, source] of sources.entries()) {
    const { table } = source;
    const add = (text: Row) => {
      if (!leaves.isWanted(Number(text('change_id')))) return;
      const leaf = leafOf(source, text);
      leaves.add(leaf.changeId, nth, leaf.hash);
      onLeaf?.(leaf);
    };
    if (table === snapshotTable) await readSnapshots(reader, leaves, seen, add);
    else
      await reader.scan(table, (text) => {
        add(text);
        seen?.onRow(table, text);
      });
  }
}

export const keyOfSnapshot = (vaultType: string | null, at: string | null) => `${vaultType}\0${at}`;

interface Interval {
  readonly order: Bytes;
  readonly row: Bytes;
}

/** What begins and ends with a snapshot, by the names of its members. */
interface Parts {
  readonly number: number;
  readonly members: Map<string, Interval[]>;
}

async function readSnapshots(
  reader: Reader,
  leaves: Leaves,
  seen: HistorySeen | undefined,
  add: (text: Row) => void,
): Promise<void> {
  const snapshots = new Map<string, number>();
  const keys = ['vault_type', 'snapshot_at', 'change_id'];
  const onSnapshot = (text: Row) => {
    const number = Number(text('change_id'));
    const key = keyOfSnapshot(text('vault_type'), text('snapshot_at'));
    if (leaves.isWanted(number) || seen?.isWanted(key)) snapshots.set(key, number);
    seen?.onRow(snapshotTable, text);
  };
  await reader.scan(snapshotTable, onSnapshot, keys);
  if (snapshots.size === 0 && seen === undefined) return;
  const isSnapshot = (key: string) => snapshots.has(key);
  const parts = new Map<string, Parts>();
  let kept = 0;
  const take = (snapshot: string, member: string, interval: () => Interval) => {
    const number = snapshots.get(snapshot);
    if (number === undefined || !leaves.isWanted(number)) return;
    const own = parts.get(snapshot) ?? { number, members: new Map() };
    parts.set(snapshot, own);
    own.members.set(member, own.members.get(member) ?? []);
    own.members.get(member)?.push(interval());
    kept += 1;
    if (kept < roomOfPass.intervals || parts.size < 2) return;
    leaves.keepLower(Float64Array.from(parts.values(), (each) => each.number));
    for (const [key, each] of parts) if (!leaves.isWanted(each.number)) parts.delete(key);
    kept = 0;
    for (const { members } of parts.values()) for (const own of members.values()) kept += own.length;
  };
  for (const table of intervalTables) {
    const own = intervalParts.filter((part) => part.table === table);
    await reader.scan(table, (text) => {
      for (const { member, moment, encode } of own)
        take(keyOfSnapshot(text('vault_type'), text(moment)), member, () => ({
          order: orderOf(text),
          row: encode(text),
        }));
      seen?.onInterval(table, text, isSnapshot);
    });
  }
  await reader.scan(snapshotTable, (text) => {
    const own = parts.get(keyOfSnapshot(text('vault_type'), text('snapshot_at')));
    add((column) => joined(own?.members.get(column)) ?? text(column));
  });
}

function orderOf(text: Row): Bytes {
  const [asset, network] = [utf8(text('asset_id') ?? ''), utf8(text('network_id') ?? '')];
  return `${asset}\0${network}\0${(text('valid_from') ?? '').padStart(20, '0')}`;
}

function joined(rows: Interval[] | undefined): Bytes | null {
  if (rows === undefined) return null;
  rows.sort((a, b) => (a.order < b.order ? -1 : 1));
  return rows.map(({ row }) => row).join('');
}
