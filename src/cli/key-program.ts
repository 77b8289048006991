// The subcommands of `key` and their arguments. A fault never repeats an argument: it may be a key.
import { Command, Option } from 'commander';
import { isApiKey, prefixOf } from '../base/api-key.ts';
import { readNetworks } from '../base/config/networks.ts';
import { account as accountName } from '../base/config/options.ts';
import { MirrorError } from '../domain/errors.ts';
import { isInCalendar } from '../domain/instant.ts';
import { type Expiry, type KeyScope, keyScopes, type NewKey } from '../store/keys/api-keys.ts';
import { keyNotes } from './help-text.ts';

interface KeyCommands {
  create(name: string, options: Pick<NewKey, 'accounts' | 'expires' | 'scope' | 'networks'>): Promise<void>;
  list(options: { readonly json: boolean }): Promise<void>;
  revoke(prefixOrName: string): Promise<void>;
}

interface CreateOptions {
  readonly account?: readonly string[];
  readonly scope: KeyScope;
  readonly from?: string;
  readonly expires?: string;
  readonly expiry: boolean;
}

export function keyProgram(commands: KeyCommands): Command {
  const key = new Command('key').description('create, list and revoke keys of the read API');
  key
    .command('create')
    .description('create a key and print it, only this once')
    .argument('<name>', 'the name of its owner or program')
    .option('--account <name>', 'an account it may read; repeatable (default: all)', collect)
    .addOption(new Option('--scope <scope>', 'what it may ask for').choices(keyScopes).default('read'))
    .option('--from <networks>', 'addresses and networks that may use it, separated by commas (default: all)')
    .option(
      '--expires <when>',
      'a date, a date-time, or a duration from now such as 90d or 12h (default: one year)',
    )
    .addOption(new Option('--no-expiry', 'it never expires').conflicts('expires'))
    .addHelpText('after', keyNotes.create)
    .action((name: string, options: CreateOptions) =>
      commands.create(readName(name), {
        accounts: options.account === undefined ? null : readAccounts(options.account),
        expires: options.expiry ? readExpiry(options.expires ?? '1y') : null,
        scope: options.scope,
        networks: options.from === undefined ? null : readFrom(options.from),
      }),
    );
  key
    .command('list')
    .description('list every key with its accounts, expiry, last use and state')
    .option('--json', 'print JSON', false)
    .addHelpText('after', keyNotes.list)
    .action((options: { json: boolean }) => commands.list(options));
  key
    .command('revoke')
    .description('revoke a key for good')
    .argument('<prefix-or-name>', 'the key’s prefix such as cm_k3v9x2ab, or its name')
    .addHelpText('after', keyNotes.revoke)
    .action((wanted: string) => commands.revoke(readWanted(wanted)));
  return key;
}

/** The values of an option that may be repeated, each once. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...new Set([...(previous ?? []), value])];
}

const longestName = 64;
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u;

function readName(text: string): string {
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  if (length === 0 || length > longestName || unprintable.test(name))
    throw fault(`name: must be 1 to ${longestName} printable characters`);
  // `key revoke` distinguishes prefixes from names by this.
  if (/^cm_/i.test(name)) throw fault('name: must not begin with cm_, like keys and their prefixes');
  return name;
}

function readAccounts(names: readonly string[]): readonly string[] {
  for (const name of names) {
    const { error } = accountName.safeParse(name);
    if (error !== undefined) throw fault(`--account: ${error.issues[0]?.message}`);
  }
  return names;
}

function readFrom(text: string): readonly string[] {
  const networks = text.split(',').map((one) => one.trim());
  try {
    readNetworks(networks);
  } catch {
    throw fault('--from: must be addresses or networks such as 10.0.0.0/8,2001:db8::1, separated by commas');
  }
  return networks;
}

const hoursOf: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, y: 365 * 24 };
const mostHours = 100 * 365 * 24;
const momentPattern = /^(\d{4}-\d\d-\d\d)(?:[Tt]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d\d:\d\d))?$/;

/** A date means midnight UTC. */
export function readExpiry(text: string): Expiry {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([hdwy])$/.exec(text) ?? [];
  const hours = Number(count) * (hoursOf[unit] ?? Number.NaN);
  if (hours <= mostHours) return { afterHours: hours };
  const [, day] = momentPattern.exec(text) ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(text.toUpperCase());
  if (!Number.isNaN(at) && isInCalendar(day ?? '')) return { at: new Date(at).toISOString() };
  throw fault(
    '--expires: must be a date such as 2027-06-30 (midnight UTC), a date-time such as 2027-06-30T18:00:00+02:00, or a duration from now such as 12h, 90d, 8w or 1y, at most 100 years',
  );
}

/** A whole key is accepted instead of its prefix: someone who found a leaked key has the whole key. */
function readWanted(text: string): string {
  const wanted = text.trim();
  return isApiKey(wanted) ? prefixOf(wanted) : wanted.normalize('NFC');
}

function fault(message: string): MirrorError {
  return new MirrorError('CONFIGURATION', message);
}
