// The environment as one validated, frozen object. All faults are reported together, by variable. A setting that a person must
// choose has no default.
import {
  forEachSchedule,
  hasWork,
  jobsOfSchedule,
  type Resource,
  type ScheduleName,
} from '../../domain/jobs.ts';
import type { LogFormat, LogLevel } from '../logger.ts';
import type { Secret } from '../secret.ts';
import { mistypedVariables } from './mistyped.ts';
import { type ConfigSources, createReader, type Reader } from './reader.ts';
import { scheduleVariable, variableNames } from './variables.ts';

export interface DatabaseConfig {
  readonly url: Secret;
}

/** The database as readers use it. */
export interface ReadDatabaseConfig {
  /** Null for the address of the mirror. */
  readonly url: Secret | null;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
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

export interface ScheduleConfig {
  /** Cron expressions; null where the job is off, or nothing that it reads is mirrored. */
  readonly expressions: Readonly<Record<ScheduleName, string | null>>;
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
    /** Requests per second of one reader; null for no limit. */
    readonly rateLimit: number | null;
    readonly database: ReadDatabaseConfig;
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
  const account = reader.value('CUSTODY_ACCOUNT');
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

/** Refuses a variable that looks like a setting and has no effect. */
function refuseMistyped(reader: Reader, { env }: ConfigSources): void {
  for (const { name, meant } of mistypedVariables(env, variableNames))
    reader.fault(
      name,
      meant === null
        ? 'is no variable of custody-mirror; correct its name, or unset it'
        : `is no variable of custody-mirror; ${meant} is: correct the name, or unset it`,
    );
}

function readShared(reader: Reader, isTerminal: boolean): Omit<Config, 'custody'> {
  return {
    resources: reader.value('CUSTODY_RESOURCES'),
    database: { url: reader.secret('DATABASE_URL') },
    schedule: {
      expressions: forEachSchedule((name) => reader.value(scheduleVariable(name))),
      timezone: reader.value('SCHEDULE_TIMEZONE'),
    },
    leaseTtlMs: reader.value('LEASE_TTL_MS'),
    thinSnapshotsAfterDays: reader.value('THIN_SNAPSHOTS_AFTER_DAYS'),
    http: {
      host: reader.value('HTTP_HOST'),
      port: reader.value('HTTP_PORT'),
      allowedHosts: reader.value('HTTP_ALLOWED_HOSTS'),
      token: reader.optionalSecret('HTTP_TOKEN'),
      rateLimit: reader.value('HTTP_RATE_LIMIT'),
      database: {
        url: reader.optionalSecret('HTTP_DATABASE_URL'),
        maxConnections: reader.value('HTTP_DATABASE_CONNECTIONS'),
        statementTimeoutMs: reader.value('HTTP_STATEMENT_TIMEOUT_MS'),
      },
    },
    log: readLog(reader, isTerminal),
  };
}

/** Removes the schedules of jobs whose resources are not mirrored. */
function withoutIdleJobs<Shared extends Pick<Config, 'resources' | 'schedule'>>(shared: Shared): Shared {
  const { resources, schedule } = shared;
  const expressions = forEachSchedule((name) =>
    jobsOfSchedule(name).some((job) => hasWork(job, resources)) ? schedule.expressions[name] : null,
  );
  return { ...shared, schedule: { ...schedule, expressions } };
}

function readLog(reader: Reader, isTerminal: boolean): LogConfig {
  return {
    level: reader.value('LOG_LEVEL'),
    format: reader.value('LOG_FORMAT', isTerminal ? 'pretty' : 'json'),
  };
}

function readCustody(reader: Reader): CustodyConfig {
  const retryMinMs = reader.value('CUSTODY_RETRY_MIN_MS');
  const retryMaxMs = reader.value('CUSTODY_RETRY_MAX_MS');
  if (retryMaxMs < retryMinMs) reader.fault('CUSTODY_RETRY_MAX_MS', 'must not be below CUSTODY_RETRY_MIN_MS');
  return {
    baseUrl: reader.value('CUSTODY_BASE_URL'),
    account: reader.value('CUSTODY_ACCOUNT'),
    key: reader.secret('CUSTODY_API_KEY'),
    keyFile: reader.fileOf('CUSTODY_API_KEY'),
    keyHeader: reader.value('CUSTODY_API_KEY_HEADER'),
    keyPrefix: reader.value('CUSTODY_API_KEY_PREFIX'),
    pageSize: reader.value('CUSTODY_PAGE_SIZE'),
    rateLimit: reader.value('CUSTODY_RATE_LIMIT'),
    maxConcurrency: reader.value('CUSTODY_MAX_CONCURRENCY'),
    timeoutMs: reader.value('CUSTODY_TIMEOUT_MS'),
    retries: reader.value('CUSTODY_RETRIES'),
    retryMinMs,
    retryMaxMs,
    documents: {
      vaultsArray: reader.value('CUSTODY_VAULTS_ARRAY'),
      vaultId: reader.value('CUSTODY_VAULT_ID'),
      whitelistArray: reader.value('CUSTODY_WHITELIST_ARRAY'),
      whitelistId: reader.value('CUSTODY_WHITELIST_ID'),
    },
  };
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !(member instanceof URL)) deepFreeze(member);
  }
  return Object.freeze(value);
}
