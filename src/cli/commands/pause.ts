// `custody-mirror pause`, `resume` and `account retire`: an account that is not mirrored, on purpose.
import { sleep } from '../../base/loop.ts';
import { MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { isRunning, pauseAccount, readPause, refusePaused, resumeAccount } from '../../store/run/pauses.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { refuseUnknownAccount } from '../../store/upkeep/erase.ts';
import { whereAsked } from '../setup/asking.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';

/** A daemon notices within seconds, and then stops what runs. */
const stopWithinMs = 30_000;
const minutesOf: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60 };
const mostMinutes = 7 * 24 * 60;

/** @param length such as 90m, 2h or 3d; null retires */
export async function pauseCommand(
  context: CommandContext,
  named: string | undefined,
  length: string | null,
): Promise<ExitCode> {
  const minutes = length === null ? null : readMinutes(length);
  return await withDatabase(context, async (database, configured, signal) => {
    const account = named ?? configured;
    await checkSchema(database);
    await refuseUnknownAccount(database, account);
    await pauseAccount(database, account, whereAsked(), minutes);
    const deadline = performance.now() + stopWithinMs;
    let running = await isRunning(database, account);
    for (; running && performance.now() < deadline; running = await isRunning(database, account))
      await sleep(500, signal);
    const pause = (await readPause(database, account)) ?? 'was resumed meanwhile';
    context.stdout.write(
      `Account ${onOneLine(account)} ${onOneLine(pause)}.${running ? ' A run has not ended yet: see the log of the process that writes.' : ''}\n`,
    );
    return exitCodes.ok;
  });
}

/** @param isRetired ends that the account is retired, and not a pause */
export async function resumeCommand(
  context: CommandContext,
  named: string | undefined,
  isRetired: boolean,
): Promise<ExitCode> {
  return await withDatabase(context, async (database, configured) => {
    const account = named ?? configured;
    await checkSchema(database);
    await refuseUnknownAccount(database, account);
    const ended = await resumeAccount(database, account, whereAsked(), isRetired);
    if (!ended) await refusePaused(database, account);
    context.stdout.write(
      `Account ${onOneLine(account)} ${ended ? 'is mirrored again, by the process that runs for it' : 'was neither paused nor retired'}.\n`,
    );
    return exitCodes.ok;
  });
}

function readMinutes(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const minutes = Number(count) * (minutesOf[unit] ?? Number.NaN);
  if (minutes <= mostMinutes) return minutes;
  throw new MirrorError('CONFIGURATION', '--for: must be a duration such as 90m, 2h or 3d, at most 7d');
}
