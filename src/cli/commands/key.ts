// `custody-mirror key create|list|revoke`: the keys of the read API. The key is printed once, to standard
// output only. A fault never repeats an argument: it may be a key.
import { digestOfKey, isApiKey, makeApiKey, prefixOf } from '../../base/api-key.ts';
import { readNetworks } from '../../base/config/networks.ts';
import { account as accountName } from '../../base/config/options.ts';
import { MirrorError } from '../../domain/errors.ts';
import { isInCalendar } from '../../domain/instant.ts';
import { onOneLine } from '../../domain/words.ts';
import {
  createKey,
  type Expiry,
  type KeyListing,
  type KeyScope,
  listKeys,
  type NewKey,
  type Revocation,
  revokeKey,
} from '../../store/keys/api-keys.ts';
import { type CommandContext, type ExitCode, exitCodes } from '../setup/command-scope.ts';
import { withMirror } from '../setup/compose.ts';
import { headings, layOut, type Pen, penOf, plain, type Row } from '../text/terminal.ts';

// The output of `key`. Pure. A name cannot control the terminal, whatever the table holds.

const tones = { active: 'good', expired: 'note', revoked: 'faint' } as const;

export function renderKeys(keys: readonly KeyListing[], { color, width }: Pen): string {
  if (keys.length === 0) return 'There are no keys. custody-mirror key create <name> creates one.\n';
  const titles = ['prefix', 'state', 'created', 'expires', 'last use', 'scope', 'from', 'accounts', 'name'];
  const rows = keys.map(
    (key): Row => ({
      cells: [
        plain(onOneLine(key.prefix)),
        { text: key.state, tone: tones[key.state] },
        plain(minuteOf(key.createdAt)),
        plain(key.expiresAt === null ? 'never' : minuteOf(key.expiresAt)),
        plain(key.lastUsedAt === null ? 'never' : minuteOf(key.lastUsedAt)),
        plain(onOneLine(key.scope)),
        plain(networksOf(key)),
        plain(accountsOf(key)),
        plain(onOneLine(key.name)),
      ],
    }),
  );
  const lines = layOut([headings(titles), ...rows], Math.max(40, width), color);
  return `${lines.map((line) => line.trimEnd()).join('\n')}\nTimes are UTC.\n`;
}

/** As JSON; control characters for terminals are escaped. */
export function keysAsJson(keys: readonly KeyListing[]): string {
  const text = JSON.stringify({ keys }, null, 2);
  const escaped = text.replace(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from(
      { length: found.length },
      (_, unit) => `\\u${found.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
  return `${escaped}\n`;
}

export function createdInWords(key: KeyListing): string {
  const expires = key.expiresAt === null ? 'does not expire' : `expires ${minuteOf(key.expiresAt)} UTC`;
  const reads = key.accounts === null ? 'all accounts, including future ones' : accountsOf(key);
  const what = key.scope === 'read' ? 'reads' : `has the scope ${key.scope}, reads`;
  const from = key.networks === null ? '' : ` is accepted from ${networksOf(key)} only,`;
  return `Created the key ${key.prefix} (${onOneLine(key.name)}). It ${what} ${reads},${from} and ${expires}.
It is shown this once. Send it as x-api-key, as a bearer token, or as the password of any user.
`;
}

export function revokedInWords({ key, already }: Revocation): string {
  const what = `The key ${key.prefix} (${onOneLine(key.name)})`;
  return already
    ? `${what} was already revoked, at ${key.revokedAt === null ? 'an unknown time' : `${minuteOf(key.revokedAt)} UTC`}.\n`
    : `${what} is revoked: the next request with it is refused.\n`;
}

function accountsOf({ accounts }: KeyListing): string {
  return accounts === null ? 'all' : accounts.map(onOneLine).join(', ');
}

function networksOf({ networks }: KeyListing): string {
  return networks === null ? 'anywhere' : networks.map(onOneLine).join(', ');
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

export interface KeyCreateOptions {
  readonly account?: readonly string[];
  readonly scope: KeyScope;
  readonly from?: string;
  readonly expires?: string;
  readonly expiry: boolean;
}

export async function keyCreateCommand(
  context: CommandContext,
  name: string,
  options: KeyCreateOptions,
): Promise<ExitCode> {
  const wanted = readKey(name, options);
  return await withMirror(context, async (database) => {
    const { key, prefix } = makeApiKey();
    const made = await createKey(database, { ...wanted, prefix, digest: digestOfKey(key.reveal()) });
    context.stderr.write(createdInWords(made));
    context.stdout.write(`${key.reveal()}\n`);
    return exitCodes.ok;
  });
}

export async function keyListCommand(
  context: CommandContext,
  { json: asJson }: { readonly json: boolean },
): Promise<ExitCode> {
  return await withMirror(context, async (database) => {
    const keys = await listKeys(database);
    context.stdout.write(asJson ? keysAsJson(keys) : renderKeys(keys, penOf(context, 160)));
    return exitCodes.ok;
  });
}

export async function keyRevokeCommand(context: CommandContext, text: string): Promise<ExitCode> {
  const wanted = prefixOrName(text);
  return await withMirror(context, async (database) => {
    context.stdout.write(revokedInWords(await revokeKey(database, wanted)));
    return exitCodes.ok;
  });
}

/** @throws MirrorError `CONFIGURATION` */
export function readKey(
  name: string,
  { account, expires, expiry, from, scope }: KeyCreateOptions,
): Omit<NewKey, 'prefix' | 'digest'> {
  return {
    name: readName(name),
    accounts: account === undefined ? null : readAccounts(account),
    expires: expiry ? readExpiry(expires ?? '1y') : null,
    scope,
    networks: from === undefined ? null : readFrom(from),
  };
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
function readExpiry(text: string): Expiry {
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
function prefixOrName(text: string): string {
  const wanted = text.trim();
  return isApiKey(wanted) ? prefixOf(wanted) : wanted.normalize('NFC');
}

function fault(message: string): MirrorError {
  return new MirrorError('CONFIGURATION', message);
}
