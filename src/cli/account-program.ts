// The commands about the life of an account.
import type { Command } from 'commander';
import { accountNotes } from './help-text.ts';
import type { CommandContext } from './setup/command-scope.ts';
import type { Ending } from './setup/exit.ts';

export function addAccount(program: Command, context: CommandContext, ending: Ending): void {
  const commands = () => import('./commands/account.ts');
  const account = program
    .command('account')
    .description('list the accounts of the database, retire or erase one');
  account
    .command('list')
    .description('list the accounts, and those that were erased')
    .addHelpText('after', accountNotes.list)
    .action(async () => ending((await commands()).accountListCommand(context)));
  account
    .command('retire')
    .description('stop mirroring an account for good; its history stays')
    .argument('<account>', 'the account')
    .option('--undo', 'let it be mirrored again', false)
    .addHelpText('after', accountNotes.retire)
    .action(async (name: string, { undo }: { undo: boolean }) =>
      ending((await commands()).accountRetireCommand(context, name, undo)),
    );
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
