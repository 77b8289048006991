// The environment as one validated, frozen object. Every fault is reported at once, by variable. Required
// settings have no default.
import { forEachSchedule, hasWork, jobsOfSchedule, type ScheduleName } from '../../domain/jobs.ts';
import { type HttpProxy, isDirect, readProxy } from './proxy.ts';
import { type ConfigSources, createVariableReader, type Environment, type VariableReader } from './reader.ts';
import { scheduleVariable, variableNames } from './variables.ts';

// Finds variables that look like settings of the mirror but that no command reads. It ignores the names that
// Kubernetes and Docker inject for a service, and names of other programs.

/** Prefixes that no other program uses: such a name is ours or a mistake. */
const ours = /^(CUSTODY|SCHEDULE|LEASE|SEAL)_/;
/** Prefixes of other programs too: a mistake if close to a name of ours that is not set. */
const shared = /^(HTTP|LOG|DATABASE)_/;
/** Our names that resemble no other program's: a typo in their prefix is found too. */
const distinct = /^(CUSTODY|SCHEDULE|LEASE|SEAL|DATABASE)_/;
/** Names that differ by at most this many letters are close. */
const maxDistance = 2;

/**
 * @param known every variable that some command reads
 * @returns each with the name that was probably meant; null when none is close
 */
export function mistypedVariables(env: Environment, known: ReadonlySet<string>) {
  return Object.keys(env).flatMap((name) => {
    const upper = name.toUpperCase();
    if (known.has(name) || (env[name] ?? '').trim() === '') return [];
    if (isInjected(upper, env)) return [];
    if (ours.test(upper)) return [{ name, meant: nearest(upper, known) }];
    const isSet = (other: string) => (env[other] ?? '').trim() !== '';
    const near = [...known].find(
      (other) =>
        (shared.test(upper) || (distinct.test(other) && other[0] === upper[0])) &&
        distance(upper, other) <= maxDistance,
    );
    return near === undefined || isSet(near) || isSet(`${near}_FILE`) ? [] : [{ name, meant: near }];
  });
}

/** `X_SERVICE_HOST`, `X_PORT=tcp://…`, `X_PORT_8787_TCP_ADDR`; and `X_NAME`, `X_ENV_…` of Docker's links. */
function isInjected(name: string, env: Environment): boolean {
  if (/_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name))
    return true;
  const service = /^(\w+?)_(PORT|NAME|ENV_\w+)$/.exec(name)?.[1];
  return service !== undefined && /^(tcp|udp|sctp):\/\//.test(env[`${service}_PORT`] ?? '');
}

/** The closest known name. A name that extends the other, or is its beginning, comes first. */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const begun = [...known].filter((other) => other.startsWith(`${name}_`) || name.startsWith(`${other}_`));
  const candidates = begun.length > 0 ? begun : [...known];
  const [best] = candidates
    .map((other) => ({ other, away: distance(name, other) }))
    .sort((a, b) => a.away - b.away);
  if (best === undefined) return null;
  return begun.length > 0 || best.away <= Math.max(maxDistance, Math.floor(name.length / 4))
    ? best.other
    : null;
}

/** Levenshtein distance: the number of letters to add, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

export type Config = Readonly<ReturnType<typeof readShared>> & {
  readonly custody: CustodyConfig;
  readonly seal: SealConfig;
};
export type SealConfig = Readonly<ReturnType<typeof readSeal>>;
export type CustodyConfig = Readonly<ReturnType<typeof readCustody>>;
export type DocumentRules = CustodyConfig['documents'];
export type ScheduleConfig = Config['schedule'];
export type LogConfig = Readonly<ReturnType<typeof readLog>>;

/**
 * Reads the configuration.
 *
 * @throws MirrorError `CONFIGURATION`, whose message lists every fault, one line each, by variable
 */
export function parseConfig(sources: ConfigSources): Config {
  return readAll(sources, (reader) => {
    const seal = readSeal(reader);
    if (seal.key === null && seal.checkpointsFile !== null)
      reader.fault(
        'SEAL_CHECKPOINTS_FILE',
        'is set without a key, and without one nothing is sealed: set SEAL_KEY_FILE too, or unset this',
      );
    const shared = readShared(reader, sources.isTerminal, seal.key !== null);
    return { ...shared, custody: readCustody(reader), seal };
  });
}

/** Reads the settings of the sealed history, for commands that verify it. */
export function parseSealConfig(sources: ConfigSources): SealConfig {
  return readAll(sources, readSeal);
}

/** Reads the configuration of a command that does not use the custody service (`migrate`, `status`). */
export function parseDatabaseConfig(
  sources: ConfigSources,
): Omit<Config, 'custody' | 'seal'> & { readonly account: string } {
  return readAll(sources, (reader) => ({
    ...readShared(reader, sources.isTerminal),
    account: reader.value('CUSTODY_ACCOUNT'),
  }));
}

/** Reads the log settings, for commands that need nothing else. */
export function parseLogConfig(sources: ConfigSources): LogConfig {
  return readAll(sources, (reader) => readLog(reader, sources.isTerminal));
}

function readAll<Value extends object>(
  sources: ConfigSources,
  read: (reader: VariableReader) => Value,
): Value {
  const reader = createVariableReader(sources);
  const value = read(reader);
  refuseMistyped(reader, sources);
  reader.finish();
  return deepFreeze(value);
}

/** Rejects a variable that looks like a setting and has no effect. */
function refuseMistyped(reader: VariableReader, { env }: ConfigSources): void {
  for (const { name, meant } of mistypedVariables(env, variableNames))
    reader.fault(
      name,
      meant === null
        ? 'is not a custody-mirror variable; correct its name, or unset it'
        : `is not a custody-mirror variable, but ${meant} is: correct the name, or unset it`,
    );
}

function readShared(reader: VariableReader, isTerminal: boolean, isSealing = false) {
  const mirrored = reader.value('CUSTODY_RESOURCES');
  // A faulty variable has no value.
  const isIdle = (name: ScheduleName) => {
    if (name === 'seal' || name === 'verify') return !isSealing;
    return !jobsOfSchedule(name).some((job) => hasWork(job, mirrored ?? []));
  };
  const port = reader.value('HTTP_PORT');
  const probesPort = reader.value('HTTP_PROBES_PORT');
  if (probesPort === port && port !== undefined)
    reader.fault('HTTP_PROBES_PORT', 'must be another port than HTTP_PORT');
  return {
    /** What is mirrored; never empty. */
    resources: mirrored,
    database: { url: reader.secret('DATABASE_URL') },
    schedule: {
      /** Cron expressions; null if the job is off, or nothing it reads is mirrored. */
      expressions: forEachSchedule((name) => {
        const expression = reader.value(scheduleVariable(name));
        return isIdle(name) ? null : expression;
      }),
      timezone: reader.value('SCHEDULE_TIMEZONE'),
    },
    leaseTtlMs: reader.value('LEASE_TTL_MS'),
    /** Where health, metrics and pages listen. */
    http: {
      host: reader.value('HTTP_HOST'),
      port,
      /** A port of health and readiness alone; null for none. */
      probesPort,
      serve: reader.value('HTTP_SERVE'),
      /** How long `serve` goes on answering after SIGTERM. */
      drainMs: reader.value('HTTP_DRAIN_MS'),
      /** Host names that are accepted besides those of this machine. */
      allowedHosts: reader.value('HTTP_ALLOWED_HOSTS'),
      /** The token they require; null for none. */
      token: reader.optionalSecret('HTTP_TOKEN'),
      /** Requests per second of one reader; null for no limit. */
      rateLimit: reader.value('HTTP_RATE_LIMIT'),
      /** The proxies trusted to report a client's address; null for none. */
      trustedProxies: reader.value('HTTP_TRUSTED_PROXIES'),
      /** Where the access trail goes: off, log, or the path of a file. */
      accessLog: reader.value('HTTP_ACCESS_LOG'),
      /** The database as readers use it. */
      database: {
        /** Null for the address of the mirror. */
        url: reader.optionalSecret('HTTP_DATABASE_URL'),
        maxConnections: reader.value('HTTP_DATABASE_CONNECTIONS'),
        statementTimeoutMs: reader.value('HTTP_STATEMENT_TIMEOUT_MS'),
      },
    },
    log: readLog(reader, isTerminal),
  };
}

function readSeal(reader: VariableReader) {
  return {
    /** The private key that signs checkpoints; null if nothing is sealed. */
    key: reader.optionalSecret('SEAL_KEY'),
    /** Null for the log output alone. */
    checkpointsFile: reader.value('SEAL_CHECKPOINTS_FILE'),
    /** Further keys that verify checkpoints. */
    verifierKeys: reader.value('SEAL_VERIFIER_KEYS'),
  };
}

function readLog(reader: VariableReader, isTerminal: boolean) {
  return {
    level: reader.value('LOG_LEVEL'),
    format: reader.value('LOG_FORMAT', isTerminal ? 'pretty' : 'json'),
  };
}

function readCustody(reader: VariableReader) {
  const retryMinMs = reader.value('CUSTODY_RETRY_MIN_MS');
  const retryMaxMs = reader.value('CUSTODY_RETRY_MAX_MS');
  if (retryMaxMs < retryMinMs) reader.fault('CUSTODY_RETRY_MAX_MS', 'must not be below CUSTODY_RETRY_MIN_MS');
  const baseUrl = reader.value('CUSTODY_BASE_URL');
  return {
    /** Without a trailing slash; a path prefix is allowed. */
    baseUrl,
    /** Null for direct connections. */
    proxy: readWay(reader, baseUrl),
    account: reader.value('CUSTODY_ACCOUNT'),
    key: reader.secret('CUSTODY_API_KEY'),
    /** The file with the key, read again after a refusal; null when the variable held the key itself. */
    keyFile: reader.fileOf('CUSTODY_API_KEY'),
    keyHeader: reader.value('CUSTODY_API_KEY_HEADER'),
    keyPrefix: reader.value('CUSTODY_API_KEY_PREFIX'),
    pageSize: reader.value('CUSTODY_PAGE_SIZE'),
    /** A record beyond it goes to quarantine. */
    recordBudget: {
      bytes: reader.value('CUSTODY_RECORD_BYTES'),
      members: reader.value('CUSTODY_RECORD_MEMBERS'),
      depth: reader.value('CUSTODY_RECORD_DEPTH'),
    },
    /** Requests per second and endpoint. */
    rateLimit: reader.value('CUSTODY_RATE_LIMIT'),
    maxConcurrency: reader.value('CUSTODY_MAX_CONCURRENCY'),
    timeoutMs: reader.value('CUSTODY_TIMEOUT_MS'),
    retries: reader.value('CUSTODY_RETRIES'),
    retryMinMs,
    retryMaxMs,
    /** Names that the service does not document; null leaves the choice to custody/decode. */
    documents: {
      vaultsArray: reader.value('CUSTODY_VAULTS_ARRAY'),
      vaultId: reader.value('CUSTODY_VAULT_ID'),
      whitelistArray: reader.value('CUSTODY_WHITELIST_ARRAY'),
      whitelistId: reader.value('CUSTODY_WHITELIST_ID'),
    },
  };
}

/** @param baseUrl undefined while its variable has a fault */
function readWay(reader: VariableReader, baseUrl: URL | undefined): HttpProxy | null {
  const address = reader.optionalSecret(baseUrl?.protocol === 'http:' ? 'HTTP_PROXY' : 'HTTPS_PROXY');
  const exceptions = reader.value('NO_PROXY');
  if (address === null || baseUrl === undefined || isDirect(exceptions, baseUrl)) return null;
  // A faulty variable sets no proxy.
  return readProxy(address.reveal()) ?? null;
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null && !(member instanceof URL)) deepFreeze(member);
  }
  return Object.freeze(value);
}
