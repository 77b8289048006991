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
import { httpVariables } from './http-variables.ts';
import type { Variable } from './options.ts';
import * as options from './options.ts';
import { proxyVariables, smallLetterNames } from './proxy-variables.ts';
import { recordVariables } from './record-variables.ts';
import { sealVariables } from './seal-variables.ts';

const milliseconds = 'milliseconds';
/** With less, a renewal that waits for a write could come too late (store/run/leases.ts, `underLease`). */
export const leastLeaseMs = 10_000;
const cron = '[cron expression](#schedules), or `off`';

export const variables = {
  CUSTODY_BASE_URL: {
    group: 'required',
    meaning: 'The base address of the custody service. A path prefix is allowed.',
    form: 'https address without credentials, query or fragment; http for this machine only',
    schema: options.baseUrl,
    fallback: null,
    example: 'https://custody.example/api',
  },
  CUSTODY_API_KEY: {
    group: 'required',
    meaning: 'The viewer key.',
    form: 'printable ASCII text',
    schema: options.headerValue,
    fallback: null,
    example: 'replace-me',
    file: 'It is read again when the service refuses the key, so a key can be changed without a restart.',
  },
  DATABASE_URL: {
    group: 'required',
    meaning:
      'PostgreSQL 15 to 18. [`sslmode`](connections.md#certificates) works as with psql; use `?sslmode=verify-full` outside this machine. [Several hosts](operations.md#when-the-database-does-not-answer) are tried in their order.',
    form: '`postgres://user:password@host:5432/database`, with special characters percent-encoded',
    schema: options.databaseUrl,
    fallback: null,
    example: 'postgres://custody:replace-me@127.0.0.1:5432/custody',
    file: '',
  },
  CUSTODY_API_KEY_HEADER: {
    group: 'key',
    meaning: 'The header that carries the key.',
    form: 'header name',
    schema: options.headerName,
    fallback: 'x-api-key',
  },
  CUSTODY_API_KEY_PREFIX: {
    group: 'key',
    meaning: 'Text before the key, such as `Bearer` and a blank.',
    form: 'printable ASCII text',
    schema: options.headerPrefix,
    fallback: '',
    keepsBlanks: true,
  },
  CUSTODY_ACCOUNT: {
    group: 'service',
    meaning:
      'The name of the account in the mirror. It is bound to its base address ([when the service moves](operations.md#when-the-service-moves)).',
    form: '1 to 63 letters, digits, dots, dashes, underscores',
    schema: options.account,
    fallback: 'default',
  },
  CUSTODY_RESOURCES: {
    group: 'service',
    meaning: `The resources to mirror. The viewer role is only guaranteed ${listed(promisedResources)}; leave out any that the key cannot reach. Other resources are not requested, and neither \`status\` nor an alert covers them.`,
    form: 'names, separated by commas',
    schema: options.resources,
    fallback: resources.join(','),
  },
  CUSTODY_PAGE_SIZE: {
    group: 'service',
    meaning: 'The `limit` of a request for `/transactions`.',
    form: 'records',
    schema: options.integer(1, 100_000),
    fallback: '200',
  },
  CUSTODY_RATE_LIMIT: {
    group: 'service',
    meaning:
      'The request rate per endpoint. `auto` finds the allowed rate and keeps to it; `off` sets no limit.',
    form: 'requests per second, `auto` or `off`',
    schema: options.rateLimit,
    fallback: 'auto',
  },
  CUSTODY_MAX_CONCURRENCY: {
    group: 'service',
    meaning: 'The most requests in flight per endpoint.',
    form: 'requests',
    schema: options.integer(1, 64),
    fallback: '4',
  },
  CUSTODY_TIMEOUT_MS: {
    group: 'service',
    meaning: 'The time limit of one attempt, body included.',
    form: milliseconds,
    schema: options.integer(1, 300_000),
    fallback: '30000',
  },
  CUSTODY_RETRIES: {
    group: 'service',
    meaning: 'Retries after a transient fault.',
    form: 'attempts',
    schema: options.integer(0, 100),
    fallback: '8',
  },
  CUSTODY_RETRY_MIN_MS: {
    group: 'service',
    meaning:
      'The longest wait before the first retry; it doubles with each further retry. A request waits between half and all of it, a random share drawn once for all its attempts.',
    form: milliseconds,
    schema: options.integer(1, 3_600_000),
    fallback: '500',
  },
  CUSTODY_RETRY_MAX_MS: {
    group: 'service',
    meaning:
      'The upper limit of that wait, of which a request also waits a random share. It must not be below `CUSTODY_RETRY_MIN_MS`.',
    form: milliseconds,
    schema: options.integer(1, 3_600_000),
    fallback: '30000',
  },
  ...recordVariables,
  CUSTODY_VAULTS_ARRAY: documentName('The name of the array in the bodies of `/vaults`.'),
  CUSTODY_VAULT_ID: documentName('The name of the id of a vault.'),
  CUSTODY_WHITELIST_ARRAY: documentName('The name of the array in the body of `/whitelist`.'),
  CUSTODY_WHITELIST_ID: documentName('The name of the id of a whitelist entry.'),
  ...scheduleVariables(),
  SCHEDULE_TIMEZONE: {
    group: 'schedule',
    meaning: 'The time zone of the schedules, and of days in reports.',
    form: 'IANA time zone such as Europe/Zurich, not an offset',
    schema: options.timezone,
    fallback: 'UTC',
  },
  LEASE_TTL_MS: {
    group: 'process',
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
  ...sealVariables,
  ...httpVariables,
  ...proxyVariables,
  LOG_LEVEL: {
    group: 'log',
    meaning: 'The lowest level that is logged.',
    form: 'level',
    schema: options.oneOf(logLevels),
    fallback: 'info',
  },
  LOG_FORMAT: {
    group: 'log',
    meaning: 'JSON lines, or text for people.',
    form: '`json` or `pretty`',
    schema: options.oneOf(['json', 'pretty'] as const),
    fallback: 'json',
    otherwise: '`json`; `pretty` on a terminal',
  },
} as const satisfies Readonly<Record<string, Variable>>;

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

/** Every name that some command reads, those that end in _FILE included. */
export const variableNames: ReadonlySet<string> = new Set([
  ...Object.entries<Variable>(variables).flatMap(([name, { file }]) =>
    file === undefined ? [name] : [name, `${name}_FILE`],
  ),
  ...smallLetterNames.values(),
]);

function documentName(meaning: string) {
  return {
    group: 'documents',
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
      group: 'schedule',
      form: cron,
      schema: options.cronExpression,
      ...describeSchedule(name),
    } as const;
    return [scheduleVariable(name), row] as const;
  });
  return Object.fromEntries(rows) as Record<(typeof rows)[number][0], (typeof rows)[number][1]>;
}
