// The file of checkpoints, which lies where the owner of the database cannot reach: signed notes, each
// followed by an empty line, in the order in which they were signed. It is only ever appended to. What a
// stop left out, or cut, is appended from the database before anything else is sealed.
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { toBuffer, utf8 } from '../base/encoded-values.ts';
import { Late, within } from '../base/waiting.ts';
import { MirrorError } from '../domain/errors.ts';
import { fork, type Log, readCheckpoints } from './log.ts';
import { readCheckpoint, type Signer } from './note.ts';

/** A note is a fraction of it. */
const tailBytes = 16_384;
/** In bytes, since a stop may cut within a character. */
const wholeNote = new RegExp(`(?<=^|\n\n)([^\n]+\n\\d+\n[^\n]+\n\n${utf8('—')} [^\n]+\n)\n`, 'g');

/** Files whose mount does not answer. Nothing else is tried there: it would take the threads of all I/O. */
const hanging = new Set<string>();

/**
 * Appends the checkpoints of the database that the file does not have yet.
 *
 * @param withinMs how long the file may take
 * @returns the note of the last one, which the file has now; null for none
 * @throws MirrorError `SEAL-FORK` when the file has a checkpoint that the database does not have, or that
 * has one that the key did not sign;
 * `SEAL-REFUSED` when it cannot be written, does not answer, or holds something else
 */
export async function appendMissing(
  path: string,
  log: Log,
  signer: Signer,
  withinMs: number,
): Promise<string | null> {
  const refused = (why: string, cause: unknown) =>
    new MirrorError('SEAL-REFUSED', `SEAL_CHECKPOINTS_FILE: ${why}`, { cause });
  const silent = `${path} does not answer: check the mount that it lies on`;
  if (hanging.has(path)) throw refused(silent, null);
  hanging.add(path);
  const appending = openAndAppend(path, log, signer).finally(() => hanging.delete(path));
  try {
    return await within(withinMs, appending);
  } catch (error) {
    if (error instanceof Late) throw refused(silent, error);
    if (error instanceof MirrorError || !(error instanceof Error) || !('syscall' in error)) throw error;
    throw refused(error.message, error);
  }
}

async function openAndAppend(path: string, log: Log, signer: Signer): Promise<string | null> {
  const file = await open(path, 'a+', 0o640);
  try {
    return await appendTo(file, path, log, signer);
  } finally {
    await file.close();
  }
}

async function appendTo(file: FileHandle, path: string, log: Log, signer: Signer) {
  const refused = (why: string) => new MirrorError('SEAL-REFUSED', `SEAL_CHECKPOINTS_FILE: ${path} ${why}`);
  const { size } = await file.stat();
  const start = Math.max(0, size - tailBytes);
  const { buffer } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  const tail = buffer.toString('latin1');
  const whole = [...tail.matchAll(wholeNote)].at(-1);
  let note = whole === undefined ? null : toBuffer(whole[1] ?? '').toString();
  /** The beginning of a note whose writing was interrupted. */
  let pending = whole === undefined ? tail : tail.slice(whole.index + whole[0].length);
  let from = 0;
  if (note !== null) {
    const last = readCheckpoint(note);
    if (last === null) throw refused('holds what is no checkpoint');
    if (last.origin !== signer.name)
      throw refused(`holds checkpoints of the log ${last.origin}; name a file for ${signer.name} alone`);
    const [same] = await readCheckpoints(log, last.size);
    if (same?.note !== note)
      throw fork(
        `${path} has a checkpoint of ${last.size} rows that the database does not have: the database was restored to an older state, or its log was changed`,
      );
    from = last.size + 1;
  }
  for (;;) {
    const missing = await readCheckpoints(log, from);
    const text = utf8(missing.map((checkpoint) => `${checkpoint.note}\n`).join(''));
    for (const checkpoint of missing)
      if (signer.sign(checkpoint) !== checkpoint.note) throw unsigned(checkpoint.size);
    if (!text.startsWith(pending)) throw refused('ends with what is no checkpoint of this log');
    if (text.length > pending.length) {
      await file.appendFile(toBuffer(text.slice(pending.length)));
      await file.datasync();
    }
    const end = missing.at(-1);
    if (end === undefined) return note;
    [note, pending, from] = [end.note, '', end.size + 1];
  }
}

/** A checkpoint that neither the key nor the file vouches for. Nothing is signed on top of it. */
export function unsigned(size: number): MirrorError {
  return fork(
    `the checkpoint of ${size} rows in sync.seal_checkpoints is not signed by the key of SEAL_KEY_FILE, or not the last one of SEAL_CHECKPOINTS_FILE`,
  );
}

/** A file, and how much of it is read. */
export interface FileRead {
  readonly path: string;
  readonly bytes: number;
}

/** The file does not serve to verify with. */
export function badFile(path: string, why: string): MirrorError {
  return new MirrorError('CONFIGURATION', `--checkpoints (SEAL_CHECKPOINTS_FILE): ${path} ${why}`);
}

export function cut(path: string): MirrorError {
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
export async function* readNotes({ path, bytes }: FileRead): AsyncGenerator<string> {
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
  // A file with one note, as a tool saves it, has no empty line behind it.
  if (note.length >= 5) yield `${note.join('\n')}\n`;
  else if (note.some((line) => line !== '')) throw cut(path);
}
