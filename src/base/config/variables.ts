// Every variable that a command reads: one table from which the parser, the check for mistyped names,
// .env.example and docs/configuration.md are made (`npm run generate`).
import {
  describeSchedule,
  promisedResources,
  resources,
  type ScheduleName,
  scheduleNames,
} from '../../domain/jobs.ts';
import { listed } from '../../domain/words.ts';
import { logLevels } from '../logger.ts';
import type { Variable } from './options.ts';
import * as options from './options.ts';

const milliseconds = 'milliseconds';
/** With less, a renewal that waits for a write could come too late (store/run/leases.ts, `underLease`). */
export const leastLeaseMs = 10_000;
const cron = '[cron expression](#schedules), or `off`';

type Ungrouped = Readonly<Record<string, Omit<Variable, 'group'>>>;

function inGroup<const Rows extends Ungrouped>(group: string, rows: Rows) {
  const grouped = Object.entries(rows).map(([name, row]) => [name, { ...row, group }]);
  return Object.fromEntries(grouped) as { [Name in keyof Rows]: Rows[Name] & { readonly group: string } };
}

const proxy = {
  form: '`http://user:password@proxy.example:3128`',
  schema: options.proxyAddress,
  fallback: '',
  otherwise: 'directly',
} as const;

/** Variables that are also read in lower case, which takes precedence. */
export const smallLetterNames: ReadonlyMap<string, string> = new Map(
  ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].map((name) => [name, name.toLowerCase()]),
);

export const variables = {
  ...inGroup('required', {
    CUSTODY_BASE_URL: {
      meaning: 'The base address of the custody service. A path prefix is allowed.',
      form: 'https address without credentials, query or fragment; http for this machine only',
      schema: options.baseUrl,
      fallback: null,
      example: 'https://custody.example/api',
    },
    CUSTODY_API_KEY: {
      meaning: 'The viewer key.',
      form: 'printable ASCII text',
      schema: options.headerValue,
      fallback: null,
      example: 'replace-me',
      file: 'It is read again when the service refuses the key, so a key can be changed without a restart.',
    },
    DATABASE_URL: {
      meaning:
        'PostgreSQL 15 to 18. [`sslmode`](connections.md#certificates) works as with psql; use `?sslmode=verify-full` outside this machine. [Several hosts](operations.md#when-the-database-does-not-answer) are tried in their order.',
      form: '`postgres://user:password@host:5432/database`, with special characters percent-encoded',
      schema: options.databaseUrl,
      fallback: null,
      example: 'postgres://custody:replace-me@127.0.0.1:5432/custody',
      file: '',
    },
  }),
  ...inGroup('key', {
    CUSTODY_API_KEY_HEADER: {
      meaning: 'The header that carries the key.',
      form: 'header name',
      schema: options.headerName,
      fallback: 'x-api-key',
    },
    CUSTODY_API_KEY_PREFIX: {
      meaning: 'Text before the key, such as `Bearer` and a blank.',
      form: 'printable ASCII text',
      schema: options.headerPrefix,
      fallback: '',
      keepsBlanks: true,
    },
  }),
  ...inGroup('service', {
    CUSTODY_ACCOUNT: {
      meaning:
        'The name of the account in the mirror. It is bound to its base address ([when the service moves](operations.md#when-the-service-moves)).',
      form: '1 to 63 letters, digits, dots, dashes, underscores',
      schema: options.account,
      fallback: 'default',
    },
    CUSTODY_RESOURCES: {
      meaning: `The resources to mirror. The viewer role is only guaranteed ${listed(promisedResources)}; leave out any that the key cannot reach. Other resources are not requested, and neither \`status\` nor an alert covers them.`,
      form: 'names, separated by commas',
      schema: options.resources,
      fallback: resources.join(','),
    },
    CUSTODY_PAGE_SIZE: {
      meaning: 'The `limit` of a request for `/transactions`.',
      form: 'records',
      schema: options.integer(1, 100_000),
      fallback: '200',
    },
    CUSTODY_RATE_LIMIT: {
      meaning:
        'The request rate per endpoint. `auto` finds the allowed rate and keeps to it; `off` sets no limit.',
      form: 'requests per second, `auto` or `off`',
      schema: options.rateLimit,
      fallback: 'auto',
    },
    CUSTODY_MAX_CONCURRENCY: {
      meaning: 'The most requests in flight per endpoint.',
      form: 'requests',
      schema: options.integer(1, 64),
      fallback: '4',
    },
    CUSTODY_TIMEOUT_MS: {
      meaning: 'The time limit of one attempt, body included.',
      form: milliseconds,
      schema: options.integer(1, 300_000),
      fallback: '30000',
    },
    CUSTODY_RETRIES: {
      meaning: 'Retries after a transient fault.',
      form: 'attempts',
      schema: options.integer(0, 100),
      fallback: '8',
    },
    CUSTODY_RETRY_MIN_MS: {
      meaning:
        'The longest wait before the first retry; it doubles with each further retry. A request waits between half and all of it, a random share drawn once for all its attempts.',
      form: milliseconds,
      schema: options.integer(1, 3_600_000),
      fallback: '500',
    },
    CUSTODY_RETRY_MAX_MS: {
      meaning:
        'The upper limit of that wait, of which a request also waits a random share. It must not be below `CUSTODY_RETRY_MIN_MS`.',
      form: milliseconds,
      schema: options.integer(1, 3_600_000),
      fallback: '30000',
    },
    CUSTODY_RECORD_BYTES: {
      meaning:
        'The longest record that is mirrored. A longer one goes to quarantine with its beginning, length and digest.',
      form: 'bytes',
      schema: options.integer(10_000, 67_108_864),
      fallback: '1048576',
    },
    CUSTODY_RECORD_MEMBERS: {
      meaning: 'The most members and elements, at any depth, of a record that is mirrored.',
      form: 'members',
      schema: options.integer(1_000, 10_000_000),
      fallback: '10000',
    },
    CUSTODY_RECORD_DEPTH: {
      meaning: 'The deepest nesting of a record that is mirrored.',
      form: 'levels',
      schema: options.integer(10, 200),
      fallback: '100',
    },
  }),
  ...inGroup('documents', {
    CUSTODY_VAULTS_ARRAY: documentName('The name of the array in the bodies of `/vaults`.'),
    CUSTODY_VAULT_ID: documentName('The name of the id of a vault.'),
    CUSTODY_WHITELIST_ARRAY: documentName('The name of the array in the body of `/whitelist`.'),
    CUSTODY_WHITELIST_ID: documentName('The name of the id of a whitelist entry.'),
  }),
  ...inGroup('schedule', {
    ...scheduleVariables(),
    SCHEDULE_TIMEZONE: {
      meaning:
        'The time zone of the schedules, and of [days](data.md#days) in reports. `run` without it sets UTC; `sync` without it leaves the zone of the days as it is.',
      form: 'IANA time zone such as Europe/Zurich, not an offset',
      schema: options.timezone,
      fallback: 'UTC',
    },
  }),
  ...inGroup('process', {
    LEASE_TTL_MS: {
      meaning:
        "How long an account's lease lasts without renewal. After a crash, the next process waits up to this long. A write may take half of it.",
      form: milliseconds,
      schema: options.integer(
        leastLeaseMs,
        3_600_000,
        'a lease must outlive a write, which may take five seconds',
      ),
      fallback: '30000',
    },
  }),
  ...inGroup('seal', {
    SEAL_KEY: {
      meaning:
        'The private key that signs checkpoints of the history, from [`seal init`](commands.md). Without it nothing is sealed.',
      form: 'private key of a signed note',
      schema: options.sealKey,
      fallback: '',
      otherwise: 'no key',
      file: 'Name the file rather than the key.',
    },
    SEAL_CHECKPOINTS_FILE: {
      meaning:
        'The file to which each checkpoint is appended. Keep it where the database owner cannot write.',
      form: 'path of a file',
      schema: options.optionalText,
      fallback: '',
      otherwise: 'the log output only',
    },
    SEAL_VERIFIER_KEYS: {
      meaning:
        'Further keys that verify checkpoints, as [`seal init`](commands.md) prints them: those that signed before the key was changed.',
      form: 'verifier keys, separated by blanks',
      schema: options.verifierKeys,
      fallback: '',
      otherwise: 'only the key that signs',
    },
  }),
  ...inGroup('http', {
    HTTP_HOST: {
      meaning: 'The address for health, metrics and pages. In the container the default is `0.0.0.0`.',
      form: 'address or host name',
      schema: options.text,
      fallback: '127.0.0.1',
    },
    HTTP_PORT: {
      meaning: 'The port for them; 0 picks a free one.',
      form: 'port',
      schema: options.integer(0, 65_535),
      fallback: '8787',
    },
    HTTP_PROBES_PORT: {
      meaning:
        'A second port, for `/healthz` and `/readyz` alone: whatever clients do to the first, probes of this one are answered, and `/readyz` says whether the first serves. In the container the default is 8789.',
      form: 'port, or `off`',
      schema: options.integerOrOff(65_535),
      fallback: 'off',
    },
    HTTP_SERVE: {
      meaning:
        'What `run` serves: `all`, or `probes`, which is health and metrics only: no pages, no read API, and no database connections for readers.',
      form: '`all` or `probes`',
      schema: options.oneOf(['all', 'probes']),
      fallback: 'all',
    },
    HTTP_DRAIN_MS: {
      meaning:
        'How long `serve` goes on answering after SIGTERM, while `/readyz` says 503 and each answer ends its connection: longer than a load balancer takes to notice. The Helm chart sets 10000.',
      form: 'milliseconds',
      schema: options.integer(0, 600_000),
      fallback: '0',
    },
    HTTP_ALLOWED_HOSTS: {
      meaning:
        'Host names that requests may use, besides the names of this machine and IP addresses. Any other name gets 421 ([why](http.md)). In Compose the default is `mirror`.',
      form: 'host names, separated by commas',
      schema: options.hostNames,
      fallback: '',
    },
    HTTP_TRUSTED_PROXIES: {
      meaning:
        'The proxies that report the address of a client in `X-Forwarded-For` ([which is believed](http.md#behind-proxies)). Limits, log and access trail then name the client.',
      form: 'addresses and networks, separated by commas',
      schema: options.networks,
      fallback: '',
      otherwise: 'none',
    },
    HTTP_TOKEN: {
      meaning:
        'The operator’s token, which grants access to everything. On an address beyond this machine metrics require it or a key. [`key create`](access.md#keys-of-the-read-api) creates keys for readers.',
      form: '16 to 512 printable ASCII characters, no blanks',
      schema: options.token,
      fallback: '',
      otherwise: 'no token',
      file: '',
    },
    HTTP_RATE_LIMIT: {
      meaning:
        'The most requests that one key, the token, or (if reading is open) one address may send to one process. Bursts may reach twice as many.',
      form: 'requests per second, or `off`',
      schema: options.integerOrOff(100_000),
      fallback: '50',
    },
    HTTP_ACCESS_LOG: {
      meaning:
        'Where the [access trail](access.md#who-read-what) goes: one line of JSON for each answer that shows something of an account, and for each refusal.',
      form: '`off`, `log`, or the absolute path of a file',
      schema: options.accessLog,
      fallback: 'off',
    },
    HTTP_DATABASE_URL: {
      meaning:
        'The database for readers of `/custody` and `/api`: the same one with a read-only role ([`grant`](access.md) sets one up), or a streaming replica.',
      form: '`postgres://user:password@host:5432/database`',
      schema: options.databaseUrl,
      fallback: '',
      otherwise: 'DATABASE_URL',
      file: '',
    },
    HTTP_DATABASE_CONNECTIONS: {
      meaning:
        'The most connections for readers; a single reader uses at most half. The mirror has separate ones, which readers never take.',
      form: 'connections',
      schema: options.integer(1, 100),
      fallback: '4',
    },
    HTTP_STATEMENT_TIMEOUT_MS: {
      meaning: "The timeout of a reader's statement.",
      form: 'milliseconds',
      schema: options.integer(100, 600_000),
      fallback: '10000',
    },
  }),
  ...inGroup('proxy', {
    HTTPS_PROXY: {
      ...proxy,
      meaning: 'The proxy through which an `https` base address is reached ([how](connections.md#proxies)).',
      file: 'Name the file where the address holds a password.',
    },
    HTTP_PROXY: {
      ...proxy,
      meaning: 'The same for an `http` base address.',
      file: '',
    },
    NO_PROXY: {
      ...proxy,
      meaning:
        'Exceptions from the proxy: domains with all their subdomains, addresses, networks such as `10.0.0.0/8`, each with or without a port, or `*` for everything.',
      form: 'entries, separated by commas or blanks',
      schema: options.text,
      otherwise: 'nothing',
    },
  }),
  ...inGroup('log', {
    LOG_LEVEL: {
      meaning: 'The lowest level that is logged.',
      form: 'level',
      schema: options.oneOf(logLevels),
      fallback: 'info',
    },
    LOG_FORMAT: {
      meaning: 'JSON lines, or text for people.',
      form: '`json` or `pretty`',
      schema: options.oneOf(['json', 'pretty'] as const),
      fallback: 'json',
      otherwise: '`json`; `pretty` on a terminal',
    },
  }),
};

export type VariableName = keyof typeof variables;
export type ValueOf<Name extends VariableName> = (typeof variables)[Name] extends {
  schema: options.Schema<infer Value>;
}
  ? Value
  : never;

/** Variables whose value may come from the file that `<name>_FILE` names. */
export type SecretName = {
  [Name in VariableName]: (typeof variables)[Name] extends { file: string } ? Name : never;
}[VariableName];

/** Every name that some command reads, including names that end in _FILE. */
export const variableNames: ReadonlySet<string> = new Set([
  ...Object.entries<Variable>(variables).flatMap(([name, { file }]) =>
    file === undefined ? [name] : [name, `${name}_FILE`],
  ),
  ...smallLetterNames.values(),
]);

function documentName(meaning: string) {
  return {
    meaning,
    form: 'name of a member',
    schema: options.optionalText,
    fallback: '',
    otherwise: 'found by rules',
  } as const;
}

/** A schedule's variable; its row comes from the registry of jobs. */
export function scheduleVariable<Name extends ScheduleName>(name: Name): `SCHEDULE_${Uppercase<Name>}` {
  return `SCHEDULE_${name.toUpperCase() as Uppercase<Name>}`;
}

function scheduleVariables() {
  const rows = scheduleNames.map((name) => {
    const row = {
      form: cron,
      schema: options.cronExpression,
      ...describeSchedule(name),
    } as const;
    return [scheduleVariable(name), row] as const;
  });
  return Object.fromEntries(rows) as Record<(typeof rows)[number][0], (typeof rows)[number][1]>;
}
