// `custody-mirror account list|rename|erase`: the accounts of a database, another name for one, and its end.
import { hostname } from 'node:os';
import { account as accountName } from '../../base/config/options.ts';
import { MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { checkSchema } from '../../store/schema/migrations.ts';
import { eraseAccount, listAccounts, refuseUnknownAccount } from '../../store/upkeep/erase.ts';
import { renameAccount } from '../../store/upkeep/rename.ts';
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

export async function accountRenameCommand(
  context: CommandContext,
  account: string,
  to: string,
): Promise<ExitCode> {
  const { error } = accountName.safeParse(to);
  if (error !== undefined) throw new MirrorError('CONFIGURATION', `--to: ${error.issues[0]?.message}`);
  return await withDatabase(context, async (database, _account, signal) => {
    await checkSchema(database);
    await refuseUnknownAccount(database, account);
    await renameAccount(database, await takeLease(database, account), to, signal);
    context.stdout.write(
      `Renamed account ${onOneLine(account)} to ${to}. Set CUSTODY_ACCOUNT=${to} before you start its processes.\n`,
    );
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
