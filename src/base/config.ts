// The environment as one validated, frozen object. All faults are reported together, by variable. A setting that a person must
// choose has no default.
import { resources as allResources, type Resource } from '../domain/resource.ts';
import * as options from './config-options.ts';
import { type ConfigSources, createReader, type Environment, type Reader } from './config-reader.ts';
import { type LogFormat, type LogLevel, logLevels } from './logger.ts';
import { mistypedVariables } from './mistyped.ts';
import { Secret } from './secret.ts';

export interface DatabaseConfig {
  readonly url: Secret;
}

export interface CustodyConfig {
  /** Base address without a trailing slash; a path prefix is allowed. */
  readonly baseUrl: URL;
  readonly account: string;
  readonly key: Secret;
  /** The file that holds the key; it is read again after a refusal. Null when the variable held the key itself. */
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

/** Names chosen by configuration; null leaves the choice to the rules of custody/decode/documents.ts. */
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
  /** Snapshots of balances older than this many days are thinned; null keeps them all. */
  readonly thinSnapshotsAfterDays: number | null;
  /** Where health, metrics and pages listen, and the token that they require; a null token requires none. */
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Names that are answered to besides those of this machine. */
    readonly allowedHosts: readonly string[];
    readonly token: Secret | null;
  };
  readonly log: LogConfig;
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
  refuseMistyped(reader, sources);
  reader.finish();
  return deepFreeze({ ...withoutIdleJobs(shared), custody });
}

/** Reads the configuration of a command that does not use the custody service (`migrate`, `status`). */
export function parseDatabaseConfig(
  sources: ConfigSources,
): Omit<Config, 'custody'> & { readonly account: string } {
  const reader = createReader(sources);
  const shared = readShared(reader, sources.isTerminal);
  const account = reader.option('CUSTODY_ACCOUNT', options.account, 'default');
  refuseMistyped(reader, sources);
  reader.finish();
  return deepFreeze({ ...withoutIdleJobs(shared), account });
}

/** Reads the log settings, for commands that need nothing else. */
export function parseLogConfig(sources: ConfigSources): LogConfig {
  const reader = createReader(sources);
  const log = readLog(reader, sources.isTerminal);
  refuseMistyped(reader, sources);
  reader.finish();
  return log;
}

/** Every variable that a command reads. The readers below tell their names while they read an empty environment. */
function readVariables(): ReadonlySet<string> {
  const asked = new Set<string>();
  const env: Environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  const reader = createReader({ env, isTerminal: false });
  readShared(reader, false);
  readCustody(reader);
  return asked;
}

/** Refuses a variable that looks like a setting and has no effect. */
function refuseMistyped(reader: Reader, { env }: ConfigSources): void {
  for (const { name, meant } of mistypedVariables(env, readVariables()))
    reader.fault(
      name,
      meant === null
        ? 'is no variable of custody-mirror; correct its name, or unset it'
        : `is no variable of custody-mirror; ${meant} is: correct the name, or unset it`,
    );
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

/** Removes the schedules of jobs whose resources are not mirrored. */
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

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !(member instanceof URL)) deepFreeze(member);
  }
  return Object.freeze(value);
}
