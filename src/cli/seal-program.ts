// The commands of the sealed history, `seal init`, `seal export` and `verify`, and how they read arguments.
import type { Command } from 'commander';
import type { VerifyCommandOptions } from './commands/seal.ts';
import { sealNotes } from './help-text.ts';
import { collect } from './key-program.ts';
import type { CommandContext } from './setup/command-scope.ts';
import type { Ending } from './setup/exit.ts';

export function addSeal(program: Command, context: CommandContext, ending: Ending): void {
  const commands = () => import('./commands/seal.ts');
  const seal = program.command('seal').description('the sealed history: make its key, export its log');
  seal
    .command('init')
    .description('make a key that seals the history of one account, and print what verifies it')
    .argument('<file>', 'where the private key is written; it must not exist')
    .argument('<name>', 'name of the log, such as custody.example/acme')
    .addHelpText('after', sealNotes.init)
    .action(async (file: string, name: string) =>
      ending((await commands()).sealInitCommand(context, file, name)),
    );
  seal
    .command('export')
    .description('write the log as static tiles, which the tools of transparency logs read')
    .argument('<directory>', 'where to write them')
    .addHelpText('after', sealNotes.export)
    .action(async (directory: string) => ending((await commands()).sealExportCommand(context, directory)));
  program
    .command('verify')
    .description('whether the history is as it was sealed; if not, which row differs first')
    .option(
      '--checkpoints <file>',
      'a file of checkpoints that lies elsewhere (SEAL_CHECKPOINTS_FILE when left out)',
    )
    .option(
      '--key <vkey>',
      'what verifies the checkpoints; may be repeated (of SEAL_KEY_FILE when left out)',
      collect,
    )
    .option('--row <table-and-key...>', 'prove one row: its table, then the values of its primary key')
    .addHelpText('after', sealNotes.verify)
    .action(async (options: VerifyCommandOptions) =>
      ending((await commands()).verifyCommand(context, options)),
    );
}
