// The commands, their options and their help: what argv may hold. What they do is in commands/.
import { Command, InvalidArgumentError, Option } from 'commander';
import type { SandboxOptions } from '../../packages/sandbox/src/options.ts';
import { type Resource, resources } from '../domain/jobs.ts';
import type { GrantCommandOptions } from './commands/grant.ts';
import { commandNotes, programNotes } from './help-text.ts';
import { type KeyCommands, keyProgram } from './key-program.ts';
import { packageVersion } from './setup/package-info.ts';

/** What each command does once its arguments are read. */
export interface Commands {
  run(): Promise<void>;
  sync(wanted: readonly Resource[], options: { readonly full: boolean }): Promise<void>;
  migrate(options: { readonly check: boolean }): Promise<void>;
  grant(role: string, options: GrantCommandOptions): Promise<void>;
  readonly key: KeyCommands;
  status(options: { readonly json: boolean }): Promise<void>;
  doctor(): Promise<void>;
  sandbox(options: {
    readonly host: string;
    readonly port: number;
    readonly options: SandboxOptions;
  }): Promise<void>;
  demo(options: {
    readonly transactions: number;
    readonly seed: number;
    readonly faults: string;
    readonly history: boolean;
  }): Promise<void>;
}

export function createProgram(commands: Commands): Command {
  const program = new Command('custody-mirror')
    .description('Mirrors a digital-asset custody account into PostgreSQL, and keeps every change.')
    .version(packageVersion())
    .showHelpAfterError('(add --help for what is possible)')
    .addHelpText('after', programNotes);

  program
    .command('run')
    .description(
      'the daemon: mirrors on schedule and serves pages, read API, health and metrics until it is stopped',
    )
    .addHelpText('after', commandNotes.run)
    .action(() => commands.run());

  program
    .command('sync')
    .description('one full cycle now, then exit')
    .argument(
      '[resource...]',
      `what to mirror: ${resources.join(', ')} (all of CUSTODY_RESOURCES when none is named)`,
      collectResource,
    )
    .option('--full', 'force a full sweep of transactions', false)
    .addHelpText('after', commandNotes.sync)
    .action((wanted: Resource[] | undefined, options: { full: boolean }) =>
      commands.sync(wanted ?? [], options),
    );

  program
    .command('migrate')
    .description('apply pending migrations, under a lock')
    .option('--check', 'only check; exit code 1 when any is pending', false)
    .addHelpText('after', commandNotes.migrate)
    .action((options: { check: boolean }) => commands.migrate(options));

  addGrant(program, commands);
  program.addCommand(keyProgram(commands.key));
  program
    .command('status')
    .description('what is mirrored, how fresh it is, and what is wrong')
    .option('--json', 'the same for machines', false)
    .addHelpText('after', commandNotes.status)
    .action((options: { json: boolean }) => commands.status(options));

  program
    .command('doctor')
    .description('check configuration, database and key, and tell what was learned about the service')
    .addHelpText('after', commandNotes.doctor)
    .action(() => commands.doctor());

  addSandbox(program, commands);
  addDemo(program, commands);
  return program;
}

function addGrant(program: Command, commands: Commands): void {
  program
    .command('grant')
    .description('let a role read the mirror, or fill its prices or fee rules, and nothing else')
    .argument('<role>', 'a role that exists, spelt as PostgreSQL keeps it', roleName)
    .option('--check', 'only check; exit code 1 unless it reads everything and writes nothing', false)
    .option('--prices', 'let it write custody.asset_prices instead, and nothing else', false)
    .option('--fee-rules', 'let it write custody.fee_rules instead, and nothing else', false)
    .addHelpText('after', commandNotes.grant)
    .action((role: string, options: GrantCommandOptions) => commands.grant(role, options));
}

function addDemo(program: Command, commands: Commands): void {
  program
    .command('demo')
    .description('everything at once, with nothing configured: PostgreSQL, a sandbox service, the daemon')
    .option('--transactions <n>', 'transactions the demo opens with', wholeNumber(0, 10_000_000), 2_000)
    .option('--seed <n>', 'which world the sandbox makes', wholeNumber(0, 2 ** 31), 1)
    .option('--no-history', 'begin with an empty mirror: for very many transactions')
    .option('--faults <list>', 'faults the sandbox shows, such as err01=0.1,reset=0.05', '')
    .addHelpText('after', commandNotes.demo)
    .action((options: Parameters<Commands['demo']>[0]) => commands.demo(options));
}

interface SandboxArguments
  extends Pick<
    SandboxOptions,
    | 'seed'
    | 'transactions'
    | 'rate'
    | 'faults'
    | 'frozen'
    | 'tieSeconds'
    | 'exchangeTies'
    | 'exchangeDistance'
    | 'newPerMinute'
    | 'maxLimit'
    | 'apiKey'
    | 'basePath'
  > {
  readonly host: string;
  readonly port: number;
  readonly order: NonNullable<SandboxOptions['order']>;
}

function addSandbox(program: Command, commands: Commands): void {
  program
    .command('sandbox')
    .description('serve a custody service made up from a seed, to try things with')
    .option('--host <address>', 'where to listen', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535), 8788)
    .option(
      '--seed <n>',
      'which world to make: the same seed makes the same world',
      wholeNumber(0, 2 ** 31),
      1,
    )
    .option('--transactions <n>', 'transactions to begin with', wholeNumber(0, 10_000_000), 2_000)
    .option(
      '--new-per-minute <n>',
      'new transactions a minute as time goes by',
      decimalNumber(0, 100_000),
      30,
    )
    .option('--frozen', 'nothing changes as time goes by', false)
    .option(
      '--rate <n>',
      'requests per second and endpoint before ERR-03; unlimited when absent',
      decimalNumber(0.01, 100_000),
    )
    .option('--faults <list>', 'faults to show, such as err01=0.2,reset@balances=0.05 (see below)', '')
    .option('--max-limit <n>', 'silently cut pages to <n> records', wholeNumber(1, 1_000_000))
    .addOption(
      new Option(
        '--order <order>',
        'order of the list of transactions; by-time, newest first, and by-asset leave ties',
      )
        .choices(['newest-first', 'oldest-first', 'updated-first', 'by-time', 'by-asset', 'shuffled'])
        .default('newest-first'),
    )
    .option(
      '--tie-seconds <n>',
      'by-time and by-asset: records within the same <n> seconds have equal sort keys',
      wholeNumber(1, 2 ** 31),
      86_400,
    )
    .option(
      '--exchange-ties <n>',
      'two records change places at every n-th request for the list, by-time and by-asset two that tie; 0 is never',
      wholeNumber(0, 1_000_000),
      0,
    )
    .option('--exchange-distance <n>', 'how far apart these two are at most', wholeNumber(1, 1_000_000), 1)
    .option('--api-key <key>', 'the viewer key to expect', 'sandbox-viewer-key')
    .option('--base-path <path>', 'prefix of every path, such as /custody/v1', '')
    .addHelpText('after', commandNotes.sandbox)
    .action(({ host, port, ...options }: SandboxArguments) => commands.sandbox({ host, port, options }));
}

function collectResource(value: string, previous: readonly Resource[] | undefined): readonly Resource[] {
  const resource = resources.find((known) => known === value);
  if (resource === undefined) throw new InvalidArgumentError(`It must be one of ${resources.join(', ')}.`);
  return [...new Set([...(previous ?? []), resource])];
}

function roleName(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must be the name of a role.');
  return value;
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

function decimalNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,10}(\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    return value;
  };
}
