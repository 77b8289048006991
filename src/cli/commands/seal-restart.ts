// `custody-mirror seal restart`: ends a log that cannot go on, after a restore for instance. What it still
// proves is written to a directory first; then a log under another name begins.
import { appendFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSealConfig } from '../../base/config/config.ts';
import { MirrorError } from '../../domain/errors.ts';
import { counted, grouped } from '../../domain/words.ts';
import { type Log, openLog, readCheckpoints, storedCheckpoints } from '../../seal/log.ts';
import { exportLog, lastCheckpoint } from '../../seal/publish.ts';
import { askOne, restartLog } from '../../seal/seal.ts';
import { releaseLease, renewLease } from '../../store/run/leases.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { takeLease } from '../setup/take-lease.ts';
import { sealingOf } from '../setup/verifying.ts';
import { createLiveLine } from '../text/terminal.ts';

const bad = (why: string) => new MirrorError('CONFIGURATION', why);

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
  return await withDatabase(context, async (database, account) => {
    await checkSchema(database);
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

/** Writes the log and its checkpoints. @returns what there is to keep, in words */
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

/** What is empty may be left of a restart that was refused. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory() === true) return (await readdir(path)).length > 0;
  return found !== null && found.size > 0;
}
