// The commands of the sealed history, `seal init`, `seal export`, `seal restart` and `verify`, and their
// arguments.
import type { Command } from 'commander';
import type { VerifyCommandOptions } from './commands/seal.ts';
import { sealNotes } from './help-text.ts';
import { collect } from './key-program.ts';
import type { CommandContext } from './setup/command-scope.ts';
import type { Ending } from './setup/exit.ts';

export function addSeal(program: Command, context: CommandContext, ending: Ending): void {
  const commands = () => import('./commands/seal.ts');
  const seal = program
    .command('seal')
    .description('create a sealing key, export the log, or start a new log');
  seal
    .command('init')
    .description('create a key that seals the history of one account, and print its verifier key')
    .argument('<file>', 'new file for the private key')
    .argument('<name>', 'name of the log, such as custody.example/acme')
    .addHelpText('after', sealNotes.init)
    .action(async (file: string, name: string) =>
      ending((await commands()).sealInitCommand(context, file, name)),
    );
  seal
    .command('export')
    .description('write the log as static tiles for transparency-log tools')
    .argument('<directory>', 'where to write the tiles')
    .addHelpText('after', sealNotes.export)
    .action(async (directory: string) => ending((await commands()).sealExportCommand(context, directory)));
  seal
    .command('restart')
    .description('end a log that cannot continue, keep what it proves, and start a new one')
    .argument('<directory>', 'new directory for the old log and its checkpoints')
    .addHelpText('after', sealNotes.restart)
    .action(async (directory: string) =>
      ending((await import('./commands/seal-restart.ts')).sealRestartCommand(context, directory)),
    );
  program
    .command('verify')
    .description('verify that the history is as it was sealed; if not, show the first row that differs')
    .option('--checkpoints <file>', 'a file of checkpoints kept elsewhere (default: SEAL_CHECKPOINTS_FILE)')
    .option(
      '--key <vkey>',
      'a verifier key of the checkpoints; repeatable (default: that of SEAL_KEY_FILE, and SEAL_VERIFIER_KEYS)',
      collect,
    )
    .option('--row <table-and-key...>', 'prove one row: its table, then the values of its primary key')
    .addHelpText('after', sealNotes.verify)
    .action(async (options: VerifyCommandOptions) =>
      ending((await commands()).verifyCommand(context, options)),
    );
}
