// Recomputes the log from the rows of the history, and compares it with the checkpoints: those of the
// database, and those of a file that lies elsewhere. Only what leads to a signed hash is trusted.

import { sql } from 'drizzle-orm';
import { MirrorError } from '../domain/errors.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { refuseDistrusted } from '../store/schema/plain-tables.ts';
import { findBalance } from './balances.ts';
import { type FileRead, filedCheckpoints, refuseOtherLog, sizeOfFile } from './checkpoints-file.ts';
import { added, createLate, type Finding, findFirst, type RowNamed, readOrphan } from './diagnosis.ts';
import {
  isEnd,
  type Log,
  nothingSealed,
  openLog,
  readCheckpoints,
  readTree,
  type StoredCheckpoint,
} from './log.ts';
import type { Checkpoint, Verifier } from './note.ts';
import { replay } from './replay.ts';
import { readPages } from './rows.ts';
import { tablesRead } from './tables.ts';
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
  /** About the fewest rows of history of a part. Default 20,000. */
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
  /** How many rows stand behind the last checkpoint, where everything up to it is as it was. */
  unsealed: number;
  /** How many rows of the tables that people read were found to follow from history. */
  present: number;
  /** Rows more than an hour older than one of their table that an earlier checkpoint holds. */
  readonly late: { readonly rows: number; readonly first: RowNamed | null };
}

export interface CheckpointSeen extends Checkpoint {
  /** When it was signed, as the database has it; null where the file alone has the checkpoint. */
  readonly signedAt: string | null;
  /** Whether it is signed by one of the keys. */
  readonly isSigned: boolean;
  /** Of one of the file, where in it the next one begins, in bytes. */
  readonly end?: number;
}

/**
 * Sees one state of the database, or one for each part, whatever is sealed meanwhile.
 *
 * @throws MirrorError `CONFIGURATION` when keys or file do not serve: a bad signature, another log, nothing
 * sealed
 */
export async function verifyHistory(options: VerifyOptions): Promise<Verdict> {
  const { database, account, checkpointsFile, parts } = options;
  // What is appended from here on may be of rows that the state does not have yet.
  let file = checkpointsFile === null ? null : await sizeOfFile(checkpointsFile);
  for (let place = parts?.from ?? 0; ; ) {
    const work = async ({ ask }: Tx) => {
      const log = openLog(ask, account);
      await refuseDistrusted(ask, tablesRead);
      const start = await resume(log, place, options.verifiers);
      const found = checkpointsOf(options, log, file, start.upTo?.size ?? -1);
      // The end of the generator closes the file.
      return await verifyState(found, options, log, start).finally(() => found.return());
    };
    const { isWhole, ...verdict } = await database.transact('verify', work, { snapshot: true });
    if (isWhole || verdict.finding !== null) return verdict;
    place = verdict.upTo?.size ?? 0;
    file = file && { ...file, start: verdict.filed?.end ?? file.start };
    await parts?.after(place);
  }
}

interface Start {
  readonly tree: ReturnType<typeof createTree>;
  readonly upTo: (CheckpointSeen & StoredCheckpoint) | null;
}

/** The tree at the place of an earlier part; an empty one where the log is not as it was signed there. */
async function resume(log: Log, place: number, verifiers: readonly Verifier[]): Promise<Start> {
  const [at] = place === 0 ? [] : await readCheckpoints(log, [place]);
  if (at !== undefined && verifiers.some(({ open }) => open(at.note) !== null)) {
    const { tree } = await readTree(log, place);
    if (tree.root() === at.root && (await isEnd(log, at))) return { tree, upTo: { ...at, isSigned: true } };
  }
  return { tree: createTree(), upTo: null };
}

async function verifyState(
  found: AsyncGenerator<CheckpointSeen, void, void>,
  options: VerifyOptions,
  log: Log,
  { tree, upTo }: Start,
): Promise<Verdict & { readonly isWhole: boolean }> {
  const { parts, signal, onProgress } = options;
  // A database that is written by the mirror is none.
  const isReplica = parts === undefined && (await readIsReplica(log));
  const [last] = await readCheckpoints(log, 'last');
  const { late, take, hold } = createLate();
  const seen: Seen = { upTo, checkpoints: 0, filed: null, behind: null, unsealed: 0, present: 0, late };
  const end = (finding: Finding | null, isWhole = true) => ({ ...seen, finding, isWhole });
  let next = await found.next();
  const whyNot = async (checkpoint: CheckpointSeen) =>
    await explain(log, checkpoint, { upTo: seen.upTo, last, beside: (await found.next()).value ?? null });
  /** Compares the tree with all checkpoints of its size. */
  const compare = async (): Promise<Finding | null> => {
    for (; next.done !== true && next.value.size <= tree.size(); next = await found.next()) {
      const { root, size, isSigned, end: endOfFiled } = next.value;
      if (!isSigned || tree.root() !== root) return await whyNot(next.value);
      // Database and file have the same ones; that of the database comes first, with its moment.
      if (seen.upTo?.size !== size) {
        seen.upTo = next.value;
        seen.checkpoints += 1;
        hold();
      }
      if (endOfFiled !== undefined) seen.filed = { ...seen.upTo, end: endOfFiled };
    }
    return null;
  };
  const count = (rows: number) => {
    signal.throwIfAborted();
    seen.present = rows;
    return onProgress?.(tree.size() + rows, tree.size() + rows);
  };
  const first = upTo?.lastChangeId ?? 0;
  const [begin, enough] = [
    tree.size(),
    parts === undefined ? Number.POSITIVE_INFINITY : (parts.rows ?? 20_000),
  ];
  let [lastNumber, lastSealed] = [0, first];
  for await (const page of readPages(log.ask, log.account, first)) {
    signal.throwIfAborted();
    for (const item of page) {
      take(item);
      if (next.done !== true) {
        tree.append(item.hash);
        const finding = tree.size() < next.value.size ? null : await compare();
        if (finding !== null) return end(finding);
        if (seen.upTo?.size === tree.size()) lastSealed = item.changeId;
        if (seen.upTo?.size === tree.size() && tree.size() - begin >= enough)
          return end(await replay(log, count, { after: first, upTo: lastSealed }), false);
        // What is not sealed yet has a number of its own.
      } else if (item.changeId === lastNumber) return end(await added(log, item));
      else seen.unsealed += 1;
      lastNumber = item.changeId;
    }
    await onProgress?.(tree.size(), Math.max(tree.size(), last?.size ?? 0));
  }
  if (
    next.done !== true &&
    isReplica &&
    next.value.signedAt === null &&
    seen.upTo?.size === (last?.size ?? seen.upTo?.size)
  ) {
    seen.unsealed = tree.size() - (seen.upTo?.size ?? 0);
    for (let checkpoints = 1; next.done !== true; checkpoints += 1, next = await found.next())
      seen.behind = { checkpoints, size: next.value.size };
  }
  if (next.done !== true) return end(await whyNot(next.value));
  if (seen.upTo === null) throw nothingSealed(log);
  const rest = parts && { after: first, upTo: null };
  const unsealed = sql`s.change_id > ${lastSealed}`;
  return end(
    (await readOrphan(log)) ?? (await replay(log, count, rest)) ?? (await findBalance(log, unsealed)),
  );
}

/**
 * Whether the rows come from another server, and the last ones may be on their way.
 *
 * @throws MirrorError `SEAL-REFUSED` while a logical replica still copies tables
 */
async function readIsReplica({ ask }: Log): Promise<boolean> {
  const [row] = await ask<{ found: string; copied: string | null }>(
    'seal.replica',
    sql`select (pg_is_in_recovery() or exists (select from pg_subscription_rel))::text as found,
      (select min(r.srrelid::regclass::text) from pg_subscription_rel r where r.srsubstate <> 'r') as copied`,
  );
  if (row?.copied == null) return row?.found === 'true';
  throw new MirrorError(
    'SEAL-REFUSED',
    `${row.copied} is still being copied from its publisher: verify when it is whole`,
  );
}

/** The checkpoint before one, the next one, and the last one of the database. */
type Around = Readonly<
  Record<'upTo' | 'beside', CheckpointSeen | null> & Record<'last', StoredCheckpoint | undefined>
>;

/** Why a checkpoint does not serve, or the rows do not lead to it. */
async function explain(
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
  return last === undefined || size > last.size || (await leadTo(log, last)) ? fork : finding;
}

async function leadTo(log: Log, { size, root }: Checkpoint): Promise<boolean> {
  const tree = createTree();
  for await (const page of readPages(log.ask, log.account)) {
    for (const item of page) if (tree.size() < size) tree.append(item.hash);
    if (tree.size() === size) break;
  }
  return tree.root() === root;
}

/** The checkpoints of database and file by size, behind one. */
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

/** @param isAlone whether nothing else names the log */
async function* storedCheckpoints(
  verifiers: readonly Verifier[],
  log: Log,
  after: number,
  isAlone: boolean,
): AsyncGenerator<CheckpointSeen> {
  for (let from = after + 1; ; ) {
    const page = await readCheckpoints(log, from);
    // One that is of another log among others was changed.
    const of = page.find(({ origin }) => verifiers.some(({ name }) => name === origin)) ?? page[0];
    if (isAlone && from === 0 && of !== undefined)
      refuseOtherLog(verifiers, of.origin, 'the log of this account');
    for (const checkpoint of page) {
      yield { ...checkpoint, isSigned: verifiers.some(({ open }) => open(checkpoint.note) !== null) };
    }
    const end = page.at(-1);
    if (end === undefined) return;
    from = end.size + 1;
  }
}
