// The file of checkpoints, kept out of reach of the database's owner: signed notes, each followed by an empty
// line, in the order in which they were signed. It is only ever appended to. Checkpoints that a stop omitted
// or cut are appended from the database before anything else is sealed.
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Hash, toBuffer, utf8 } from '../base/encoded-values.ts';
import { Late, within } from '../base/waiting.ts';
import { MirrorError } from '../domain/errors.ts';
import { fork, type Log, readCheckpoints, refuseOtherLog } from './log.ts';
import { type Checkpoint, isSignedBy, isWhole, readCheckpoint, type Verifier } from './note.ts';

/** A note takes a fraction of it. */
const tailBytes = 16_384;
const longestNote = 4_096;
/** In bytes, since a stop may cut a character in two. */
const noteForm = `[^\n]+\n\\d+\n[^\n]+\n\n${utf8('—')} [^\n]+\n`;
const wholeNote = new RegExp(`(?<=^|\n\n)(${noteForm})\n`, 'g');
const oneNote = new RegExp(`^${noteForm}$`);

/** Files whose mount does not answer. They are not tried again, because each try would keep an I/O thread. */
const hanging = new Set<string>();

/**
 * Appends the checkpoints of the database that the file does not have yet.
 *
 * @param verifiers the key that signs, and earlier ones of the log
 * @param withinMs how long the file may take
 * @returns the note of the last one, which the file has now; null for none
 * @throws MirrorError `SEAL-FORK` when the file has a checkpoint that the database lacks, or the database has
 * one that no key signed; `SEAL-REFUSED` when it cannot be written, does not answer, or holds something else
 */
export async function appendMissing(
  path: string,
  log: Log,
  verifiers: readonly Verifier[],
  withinMs: number,
): Promise<string | null> {
  const refused = (why: string, cause: unknown) =>
    new MirrorError('SEAL-REFUSED', `SEAL_CHECKPOINTS_FILE: ${why}`, { cause });
  const silent = `${path} does not answer: check the mount that it lies on`;
  if (hanging.has(path)) throw refused(silent, null);
  hanging.add(path);
  const appending = openAndAppend(path, log, verifiers).finally(() => hanging.delete(path));
  try {
    return await within(withinMs, appending);
  } catch (error) {
    if (error instanceof Late) throw refused(silent, error);
    if (error instanceof MirrorError || !(error instanceof Error) || !('syscall' in error)) throw error;
    throw refused(error.message, error);
  }
}

const { O_APPEND, O_CREAT, O_RDWR } = constants;

async function openAndAppend(path: string, log: Log, verifiers: readonly Verifier[]): Promise<string | null> {
  const isNew = (await readCheckpoints(log, 'last')).length === 0;
  // A file that is missing later was removed, or its disk is not mounted.
  const file = await open(path, O_RDWR | O_APPEND | (isNew ? O_CREAT : 0), 0o640).catch((error: unknown) => {
    if (isNew || !(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const { problem, fix } = missingFile(path);
    throw refusal(path, `${problem}: ${fix}`);
  });
  try {
    return await appendTo(file, path, log, verifiers);
  } finally {
    await file.close();
  }
}

/** The file is missing although the log has checkpoints. */
export function missingFile(path: string) {
  return {
    problem: 'is missing, although the log has checkpoints',
    fix: `mount its disk, or restore it from a copy. Only where there was none so far, as for a standby with a file of its own, create it empty (touch ${path}): then all checkpoints of the database are written to it`,
  };
}

function refusal(path: string, why: string): MirrorError {
  return new MirrorError('SEAL-REFUSED', `SEAL_CHECKPOINTS_FILE: ${path} ${why}`);
}

async function appendTo(file: FileHandle, path: string, log: Log, verifiers: readonly Verifier[]) {
  const { size } = await file.stat();
  const start = Math.max(0, size - tailBytes);
  const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.toString('latin1');
  const { notes, rest } = readTail(tail, path, start > 0);
  const first = Math.min(...notes.map(({ size }) => size), Number.MAX_SAFE_INTEGER);
  const stored = new Set((await readCheckpoints(log, first)).map(({ note }) => note));
  for (const { note, origin, size } of notes) {
    if (origin !== verifiers[0]?.name)
      throw refusal(
        path,
        `holds checkpoints of the log ${origin}; name a file for ${verifiers[0]?.name} alone`,
      );
    if (!stored.has(note))
      throw fork(
        `${path} has a checkpoint of ${size} rows that the database does not have: the database was restored to an older state, or its log or the file was changed`,
      );
    if (!isSignedBy(verifiers, note))
      throw refusal(
        path,
        `has a checkpoint of ${size} rows that another key signed: put the earlier verifier key of the log into SEAL_VERIFIER_KEYS`,
      );
  }
  const last = notes.at(-1);
  let [note, pending, from] = [last?.note ?? null, rest, last === undefined ? 0 : last.size + 1];
  for (;;) {
    const missing = await readCheckpoints(log, from);
    const text = utf8(missing.map((checkpoint) => `${checkpoint.note}\n`).join(''));
    for (const checkpoint of missing)
      if (!oneNote.test(utf8(checkpoint.note)) || !isSignedBy(verifiers, checkpoint.note))
        throw unsigned(checkpoint.size);
    if (!text.startsWith(pending))
      throw refusal(path, 'ends with something that is not a checkpoint of this log');
    if (text.length > pending.length) {
      await file.appendFile(toBuffer(text.slice(pending.length)));
      await file.datasync();
    }
    const end = missing.at(-1);
    if (end === undefined) return note;
    [note, pending, from] = [end.note, '', end.size + 1];
  }
}

/**
 * The last checkpoints of the file, and the beginning of one whose writing was interrupted.
 *
 * @param isCut whether the tail begins within the file
 * @throws MirrorError `SEAL-REFUSED` where `verify` would refuse the file
 */
function readTail(tail: string, path: string, isCut: boolean) {
  // The beginning of a cut tail may look whole and be the end of a checkpoint with a longer name.
  const found = [...tail.matchAll(wholeNote)].filter(({ index }) => !isCut || index > 0);
  const begin = found[0]?.index ?? 0;
  const text = found.map(([whole]) => whole).join('');
  const notes = found.map(([, bytes = '']) => {
    const note = toBuffer(bytes).toString();
    return { origin: '', size: 0, ...readCheckpoint(note), note };
  });
  const isInOrder = notes.every(({ size }, n) => {
    const before = notes.slice(0, n).map((each) => each.size);
    return isCut || size >= (before.at(-1) ?? 0) || before.includes(size);
  });
  const isBroken = !tail.startsWith(text, begin) || begin > (isCut ? longestNote : 0);
  if (isBroken || !isInOrder || notes.some(({ origin }) => origin === ''))
    throw refusal(
      path,
      'holds other text between its checkpoints, or checkpoints out of order: restore it from a copy, or keep it and name a new file, created empty',
    );
  return { notes, rest: tail.slice(begin + text.length) };
}

/** A checkpoint that no key, or not the file, vouches for. Nothing is signed on top of it. */
export function unsigned(size: number): MirrorError {
  return fork(
    `the checkpoint of ${size} rows in sync.seal_checkpoints is not signed by the key of SEAL_KEY_FILE or one of SEAL_VERIFIER_KEYS, or not the last one of SEAL_CHECKPOINTS_FILE`,
  );
}

/** A file, and how much of it to read. */
export interface FileRead {
  readonly path: string;
  readonly bytes: number;
}

/** The file cannot be used to verify. */
function badFile(path: string, why: string): MirrorError {
  return new MirrorError('CONFIGURATION', `--checkpoints (SEAL_CHECKPOINTS_FILE): ${path} ${why}`);
}

function cut(path: string): MirrorError {
  return badFile(path, 'ends in the middle of a checkpoint: it was cut');
}

/** @throws MirrorError `CONFIGURATION` when there is no such file */
export async function sizeOfFile(path: string): Promise<FileRead> {
  try {
    return { path, bytes: (await stat(path)).size };
  } catch (error) {
    throw badFile(path, `cannot be read (${error instanceof Error ? error.message : ''})`);
  }
}

/**
 * The notes of a file, one after the other.
 *
 * @throws MirrorError `CONFIGURATION` when it cannot be read, or ends within a note
 */
async function* readNotes({ path, bytes }: FileRead): AsyncGenerator<string> {
  if (bytes === 0) return;
  const input = createReadStream(path, { encoding: 'utf8', end: bytes - 1 });
  let note: string[] = [];
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line !== '' || note.length < 4) note.push(line);
      else {
        yield `${note.join('\n')}\n`;
        note = [];
      }
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw badFile(path, `cannot be read (${error.message})`);
    throw error;
  } finally {
    input.destroy();
  }
  // A file with one note, as a tool saves it, has no empty line after it.
  if (note.length >= 5) yield `${note.join('\n')}\n`;
  else if (note.some((line) => line !== '')) throw cut(path);
}

/** The checkpoints of the file, in the order in which they were signed. */
export async function* filedCheckpoints(
  verifiers: readonly Verifier[],
  file: FileRead,
): AsyncGenerator<Checkpoint> {
  const { path } = file;
  /** Two writers may append the same checkpoints in turn: these then occur again, a little later. */
  const recent = new Map<number, Hash>();
  let before = 0;
  for await (const note of readNotes(file)) {
    const checkpoint = readCheckpoint(note);
    if (checkpoint === null)
      throw badFile(path, 'holds something that is not a checkpoint, or only a part of one');
    const { size, root, origin } = checkpoint;
    refuseOtherLog(verifiers, origin, path);
    if (!isWhole(note)) throw cut(path);
    if (!isSignedBy(verifiers, note))
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
