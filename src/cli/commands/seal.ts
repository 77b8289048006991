// `custody-mirror seal init|export` and `custody-mirror verify`. The private key is written to its file only.
import { writeFile } from 'node:fs/promises';
import { parseSealConfig } from '../../base/config/config.ts';
import { MirrorError } from '../../domain/errors.ts';
import { counted, grouped } from '../../domain/words.ts';
import { openLog } from '../../seal/log.ts';
import { isKeyName, makeSealKey, readSigner } from '../../seal/note.ts';
import { exportLog, proveRow } from '../../seal/publish.ts';
import { askOne, refuseBent } from '../../seal/seal.ts';
import { verifyHistory } from '../../seal/verify.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { describeFailure, type ExitCode, exitCodeOf, exitCodes } from '../setup/exit.ts';
import { rowOfArguments } from '../setup/row-argument.ts';
import { readVerifiers, verifiersOf } from '../setup/verifying.ts';
import { contentInWords, verdictText } from '../text/seal-text.ts';
import { createLiveLine } from '../text/terminal.ts';

export interface VerifyCommandOptions {
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
  return await withDatabase(context, async (database, account) => {
    await checkSchema(database);
    const line = createLiveLine(context.stderr);
    const { size, origin } = await exportLog(openLog(askOne(database), account), directory, (rows, of) =>
      line.show(`exporting ${grouped(rows)} of ${counted(of, 'row')}`),
    );
    line.clear();
    context.stdout.write(`${directory} has the log ${origin} with ${counted(size, 'row')}\n`);
    return exitCodes.ok;
  });
}

/** What could not be verified, as without a database, has another code than what was altered. */
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
  return await withDatabase(context, async (database, account, signal) => {
    await checkSchema(database);
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
    const verdict = await verifyHistory({
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
