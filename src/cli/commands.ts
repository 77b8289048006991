// The commands: the grammar of argv, their help, and the file in commands/ that runs each, which is loaded
// when the command starts: loading everything takes longer than most commands.
import { Argument, InvalidArgumentError, Option } from 'commander';
import { signalsHeard } from '../base/lifecycle.ts';
import { type Resource, resources } from '../domain/jobs.ts';
import { keyScopes } from '../store/keys/api-keys.ts';
import type { CommandContext, ExitCode } from './setup/command-scope.ts';

export interface CommandSpec {
  readonly name: string;
  readonly about: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  /** What --help adds: what the command needs, its own exit codes, and examples. */
  readonly notes?: string;
  /** Its subcommands. One that has them does nothing by itself. */
  readonly commands?: readonly CommandSpec[];
  readonly load?: () => Promise<Run>;
}

interface Runs {
  /** @param values the arguments in their order, then the options */
  run(context: CommandContext, ...values: unknown[]): Promise<ExitCode>;
}
type Run = Runs['run'];

export const programNotes = `
Configuration comes from the environment; docs/configuration.md lists every variable. Required:
  DATABASE_URL       postgres://user:password@host:5432/database
  CUSTODY_BASE_URL   https://… of the custody service
  CUSTODY_API_KEY    the viewer key, or CUSTODY_API_KEY_FILE, a file that holds it

Exit codes: 0 done, 1 failed, 2 bad arguments or configuration, such as an account that does not exist, unless --help
of a command says otherwise.

Without configuration:
  custody-mirror demo`;

const keyCommands: readonly CommandSpec[] = [
  {
    name: 'create',
    about: 'create a key and print it, only this once',
    args: [new Argument('<name>', 'the name of its owner or program')],
    options: [
      repeatable('--account <name>', 'an account it may read; repeatable (default: all)'),
      option('--scope <scope>', 'what it may ask for', 'read').choices(keyScopes),
      option(
        '--from <networks>',
        'addresses and networks that may use it, separated by commas (default: all)',
      ),
      option(
        '--expires <when>',
        'a date, a date-time, or a duration from now such as 90d or 12h (default: one year)',
      ),
      option('--no-expiry', 'it never expires').conflicts('expires'),
    ],
    notes: `
Needs only DATABASE_URL. Standard output gets only the key, for scripts; explanations go to standard error. The key is
shown only once: the database keeps its SHA-256 and its prefix. Programs send it as x-api-key, as a bearer token, or as
the password of any user.

Scopes, least first: metrics is /metrics; balances is balances, snapshots, prices, freshness and the list of accounts
in the API, and /custody/balances; custody is /custody; read is everything, pages included.

Examples:
  custody-mirror key create prometheus --scope metrics --from 10.0.3.7
  custody-mirror key create notebook --account default --scope balances --expires 90d
  custody-mirror key create nightly-export > export.key`,
    load: async () => (await import('./commands/key.ts')).keyCreateCommand,
  },
  {
    name: 'list',
    about: 'list every key with its accounts, expiry, last use and state',
    options: [flag('--json', 'print JSON')],
    notes: `
Needs only DATABASE_URL. The last use is accurate to about a minute.`,
    load: async () => (await import('./commands/key.ts')).keyListCommand,
  },
  {
    name: 'revoke',
    about: 'revoke a key for good',
    args: [new Argument('<prefix-or-name>', 'the key’s prefix such as cm_k3v9x2ab, or its name')],
    notes: `
Needs only DATABASE_URL. The next request with the key is refused; a CSV download in progress is cut within seconds.
Revoking again changes nothing. A key cannot be restored: create a new one, which may have the same name.`,
    load: async () => (await import('./commands/key.ts')).keyRevokeCommand,
  },
];

const accountCommands: readonly CommandSpec[] = [
  {
    name: 'list',
    about: 'list the accounts, and those that were erased',
    notes: `
Needs only DATABASE_URL, as the user that owns the tables.`,
    load: async () => (await import('./commands/account.ts')).accountListCommand,
  },
  {
    name: 'retire',
    about: 'stop mirroring an account; its history stays',
    args: [new Argument('<account>', 'the account')],
    options: [flag('--undo', 'let it be mirrored again')],
    notes: `
Needs only DATABASE_URL, as the user that owns the tables. Stop every process of the account first: it is refused while
one holds the lease, and one that starts later is refused. The history stays and reads as before; status, metrics and
alerts stop expecting updates.`,
    load: async () => (await import('./commands/account.ts')).accountRetireCommand,
  },
  {
    name: 'erase',
    about: 'erase everything of one account, for good',
    args: [new Argument('<account>', 'the account')],
    options: [option('--confirm <account>', 'the same name again').makeOptionMandatory()],
    notes: `
Needs only DATABASE_URL, as the user that owns the tables. Stop every process of the account first: it is refused while
one holds the lease, and one that starts later mirrors the account again. Keep a dump if you may need the account.
An interrupted command is continued by the same command, a minute later if it was killed.

Example:
  custody-mirror account erase alpha --confirm alpha`,
    load: async () => (await import('./commands/account.ts')).accountEraseCommand,
  },
];

const sealCommands: readonly CommandSpec[] = [
  {
    name: 'init',
    about: 'create a key that seals the history of one account, and print its verifier key',
    args: [
      new Argument('<file>', 'new file for the private key'),
      new Argument('<name>', 'name of the log, such as custody.example/acme'),
    ],
    notes: `
Needs no configuration. The private key is written to the file only, which only its owner can read; the verifier key
goes to standard output. Set SEAL_KEY_FILE to the file, and run seals from then on.

Example:
  custody-mirror seal init /etc/custody-mirror/seal.key custody.example/acme`,
    load: async () => (await import('./commands/seal.ts')).sealInitCommand,
  },
  {
    name: 'export',
    about: 'write the log as static tiles for transparency-log tools',
    args: [new Argument('<directory>', 'where to write the tiles')],
    notes: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT if run uses it. Writes checkpoint and tile/… by C2SP tlog-tiles.`,
    load: async () => (await import('./commands/seal.ts')).sealExportCommand,
  },
  {
    name: 'restart',
    about: 'end a log that cannot continue, keep what it proves, and start a new one',
    args: [new Argument('<directory>', 'new directory for the old log and its checkpoints')],
    notes: `
Needs DATABASE_URL, CUSTODY_ACCOUNT if run uses it, SEAL_KEY_FILE with a key under a new name, and SEAL_CHECKPOINTS_FILE,
if used, with a new file. Stop every process of the account first. The new log begins at once, so that a process with
the old key is refused. The history itself is not touched.

Example, after a restore that sealing reported as SEAL-FORK:
  custody-mirror seal init /etc/custody-mirror/seal-2.key custody.example/acme-2
  SEAL_KEY_FILE=/etc/custody-mirror/seal-2.key SEAL_CHECKPOINTS_FILE=/mnt/elsewhere/checkpoints-2 \\
    custody-mirror seal restart /mnt/elsewhere/acme-1`,
    load: async () => (await import('./commands/seal.ts')).sealRestartCommand,
  },
];

const sandboxOptions = [
  option('--host <address>', 'address to listen on', '127.0.0.1'),
  whole('--port <n>', 'port to listen on; 0 picks a free one', [0, 65_535], 8788),
  whole('--seed <n>', 'seed of the world: the same seed gives the same world', [0, 2 ** 31], 1),
  whole('--transactions <n>', 'transactions at the start', [0, 10_000_000], 2_000),
  decimal('--new-per-minute <n>', 'new transactions per minute', [0, 100_000], 30),
  flag('--frozen', 'freeze the world: nothing changes over time'),
  decimal(
    '--rate <n>',
    'requests per second and endpoint before ERR-03 (default: unlimited)',
    [0.01, 100_000],
  ),
  option('--faults <list>', 'faults to inject, such as err01=0.2,reset@balances=0.05 (see below)', ''),
  whole('--max-limit <n>', 'silently cut pages to <n> records', [1, 1_000_000]),
  option(
    '--order <order>',
    'order of the list of transactions; by-time, newest first, and by-asset leave ties',
    'newest-first',
  ).choices(['newest-first', 'oldest-first', 'updated-first', 'by-time', 'by-asset', 'shuffled']),
  whole(
    '--tie-seconds <n>',
    'by-time and by-asset: records within the same <n> seconds have equal sort keys',
    [1, 2 ** 31],
    86_400,
  ),
  whole(
    '--exchange-ties <n>',
    'swap two records at every n-th request for the list, for by-time and by-asset two that tie; 0 is never',
    [0, 1_000_000],
    0,
  ),
  whole('--exchange-distance <n>', 'how far apart these two may be', [1, 1_000_000], 1),
  option('--api-key <key>', 'the viewer key to accept', 'sandbox-viewer-key'),
  option('--base-path <path>', 'prefix of every path, such as /custody/v1', ''),
];

export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    about: 'run the daemon: mirror on schedule and serve pages, read API, health and metrics until stopped',
    options: [flag('--check', 'only check the variables')],
    notes: `
Applies migrations, takes the account's lease, mirrors by the SCHEDULE_… variables, and serves
pages, the read API, /healthz, /readyz and /metrics on HTTP_HOST:HTTP_PORT.
A second process for the same account stands by and takes over when the first one ends.
--check reads every variable, reports all faults, and starts nothing.

Exit codes: 0 after ${signalsHeard.stop.join(', ')}; 1 failed. A second signal stops at once.`,
    load: async () => (await import('./commands/run.ts')).runCommand,
  },
  {
    name: 'serve',
    about: 'serve pages and read API for all accounts of a database, without mirroring; also on a replica',
    notes: `
Needs only DATABASE_URL, which may point to a streaming replica, and uses the HTTP_… variables. The schema has to match
this version: run or migrate of this version updates it. An address without an account shows CUSTODY_ACCOUNT, else the
account default, else the first one.`,
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'sync',
    about: 'mirror one full cycle now, then exit',
    args: [
      new Argument(
        '[resource...]',
        `what to mirror: ${resources.join(', ')} (default: all of CUSTODY_RESOURCES)`,
      ).argParser(collectResource),
    ],
    options: [
      flag('--full', 'force a full sweep of transactions'),
      flag('--empty', 'trust empty lists at once'),
    ],
    notes: `
Applies migrations, then mirrors the named resources once, by default all of CUSTODY_RESOURCES. Naming a resource that
CUSTODY_RESOURCES leaves out is an error. Where a daemon writes for the account, it asks the daemon to do so, shows its
progress and ends with its result; Ctrl-C then leaves the daemon alone. Waits for the daemon at most twice LEASE_TTL_MS.
An empty list counts only when a run an hour later confirms it, because a service that has lost its data for a while
answers the same way. --empty trusts it at once, for an account that is known to hold nothing.

Exit codes: 0 everything synced, 1 something failed (what succeeded is kept), 2 bad arguments or configuration,
3 the custody service rejected the key.

Example:
  custody-mirror sync balances vaults`,
    load: async () => (await import('./commands/sync.ts')).syncCommand,
  },
  {
    name: 'migrate',
    about: 'apply pending migrations, under a lock',
    options: [flag('--check', 'only check; exit code 1 when any is pending')],
    notes: `
Needs only DATABASE_URL. Any number of processes may run it at once.

Exit codes: 0 up to date, 1 failed or, with --check, a migration is pending.`,
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    name: 'grant',
    about:
      'give a role read access to the mirror, or write access to its prices or fee rules, and nothing else',
    args: [new Argument('<role>', 'an existing role, spelled as in PostgreSQL').argParser(roleName)],
    options: [
      flag('--serve', 'let it do what serve needs, and nothing else').conflicts(['prices', 'feeRules']),
      flag('--prices', 'let it write custody.asset_prices instead, and nothing else'),
      flag('--fee-rules', 'let it write custody.fee_rules instead, and nothing else'),
    ],
    notes: `
Needs only DATABASE_URL, as the user that owns the tables. The role may read the tables and views of custody and
reporting, including future ones, and runs, anomalies, quarantine, learned, leases and expectations of sync.
Nothing is ever revoked. It can be repeated at any time.
With --prices the role may read and write custody.asset_prices and nothing else; with --fee-rules, custody.fee_rules;
with both options, both. To let it read the mirror too, run grant again without them.
With --serve it is the role for DATABASE_URL of serve: it also reads the keys of the read API, and notes their use.

Exit codes: 0 granted, 1 failed.

Example:
  psql -c "CREATE ROLE analyst LOGIN PASSWORD '…'"
  custody-mirror grant analyst`,
    load: async () => (await import('./commands/grant.ts')).grantCommand,
  },
  { name: 'key', about: 'create, list and revoke keys of the read API', commands: keyCommands },
  {
    name: 'account',
    about: 'list the accounts of the database, retire or erase one',
    commands: accountCommands,
  },
  { name: 'seal', about: 'create a sealing key, export the log, or start a new log', commands: sealCommands },
  {
    name: 'verify',
    about: 'verify that the history is as it was sealed; if not, show the first row that differs',
    options: [
      option('--checkpoints <file>', 'a file of checkpoints kept elsewhere (default: SEAL_CHECKPOINTS_FILE)'),
      repeatable(
        '--key <vkey>',
        'a verifier key of the checkpoints; repeatable (default: that of SEAL_KEY_FILE, and SEAL_VERIFIER_KEYS)',
      ),
      option('--row <table-and-key...>', 'prove one row: its table, then the values of its primary key'),
    ],
    notes: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT if run uses it, but no access to the service. Reads every row of the history
and recomputes the log. A file of checkpoints kept elsewhere also detects a database that was restored to an older
state. --row prints the proof of one row (C2SP tlog-proof), and its content on standard error. docs/audit.md describes
what is proved.

Exit codes: 0 intact, 1 not intact, 2 bad input: an unusable key or file, no such row, or nothing is sealed, 3 nothing was
verified, such as where the database could not be read, or a replica is behind the file.

Examples:
  custody-mirror verify --checkpoints /mnt/elsewhere/checkpoints --key custody.example/acme+5d1c…
  custody-mirror verify --row transaction_status_history 795d8712-0a2b-4ced-ad1a-67c831b7ccc3 2`,
    load: async () => (await import('./commands/seal.ts')).verifyCommand,
  },
  {
    name: 'status',
    about: 'show what is mirrored, how fresh it is, and what is wrong',
    options: [
      flag('--json', 'the same for machines'),
      flag('--all', 'all accounts of the database, one line each'),
    ],
    notes: `
Needs DATABASE_URL, and CUSTODY_ACCOUNT if run uses it. Reads only the database, which also holds what run and sync
are configured to do. Terminals get colours; NO_COLOR=1 turns them off. --all shows every account of the database, and
is healthy if all of them are.

Exit codes: 0 healthy, 1 not healthy or not readable.`,
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  {
    name: 'doctor',
    about: 'check configuration, database and key, and show what was learned about the service',
    notes: `
Needs the same variables as run. Writes nothing, and sends at most five small requests to the custody service.

Exit codes: 0 the mirror has all it needs, 1 something has to be fixed.`,
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'sandbox',
    about: 'serve a simulated custody service, generated from a seed',
    options: sandboxOptions,
    notes: `
Faults have the form kind[@endpoint][/phase]=rate, separated by commas; a rate is a share of the requests.
  err01=0.2                 a fifth of all answers are ERR-01
  all=0.2                   a fifth of all answers are transient faults of any kind
  reset@balances=0.05       connections reset, on one endpoint
  falseempty/offset=0.01    "no records found" where there are some
A misspelled kind prints the list of all kinds.`,
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommand,
  },
  {
    name: 'demo',
    about: 'run everything without configuration: PostgreSQL, a sandbox service, the daemon',
    options: [
      whole('--transactions <n>', 'transactions at the start', [0, 10_000_000], 2_000),
      whole('--seed <n>', 'seed of the sandbox world', [0, 2 ** 31], 1),
      option('--no-history', 'start with an empty mirror, for very many transactions'),
      option('--faults <list>', 'faults that the sandbox injects, such as err01=0.1,reset=0.05', ''),
    ],
    notes: `
Keeps its PostgreSQL under .data/, and recreates a fictional account, prices and 90 days of history at each start.
Of the variables it reads LOG_LEVEL, LOG_FORMAT and SCHEDULE_…; SCHEDULE_TIMEZONE, such as Pacific/Auckland, sets the
time zone of its pages. Needs the development dependencies of a clone (npm ci). Stop it with Ctrl-C.`,
    load: async () => (await import('./commands/demo.ts')).demoCommand,
  },
];

function option(flags: string, about: string, fallback?: string | number | boolean): Option {
  return new Option(flags, about).default(fallback);
}

function flag(name: string, about: string): Option {
  return option(name, about, false);
}

/** Collects its values, each once. */
function repeatable(flags: string, about: string): Option {
  return option(flags, about).argParser((value, previous: readonly string[] | undefined) => [
    ...new Set([...(previous ?? []), value]),
  ]);
}

type Range = readonly [min: number, max: number];

function whole(flags: string, about: string, range: Range, fallback?: number): Option {
  return option(flags, about, fallback).argParser(numberFrom(/^\d{1,10}$/, range, 'whole number'));
}

function decimal(flags: string, about: string, range: Range, fallback?: number): Option {
  return option(flags, about, fallback).argParser(numberFrom(/^\d{1,10}(\.\d{1,6})?$/, range, 'number'));
}

function numberFrom(form: RegExp, [min, max]: Range, name: string) {
  return (text: string): number => {
    const value = form.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a ${name} from ${min} to ${max}.`);
  };
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
