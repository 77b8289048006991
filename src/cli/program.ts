// The commands, their options and their help: the grammar of argv, and the file in commands/ that runs each.
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Resource, resources } from '../domain/jobs.ts';
import { addAccount } from './account-program.ts';
import type { DemoOptions } from './commands/demo.ts';
import type { GrantCommandOptions } from './commands/grant.ts';
import type { SandboxCommandOptions } from './commands/sandbox.ts';
import type { StatusCommandOptions } from './commands/status.ts';
import type { SyncCommandOptions } from './commands/sync.ts';
import { commandNotes, programNotes } from './help-text.ts';
import { keyProgram } from './key-program.ts';
import { addSeal } from './seal-program.ts';
import type { CommandContext } from './setup/command-scope.ts';
import type { Ending } from './setup/exit.ts';
import { packageVersion } from './setup/package-info.ts';

/** Each command loads what it needs when it starts: loading everything takes longer than most commands. */
export function createProgram(context: CommandContext, ending: Ending): Command {
  const program = new Command('custody-mirror')
    .description('Mirrors a digital-asset custody account into PostgreSQL, and keeps every change.')
    .version(packageVersion())
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', programNotes);

  addServers(program, context, ending);
  addSync(program, context, ending);
  program
    .command('migrate')
    .description('apply pending migrations, under a lock')
    .option('--check', 'only check; exit code 1 when any is pending', false)
    .addHelpText('after', commandNotes.migrate)
    .action(async ({ check }: { check: boolean }) =>
      ending((await import('./commands/migrate.ts')).migrateCommand(context, check)),
    );

  addGrant(program, context, ending);
  const keys = () => import('./commands/key.ts');
  program.addCommand(
    keyProgram({
      create: async (name, options) => ending((await keys()).keyCreateCommand(context, name, options)),
      list: async ({ json }) => ending((await keys()).keyListCommand(context, json)),
      revoke: async (wanted) => ending((await keys()).keyRevokeCommand(context, wanted)),
    }),
  );
  addAccount(program, context, ending);
  addSeal(program, context, ending);
  program
    .command('status')
    .description('show what is mirrored, how fresh it is, and what is wrong')
    .option('--json', 'the same for machines', false)
    .option('--all', 'all accounts of the database, one line each', false)
    .addHelpText('after', commandNotes.status)
    .action(async (options: StatusCommandOptions) =>
      ending((await import('./commands/status.ts')).statusCommand(context, options)),
    );

  addDoctor(program, context, ending);
  addSandbox(program, context, ending);
  addDemo(program, context, ending);
  return program;
}

function addServers(program: Command, context: CommandContext, ending: Ending): void {
  program
    .command('run')
    .description(
      'run the daemon: mirror on schedule and serve pages, read API, health and metrics until stopped',
    )
    .option('--check', 'only check the variables', false)
    .addHelpText('after', commandNotes.run)
    .action(async ({ check }: { check: boolean }) =>
      ending((await import('./commands/run.ts')).runCommand(context, check)),
    );

  program
    .command('serve')
    .description(
      'serve pages and read API for all accounts of a database, without mirroring; also on a replica',
    )
    .addHelpText('after', commandNotes.serve)
    .action(async () => ending((await import('./commands/serve.ts')).serveCommand(context)));
}

function addDoctor(program: Command, context: CommandContext, ending: Ending): void {
  program
    .command('doctor')
    .description('check configuration, database and key, and show what was learned about the service')
    .addHelpText('after', commandNotes.doctor)
    .action(async () => ending((await import('./commands/doctor.ts')).doctorCommand(context)));
}

function addSync(program: Command, context: CommandContext, ending: Ending): void {
  program
    .command('sync')
    .description('mirror one full cycle now, then exit')
    .argument(
      '[resource...]',
      `what to mirror: ${resources.join(', ')} (default: all of CUSTODY_RESOURCES)`,
      collectResource,
    )
    .option('--full', 'force a full sweep of transactions', false)
    .option('--empty', 'trust empty lists at once', false)
    .addHelpText('after', commandNotes.sync)
    .action(async (wanted: Resource[] | undefined, options: SyncCommandOptions) =>
      ending((await import('./commands/sync.ts')).syncCommand(context, wanted ?? [], options)),
    );
}

function addGrant(program: Command, context: CommandContext, ending: Ending): void {
  program
    .command('grant')
    .description(
      'give a role read access to the mirror, or write access to its prices or fee rules, and nothing else',
    )
    .argument('<role>', 'an existing role, spelled as in PostgreSQL', roleName)
    .addOption(
      new Option('--serve', 'let it do what serve needs, and nothing else')
        .default(false)
        .conflicts(['prices', 'feeRules']),
    )
    .option('--prices', 'let it write custody.asset_prices instead, and nothing else', false)
    .option('--fee-rules', 'let it write custody.fee_rules instead, and nothing else', false)
    .addHelpText('after', commandNotes.grant)
    .action(async (role: string, options: GrantCommandOptions) =>
      ending((await import('./commands/grant.ts')).grantCommand(context, role, options)),
    );
}

function addDemo(program: Command, context: CommandContext, ending: Ending): void {
  program
    .command('demo')
    .description('run everything without configuration: PostgreSQL, a sandbox service, the daemon')
    .option('--transactions <n>', 'transactions at the start', wholeNumber(0, 10_000_000), 2_000)
    .option('--seed <n>', 'seed of the sandbox world', wholeNumber(0, 2 ** 31), 1)
    .option('--no-history', 'start with an empty mirror, for very many transactions')
    .option('--faults <list>', 'faults that the sandbox injects, such as err01=0.1,reset=0.05', '')
    .addHelpText('after', commandNotes.demo)
    .action(async (options: DemoOptions) =>
      ending((await import('./commands/demo.ts')).demoCommand(context, options)),
    );
}

function addSandbox(program: Command, context: CommandContext, ending: Ending): void {
  program
    .command('sandbox')
    .description('serve a simulated custody service, generated from a seed')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 8788)
    .option('--seed <n>', 'seed of the world: the same seed gives the same world', wholeNumber(0, 2 ** 31), 1)
    .option('--transactions <n>', 'transactions at the start', wholeNumber(0, 10_000_000), 2_000)
    .option('--new-per-minute <n>', 'new transactions per minute', decimalNumber(0, 100_000), 30)
    .option('--frozen', 'freeze the world: nothing changes over time', false)
    .option(
      '--rate <n>',
      'requests per second and endpoint before ERR-03 (default: unlimited)',
      decimalNumber(0.01, 100_000),
    )
    .option('--faults <list>', 'faults to inject, such as err01=0.2,reset@balances=0.05 (see below)', '')
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
      'swap two records at every n-th request for the list, for by-time and by-asset two that tie; 0 is never',
      wholeNumber(0, 1_000_000),
      0,
    )
    .option('--exchange-distance <n>', 'how far apart these two may be', wholeNumber(1, 1_000_000), 1)
    .option('--api-key <key>', 'the viewer key to accept', 'sandbox-viewer-key')
    .option('--base-path <path>', 'prefix of every path, such as /custody/v1', '')
    .addHelpText('after', commandNotes.sandbox)
    .action(async (options: SandboxCommandOptions) =>
      ending((await import('./commands/sandbox.ts')).sandboxCommand(context, options)),
    );
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
  return numberFrom(/^\d{1,10}$/, min, max, 'whole number');
}

function decimalNumber(min: number, max: number) {
  return numberFrom(/^\d{1,10}(\.\d{1,6})?$/, min, max, 'number');
}

function numberFrom(form: RegExp, min: number, max: number, name: string) {
  return (text: string): number => {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a ${name} from ${min} to ${max}.`);
  };
}
