// Recomputes the log from the rows of the history, and compares it with the checkpoints: those of the
// database, and those of a file kept elsewhere. Only what leads to a signed hash is trusted.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bytes } from '../base/encoded-values.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { readIsReplica, refuseDistrusted } from '../store/schema/plain-tables.ts';
import { type FileRead, filedCheckpoints, sizeOfFile } from './checkpoints-file.ts';
import {
  type CheckpointSeen,
  entryAt,
  type Log,
  nothingSealed,
  openLog,
  readCheckpoints,
  type StoredCheckpoint,
  storedCheckpoints,
} from './log.ts';
import type { Checkpoint, Verifier } from './note.ts';
import { createReader, findPlace, type LeafSeen, type Reader, readLeaves, readNumbered } from './reading.ts';
import { createReplay, findBalance, type PresentFinding } from './replay.ts';
import { type EntryRead, isSameRow, type RowNamed, readEntry } from './rows.ts';
import { readingState, snapshotTable, tablesRead } from './tables.ts';
import { createTree, hashOfLeaf, rootOfRange } from './tree.ts';

export type Finding =
  /** A row; its key as it was sealed, or that of an inserted row. */
  | (RowNamed & {
      readonly kind: 'changed' | 'removed' | 'inserted' | 'moved';
      /** Other rows with its number. */
      readonly tied?: readonly RowNamed[];
      /** For a changed snapshot: the balance that does not fit it. */
      readonly balance?: PresentFinding | null;
    })
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
  /** A row that people read does not follow from its history, although that is as sealed. */
  | PresentFinding
  /** A checkpoint of the database is not signed by the key. */
  | { readonly kind: 'unsigned'; readonly size: number };

export interface VerifyOptions {
  readonly database: Database;
  readonly account: string;
  readonly verifiers: readonly Verifier[];
  /** A file of checkpoints; null for those of the database alone. */
  readonly checkpointsFile: string | null;
  readonly signal: AbortSignal;
  /** Awaited after some rows: how many were read, of how many. */
  readonly onProgress?: (rows: number, of: number) => unknown;
  /** The mirror writes this database, so it is not a replica that follows another one. */
  readonly isWritten?: boolean;
}

export interface SealVerdict extends Readonly<Seen> {
  /** The first finding; null when everything is as it was sealed. */
  readonly finding: Finding | null;
}

interface Seen {
  /** The last checkpoint up to which everything is as sealed; null for none. */
  upTo: CheckpointSeen | null;
  checkpoints: number;
  /** The last one of them that the file holds; null without a file. */
  filed: CheckpointSeen | null;
  /** On a replica, the checkpoints of the file of which it does not have all rows yet; null for none. */
  behind: { readonly checkpoints: number; readonly size: number } | null;
  /** How many rows follow the last checkpoint, if everything up to it is as it was. */
  unsealed: number;
  /** How many rows of the tables that people read were found to follow from history. */
  present: number;
}

/**
 * Sees one state of the database, whatever is sealed meanwhile.
 *
 * @throws MirrorError `CONFIGURATION` when keys or file are unusable: a bad signature, another log, nothing
 * sealed
 */
export async function verifyHistory(options: VerifyOptions): Promise<SealVerdict> {
  const { database, account, checkpointsFile, signal } = options;
  // Checkpoints appended from here on may be of rows that the state does not have yet.
  const file = checkpointsFile === null ? null : await sizeOfFile(checkpointsFile);
  const work = async (tx: Tx) => {
    const log = openLog(tx, account);
    const numbers = await refuseDistrusted(tx, tablesRead);
    const isReplica = options.isWritten !== true && (await readIsReplica(tx, numbers));
    const found = checkpointsOf(options, log, file);
    // The end of the generator closes the file.
    return await verifyState(tx, found, options, log, isReplica).finally(() => found.return());
  };
  return await database.transact('verify', work, { ...readingState, signal });
}

async function verifyState(
  tx: Tx,
  found: ReturnType<typeof checkpointsOf>,
  { onProgress }: VerifyOptions,
  log: Log,
  isReplica: boolean,
): Promise<SealVerdict> {
  const reader = createReader(tx, log.account);
  const [last] = await readCheckpoints(log, 'last');
  const seen: Seen = { upTo: null, checkpoints: 0, filed: null, behind: null, unsealed: 0, present: 0 };
  const tree = createTree();
  let next = await found.next();
  const progress = () =>
    onProgress?.(tree.size() + seen.present, Math.max(tree.size() + seen.present, last?.size ?? 0));
  const onPresent = () => {
    seen.present += 1;
    if (seen.present % 1_024 === 0) progress();
  };
  const refuted = async (checkpoint: CheckpointSeen): Promise<SealVerdict> => {
    const around = { upTo: seen.upTo, last, beside: (await found.next()).value ?? null };
    return { ...seen, finding: await explain({ log, reader }, checkpoint, around) };
  };
  let present: Finding | null = null;
  // The numbers of the last row, and of the last one up to which everything is sealed.
  let [lastRow, lastSealed] = [0, 0];
  const replay = createReplay();
  const leaves = readLeaves(reader, replay, async () => {
    present = await replay.compare(reader, onPresent);
    await progress();
    return replay.hasMore();
  });
  for await (const item of leaves) {
    if (next.done !== true) {
      tree.append(item.hash);
      // Whatever else waits for the server goes on.
      if (tree.size() % 4_096 === 0) await nextTurn();
      // All checkpoints of this size.
      for (; next.done !== true && next.value.size <= tree.size(); next = await found.next()) {
        if (!next.value.isSigned || tree.root() !== next.value.root) return await refuted(next.value);
        take(seen, next.value);
      }
      if (seen.upTo?.size === tree.size()) lastSealed = item.changeId;
      // Unsealed rows have numbers of their own.
    } else if (item.changeId === lastRow) return { ...seen, finding: await added({ log, reader }, item) };
    else seen.unsealed += 1;
    lastRow = item.changeId;
  }
  const { upTo } = seen;
  // A replica has all rows of its own checkpoints, and perhaps not yet those of later ones of the file.
  if (isReplica && next.done !== true && upTo !== null && upTo.size >= (last?.size ?? 0)) {
    seen.unsealed = tree.size() - upTo.size;
    for (let checkpoints = 1; next.done !== true; checkpoints += 1, next = await found.next())
      seen.behind = { checkpoints, size: next.value.size };
  }
  if (next.done !== true) return await refuted(next.value);
  if (upTo === null) throw nothingSealed(log);
  return { ...seen, finding: present ?? (await findBalance(reader, (number) => number > lastSealed)) };
}

/** Everything up to the checkpoint is as it was. */
function take(seen: Seen, checkpoint: CheckpointSeen): void {
  // Database and file have the same ones; that of the database comes first, with its moment.
  if (seen.upTo?.size !== checkpoint.size) {
    seen.upTo = checkpoint;
    seen.checkpoints += 1;
  }
  if (checkpoint.isFiled) seen.filed = seen.upTo;
}

/** The checkpoints of database and file by size. */
async function* checkpointsOf(
  { verifiers, checkpointsFile }: VerifyOptions,
  log: Log,
  file: FileRead | null,
): AsyncGenerator<CheckpointSeen, void, void> {
  const stored = storedCheckpoints(verifiers, log, checkpointsFile === null);
  let next = await stored.next();
  if (file !== null)
    for await (const filed of filedCheckpoints(verifiers, file)) {
      for (; next.done !== true && next.value.size <= filed.size; next = await stored.next())
        yield next.value;
      yield { ...filed, signedAt: null, isSigned: true, isFiled: true };
    }
  for (; next.done !== true; next = await stored.next()) yield next.value;
}

// Names the first row that is not as it was sealed, between two checkpoints: by the entries of the stored
// tiles, if they lead to the signed hash. Otherwise only the checkpoints on either side of it are known.

/** The log and the tables in one state of the database. */
interface Read {
  readonly log: Log;
  readonly reader: Reader;
}

/** The checkpoint before one, the next one, and the last one of the database. */
type Around = Readonly<
  Record<'upTo' | 'beside', CheckpointSeen | null> & Record<'last', StoredCheckpoint | undefined>
>;

/** Why a checkpoint is unusable, or the rows do not lead to it. */
async function explain(
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
  // Tiles that lead to a later checkpoint, but not to this one, belong to another log.
  const isOther = last === undefined || size > last.size;
  return isOther || (await rootOfRange(0, last.size, log.tiles)) === last.root ? fork : finding;
}

/** Finds the first altered row, after so many intact rows and within one checkpoint. */
async function findFirst(read: Read, from: number, { size, root }: Checkpoint): Promise<Finding> {
  const tree = createTree();
  let first: { readonly sealed: EntryRead; readonly item: LeafSeen | null } | null = null;
  const between: Finding = { kind: 'between', from, to: size };
  const items = readLeaves(read.reader);
  while (tree.size() < size) {
    // The row in the place of the sealed entry.
    const item = (await items.next()).value ?? null;
    let hash = item?.hash;
    if (hash === undefined || tree.size() >= from) {
      const entry = await entryAt(read.log.tiles, tree.size());
      if (entry === null) return between;
      hash = hashOfLeaf(entry);
      if (item?.hash !== hash) first ??= { sealed: readEntry(entry), item };
    }
    tree.append(hash);
  }
  return first === null || tree.root() !== root ? between : await classify(read, first.sealed, first.item);
}

/** @param item what stands in the place of the sealed row; null at the end */
async function classify(read: Read, sealed: EntryRead, item: LeafSeen | null): Promise<Finding> {
  const { reader, log } = read;
  const { table, key, changeId } = sealed;
  const own = item === null ? null : readEntry((await rowsLike(reader, item)).own?.entry ?? '');
  if (own?.changeId === changeId && isSameRow(own, sealed)) {
    const isSnapshot = table === snapshotTable.name;
    const balance = isSnapshot ? await findBalance(reader, (number) => number === changeId) : null;
    return { kind: 'changed', table, key, balance };
  }
  const place = await findPlace(reader, sealed);
  // A second row may have the number of one that is in its place.
  if (item !== null && (item.changeId < changeId || (item.changeId === changeId && place === changeId)))
    return await added(read, item);
  if (place !== null) return { kind: 'moved', table, key };
  // Another row has its number: the same one under another key, unless that key was sealed elsewhere.
  const isRenamed =
    own?.changeId === changeId && own.table === table && (await sealedEntry(log, own)) === null;
  return { kind: isRenamed ? 'changed' : 'removed', table, key };
}

/** The row in a place where no sealed row stood. */
async function added({ reader, log }: Read, item: LeafSeen): Promise<Finding> {
  const { own, others } = await rowsLike(reader, item);
  const row = readEntry(own?.entry ?? '');
  const sealed = await sealedEntry(log, row);
  // A row that is in its place comes right after the same one.
  const isInserted = sealed === null || sealed === own?.entry;
  const tied = others.map(({ entry }) => readEntry(entry));
  return { kind: isInserted ? 'inserted' : 'moved', table: row.table, key: row.key, tied };
}

/** The leaf, whole, and others with its number, of which no writer makes two. */
async function rowsLike(reader: Reader, { changeId, hash }: LeafSeen) {
  const numbered = await readNumbered(reader, changeId - 1, changeId);
  const own = numbered.find((leaf) => leaf.hash === hash);
  return { own, others: numbered.filter((leaf) => leaf !== own) };
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
