// Names the first row that is not as it was sealed, between two checkpoints: by the entries of the stored
// tiles, if they lead to the signed hash. Otherwise only the checkpoints on either side of it are known.
import { type Bytes, sha256, toBuffer, utf8 } from '../base/encoded-values.ts';
import { findBalance } from './balances.ts';
import { type EntryRead, isSameRow, readEntry } from './entry.ts';
import { type CheckpointSeen, entryAt, type Log, type StoredCheckpoint } from './log.ts';
import type { Checkpoint } from './note.ts';
import { type LeafSeen, type Reader, readLeaves, readNumbered } from './reading.ts';
import type { PresentFinding } from './replay.ts';
import type { Leaf, Row } from './rows.ts';
import { sealedTables, snapshotTable } from './tables.ts';
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

/** The log and the tables in one state of the database. */
export interface Read {
  readonly log: Log;
  readonly reader: Reader;
}

/** The checkpoint before one, the next one, and the last one of the database. */
type Around = Readonly<
  Record<'upTo' | 'beside', CheckpointSeen | null> & Record<'last', StoredCheckpoint | undefined>
>;

/** Why a checkpoint is unusable, or the rows do not lead to it. */
export async function explain(
  read: Read,
  checkpoint: CheckpointSeen,
  { upTo, last, beside }: Around,
): Promise<Finding> {
  const { size, root, signedAt, origin, isSigned } = checkpoint;
  if (!isSigned) return { kind: 'unsigned', size };
  const fork = { kind: 'fork', size, origin, stored: last ?? null } as const;
  // Two trees of one size were signed.
  if (upTo?.size === size) return fork;
  if (beside?.isSigned === true && beside.size === size && beside.root !== root) return fork;
  const { log } = read;
  const finding = await findFirst(read, upTo?.size ?? 0, checkpoint);
  if (finding.kind !== 'between' || signedAt !== null) return finding;
  // Tiles that lead to a later checkpoint, and not to this one, are of another log.
  const isOther = last === undefined || size > last.size;
  return isOther || (await rootOfRange(0, last.size, log.tiles)) === last.root ? fork : finding;
}

/** Finds what is not as it was sealed, after so many intact rows and within one checkpoint. */
async function findFirst(read: Read, from: number, { size, root }: Checkpoint): Promise<Finding> {
  const tree = createTree();
  let first: { readonly sealed: EntryRead; readonly item: LeafSeen | null } | null = null;
  const { log } = read;
  /** Takes the next entry, and the row that stands where it was. */
  const take = async (item: LeafSeen | null): Promise<boolean> => {
    const entry = await entryAt(log.tiles, tree.size());
    if (entry === null) return false;
    const hash = hashOfLeaf(entry);
    if (item?.hash !== hash) first ??= { sealed: readEntry(entry), item };
    tree.append(hash);
    return true;
  };
  const between: Finding = { kind: 'between', from, to: size };
  for await (const leaves of readLeaves(read.reader)) {
    for (const item of leaves.inOrder()) {
      if (tree.size() < from) tree.append(item.hash);
      else if (tree.size() < size && !(await take(item))) return between;
    }
    if (tree.size() === size) break;
  }
  while (tree.size() < size) if (!(await take(null))) return between;
  return first === null || tree.root() !== root ? between : await classify(read, first);
}

/** @param item what stands in the place of the sealed row; null at the end */
async function classify(
  read: Read,
  { sealed, item }: { readonly sealed: EntryRead; readonly item: LeafSeen | null },
): Promise<Finding> {
  const { reader, log } = read;
  const { table, key, changeId } = sealed;
  const leaf = item && (await readLeaf(reader, item));
  const own = leaf && readEntry(leaf.entry);
  if (own?.changeId === changeId && isSameRow(own, sealed)) {
    if (table !== snapshotTable.name) return { kind: 'changed', table, key };
    return {
      kind: 'changed',
      table,
      key,
      balance: await findBalance(reader, (number) => number === changeId),
    };
  }
  const place = await findPlace(reader, table, key);
  // A second row may have the number of one that is in its place.
  if (item !== null && (item.changeId < changeId || (item.changeId === changeId && place === changeId)))
    return await added(read, item);
  if (place !== null) return { kind: 'moved', table, key };
  // Another row has its number: the same one under another key, unless that key was sealed elsewhere.
  const isRenamed =
    own?.changeId === changeId && own.table === table && (await sealedEntry(log, own)) === null;
  return { kind: isRenamed ? 'changed' : 'removed', table, key };
}

/** What stands where no sealed row stood. */
export async function added({ reader, log }: Read, item: LeafSeen): Promise<Finding> {
  const numbered = await rowsWith(reader, item.changeId);
  const own = numbered.find(({ hash }) => hash === item.hash);
  const row = readEntry(own?.entry ?? '');
  const sealed = await sealedEntry(log, row);
  // A row that is at its place comes behind the same one alone.
  const isInserted = sealed === null || sealed === own?.entry;
  const tied = numbered.filter((leaf) => leaf !== own);
  return { kind: isInserted ? 'inserted' : 'moved', table: row.table, key: row.key, tied: tied.map(rowOf) };
}

/** The rows with a number, of which no writer makes two. */
function rowsWith(reader: Reader, changeId: number): Promise<Leaf[]> {
  return readNumbered(reader, changeId - 1, changeId);
}

async function readLeaf(reader: Reader, { changeId, hash }: LeafSeen): Promise<Leaf | null> {
  return (await rowsWith(reader, changeId)).find((leaf) => leaf.hash === hash) ?? null;
}

/** The number of the row with a key, as an entry has it; null where there is none. */
export async function findPlace(
  reader: Reader,
  name: string,
  key: readonly string[],
): Promise<number | null> {
  const table = sealedTables.find((each) => each.name === name);
  if (table === undefined) return null;
  const isSame = (value: string, text: string) =>
    value === text ||
    (value.startsWith('sha256:') && value === `sha256:${toBuffer(sha256(utf8(text))).toString('hex')}`);
  let place: number | null = null;
  const onRow = (text: Row) => {
    if (table.key.every((column, n) => n === 0 || isSame(key[n] ?? '', text(column) ?? '')))
      place ??= Number(text('change_id'));
  };
  await reader.scan(table, onRow, [...table.key, 'change_id']);
  return key[0] === reader.account ? place : null;
}

export function rowOf({ entry }: Leaf): RowNamed {
  const { table, key } = readEntry(entry);
  return { table, key };
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
