// Recomputes the log from the rows of the history, and compares it with the checkpoints: those of the
// database, and those of a file that lies elsewhere. Only what leads to a signed hash is trusted.
import { MirrorError } from '../domain/errors.ts';
import type { Database } from '../store/postgres/database.ts';
import { readNotes } from './checkpoints-file.ts';
import { added, type Finding, findFirst } from './diagnosis.ts';
import type { Hash } from './encoding.ts';
import { createTiles, readCheckpoints, type StoredCheckpoint } from './log.ts';
import { type Checkpoint, readCheckpoint, type Verifier } from './note.ts';
import { type Ask, readOrphan } from './queries.ts';
import { readItems } from './rows.ts';
import { createProgress, createWalk, type Walk } from './walk.ts';

export interface VerifyOptions {
  readonly database: Database;
  readonly account: string;
  readonly verifiers: readonly Verifier[];
  /** A file of checkpoints; null for those of the database alone. */
  readonly checkpointsFile: string | null;
  readonly signal: AbortSignal;
  /** How many rows were read, of how many. */
  readonly onProgress?: (rows: number, of: number) => void;
}

export interface Verdict {
  /** What was found first; null when everything is as it was sealed. */
  readonly finding: Finding | null;
  /** The last checkpoint up to which everything is as it was; null when there is none. */
  readonly upTo: CheckpointSeen | null;
  readonly checkpoints: number;
  /** How many of the rows were thinned since they were sealed. */
  readonly thinned: number;
}

export interface CheckpointSeen extends Checkpoint {
  /** As the database has it; null where the file alone has the checkpoint. */
  readonly stored: StoredCheckpoint | null;
}

/**
 * Sees one state of the database, whatever is sealed or thinned meanwhile.
 *
 * @throws MirrorError `CONFIGURATION` when keys or file do not serve: a bad signature, another log, nothing
 * sealed
 */
export function verifyHistory(options: VerifyOptions): Promise<Verdict> {
  return options.database.transact('verify', ({ ask }) => verifyState({ ...options, ask }), {
    snapshot: true,
  });
}

/** In one transaction. */
type Reading = VerifyOptions & { readonly ask: Ask };

async function verifyState(options: Reading): Promise<Verdict> {
  const { ask, account, signal } = options;
  const [last] = await readCheckpoints(ask, account, 'last');
  const progress = createProgress(options.onProgress);
  const tiles = createTiles(ask, account);
  const walk = createWalk(
    readItems(ask, { account, after: 0, upTo: Number.MAX_SAFE_INTEGER }),
    tiles,
    progress,
    signal,
  );
  const found = checkpointsOf(options);
  let upTo: CheckpointSeen | null = null;
  let checkpoints = 0;
  const end = (finding: Finding | null) => ({ finding, upTo, checkpoints, thinned: walk.thinned() });
  for (let next = await found.next(); next.done !== true; next = await found.next()) {
    const checkpoint = next.value;
    if ('finding' in checkpoint) return end(checkpoint.finding);
    progress.toward(Math.max(checkpoint.size, last?.size ?? 0));
    const start = walk.place();
    if (!(await walk.isAt(checkpoint))) {
      const { size } = checkpoint;
      const isFork =
        checkpoint.stored === null &&
        last !== undefined &&
        (size > last.size || (await goesOnWithout(found, walk)));
      if (isFork) return end({ kind: 'fork', size, stored: last.size });
      return end(await findFirst({ ask, account, tiles }, start, checkpoint));
    }
    upTo = checkpoint;
    checkpoints += 1;
  }
  if (upTo === null)
    throw new MirrorError(
      'CONFIGURATION',
      `CUSTODY_ACCOUNT: nothing of account "${account}" is sealed, or there is no such account`,
    );
  const doubled = await walk.doubled();
  if (doubled !== null) return end(await added({ ask, account, tiles }, doubled));
  const orphan = await readOrphan(ask, account);
  return end(orphan === null ? null : { kind: 'inserted', ...orphan });
}

/** Whether the rows lead to a later checkpoint of the database: then two trees were signed. */
async function goesOnWithout(found: ReturnType<typeof checkpointsOf>, walk: Walk): Promise<boolean> {
  for (let next = await found.next(); next.done !== true; next = await found.next())
    if ('size' in next.value && next.value.stored !== null) return await walk.isAt(next.value);
  return false;
}

const checkpointsAtOnce = 1_000;

/** The checkpoints of file and database by size; where one of the database does not serve, that is told. */
async function* checkpointsOf(
  options: Reading,
): AsyncGenerator<CheckpointSeen | { readonly finding: Finding }> {
  const stored = storedCheckpoints(options);
  const filed = options.checkpointsFile === null ? null : filedCheckpoints(options, options.checkpointsFile);
  let [a, b] = [await stored.next(), await filed?.next()];
  for (;;) {
    const mine = a.done === true ? null : a.value;
    const theirs = b === undefined || b.done === true ? null : b.value;
    if (mine === null && theirs === null) return;
    if (mine !== null && 'finding' in mine) return yield mine;
    if (theirs !== null && (mine === null || theirs.size <= mine.size)) {
      const isSame = mine?.size === theirs.size;
      if (isSame && mine.root !== theirs.root) {
        const { size } = mine;
        return yield { finding: { kind: 'fork', size, stored: size } };
      }
      yield { ...theirs, stored: isSame ? mine.stored : null };
      b = await filed?.next();
      // The file may have it more than once.
      if (isSame && (b === undefined || b.done === true || b.value.size > theirs.size))
        a = await stored.next();
    } else if (mine !== null) {
      yield mine;
      a = await stored.next();
    }
  }
}

async function* storedCheckpoints({ ask, account, verifiers, checkpointsFile }: Reading) {
  for (let from = 0; ; ) {
    const page = await readCheckpoints(ask, account, { from, count: checkpointsAtOnce });
    for (const checkpoint of page) {
      const { size, origin, root, note } = checkpoint;
      // With a file, it is that which tells the log.
      if (checkpointsFile === null) refuseOtherLog(verifiers, origin, 'the log of this account');
      if (verifiers.every((verifier) => verifier.open(note) === null))
        yield { finding: { kind: 'unsigned', size } as const };
      yield { origin, size, root, stored: checkpoint };
    }
    const end = page.at(-1);
    if (end === undefined) return;
    from = end.size + 1;
  }
}

async function* filedCheckpoints({ verifiers }: VerifyOptions, path: string): AsyncGenerator<Checkpoint> {
  const fault = (why: string) => new MirrorError('CONFIGURATION', `--checkpoints: ${path} ${why}`);
  /** Two writers may append the same ones in turns: then they are there again, a little later. */
  const recent = new Map<number, Hash>();
  let before = 0;
  for await (const note of readNotes(path)) {
    const checkpoint = readCheckpoint(note);
    if (checkpoint === null) throw fault('holds what is no checkpoint');
    refuseOtherLog(verifiers, checkpoint.origin, `--checkpoints: ${path}`);
    if (verifiers.every((verifier) => verifier.open(note) === null))
      throw fault(
        `has a checkpoint of ${checkpoint.size} rows with a signature that the key did not make; give every key of the log by --key`,
      );
    const { size, root } = checkpoint;
    if (size < before && recent.get(size) !== root)
      throw fault(`has a checkpoint of ${size} rows behind one of ${before}, and not before it`);
    if (size < before) continue;
    before = size;
    recent.set(size, root);
    if (recent.size > checkpointsAtOnce) recent.delete(recent.keys().next().value ?? 0);
    yield checkpoint;
  }
  if (before === 0) throw fault('holds no checkpoint');
}

function refuseOtherLog(verifiers: readonly Verifier[], origin: string, of: string): void {
  const names = verifiers.map(({ name }) => name);
  if (!names.includes(origin))
    throw new MirrorError(
      'CONFIGURATION',
      `--key: ${of} is of ${origin}, and the key of ${names.join(', ')}; give the key of that log`,
    );
}
