// The environment as one validated, frozen object. Every fault is collected and reported together, by variable;
// what must be chosen has no default; a variable ending in _FILE names a file that holds the secret.
import { readFileSync } from 'node:fs';
import { MirrorError } from '../domain/errors.ts';
import { resources as allResources, type Resource } from '../domain/resource.ts';
import * as options from './config-options.ts';
import { type LogFormat, type LogLevel, logLevels } from './logger.ts';
import { Secret } from './secret.ts';

export interface DatabaseConfig {
  readonly url: Secret;
}

export interface CustodyConfig {
  /** Base address without a trailing slash; a path prefix is allowed. */
  readonly baseUrl: URL;
  readonly account: string;
  readonly key: Secret;
  /** The file the key was read from, which is read again after a refusal; null when the variable held the key itself. */
  readonly keyFile: string | null;
  readonly keyHeader: string;
  readonly keyPrefix: string;
  readonly pageSize: number;
  /** Requests per second and endpoint. */
  readonly rateLimit: number | 'auto' | 'off';
  readonly maxConcurrency: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Where vaults and whitelist entries are found in bodies that interface.md does not show. */
  readonly documents: DocumentRules;
}

/** Names chosen by configuration; null leaves the choice to the rules of custody/decode-documents. */
export interface DocumentRules {
  readonly vaultsArray: string | null;
  readonly vaultId: string | null;
  readonly whitelistArray: string | null;
  readonly whitelistId: string | null;
}

export type ScheduledJob = 'transactions' | 'balances' | 'documents' | 'reconcile' | 'maintenance';

export interface ScheduleConfig {
  /** Cron expressions; null where the job is off, or nothing that it reads is mirrored. */
  readonly expressions: Readonly<Record<ScheduledJob, string | null>>;
  readonly timezone: string;
}

export interface LogConfig {
  readonly level: LogLevel;
  readonly format: LogFormat;
}

export interface Config {
  readonly database: DatabaseConfig;
  readonly custody: CustodyConfig;
  /** What is mirrored; never empty. */
  readonly resources: readonly Resource[];
  readonly schedule: ScheduleConfig;
  readonly leaseTtlMs: number;
  /** The age from which on snapshots of balances are thinned, in days; null keeps them all. */
  readonly thinSnapshotsAfterDays: number | null;
  /** Where health, metrics and pages listen, and the token that they want; null where they want none. */
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Names that are answered to besides those of this machine. */
    readonly allowedHosts: readonly string[];
    readonly token: Secret | null;
  };
  readonly log: LogConfig;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigSources {
  readonly env: Environment;
  readonly isTerminal: boolean;
  readonly readFile?: (path: string) => string;
}

/**
 * Reads the configuration.
 *
 * @throws MirrorError `CONFIGURATION`, whose message lists every fault, one line each, by variable
 */
export function parseConfig(sources: ConfigSources): Config {
  const reader = createReader(sources);
  const shared = readShared(reader, sources.isTerminal);
  const custody = readCustody(reader);
  reader.finish();
  return deepFreeze({ ...withoutIdleJobs(shared), custody });
}

/** Reads what a command needs that does not speak to the custody service (`migrate`, `status`). */
export function parseDatabaseConfig(
  sources: ConfigSources,
): Omit<Config, 'custody'> & { readonly account: string } {
  const reader = createReader(sources);
  const shared = readShared(reader, sources.isTerminal);
  const account = reader.option('CUSTODY_ACCOUNT', options.account, 'default');
  reader.finish();
  return deepFreeze({ ...withoutIdleJobs(shared), account });
}

/** Reads the log settings alone, for commands that need nothing else; faults in them are reported as ever. */
export function parseLogConfig(sources: ConfigSources): LogConfig {
  const reader = createReader(sources);
  const log = readLog(reader, sources.isTerminal);
  reader.finish();
  return log;
}

function readShared(reader: Reader, isTerminal: boolean): Omit<Config, 'custody'> {
  const defaults: Record<ScheduledJob, string> = {
    transactions: '*/30 * * * * *',
    balances: '*/5 * * * *',
    documents: '*/15 * * * *',
    reconcile: '17 3 * * *',
    maintenance: '47 4 * * *',
  };
  const expression = (job: ScheduledJob) =>
    reader.option(`SCHEDULE_${job.toUpperCase()}`, options.cronExpression, defaults[job]);
  return {
    resources: reader.option('CUSTODY_RESOURCES', options.resources, allResources.join(',')),
    database: { url: new Secret(reader.secret('DATABASE_URL', options.databaseUrl)) },
    schedule: {
      expressions: {
        transactions: expression('transactions'),
        balances: expression('balances'),
        documents: expression('documents'),
        reconcile: expression('reconcile'),
        maintenance: expression('maintenance'),
      },
      timezone: reader.option('SCHEDULE_TIMEZONE', options.timezone, 'UTC'),
    },
    leaseTtlMs: reader.option('LEASE_TTL_MS', options.integer(1_000, 3_600_000), '30000'),
    thinSnapshotsAfterDays: reader.option(
      'THIN_SNAPSHOTS_AFTER_DAYS',
      options.integerOrOff(7, 36_500),
      'off',
    ),
    http: {
      host: reader.option('HTTP_HOST', options.text, '127.0.0.1'),
      port: reader.option('HTTP_PORT', options.integer(0, 65_535), '8787'),
      allowedHosts: reader.option('HTTP_ALLOWED_HOSTS', options.hostNames, ''),
      token: reader.optionalSecret('HTTP_TOKEN', options.token),
    },
    log: readLog(reader, isTerminal),
  };
}

/** Takes from the schedule what would read nothing that is mirrored. */
function withoutIdleJobs<Shared extends Pick<Config, 'resources' | 'schedule'>>(shared: Shared): Shared {
  const { resources, schedule } = shared;
  const { transactions, balances, documents, reconcile, maintenance } = schedule.expressions;
  const ifMirrored = (expression: string | null, ...read: readonly Resource[]) =>
    read.some((resource) => resources.includes(resource)) ? expression : null;
  const expressions = {
    transactions: ifMirrored(transactions, 'transactions'),
    balances: ifMirrored(balances, 'balances'),
    documents: ifMirrored(documents, 'vaults', 'whitelist'),
    reconcile: ifMirrored(reconcile, 'transactions'),
    maintenance,
  };
  return { ...shared, schedule: { ...schedule, expressions } };
}

function readLog(reader: Reader, isTerminal: boolean): LogConfig {
  return {
    level: reader.option('LOG_LEVEL', options.oneOf(logLevels), 'info'),
    format: reader.option(
      'LOG_FORMAT',
      options.oneOf(['json', 'pretty'] as const),
      isTerminal ? 'pretty' : 'json',
    ),
  };
}

function readCustody(reader: Reader): CustodyConfig {
  const retryMinMs = reader.option('CUSTODY_RETRY_MIN_MS', options.integer(1, 3_600_000), '500');
  const retryMaxMs = reader.option('CUSTODY_RETRY_MAX_MS', options.integer(1, 3_600_000), '30000');
  if (retryMaxMs < retryMinMs) reader.fault('CUSTODY_RETRY_MAX_MS', 'must not be below CUSTODY_RETRY_MIN_MS');
  return {
    baseUrl: reader.option('CUSTODY_BASE_URL', options.baseUrl),
    account: reader.option('CUSTODY_ACCOUNT', options.account, 'default'),
    key: new Secret(reader.secret('CUSTODY_API_KEY', options.headerValue)),
    keyFile: reader.optional('CUSTODY_API_KEY_FILE'),
    keyHeader: reader.option('CUSTODY_API_KEY_HEADER', options.headerName, 'x-api-key'),
    keyPrefix: reader.untrimmed('CUSTODY_API_KEY_PREFIX', options.headerPrefix),
    pageSize: reader.option('CUSTODY_PAGE_SIZE', options.integer(1, 100_000), '200'),
    rateLimit: reader.option('CUSTODY_RATE_LIMIT', options.rateLimit, 'auto'),
    maxConcurrency: reader.option('CUSTODY_MAX_CONCURRENCY', options.integer(1, 64), '4'),
    timeoutMs: reader.option('CUSTODY_TIMEOUT_MS', options.requestTimeout, '30000'),
    retries: reader.option('CUSTODY_RETRIES', options.integer(0, 100), '8'),
    retryMinMs,
    retryMaxMs,
    documents: {
      vaultsArray: reader.optional('CUSTODY_VAULTS_ARRAY'),
      vaultId: reader.optional('CUSTODY_VAULT_ID'),
      whitelistArray: reader.optional('CUSTODY_WHITELIST_ARRAY'),
      whitelistId: reader.optional('CUSTODY_WHITELIST_ID'),
    },
  };
}

interface Reader {
  /** A trimmed variable through its parser; without a default it is required. */
  option<Value>(name: string, parse: options.Parse<Value>, fallback?: string): Value;
  optional(name: string): string | null;
  /** Like `option`, but white space belongs to the value and empty is allowed. */
  untrimmed(name: string, parse: options.Parse<string>): string;
  /** A required variable, or the content of the file that `${name}_FILE` names. */
  secret(name: string, parse: options.Parse<string>): string;
  /** The same, null where neither is set. */
  optionalSecret(name: string, parse: options.Parse<string>): Secret | null;
  fault(name: string, reason: string): void;
  finish(): void;
}

function createReader({ env, readFile = (path) => readFileSync(path, 'utf8') }: ConfigSources): Reader {
  const faults: string[] = [];
  const fault = (name: string, reason: string) => void faults.push(`${name}: ${reason}`);
  // A faulty value never gets out: `finish` throws before the configuration is returned.
  const parsed = <Value>(name: string, parse: options.Parse<Value>, raw: string): Value => {
    const result = parse(raw);
    if ('fault' in result) fault(name, result.fault);
    return 'fault' in result ? (undefined as unknown as Value) : result.value;
  };
  const given = (name: string) => env[name]?.trim() || undefined;

  const readSecret = (name: string, parse: options.Parse<string>): string => {
    const fileName = given(`${name}_FILE`);
    const direct = given(name);
    if (fileName !== undefined && direct !== undefined)
      fault(name, `set either ${name} or ${name}_FILE, not both`);
    if (fileName === undefined) {
      if (direct === undefined)
        fault(name, `is required (or ${name}_FILE, the path of a file that holds it)`);
      return direct === undefined ? '' : parsed(name, parse, direct);
    }
    try {
      return parsed(`${name}_FILE`, parse, readFile(fileName).trim());
    } catch (error) {
      // The value is not repeated: somebody may have put the secret itself there.
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown fault';
      fault(`${name}_FILE`, `the file it names cannot be read (${code})`);
      return '';
    }
  };

  return {
    fault,
    option(name, parse, fallback) {
      const raw = given(name) ?? fallback;
      if (raw === undefined) fault(name, 'is required');
      return parsed(name, raw === undefined ? () => ({ value: undefined as never }) : parse, raw ?? '');
    },
    optional: (name) => given(name) ?? null,
    untrimmed: (name, parse) => parsed(name, parse, env[name] ?? ''),
    secret: readSecret,
    optionalSecret(name, parse) {
      const isSet = given(name) !== undefined || given(`${name}_FILE`) !== undefined;
      return isSet ? new Secret(readSecret(name, parse)) : null;
    },
    finish() {
      if (faults.length === 0) return;
      throw new MirrorError('CONFIGURATION', faults.join('\n'));
    },
  };
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !(member instanceof URL)) deepFreeze(member);
  }
  return Object.freeze(value);
}
