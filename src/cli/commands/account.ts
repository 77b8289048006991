// `custody-mirror account list|erase`: the accounts of a database, and the end of one.
import { hostname } from 'node:os';
import { MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { eraseAccount, listAccounts, refuseUnknownAccount } from '../../store/upkeep/erase.ts';
import type { CommandContext } from '../setup/command-scope.ts';
import { withDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { takeLease } from '../setup/take-lease.ts';

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
    const lease = await takeLease(database, account);
    const erased = await eraseAccount(database, lease, hostname(), { signal });
    context.stdout.write(
      `Erased account ${onOneLine(account)}: ${erased.toLocaleString('en-US')} rows. The record of it stays: account list shows it.\n`,
    );
    return exitCodes.ok;
  });
}
