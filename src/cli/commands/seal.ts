// `custody-mirror seal init|export` and `custody-mirror verify`. The private key is written to its file only.
import { writeFile } from 'node:fs/promises';
import { parseSealConfig } from '../../base/config/config.ts';
import { MirrorError } from '../../domain/errors.ts';
import { counted, grouped } from '../../domain/words.ts';
import { rowOfArguments } from '../../seal/keys.ts';
import { openLog } from '../../seal/log.ts';
import { isKeyName, makeSealKey, readSigner, readVerifier, type Verifier } from '../../seal/note.ts';
import { exportLog, proveRow } from '../../seal/publish.ts';
import { askOne, refuseDistrusted, sealingOf } from '../../seal/seal.ts';
import { verifyHistory } from '../../seal/verify.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { verdictText } from '../text/seal-text.ts';
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

export async function verifyCommand(
  context: CommandContext,
  options: VerifyCommandOptions,
): Promise<ExitCode> {
  const row = options.row === undefined ? null : rowOfArguments(options.row);
  const file = options.checkpoints ?? parseSealConfig(context).checkpointsFile;
  const verifiers = verifiersOf(context, options);
  return await withDatabase(context, async (database, account, signal) => {
    await checkSchema(database);
    if (row !== null) {
      const log = openLog(askOne(database), account);
      await refuseDistrusted(log.ask);
      const proof = await proveRow(log, row.table, row.key, verifiers);
      context[proof === null ? 'stderr' : 'stdout'].write(
        proof ?? 'The row is not as it was sealed: run verify without --row.\n',
      );
      return proof === null ? exitCodes.failed : exitCodes.ok;
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
    return verdict.finding === null ? exitCodes.ok : exitCodes.failed;
  });
}

function verifiersOf(context: CommandContext, { key: keys }: VerifyCommandOptions): readonly Verifier[] {
  const own = keys ?? [sealingOf(parseSealConfig(context))?.signer.verifierKey ?? ''];
  const why =
    keys === undefined
      ? '--key: give the verifier key that `seal init` printed, or set SEAL_KEY_FILE'
      : '--key: is not an Ed25519 verifier key as `seal init` prints it';
  return own.map((key) => {
    const verifier = readVerifier(key);
    if (verifier === null) throw bad(why);
    return verifier;
  });
}
