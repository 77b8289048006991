// `custody-mirror seal restart`: ends a log that cannot go on, after a restore for instance. What it still
// proves is written to a directory first; the next sealing begins a log under another name.
import { appendFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSealConfig } from '../../base/config/config.ts';
import { MirrorError } from '../../domain/errors.ts';
import { counted, grouped } from '../../domain/words.ts';
import { type Log, openLog, readCheckpoints } from '../../seal/log.ts';
import { exportLog, lastCheckpoint } from '../../seal/publish.ts';
import { askOne } from '../../seal/seal.ts';
import { withFence } from '../../store/run/fence.ts';
import { releaseLease, renewLease } from '../../store/run/leases.ts';
import { removeLog } from '../../store/run/verifications.ts';
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
  const { signer, checkpointsFile } = sealing;
  if (checkpointsFile !== null && (await isThere(checkpointsFile)))
    throw bad(`SEAL_CHECKPOINTS_FILE: ${checkpointsFile} is of the old log; keep it, and name a new file`);
  if (await isThere(directory)) throw bad(`directory: ${directory} exists; name a new one`);
  return await withDatabase(context, async (database, account) => {
    await checkSchema(database);
    const lease = await takeLease(database, account);
    try {
      const log = openLog(askOne(database), account);
      if ((await readCheckpoints(log, 'last')).length === 0) {
        await withFence(database, lease, 'seal.restart', async (tx) => removeLog(tx));
        context.stdout.write(
          `the database holds no log of account ${account}: keep the old file of checkpoints. The next sealing begins the log ${signer.name}; give auditors its verifier key ${signer.verifierKey}\n`,
        );
        return exitCodes.ok;
      }
      const { size, origin } = await lastCheckpoint(log);
      if (origin === signer.name)
        throw bad(
          `SEAL_KEY_FILE: the key is named ${origin} as the old log is; create one with another name, such as ${origin}-2`,
        );
      const line = createLiveLine(context.stderr);
      await exportLog(log, directory, async (rows, of) => {
        line.show(`exporting ${grouped(rows)} of ${counted(of, 'row')}`);
        await renewLease(database, lease);
      });
      line.clear();
      await exportCheckpoints(log, join(directory, 'checkpoints'));
      await withFence(database, lease, 'seal.restart', async (tx) => removeLog(tx));
      context.stdout.write(
        `${directory} has the log ${origin} with ${counted(size, 'row')} and its checkpoints: keep it and the old file of checkpoints. The next sealing begins the log ${signer.name} with all rows; give auditors its verifier key ${signer.verifierKey}\n`,
      );
      return exitCodes.ok;
    } finally {
      await releaseLease(database, lease);
    }
  });
}

/** Writes every checkpoint of the database as a file that `verify --checkpoints` takes. */
async function exportCheckpoints(log: Log, path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx' });
  for (let from = 0; ; ) {
    const page = await readCheckpoints(log, from);
    const end = page.at(-1);
    if (end === undefined) return;
    await appendFile(path, page.map(({ note }) => `${note}\n`).join(''));
    from = end.size + 1;
  }
}

async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && (found.isDirectory() || found.size > 0);
}
