// `custody-mirror account list|erase`: the accounts of a database, and the end of one.
import { hostname } from 'node:os';
import { createClock } from '../../base/clock.ts';
import { MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { acquireLease } from '../../store/run/leases.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { eraseAccount, listAccounts, refuseUnknownAccount } from '../../store/upkeep/erase.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { holderName, withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';

/** So long another attempt waits after this process was killed. */
const leaseMs = 60_000;

export async function accountListCommand(context: CommandContext): Promise<ExitCode> {
  return await withDatabase(context, async (database) => {
    await checkSchema(database);
    for (const { account, state } of await listAccounts(database))
      context.stdout.write(`${onOneLine(account)}: ${onOneLine(state)}\n`);
    return exitCodes.ok;
  });
}

export async function accountEraseCommand(
  context: CommandContext,
  account: string,
  confirmed: string,
): Promise<ExitCode> {
  if (confirmed !== account)
    throw new MirrorError('CONFIGURATION', '--confirm: must repeat the name of the account that is erased');
  return await withDatabase(context, async (database, _account, signal) => {
    await checkSchema(database);
    await refuseUnknownAccount(database, account);
    const attempt = await acquireLease(database, {
      account,
      holder: holderName(),
      ttlMs: leaseMs,
      clock: createClock(),
    });
    if ('heldBy' in attempt)
      throw new MirrorError(
        'LEASE-HELD',
        `${attempt.heldBy} writes for account "${account}": stop every process of this account, and try again in a minute`,
      );
    const erased = await eraseAccount(database, attempt.lease, hostname(), { signal });
    context.stdout.write(
      `Erased account ${onOneLine(account)}: ${erased.toLocaleString('en-US')} rows. The record of it stays: account list shows it.\n`,
    );
    return exitCodes.ok;
  });
}
