// The commands about the life of an account: `account`, `pause` and `resume`.
import type { Command } from 'commander';
import { accountNotes, commandNotes } from './help-text.ts';
import type { CommandContext } from './setup/command-scope.ts';
import type { Ending } from './setup/exit.ts';

export function addAccount(program: Command, context: CommandContext, ending: Ending): void {
  const commands = () => import('./commands/account.ts');
  const account = program
    .command('account')
    .description('list the accounts of the database, rename, retire or erase one');
  account
    .command('list')
    .description('list the accounts, and those that were erased')
    .addHelpText('after', accountNotes.list)
    .action(async () => ending((await commands()).accountListCommand(context)));
  account
    .command('rename')
    .description('give an account another name')
    .argument('<account>', 'the account')
    .requiredOption('--to <name>', 'its new name')
    .addHelpText('after', accountNotes.rename)
    .action(async (name: string, { to }: { to: string }) =>
      ending((await commands()).accountRenameCommand(context, name, to)),
    );
  account
    .command('retire')
    .description('stop mirroring an account for good; its history stays')
    .argument('<account>', 'the account')
    .option('--undo', 'let it be mirrored again', false)
    .addHelpText('after', accountNotes.retire)
    .action(async (name: string, { undo }: { undo: boolean }) => {
      const { pauseCommand, resumeCommand } = await import('./commands/pause.ts');
      await ending(undo ? resumeCommand(context, name, true) : pauseCommand(context, name, null));
    });
  account
    .command('erase')
    .description('erase everything of one account, for good')
    .argument('<account>', 'the account')
    .requiredOption('--confirm <account>', 'the same name again')
    .addHelpText('after', accountNotes.erase)
    .action(async (name: string, { confirm }: { confirm: string }) =>
      ending((await commands()).accountEraseCommand(context, name, confirm)),
    );
}

export function addPause(program: Command, context: CommandContext, ending: Ending): void {
  const commands = () => import('./commands/pause.ts');
  const chosen = ['--account <account>', 'the account (default: CUSTODY_ACCOUNT)'] as const;
  program
    .command('pause')
    .description('pause mirroring an account')
    .option('--for <duration>', 'such as 90m, 2h or 3d, at most 7d', '1h')
    .option(...chosen)
    .addHelpText('after', commandNotes.pause)
    .action(async (options: { for: string; account?: string }) =>
      ending((await commands()).pauseCommand(context, options.account, options.for)),
    );
  program
    .command('resume')
    .description('resume mirroring now')
    .option(...chosen)
    .addHelpText('after', commandNotes.resume)
    .action(async ({ account }: { account?: string }) =>
      ending((await commands()).resumeCommand(context, account, false)),
    );
}
