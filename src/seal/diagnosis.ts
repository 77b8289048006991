// Names the first row that is not as it was sealed, between two checkpoints: by the entries of the stored
// tiles, if they lead to the signed hash. Otherwise only the checkpoints on either side of it are known.
import { sql } from 'drizzle-orm';
import type { Bytes } from '../base/encoded-values.ts';
import { findBalance } from './balances.ts';
import { type EntryRead, isSameRow, readEntry } from './entry.ts';
import { readPlace } from './keys.ts';
import { type CheckpointSeen, entryAt, type Log, type StoredCheckpoint } from './log.ts';
import type { Checkpoint } from './note.ts';
import type { PresentFinding } from './replay.ts';
import { asText, keyOf, type Leaf, lastNumber, readPage, readPages } from './rows.ts';
import { intervalTables, type SealedTable, sealedTables, snapshotTable } from './tables.ts';
import { createTree, hashOfLeaf, rootOfRange } from './tree.ts';

/** A row, by its key as an entry has it. */
export type RowNamed = Pick<EntryRead, 'table' | 'key'>;

export type Finding =
  /** A row; its key as it was sealed, or that of an inserted row. */
  | {
      readonly kind: 'changed' | 'removed' | 'inserted' | 'moved';
      readonly table: string;
      readonly key: readonly string[];
      /** Other rows with its number. */
      readonly tied?: readonly RowNamed[];
      /** For a changed snapshot: what does not fit it. */
      readonly balance?: PresentFinding | null;
    }
  /** Some row between these two positions: the stored tiles were changed too. */
  | { readonly kind: 'between'; readonly from: number; readonly to: number }
  /** A checkpoint was signed that the log of the database does not lead to. */
  | {
      readonly kind: 'fork';
      readonly size: number;
      readonly origin: string;
      /** The last one that the database has. */
      readonly stored: Checkpoint | null;
    }
  /** A row that people read does not follow from its history, which is as sealed. */
  | PresentFinding
  /** A checkpoint of the database is not signed by the key. */
  | { readonly kind: 'unsigned'; readonly size: number };

/** The checkpoint before one, the next one, and the last one of the database. */
type Around = Readonly<
  Record<'upTo' | 'beside', CheckpointSeen | null> & Record<'last', StoredCheckpoint | undefined>
>;

/** Why a checkpoint is unusable, or the rows do not lead to it. */
export async function explain(
  log: Log,
  checkpoint: CheckpointSeen,
  { upTo, last, beside }: Around,
): Promise<Finding> {
  const { size, root, signedAt, origin, isSigned } = checkpoint;
  if (!isSigned) return { kind: 'unsigned', size };
  const fork = { kind: 'fork', size, origin, stored: last ?? null } as const;
  // Two trees of one size were signed.
  if (upTo?.size === size) return fork;
  if (beside?.isSigned === true && beside.size === size && beside.root !== root) return fork;
  const finding = await findFirst(log, upTo?.size ?? 0, checkpoint);
  if (finding.kind !== 'between' || signedAt !== null) return finding;
  // Tiles that lead to a later checkpoint, and not to this one, are of another log.
  const isOther = last === undefined || size > last.size;
  return isOther || (await rootOfRange(0, last.size, log.tiles)) === last.root ? fork : finding;
}

/** Finds what is not as it was sealed, after so many intact rows and within one checkpoint. */
async function findFirst(log: Log, from: number, { size, root }: Checkpoint): Promise<Finding> {
  const tree = createTree();
  let first: { readonly sealed: EntryRead; readonly item: Leaf | null } | null = null;
  /** Takes the next entry, and the row that stands where it was. */
  const take = async (item: Leaf | null): Promise<boolean> => {
    const entry = await entryAt(log.tiles, tree.size());
    if (entry === null) return false;
    if (item?.entry !== entry) first ??= { sealed: readEntry(entry), item };
    tree.append(hashOfLeaf(entry));
    return true;
  };
  const between: Finding = { kind: 'between', from, to: size };
  for await (const page of readPages(log.ask, log.account)) {
    for (const item of page) {
      if (tree.size() < from) tree.append(item.hash);
      else if (tree.size() < size && !(await take(item))) return between;
    }
    if (tree.size() === size) break;
  }
  while (tree.size() < size) if (!(await take(null))) return between;
  return first === null || tree.root() !== root ? between : await classify(log, first);
}

/** @param item what stands in the place of the sealed row; null at the end */
async function classify(
  log: Log,
  { sealed, item }: { readonly sealed: EntryRead; readonly item: Leaf | null },
): Promise<Finding> {
  const { table, key, changeId } = sealed;
  const own = item === null ? null : readEntry(item.entry);
  if (own?.changeId === changeId && isSameRow(own, sealed)) {
    if (table !== snapshotTable.name) return { kind: 'changed', table, key };
    return { kind: 'changed', table, key, balance: await findBalance(log, sql`s.change_id = ${changeId}`) };
  }
  const place = await readPlace(log.ask, table, key);
  // A second row may have the number of one that is in its place.
  if (item !== null && (item.changeId < changeId || (item.changeId === changeId && place === changeId)))
    return await added(log, item);
  if (place !== null) return { kind: 'moved', table, key };
  // Another row has its number: the same one under another key, unless that key was sealed elsewhere.
  const isRenamed =
    own?.changeId === changeId && own.table === table && (await sealedEntry(log, own)) === null;
  return { kind: isRenamed ? 'changed' : 'removed', table, key };
}

/** What stands where no sealed row stood. */
export async function added(log: Log, item: Leaf): Promise<Finding> {
  const row = readEntry(item.entry);
  const sealed = await sealedEntry(log, row);
  // A row that is at its place comes behind the same one alone.
  const isInserted = sealed === null || sealed === item.entry;
  const tied = (await readNumbered(log, item.changeId)).filter(({ entry }) => entry !== item.entry);
  return { kind: isInserted ? 'inserted' : 'moved', table: row.table, key: row.key, tied: tied.map(rowOf) };
}

/** The rows with a number, of which no writer makes two. */
export async function readNumbered({ ask, account }: Log, changeId: number): Promise<Leaf[]> {
  return (await readPage(ask, account, changeId - 1, 1)).filter((leaf) => leaf.changeId === changeId);
}

export function rowOf({ entry }: Leaf): RowNamed {
  const { table, key } = readEntry(entry);
  return { table, key };
}

const hour = 3_600_000_000;

/** Counts rows that are much older than one of their table that an earlier checkpoint holds. */
export function createLate() {
  const [newest, held] = [new Map<string, number>(), new Map<string, number>()];
  const late: { rows: number; first: RowNamed | null } = { rows: 0, first: null };
  return {
    late,
    take(leaf: Leaf): void {
      const { table, at } = leaf;
      if (at > (newest.get(table) ?? 0)) newest.set(table, at);
      if (!(at < (held.get(table) ?? 0) - hour)) return;
      late.first ??= rowOf(leaf);
      late.rows += 1;
    },
    /** A checkpoint covers all rows taken so far. */
    hold(): void {
      for (const [table, at] of newest) held.set(table, at);
    },
  };
}

/** The entry of the same row in the log; null when it has none. */
async function sealedEntry({ tiles }: Log, row: EntryRead): Promise<Bytes | null> {
  for (let tile = 0; ; tile += 1) {
    const read = await tiles(0, tile);
    if (read === null) return null;
    const same = read.entries.find(
      (entry) => entry.includes(row.keyBytes) && isSameRow(readEntry(entry), row),
    );
    if (same !== undefined) return same;
  }
}

/** A row that no leaf can hold: its number is impossible, or a balance begins or ends without a snapshot. */
export async function readOrphan({ ask, account }: Log): Promise<Finding | null> {
  const rows = (table: SealedTable, condition: string, end = 'null') => sql`(
    select ${table.name} as "table", ${sql.raw(keyOf(table, 'h'))} as key, ${sql.raw(end)} as shown from ${sql.raw(table.name)} h
    where h.account_id = ${account} and ${sql.raw(condition)} limit 1)`;
  const snapshotOf = (moment: string) =>
    `exists (select from custody.balance_snapshots s where s.account_id = h.account_id and s.vault_type = h.vault_type and s.snapshot_at = h.${moment})`;
  const each = [
    ...sealedTables.map((table) => rows(table, `coalesce(h.change_id, 0) not between 1 and ${lastNumber}`)),
    ...intervalTables.flatMap((table) => [
      rows(table, `not ${snapshotOf('valid_from')}`),
      rows(table, `h.valid_to is not null and not ${snapshotOf('valid_to')}`, asText('h.valid_to', 'moment')),
    ]),
  ];
  const [row] = await ask<{ table: string; key: string[]; shown: string | null }>(
    'seal.orphan',
    sql`${sql.join(each, sql` union all `)} limit 1`,
  );
  if (row === undefined) return null;
  const { shown, ...named } = row;
  return shown === null
    ? { kind: 'inserted', ...named }
    : { kind: 'present', ...named, column: 'valid_to', expected: 'the time of a snapshot', shown };
}
