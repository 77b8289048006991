// `custody-mirror seal init|export` and `custody-mirror verify`. The private key is written to its file only.
import { appendFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSealConfig } from '../../base/config/config.ts';
import { MirrorError } from '../../domain/errors.ts';
import { counted, grouped } from '../../domain/words.ts';
import { type Log, openLog, readCheckpoints, storedCheckpoints } from '../../seal/log.ts';
import { isKeyName, makeSealKey, readSigner } from '../../seal/note.ts';
import { exportLog, lastCheckpoint, proveRow } from '../../seal/publish.ts';
import { askOne, refuseBent, restartLog } from '../../seal/seal.ts';
import { sealedTables } from '../../seal/tables.ts';
import { releaseLease, renewLease } from '../../store/run/leases.ts';
import { momentOfText } from '../../store/values/micros.ts';
import {
  type CommandContext,
  describeFailure,
  type ExitCode,
  exitCodeOf,
  exitCodes,
} from '../setup/command-scope.ts';
import { takeLease, withMirror } from '../setup/compose.ts';
import { readVerifiers, sealingOf, verifiersOf, verifyInLittle } from '../setup/verifying.ts';
import { contentInWords, verdictText } from '../text/seal-text.ts';
import { createLiveLine } from '../text/terminal.ts';

interface VerifyCommandOptions {
  readonly checkpoints?: string;
  readonly key?: readonly string[];
  /** A table, and the key of a row of it. */
  readonly row?: readonly string[];
}

const bad = (why: string) => new MirrorError('CONFIGURATION', why);

export async function sealInitCommand(
  context: CommandContext,
  path: string,
  name: string,
): Promise<ExitCode> {
  if (!isKeyName(name))
    throw bad('name: must be a name such as custody.example/acme, without spaces or plus signs');
  const key = makeSealKey(name);
  try {
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    throw bad(
      `file: ${path} ${code === 'EEXIST' ? 'exists, and a key is never overwritten' : `cannot be written (${code})`}`,
    );
  }
  context.stderr.write(
    `The private key is in ${path}: set SEAL_KEY_FILE to it, and keep a copy out of the database owner's reach. Give auditors this verifier key, which verifies its checkpoints:\n`,
  );
  context.stdout.write(`${readSigner(key)?.verifierKey ?? ''}\n`);
  return exitCodes.ok;
}

export async function sealExportCommand(context: CommandContext, directory: string): Promise<ExitCode> {
  return await withMirror(context, async (database, account) => {
    const line = createLiveLine(context.stderr);
    const { size, origin } = await exportLog(openLog(askOne(database), account), directory, (rows, of) =>
      line.show(`exporting ${grouped(rows)} of ${counted(of, 'row')}`),
    );
    line.clear();
    context.stdout.write(`${directory} has the log ${origin} with ${counted(size, 'row')}\n`);
    return exitCodes.ok;
  });
}

/** A history that could not be verified, as without a database, has another code than an altered one. */
export async function verifyCommand(
  context: CommandContext,
  options: VerifyCommandOptions,
): Promise<ExitCode> {
  try {
    return await verify(context, options);
  } catch (error) {
    if (exitCodeOf(error) === exitCodes.configuration) throw error;
    context.stderr.write(`${describeFailure(error)}\n`);
    const isAltered = error instanceof MirrorError && error.code === 'SEAL-FORK';
    return isAltered ? exitCodes.failed : exitCodes.unverified;
  }
}

async function verify(context: CommandContext, options: VerifyCommandOptions): Promise<ExitCode> {
  const row = options.row === undefined ? null : rowOfArguments(options.row);
  const config = parseSealConfig(context);
  const file = options.checkpoints ?? config.checkpointsFile;
  const verifiers = options.key === undefined ? verifiersOf(config) : readVerifiers('--key', options.key);
  if (verifiers.length === 0)
    throw bad(
      '--key: give the verifier key that `seal init` printed, or set SEAL_KEY_FILE or SEAL_VERIFIER_KEYS',
    );
  return await withMirror(context, async (database, account, signal) => {
    if (row !== null) {
      const log = openLog(askOne(database), account);
      await refuseBent(database);
      const proven = await proveRow(log, row.table, row.key, verifiers);
      if (proven === null) {
        context.stderr.write('The row is not as it was sealed: run verify without --row.\n');
        return exitCodes.failed;
      }
      context.stderr.write(contentInWords(proven.content));
      context.stdout.write(proven.proof);
      return exitCodes.ok;
    }
    const line = createLiveLine(context.stderr);
    const verdict = await verifyInLittle({
      database,
      account,
      verifiers,
      checkpointsFile: file,
      signal,
      onProgress: (rows, of) => line.show(`verifying ${grouped(rows)} of ${counted(of, 'row')}`),
    });
    line.clear();
    context.stdout.write(verdictText(verdict, account, file));
    if (verdict.finding !== null) return exitCodes.failed;
    return verdict.behind === null ? exitCodes.ok : exitCodes.unverified;
  });
}

// `custody-mirror seal restart`: ends a log that cannot go on, for instance after a restore. First writes
// what it still proves to a directory; then a log under another name begins.

/** @param directory where the old log is written: a new one */
export async function sealRestartCommand(context: CommandContext, directory: string): Promise<ExitCode> {
  const sealing = sealingOf(parseSealConfig(context));
  if (sealing === undefined)
    throw bad('SEAL_KEY_FILE: set it to the key of the new log; `custody-mirror seal init` creates one');
  const { signer: next, checkpointsFile } = sealing;
  if (checkpointsFile !== null && (await isThere(checkpointsFile)))
    throw bad(
      `SEAL_CHECKPOINTS_FILE: ${checkpointsFile} belongs to the old log; keep it, and name a new file`,
    );
  if (await isThere(directory)) throw bad(`directory: ${directory} is not empty; name a new one`);
  return await withMirror(context, async (database, account) => {
    const lease = await takeLease(database, account);
    const log = openLog(askOne(database), account);
    try {
      let kept = `the database holds no log of account ${account}: keep the old file of checkpoints`;
      const hasBegun = await restartLog({ database, lease }, sealing, async () => {
        if ((await readCheckpoints(log, 'last')).length > 0)
          kept = await keepLog(context, log, directory, next.name, () => renewLease(database, lease));
        if (checkpointsFile !== null) await touch(checkpointsFile);
      });
      const begun = hasBegun
        ? 'has begun, and the next sealing continues it'
        : 'begins with the first row that is sealed';
      const then = `The log ${next.name} ${begun}; give auditors its verifier key ${next.verifierKey}`;
      context.stdout.write(`${kept}. ${then}\n`);
      return exitCodes.ok;
    } finally {
      await releaseLease(database, lease);
    }
  });
}

/** Writes the log and its checkpoints. @returns what to keep, in words */
async function keepLog(
  { stderr }: CommandContext,
  log: Log,
  directory: string,
  next: string,
  renew: () => Promise<unknown>,
): Promise<string> {
  const { size, origin } = await lastCheckpoint(log);
  if (origin === next)
    throw bad(
      `SEAL_KEY_FILE: the key is named ${origin} as the old log is; create one with another name, such as ${origin}-2`,
    );
  const line = createLiveLine(stderr);
  await exportLog(log, directory, async (rows, of) => {
    line.show(`exporting ${grouped(rows)} of ${counted(of, 'row')}`);
    await renew();
  });
  line.clear();
  await writeFile(join(directory, 'checkpoints'), notesOf(log), { flag: 'wx' });
  return `${directory} has the log ${origin} with ${counted(size, 'row')} and its checkpoints: keep it and the old file of checkpoints`;
}

/** Before the old log is removed: the new one may need it. */
async function touch(file: string): Promise<void> {
  await appendFile(file, '', { mode: 0o640 }).catch((error: unknown) => {
    throw bad(`SEAL_CHECKPOINTS_FILE: ${error instanceof Error ? error.message : ''}`);
  });
}

/** Every checkpoint of the database, as the file has them that `verify --checkpoints` takes. */
async function* notesOf(log: Log): AsyncGenerator<string> {
  for await (const { note } of storedCheckpoints([], log, false)) yield `${note}\n`;
}

/** An empty directory may be left from a restart that was refused. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) return (await readdir(path)).length > 0;
  return found !== null && found.size > 0;
}

// The row that `verify --row` proves: a table and the values of its primary key, moments as ISO 8601 in UTC.

/**
 * @returns the table, and its key without account_id
 * @throws MirrorError `CONFIGURATION` when they name no row that can be sealed by itself
 */
function rowOfArguments([name = '', ...values]: readonly string[]) {
  const fault = (why: string) => bad(`--row: ${why}`);
  const table = sealedTables.find((each) => each.name === name || each.name === `custody.${name}`);
  if (table === undefined)
    throw fault(`the first word must be one of ${sealedTables.map((each) => each.name).join(', ')}`);
  const [, ...columns] = table.key;
  if (values.length !== columns.length)
    throw fault(`a row of ${table.name} is named by ${columns.join(' ')}`);
  const key = values.map((value, n) => {
    const column = columns[n] ?? '';
    if (table.columns.get(column) !== 'timestamp with time zone') return value;
    const micros = value.endsWith('Z') ? momentOfText(value) : 'NaN';
    if (micros === 'NaN')
      throw fault(
        `${column} must be a moment in UTC with all its digits, such as 2027-06-30T18:00:00.123456Z`,
      );
    return micros;
  });
  return { table: table.name, key };
}
