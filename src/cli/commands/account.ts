// `custody-mirror account list|retire|erase`: the accounts of a database, and the end of one.
import { hostname } from 'node:os';
import { MirrorError } from '../../domain/errors.ts';
import { onOneLine } from '../../domain/words.ts';
import { retireAccount, unretireAccount } from '../../store/run/accounts.ts';
import { releaseLease } from '../../store/run/leases.ts';
import { eraseAccount, listAccounts, refuseUnknownAccount } from '../../store/upkeep/erase.ts';
import { whereAsked } from '../setup/asking.ts';
import { type CommandContext, type ExitCode, exitCodes } from '../setup/command-scope.ts';
import { takeLease, withMirror } from '../setup/compose.ts';

export async function accountListCommand(context: CommandContext): Promise<ExitCode> {
  return await withMirror(context, async (database) => {
    for (const { account, state } of await listAccounts(database))
      context.stdout.write(`${onOneLine(account)}: ${onOneLine(state)}\n`);
    return exitCodes.ok;
  });
}

export async function accountRetireCommand(
  context: CommandContext,
  account: string,
  { undo: isUndone }: { readonly undo: boolean },
): Promise<ExitCode> {
  return await withMirror(context, async (database) => {
    await refuseUnknownAccount(database, account);
    if (isUndone) {
      const wasRetired = await unretireAccount(database, account, whereAsked());
      const now = wasRetired ? 'can be mirrored again: start its process' : 'was not retired';
      context.stdout.write(`Account ${onOneLine(account)} ${now}.\n`);
      return exitCodes.ok;
    }
    const lease = await takeLease(database, account);
    try {
      await retireAccount(database, lease, whereAsked());
    } finally {
      await releaseLease(database, lease);
    }
    context.stdout.write(
      `Account ${onOneLine(account)} is retired: its history stays, and nothing is added.\n`,
    );
    return exitCodes.ok;
  });
}

export async function accountEraseCommand(
  context: CommandContext,
  account: string,
  { confirm: confirmed }: { readonly confirm: string },
): Promise<ExitCode> {
  if (confirmed !== account)
    throw new MirrorError('CONFIGURATION', '--confirm: must repeat the name of the account that is erased');
  return await withMirror(context, async (database, _account, signal) => {
    await refuseUnknownAccount(database, account);
    const lease = await takeLease(database, account);
    const erased = await eraseAccount(database, lease, hostname(), { signal });
    context.stdout.write(
      `Erased account ${onOneLine(account)}: ${erased.toLocaleString('en-US')} rows. The record of it stays: account list shows it.\n`,
    );
    return exitCodes.ok;
  });
}
