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
  type Log,
  nothingSealed,
  openLog,
  readCheckpoints,
  type StoredCheckpoint,
  storedCheckpoints,
} from './log.ts';
import type { Verifier } from './note.ts';
import { createLeaves, createReader, type Leaves, readHistory } from './reading.ts';
import { createReplay, hashes } from './replay.ts';
import { lastNumber } from './rows.ts';
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
  /** The mirror writes this database, so it is not a replica that follows another one. */
  readonly isWritten?: boolean;
}

export interface SealVerdict extends Readonly<Seen> {
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
 * Sees one state of the database, whatever is sealed meanwhile.
 *
 * @throws MirrorError `CONFIGURATION` when keys or file are unusable: a bad signature, another log, nothing
 * sealed
 */
export async function verifyHistory(options: VerifyOptions): Promise<SealVerdict> {
  const { database, account, checkpointsFile, signal } = options;
  // What is appended from here on may be of rows that the state does not have yet.
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

async function verifyState(
  tx: Tx,
  found: State['found'],
  { signal, onProgress }: VerifyOptions,
  log: Log,
  isReplica: boolean,
): Promise<SealVerdict> {
  let rows = 0;
  const onRow = () => {
    rows += 1;
    if (rows % 1_024 === 0) signal.throwIfAborted();
  };
  const reader = createReader(tx, log.account, { onRow });
  const [last] = await readCheckpoints(log, 'last');
  const seen: Seen = { upTo: null, checkpoints: 0, filed: null, behind: null, unsealed: 0, present: 0 };
  const tree = createTree();
  const next = await found.next();
  const state: State = { log, reader, tree, seen, last, found, next, lastNumber: 0, lastSealed: 0 };
  const progress = () =>
    onProgress?.(tree.size() + seen.present, Math.max(tree.size() + seen.present, last?.size ?? 0));
  const count = () => {
    seen.present += 1;
    if (seen.present % 1_024 === 0) progress();
  };
  let present: Finding | null = null;
  for (let [after, from] = [0, 0]; after < lastNumber || from < hashes; ) {
    const [leaves, replay] = [createLeaves(after), createReplay(from)];
    await readHistory(reader, leaves, replay);
    const finding = await takeLeaves(state, leaves);
    if (finding !== null) return { ...seen, finding };
    present ??= await replay.compare(reader, count);
    [after, from] = [leaves.upTo(), replay.below()];
    await progress();
  }
  if (isReplica) await leaveBehind(state);
  if (state.next.done !== true) return { ...seen, finding: await whyNot(state, state.next.value) };
  if (seen.upTo === null) throw nothingSealed(log);
  return {
    ...seen,
    finding: present ?? (await findBalance(reader, (number) => number > state.lastSealed)),
  };
}

/** Appends leaves to the tree. */
async function takeLeaves(state: State, leaves: Leaves): Promise<Finding | null> {
  const { tree, seen } = state;
  let taken = 0;
  for (const item of leaves.inOrder()) {
    // Whatever else waits for the server goes on.
    taken += 1;
    if (taken % 4_096 === 0) await nextTurn();
    if (state.next.done !== true) {
      tree.append(item.hash);
      const finding = tree.size() < state.next.value.size ? null : await compare(state);
      if (finding !== null) return finding;
      if (seen.upTo?.size === tree.size()) state.lastSealed = item.changeId;
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
    const { root, size, isSigned, isFiled } = state.next.value;
    if (!isSigned || tree.root() !== root) return await whyNot(state, state.next.value);
    // Database and file have the same ones; that of the database comes first, with its moment.
    if (seen.upTo?.size !== size) {
      seen.upTo = state.next.value;
      seen.checkpoints += 1;
    }
    if (isFiled) seen.filed = seen.upTo;
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
