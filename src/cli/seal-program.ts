// The commands of the sealed history, `seal init`, `seal export` and `verify`, and how they read arguments.
import { Command } from 'commander';
import type { VerifyCommandOptions } from './commands/seal.ts';
import { sealNotes } from './help-text.ts';

export interface SealCommands {
  init(file: string, name: string): Promise<void>;
  export(directory: string): Promise<void>;
  verify(options: VerifyCommandOptions): Promise<void>;
}

export function sealProgram(commands: SealCommands): readonly Command[] {
  const seal = new Command('seal').description('the sealed history: make its key, export its log');
  seal
    .command('init')
    .description('make a key that seals the history of one account, and print what verifies it')
    .argument('<file>', 'where the private key is written; it must not exist')
    .argument('<name>', 'name of the log, such as custody.example/acme')
    .addHelpText('after', sealNotes.init)
    .action((file: string, name: string) => commands.init(file, name));
  seal
    .command('export')
    .description('write the log as static tiles, which the tools of transparency logs read')
    .argument('<directory>', 'where to write them')
    .addHelpText('after', sealNotes.export)
    .action((directory: string) => commands.export(directory));
  const verify = new Command('verify')
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
    .action((options: VerifyCommandOptions) => commands.verify(options));
  return [seal, verify];
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
