// The columns of the table of variables, and the zod schemas of single variables. A fault says what is wrong
// and never repeats a value that could be a secret.
import { type BlockList, isIP } from 'node:net';
import { validate as isCronExpression } from 'node-cron';
import { z } from 'zod';
import { resources as allResources, type Resource } from '../../domain/jobs.ts';
import { addressesOf, parseAddress, weakModeFault } from './database-url.ts';
import { readNetworks } from './networks.ts';
import { readProxy } from './proxy.ts';

/** Reads the text of a variable; `fault` in its messages follows the variable's name. */
export type Schema<Value> = z.ZodType<Value, string>;

/** A value that `read` makes of the text; undefined is the fault. */
function from<Value>(read: (raw: string) => Value | undefined, fault: string): Schema<Value> {
  return z.string().transform((raw, context) => {
    const value = read(raw);
    if (value !== undefined) return value;
    context.addIssue(fault);
    return z.NEVER;
  });
}

const matching = (pattern: RegExp, fault: string): Schema<string> => z.string().regex(pattern, fault);

export const text: Schema<string> = z.string();

/** Null where it is empty. */
export const optionalText: Schema<string | null> = z.string().transform((raw) => (raw === '' ? null : raw));

export const accessLog: Schema<string> = matching(
  /^(?:off|log|\/.+)$/,
  'must be off, log or the absolute path of a file',
);

function wholeNumber(raw: string, min: number, max: number): number | undefined {
  const value = /^\d{1,9}$/.test(raw) ? Number(raw) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/** @param why the reason of the bounds, when it is not obvious */
export const integer = (min: number, max: number, why?: string): Schema<number> =>
  from(
    (raw) => wholeNumber(raw, min, max),
    `must be a whole number from ${min} to ${max}${why === undefined ? '' : ` (${why})`}`,
  );

/** A whole number from 1, or null for `off`. */
export const integerOrOff = (max: number): Schema<number | null> =>
  from(
    (raw) => (raw === 'off' ? null : wholeNumber(raw, 1, max)),
    `must be a whole number from 1 to ${max}, or off`,
  );

export const oneOf = <const Values extends readonly string[]>(values: Values): Schema<Values[number]> =>
  from((raw) => values.find((value) => value === raw), `must be one of ${values.join(', ')}`);

/** One or more resources in any order. Spaces are allowed, and so is a name that occurs twice. */
export const resources: Schema<readonly Resource[]> = from(
  (raw) => {
    const names = raw.split(',').map((name) => name.trim());
    const isKnown = names.every((name) => allResources.some((resource) => resource === name));
    return isKnown ? allResources.filter((resource) => names.includes(resource)) : undefined;
  },
  `must be one or more of ${allResources.join(', ')}, separated by commas`,
);

const hostName = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Names of hosts or addresses without their ports, in lower case, an IPv6 address without its brackets. */
export const hostNames: Schema<readonly string[]> = from((raw) => {
  const names = raw
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .map((name) => name.replace(/^\[(.*)\]$/, '$1'));
  const areNames = names.every((name) => hostName.test(name) || isIP(name) !== 0);
  return areNames ? [...new Set(names)] : undefined;
}, 'must be names of hosts such as mirror.example, without ports, separated by commas');

/** Addresses and networks; null for none. */
export const networks: Schema<BlockList | null> = from((raw) => {
  const entries = raw.split(',').map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== '');
  try {
    return named.length === 0 ? null : readNetworks(named);
  } catch {
    return undefined;
  }
}, 'must be addresses or networks such as 10.0.0.0/8, separated by commas');

/** Names below `localhost` are of this machine (RFC 6761, section 6.3). */
const loopbackHosts = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Only the first fault is reported. */
const only = (error: string) => ({ error, abort: true });

const url = (fault: string) =>
  z
    .string()
    .refine((raw) => URL.canParse(raw), only(fault))
    .transform((raw) => new URL(raw));

export const baseUrl: Schema<URL> = url('must be an absolute address such as https://custody.example/api')
  .refine(({ protocol }) => /^https?:$/.test(protocol), only('must begin with https://'))
  .refine(
    ({ username, password }) => username === '' && password === '',
    only('must not hold credentials; the key goes into CUSTODY_API_KEY'),
  )
  .refine(({ search, hash }) => search === '' && hash === '', only('must end before any ? or #'))
  .refine(
    ({ protocol, hostname }) => protocol === 'https:' || loopbackHosts.test(hostname),
    only('must begin with https:// (http is for addresses of this machine only)'),
  )
  .transform((url) => {
    url.pathname = url.pathname.replace(/\/+$/, '');
    return url;
  });

/** The text itself, which may hold a password. */
export const proxyAddress: Schema<string> = z
  .string()
  .refine(
    (raw) => readProxy(raw) !== undefined,
    'must be an http:// or https:// address such as http://user:password@proxy.example:3128, with user and password percent-encoded',
  );

const databaseForm = 'must be a PostgreSQL address such as postgres://user:password@host:5432/database';
const socketForm =
  'must give a socket by its directory, as in postgres://user@/database?host=/var/run/postgresql';
/** The modes of psql. */
const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** The subset of psql's values that is supported. */
const sessionAttrs: readonly string[] = ['any', 'read-write'];

export const databaseUrl: Schema<string> = z.string().superRefine((raw, context) => {
  // The host ends at a slash, question mark or hash of the password; its rest would be shown as a database.
  if (/^postgres(ql)?:\/\/[^/?#@]*[/?#].*@/.test(raw))
    return context.addIssue(
      'must have special characters of user and password percent-encoded, such as %2F for a slash',
    );
  const urls = addressesOf(raw).map(parseAddress);
  const [first = null] = urls;
  if (first === null || urls.includes(null))
    return context.addIssue(/^(socket:|(host=)?\/)/.test(raw) ? socketForm : databaseForm);
  const parameter = (name: string) => first.searchParams.get(name);
  if (parameter('host')?.includes(','))
    context.addIssue('must name several hosts as postgres://user:password@host1:5432,host2:5432/database');
  if (!sslModes.includes(parameter('sslmode') ?? 'prefer'))
    context.addIssue(`sslmode must be one of ${sslModes.join(', ')}`);
  else {
    const weak = weakModeFault(first);
    if (weak !== null) context.addIssue(weak);
  }
  if (!sessionAttrs.includes(parameter('target_session_attrs') ?? 'any'))
    context.addIssue(`target_session_attrs must be one of ${sessionAttrs.join(', ')}`);
});

export const account = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
  'must be 1 to 63 letters, digits, dots, dashes or underscores',
);

export const headerName = matching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header');

const headerText = 'must be printable ASCII text, as an HTTP header carries it';
export const headerValue = matching(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, headerText);
export const headerPrefix = matching(/^[\x20-\x7e]*$/, headerText);

export const token = matching(
  /^[\x21-\x7e]{16,512}$/,
  'must be 16 to 512 printable ASCII characters without blanks',
);

export const sealKey = matching(
  /^PRIVATE\+KEY\+\S+$/,
  'must be a private key as `custody-mirror seal init` makes it',
);

/** Names of keys hold no blanks. */
export const verifierKeys: Schema<readonly string[]> = from((raw) => {
  const keys = raw.split(/\s+/).filter((key) => key !== '');
  return keys.every((key) => /^[^+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+$/.test(key)) ? keys : undefined;
}, 'must be verifier keys as `custody-mirror seal init` prints them, separated by blanks');

export const rateLimit: Schema<number | 'auto' | 'off'> = from((raw) => {
  if (raw === 'auto' || raw === 'off') return raw;
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(raw) ? Number(raw) : 0;
  return value > 0 ? value : undefined;
}, 'must be requests per second such as 5 or 0.5, or auto, or off');

export const cronExpression: Schema<string | null> = from(
  (raw) => (raw === 'off' ? null : isCronExpression(raw) ? raw : undefined),
  'must be a cron expression such as */30 * * * * * (seconds first) or */5 * * * *, or off',
);

const zoneForm = 'must be an IANA time zone such as UTC or Europe/Zurich';

export const timezone: Schema<string> = z
  .string()
  // JavaScript reads an offset such as +02:00 as a zone; PostgreSQL would reverse its sign.
  .refine((raw) => !/^[+-]/.test(raw), only(`${zoneForm}, and no offset`))
  .refine(isTimeZone, zoneForm);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export interface Variable<Value = unknown> {
  /** Its section in docs/configuration.md. */
  readonly group: string;
  /** In Markdown; .env.example shows it as plain text. */
  readonly meaning: string;
  /** What a value looks like, with its unit. */
  readonly form: string;
  readonly schema: Schema<Value>;
  /** The value of a variable that is not set; null where it must be set. */
  readonly fallback: string | null;
  /** The default in words, if the text alone would be unclear. */
  readonly otherwise?: string;
  /** White space belongs to the value. */
  readonly keepsBlanks?: true;
  /** The value may come from a file: what the variable `<name>_FILE` says of it. */
  readonly file?: string;
  /** What .env.example shows if there is no default. */
  readonly example?: string;
}
