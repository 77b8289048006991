// Recomputes the log from the rows of the history, and compares it with the checkpoints: those of the
// database, and those of a file kept elsewhere. Only what leads to a signed hash is trusted.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../store/postgres/database.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { readIsReplica, refuseDistrusted } from '../store/schema/plain-tables.ts';
import { findBalance } from './balances.ts';
import { type FileRead, filedCheckpoints, sizeOfFile } from './checkpoints-file.ts';
import { added, explain, type Finding, type Read } from './diagnosis.ts';
import {
  type CheckpointSeen,
  isEnd,
  type Log,
  nothingSealed,
  openLog,
  readCheckpoints,
  readTree,
  type StoredCheckpoint,
  storedCheckpoints,
} from './log.ts';
import type { Verifier } from './note.ts';
import { createReader, readLeaves, takeCensus, weightOfPass } from './reading.ts';
import { createReplay, replay } from './replay.ts';
import { readingState, tablesRead } from './tables.ts';
import { createTree } from './tree.ts';

export interface VerifyOptions {
  readonly database: Database;
  readonly account: string;
  readonly verifiers: readonly Verifier[];
  /** A file of checkpoints; null for those of the database alone. */
  readonly checkpointsFile: string | null;
  readonly signal: AbortSignal;
  /** Awaited after some rows: how many were read, of how many. */
  readonly onProgress?: (rows: number, of: number) => unknown;
  /** Reads in parts, each in one state of the database; left out, everything in one. */
  readonly parts?: Parts;
}

interface Parts {
  /** The place at which an earlier verification was interrupted; 0 for none. */
  readonly from: number;
  /** Awaited after each but the last, with the place: the rows of the last checkpoint that matched. */
  readonly after: (place: number) => Promise<unknown>;
  /** About the fewest rows of history in a part. Default 20,000. */
  readonly rows?: number | undefined;
}

export interface Verdict extends Readonly<Seen> {
  /** What was found first; null when everything is as it was sealed. */
  readonly finding: Finding | null;
}

interface Seen {
  /** The last checkpoint up to which everything is as it was; null when there is none. */
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
 * Sees one state of the database, or one for each part, whatever is sealed meanwhile.
 *
 * @throws MirrorError `CONFIGURATION` when keys or file are unusable: a bad signature, another log, nothing
 * sealed
 */
export async function verifyHistory(options: VerifyOptions): Promise<Verdict> {
  const { database, account, checkpointsFile, parts } = options;
  // What is appended from here on may be of rows that the state does not have yet.
  let file = checkpointsFile === null ? null : await sizeOfFile(checkpointsFile);
  for (let place = parts?.from ?? 0; ; ) {
    const work = async (tx: Tx) => {
      const log = openLog(tx.ask, account);
      await refuseDistrusted(tx, tablesRead);
      const start = await resume(log, place, options);
      const found = checkpointsOf(options, log, file, start.upTo?.size ?? -1);
      // The end of the generator closes the file.
      return await verifyState(tx, found, options, log, start).finally(() => found.return());
    };
    const { isWhole, ...verdict } = await database.transact('verify', work, {
      ...readingState,
      signal: options.signal,
    });
    if (isWhole || verdict.finding !== null) return verdict;
    place = verdict.upTo?.size ?? 0;
    file = file && { ...file, start: verdict.filed?.end ?? file.start };
    await parts?.after(place);
  }
}

interface Start {
  readonly tree: ReturnType<typeof createTree>;
  readonly upTo: (CheckpointSeen & StoredCheckpoint) | null;
  /** No place was safe to continue from: everything is read in one part. */
  readonly isOver: boolean;
}

/**
 * The tree at the place of an earlier part. If the log is not as it was signed there, no place is safe to
 * continue from: then everything is read in one part.
 */
async function resume(log: Log, place: number, { verifiers }: VerifyOptions): Promise<Start> {
  const begin = { tree: createTree(), upTo: null, isOver: place !== 0 };
  if (place === 0) return begin;
  const [at] = await readCheckpoints(log, [place]);
  if (at !== undefined && verifiers.some(({ open }) => open(at.note) !== null)) {
    const { tree } = await readTree(log, place);
    if (tree.root() === at.root && (await isEnd(log, at)))
      return { tree, upTo: { ...at, isSigned: true }, isOver: false };
  }
  return begin;
}

/** How far it has come, in one state of the database. */
interface State extends Read {
  readonly tree: ReturnType<typeof createTree>;
  readonly seen: Seen;
  /** The last checkpoint of the database. */
  readonly last: StoredCheckpoint | undefined;
  readonly found: AsyncGenerator<CheckpointSeen, void, void>;
  /** The next one that is found. */
  next: IteratorResult<CheckpointSeen, void>;
  /** The numbers of the last row, and of the last one up to which everything is sealed. */
  lastNumber: number;
  lastSealed: number;
}

/** Fewer rows than a part needs, of a long history, since each part reads the tables whole. */
const partsOfHistory = 16;

async function verifyState(
  tx: Tx,
  found: State['found'],
  options: VerifyOptions,
  log: Log,
  { tree, upTo, isOver }: Start,
): Promise<Verdict & { readonly isWhole: boolean }> {
  const { parts, signal, onProgress } = options;
  let rows = 0;
  const reader = createReader(tx, log.account, () => {
    rows += 1;
    if (rows % 1_024 === 0) signal.throwIfAborted();
  });
  // A database that is written by the mirror is none.
  const isReplica = parts === undefined && (await readIsReplica(tx, tablesRead));
  const [last] = await readCheckpoints(log, 'last');
  const seen: Seen = { upTo, checkpoints: 0, filed: null, behind: null, unsealed: 0, present: 0 };
  const census = await takeCensus(reader);
  const progress = () =>
    onProgress?.(tree.size() + seen.present, Math.max(tree.size() + seen.present, census.rows));
  const passes = census.windows(0, weightOfPass);
  const rowsOfPart = Math.max(parts?.rows ?? 20_000, census.rows / partsOfHistory);
  const first = upTo?.lastChangeId ?? 0;
  const windows = parts === undefined ? passes : census.windows(first, Math.min(rowsOfPart, weightOfPass));
  const enough = parts === undefined || isOver ? Number.POSITIVE_INFINITY : tree.size() + rowsOfPart;
  const next = await found.next();
  const state: State = {
    log,
    reader,
    windows: passes,
    tree,
    seen,
    last,
    found,
    next,
    lastNumber: 0,
    lastSealed: first,
  };
  const end = (finding: Finding | null, isWhole = true) => ({ ...seen, finding, isWhole });
  const count = () => {
    seen.present += 1;
    if (seen.present % 1_024 === 0) progress();
  };
  let present: Finding | null = null;
  for (const [nth, window] of windows.entries()) {
    const replaying = parts === undefined ? createReplay({ nth, of: windows.length }) : null;
    const taken = await takeLeaves(state, await readLeaves(reader, window, replaying ?? {}), enough);
    if (taken === 'enough') return end(null, false);
    if (taken !== null) return end(taken);
    present ??= (await replaying?.compare(reader, count)) ?? null;
    await progress();
  }
  if (isReplica) await leaveBehind(state);
  if (state.next.done !== true) return end(await whyNot(state, state.next.value));
  if (seen.upTo === null) throw nothingSealed(log);
  for (const nth of parts === undefined ? [] : passes.keys()) {
    present ??= await replay(reader, { nth, of: passes.length }, count);
    await progress();
  }
  return end(present ?? (await findBalance(reader, (number) => number > state.lastSealed)));
}

/**
 * Appends leaves to the tree.
 *
 * @param enough from this many rows on a part may end
 */
async function takeLeaves(
  state: State,
  leaves: Awaited<ReturnType<typeof readLeaves>>,
  enough: number,
): Promise<Finding | 'enough' | null> {
  const { tree, seen } = state;
  let taken = 0;
  for (const item of leaves.inOrder()) {
    // Whatever else waits for the server goes on.
    taken += 1;
    if (taken % 4_096 === 0) await nextTurn();
    // After a checkpoint, and not between rows that share a number, which no writer makes.
    const isBetween = seen.upTo?.size === tree.size() && state.lastSealed === state.lastNumber;
    if (tree.size() >= enough && isBetween && item.changeId !== state.lastNumber) return 'enough';
    if (state.next.done !== true) {
      tree.append(item.hash);
      const finding = tree.size() < state.next.value.size ? null : await compare(state);
      if (finding !== null) return finding;
      // The next part cannot continue from a checkpoint that only the file has.
      if (seen.upTo?.size === tree.size() && seen.upTo.signedAt !== null) state.lastSealed = item.changeId;
      // What is not sealed yet has a number of its own.
    } else if (item.changeId === state.lastNumber) return await added(state, item);
    else seen.unsealed += 1;
    state.lastNumber = item.changeId;
  }
  return null;
}

/** Compares the tree with all checkpoints of its size. */
async function compare(state: State): Promise<Finding | null> {
  const { tree, seen, found } = state;
  for (; state.next.done !== true && state.next.value.size <= tree.size(); state.next = await found.next()) {
    const { root, size, isSigned, end } = state.next.value;
    if (!isSigned || tree.root() !== root) return await whyNot(state, state.next.value);
    // Database and file have the same ones; that of the database comes first, with its moment.
    if (seen.upTo?.size !== size) {
      seen.upTo = state.next.value;
      seen.checkpoints += 1;
    }
    if (end !== undefined) seen.filed = { ...seen.upTo, end };
  }
  return null;
}

async function whyNot(state: State, checkpoint: CheckpointSeen): Promise<Finding> {
  const { seen, last, found } = state;
  const beside = (await found.next()).value ?? null;
  return await explain(state, checkpoint, { upTo: seen.upTo, last, beside });
}

/** A replica has all rows of its own checkpoints, and perhaps not yet those of later ones of the file. */
async function leaveBehind(state: State): Promise<void> {
  const { tree, seen, last, found } = state;
  const { upTo } = seen;
  if (state.next.done === true || upTo === null || upTo.size < (last?.size ?? 0)) return;
  seen.unsealed = tree.size() - upTo.size;
  for (let checkpoints = 1; state.next.done !== true; checkpoints += 1, state.next = await found.next())
    seen.behind = { checkpoints, size: state.next.value.size };
}

/** The checkpoints of database and file by size, after one. */
async function* checkpointsOf(
  { verifiers, checkpointsFile }: VerifyOptions,
  log: Log,
  file: FileRead | null,
  after: number,
): AsyncGenerator<CheckpointSeen, void, void> {
  const stored = storedCheckpoints(verifiers, log, after, checkpointsFile === null);
  let next = await stored.next();
  if (file !== null)
    for await (const filed of filedCheckpoints(verifiers, file, after)) {
      for (; next.done !== true && next.value.size <= filed.size; next = await stored.next())
        yield next.value;
      yield { ...filed, signedAt: null, isSigned: true };
    }
  for (; next.done !== true; next = await stored.next()) yield next.value;
}
