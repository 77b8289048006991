// Recomputes the log from the rows of the history, and compares it with the checkpoints: those of the
// database, and those of a file that lies elsewhere. Only what leads to a signed hash is trusted.

import { sql } from 'drizzle-orm';
import type { Hash } from '../base/encoded-values.ts';
import { MirrorError } from '../domain/errors.ts';
import type { Database } from '../store/postgres/database.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { refuseDistrusted } from '../store/schema/plain-tables.ts';
import { findBalance } from './balances.ts';
import { badFile, cut, type FileRead, readNotes, sizeOfFile } from './checkpoints-file.ts';
import { added, createLate, type Finding, findFirst, type RowNamed, readOrphan } from './diagnosis.ts';
import { type Log, nothingSealed, openLog, readCheckpoints, type StoredCheckpoint } from './log.ts';
import { type Checkpoint, isWhole, readCheckpoint, type Verifier } from './note.ts';
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
}

export interface Verdict extends Readonly<Seen> {
  /** What was found first; null when everything is as it was sealed. */
  readonly finding: Finding | null;
}

interface Seen {
  /** The last checkpoint up to which everything is as it was; null when there is none. */
  upTo: CheckpointSeen | null;
  checkpoints: number;
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
}

/**
 * Sees one state of the database, whatever is sealed meanwhile.
 *
 * @throws MirrorError `CONFIGURATION` when keys or file do not serve: a bad signature, another log, nothing
 * sealed
 */
export async function verifyHistory(options: VerifyOptions): Promise<Verdict> {
  const { database, account, checkpointsFile } = options;
  // What is appended from here on may be of rows that the state does not have yet.
  const file = checkpointsFile === null ? null : await sizeOfFile(checkpointsFile);
  const work = async ({ ask }: Tx) => {
    const log = openLog(ask, account);
    const found = checkpointsOf(options, log, file);
    // The end of the generator closes the file.
    return await verifyState(found, options, log).finally(() => found.return());
  };
  return await database.transact('verify', work, { snapshot: true });
}

async function verifyState(
  found: AsyncGenerator<CheckpointSeen, void, void>,
  options: VerifyOptions,
  log: Log,
): Promise<Verdict> {
  await refuseDistrusted(log.ask, tablesRead);
  const [last] = await readCheckpoints(log, 'last');
  const tree = createTree();
  const { late, take, hold } = createLate();
  const seen: Seen = { upTo: null, checkpoints: 0, unsealed: 0, present: 0, late };
  const end = (finding: Finding | null) => ({ ...seen, finding });
  let next = await found.next();
  const whyNot = async (checkpoint: CheckpointSeen) =>
    await explain(log, checkpoint, { upTo: seen.upTo, last, beside: (await found.next()).value ?? null });
  /** Compares the tree with all checkpoints of its size. */
  const compare = async (): Promise<Finding | null> => {
    for (; next.done !== true && next.value.size <= tree.size(); next = await found.next()) {
      const { root, size, isSigned } = next.value;
      if (!isSigned || tree.root() !== root) return await whyNot(next.value);
      // Database and file have the same ones; that of the database comes first, with its moment.
      if (seen.upTo?.size === size) continue;
      seen.upTo = next.value;
      seen.checkpoints += 1;
      hold();
    }
    return null;
  };
  let [lastNumber, lastSealed] = [0, 0];
  for await (const page of readPages(log.ask, log.account)) {
    options.signal.throwIfAborted();
    for (const item of page) {
      take(item);
      if (next.done !== true) {
        tree.append(item.hash);
        lastSealed = item.changeId;
        const finding = tree.size() < next.value.size ? null : await compare();
        if (finding !== null) return end(finding);
        // What is not sealed yet has a number of its own.
      } else if (item.changeId === lastNumber) return end(await added(log, item));
      else seen.unsealed += 1;
      lastNumber = item.changeId;
    }
    await options.onProgress?.(tree.size(), Math.max(tree.size(), last?.size ?? 0));
  }
  if (next.done !== true) return end(await whyNot(next.value));
  const count = (rows: number) => {
    options.signal.throwIfAborted();
    seen.present = rows;
    return options.onProgress?.(tree.size() + rows, tree.size() + rows);
  };
  if (seen.upTo === null) throw nothingSealed(log);
  const unsealed = sql`s.change_id > ${lastSealed}`;
  return end((await readOrphan(log)) ?? (await replay(log, count)) ?? (await findBalance(log, unsealed)));
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

/** The checkpoints of database and file by size. */
async function* checkpointsOf(
  options: VerifyOptions,
  log: Log,
  file: FileRead | null,
): AsyncGenerator<CheckpointSeen, void, void> {
  const stored = storedCheckpoints(options, log);
  let next = await stored.next();
  if (file !== null)
    for await (const filed of filedCheckpoints(options, file)) {
      for (; next.done !== true && next.value.size <= filed.size; next = await stored.next())
        yield next.value;
      yield { ...filed, signedAt: null, isSigned: true };
    }
  for (; next.done !== true; next = await stored.next()) yield next.value;
}

async function* storedCheckpoints(
  { verifiers, checkpointsFile }: VerifyOptions,
  log: Log,
): AsyncGenerator<CheckpointSeen> {
  for (let from = 0; ; ) {
    const page = await readCheckpoints(log, from);
    // With a file, the file names the log. One that is of another log among others was changed.
    const of = page.find(({ origin }) => verifiers.some(({ name }) => name === origin)) ?? page[0];
    if (checkpointsFile === null && from === 0 && of !== undefined)
      refuseOtherLog(verifiers, of.origin, 'the log of this account');
    for (const checkpoint of page) {
      yield { ...checkpoint, isSigned: verifiers.some(({ open }) => open(checkpoint.note) !== null) };
    }
    const end = page.at(-1);
    if (end === undefined) return;
    from = end.size + 1;
  }
}

async function* filedCheckpoints({ verifiers }: VerifyOptions, file: FileRead): AsyncGenerator<Checkpoint> {
  const { path } = file;
  /** Two writers may append the same ones in turns: then they are there again, a little later. */
  const recent = new Map<number, Hash>();
  let before = 0;
  for await (const note of readNotes(file)) {
    const checkpoint = readCheckpoint(note);
    if (checkpoint === null)
      throw badFile(path, 'holds something that is no checkpoint, or not the whole text of one');
    const { size, root, origin } = checkpoint;
    refuseOtherLog(verifiers, origin, path);
    if (!isWhole(note)) throw cut(path);
    if (verifiers.every((verifier) => verifier.open(note) === null))
      throw badFile(
        path,
        `has a checkpoint of ${size} rows with a signature that the key did not make; give every key of the log by --key or in SEAL_VERIFIER_KEYS`,
      );
    if (size < before && recent.get(size) !== root)
      throw badFile(path, `has a checkpoint of ${size} rows behind one of ${before}, and not before it`);
    if (size < before) continue;
    before = size;
    recent.set(size, root);
    if (recent.size > 1_000) recent.delete(recent.keys().next().value ?? 0);
    yield checkpoint;
  }
  if (before === 0) throw badFile(path, 'holds no checkpoint');
}

function refuseOtherLog(verifiers: readonly Verifier[], origin: string, of: string): void {
  const names = verifiers.map(({ name }) => name);
  if (!names.includes(origin))
    throw new MirrorError(
      'CONFIGURATION',
      `--key (SEAL_KEY_FILE, SEAL_VERIFIER_KEYS): ${of} is of ${origin}, and the key of ${names.join(', ')}; give the key of that log`,
    );
}
