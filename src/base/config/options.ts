// Parsers of single variables. A fault says what is wrong, and does not repeat a value that could be a secret.
import { isIP } from 'node:net';
import { validate as isCronExpression } from 'node-cron';
import { z } from 'zod';
import { resources as allResources, type Resource } from '../../domain/jobs.ts';

export type Parse<Value> = (raw: string) => { readonly value: Value } | { readonly fault: string };

/** A parser made of a zod schema; the message of the schema is the fault. */
function from<Value>(schema: z.ZodType<Value, string>): Parse<Value> {
  return (raw) => {
    const result = schema.safeParse(raw);
    return result.success
      ? { value: result.data }
      : { fault: result.error.issues.map((issue) => issue.message).join('; ') };
  };
}

export const text: Parse<string> = (raw) => ({ value: raw });

/** Null where it is empty. */
export const optionalText: Parse<string | null> = (raw) => ({ value: raw === '' ? null : raw });

/** @param why the reason of the bounds, when it is not obvious */
export const integer = (min: number, max: number, why?: string): Parse<number> => {
  const fault = `must be a whole number from ${min} to ${max}${why === undefined ? '' : ` (${why})`}`;
  return from(
    z
      .string()
      .regex(/^\d{1,9}$/, fault)
      .transform(Number)
      .refine((value) => value >= min && value <= max, fault),
  );
};

/** fetch ends a request after 300 s without headers or without the next part of the body. */
export const requestTimeout: Parse<number> = integer(
  1,
  300_000,
  'the HTTP client of Node.js waits 5 minutes for an answer at the most',
);

/** A whole number, or null for `off`. */
export const integerOrOff =
  (min: number, max: number): Parse<number | null> =>
  (raw) => {
    if (raw === 'off') return { value: null };
    const parsed = integer(min, max)(raw);
    return 'fault' in parsed ? { fault: `${parsed.fault}, or off` } : parsed;
  };

export const oneOf =
  <const Values extends readonly string[]>(values: Values): Parse<Values[number]> =>
  (raw) => {
    const value = values.find((candidate) => candidate === raw);
    return value === undefined ? { fault: `must be one of ${values.join(', ')}` } : { value };
  };

/** One or more resources in any order. Spaces are allowed, and so is a name that occurs twice. */
export const resources: Parse<readonly Resource[]> = (raw) => {
  const names = raw.split(',').map((name) => name.trim());
  const isKnown = names.every((name) => allResources.some((resource) => resource === name));
  return isKnown
    ? { value: allResources.filter((resource) => names.includes(resource)) }
    : { fault: `must be one or more of ${allResources.join(', ')}, separated by commas` };
};

const hostName = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Names of hosts or addresses without their ports, in lower case, an IPv6 address without its brackets. */
export const hostNames: Parse<readonly string[]> = (raw) => {
  const names = raw
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '')
    .map((name) => name.replace(/^\[(.*)\]$/, '$1'));
  return names.every((name) => hostName.test(name) || isIP(name) !== 0)
    ? { value: [...new Set(names)] }
    : { fault: 'must be names of hosts such as mirror.example, without ports, separated by commas' };
};

/** Names below `localhost` are of this machine (RFC 6761, section 6.3). */
const loopbackHosts = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** https://fetch.spec.whatwg.org/#bad-port. An address without a port counts as 0, which is allowed. */
const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export const baseUrl: Parse<URL> = (raw) => {
  const url = parseUrl(raw);
  if (url === null) return { fault: 'must be an absolute address such as https://custody.example/api' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'must begin with https://' };
  if (url.username !== '' || url.password !== '')
    return { fault: 'must not hold credentials; the key goes into CUSTODY_API_KEY' };
  if (url.search !== '' || url.hash !== '') return { fault: 'must end before any ? or #' };
  if (url.protocol === 'http:' && !loopbackHosts.test(url.hostname))
    return { fault: 'must begin with https:// (http is for addresses of this machine only)' };
  if (blockedPorts.has(Number(url.port)))
    return { fault: `names port ${url.port}, which fetch never connects to; check the port` };
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { value: url };
};

export const databaseUrl: Parse<string> = (raw) => {
  const url = parseUrl(raw);
  if (url === null || !/^postgres(ql)?:\/\//.test(url.href))
    return { fault: 'must be a PostgreSQL address such as postgres://user:password@host:5432/database' };
  // After a slash, question mark or hash in the password, its rest would be read as the name of a database, and be shown.
  if (url.username === '' && /@/.test(url.pathname + url.search + url.hash))
    return {
      fault: 'must have special characters of user and password percent-encoded, such as %2F for a slash',
    };
  const sslmode = url.searchParams.get('sslmode');
  if (sslmode !== null && !sslModes.includes(sslmode))
    return { fault: `sslmode must be one of ${sslModes.join(', ')}` };
  return { value: raw };
};

/** The modes of psql. */
const sslModes: readonly string[] = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

function parseUrl(raw: string): URL | null {
  try {
    return new URL(raw);
  } catch {
    return null;
  }
}

export const account: Parse<string> = from(
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
      'must be 1 to 63 letters, digits, dots, dashes or underscores',
    ),
);

export const headerName: Parse<string> = from(
  z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be the name of an HTTP header'),
);

export const headerValue: Parse<string> = from(
  z
    .string()
    .regex(
      /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/,
      'must be printable ASCII text, as an HTTP header carries it',
    ),
);

export const token: Parse<string> = from(
  z.string().regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 printable ASCII characters without blanks'),
);

export const headerPrefix: Parse<string> = from(
  z.string().regex(/^[\x20-\x7e]*$/, 'must be printable ASCII text, as an HTTP header carries it'),
);

export const rateLimit: Parse<number | 'auto' | 'off'> = (raw) => {
  if (raw === 'auto' || raw === 'off') return { value: raw };
  const value = /^\d{1,6}(\.\d{1,6})?$/.test(raw) ? Number(raw) : 0;
  return value > 0 ? { value } : { fault: 'must be requests per second such as 5 or 0.5, or auto, or off' };
};

const cronForm = 'must be a cron expression such as */30 * * * * * (seconds first) or */5 * * * *, or off';

export const cronExpression: Parse<string | null> = (raw) => {
  if (raw === 'off') return { value: null };
  return isCronExpression(raw) ? { value: raw } : { fault: cronForm };
};

export const timezone: Parse<string> = (raw) => {
  // JavaScript reads an offset such as +02:00 as a zone; PostgreSQL would reverse its sign.
  if (/^[+-]/.test(raw))
    return { fault: 'must be an IANA time zone such as UTC or Europe/Zurich, and no offset' };
  try {
    new Intl.DateTimeFormat('en', { timeZone: raw });
    return { value: raw };
  } catch {
    return { fault: 'must be an IANA time zone such as UTC or Europe/Zurich' };
  }
};
