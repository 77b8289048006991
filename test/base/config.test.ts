import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { type Config, parseConfig, parseDatabaseConfig, parseLogConfig } from '../../src/base/config.ts';
import type { Environment } from '../../src/base/config-reader.ts';
import { MirrorError } from '../../src/domain/errors.ts';

const key = 'k3y-of-the-viewer';
const databaseUrl = 'postgres://mirror:pa55word@db.example:5432/custody?sslmode=verify-full';
const required = {
  DATABASE_URL: databaseUrl,
  CUSTODY_BASE_URL: 'https://custody.example/api/',
  CUSTODY_API_KEY: key,
};

const parse = (env: Environment, isTerminal = false): Config => parseConfig({ env, isTerminal });

/** The faults of a configuration, by variable. */
function faultsOf(work: () => unknown): Record<string, string> {
  try {
    work();
  } catch (error) {
    if (!(error instanceof MirrorError) || error.code !== 'CONFIGURATION') throw error;
    return Object.fromEntries(
      error.message
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
  }
  return {};
}

function fileHolding(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'custody-mirror-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'secret'), text);
  return join(directory, 'secret');
}

test('what need not be chosen has the documented default', () => {
  const config = parse(required);
  expect(config).toMatchObject({
    custody: {
      account: 'default',
      keyHeader: 'x-api-key',
      keyPrefix: '',
      pageSize: 200,
      rateLimit: 'auto',
      maxConcurrency: 4,
      timeoutMs: 30_000,
      retries: 8,
      retryMinMs: 500,
      retryMaxMs: 30_000,
      documents: { vaultsArray: null, vaultId: null, whitelistArray: null, whitelistId: null },
    },
    schedule: {
      expressions: {
        transactions: '*/30 * * * * *',
        balances: '*/5 * * * *',
        documents: '*/15 * * * *',
        reconcile: '17 3 * * *',
        maintenance: '47 4 * * *',
      },
      timezone: 'UTC',
    },
    leaseTtlMs: 30_000,
    thinSnapshotsAfterDays: null,
    http: { host: '127.0.0.1', port: 8787, token: null },
    log: { level: 'info', format: 'json' },
  });
  expect(config.custody.baseUrl.href).toBe('https://custody.example/api');
  expect(config.custody.key.reveal()).toBe(key);
  expect(config.database.url.reveal()).toBe(databaseUrl);
  expect(parse(required, true).log.format).toBe('pretty');
});

test('every variable is read', () => {
  const config = parse({
    ...required,
    CUSTODY_BASE_URL: 'http://127.0.0.1:8080',
    CUSTODY_API_KEY_HEADER: 'Authorization',
    CUSTODY_API_KEY_PREFIX: 'Bearer ',
    CUSTODY_ACCOUNT: 'treasury-1',
    CUSTODY_PAGE_SIZE: '50',
    CUSTODY_RATE_LIMIT: '2.5',
    CUSTODY_MAX_CONCURRENCY: '1',
    CUSTODY_TIMEOUT_MS: '1000',
    CUSTODY_RETRIES: '0',
    CUSTODY_RETRY_MIN_MS: '10',
    CUSTODY_RETRY_MAX_MS: '20',
    CUSTODY_VAULTS_ARRAY: 'items',
    CUSTODY_VAULT_ID: 'uid',
    CUSTODY_WHITELIST_ARRAY: 'entries',
    CUSTODY_WHITELIST_ID: 'ref',
    SCHEDULE_TRANSACTIONS: '*/5 * * * * *',
    SCHEDULE_BALANCES: 'off',
    SCHEDULE_DOCUMENTS: '0 * * * *',
    SCHEDULE_RECONCILE: '0 1 * * *',
    SCHEDULE_MAINTENANCE: '0 2 * * *',
    SCHEDULE_TIMEZONE: 'Europe/Zurich',
    LEASE_TTL_MS: '5000',
    THIN_SNAPSHOTS_AFTER_DAYS: '400',
    HTTP_HOST: '0.0.0.0',
    HTTP_PORT: '0',
    LOG_LEVEL: 'trace',
    LOG_FORMAT: 'pretty',
  });
  expect(config).toMatchObject({
    custody: {
      account: 'treasury-1',
      keyHeader: 'Authorization',
      keyPrefix: 'Bearer ',
      pageSize: 50,
      rateLimit: 2.5,
      maxConcurrency: 1,
      timeoutMs: 1000,
      retries: 0,
      retryMinMs: 10,
      retryMaxMs: 20,
      documents: { vaultsArray: 'items', vaultId: 'uid', whitelistArray: 'entries', whitelistId: 'ref' },
    },
    schedule: {
      expressions: {
        transactions: '*/5 * * * * *',
        balances: null,
        documents: '0 * * * *',
        reconcile: '0 1 * * *',
        maintenance: '0 2 * * *',
      },
      timezone: 'Europe/Zurich',
    },
    leaseTtlMs: 5000,
    thinSnapshotsAfterDays: 400,
    http: { host: '0.0.0.0', port: 0, token: null },
    log: { level: 'trace', format: 'pretty' },
  });
});

test('every fault is told at once, by variable', () => {
  const faulty = {
    DATABASE_URL: 'mysql://root@localhost/x',
    CUSTODY_BASE_URL: 'custody.example',
    CUSTODY_API_KEY: 'two\nlines',
    CUSTODY_API_KEY_HEADER: 'x api key',
    CUSTODY_API_KEY_PREFIX: 'Bearer\n',
    CUSTODY_ACCOUNT: '-',
    CUSTODY_RESOURCES: 'transactions, prices',
    CUSTODY_PAGE_SIZE: '0',
    CUSTODY_RATE_LIMIT: 'fast',
    CUSTODY_MAX_CONCURRENCY: '1000',
    CUSTODY_TIMEOUT_MS: '30s',
    CUSTODY_RETRIES: '-1',
    CUSTODY_RETRY_MIN_MS: '0.5',
    CUSTODY_RETRY_MAX_MS: '1e3',
    SCHEDULE_TRANSACTIONS: 'every minute',
    SCHEDULE_BALANCES: '* *',
    SCHEDULE_DOCUMENTS: '61 * * * *',
    SCHEDULE_RECONCILE: 'never',
    SCHEDULE_MAINTENANCE: '0 25 * * *',
    SCHEDULE_TIMEZONE: 'Mars/Olympus',
    LEASE_TTL_MS: '10',
    HTTP_PORT: '65536',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'xml',
  };
  expect(Object.keys(faultsOf(() => parse(faulty))).sort()).toEqual(Object.keys(faulty).sort());
});

test('what is mirrored is all four, or what is listed, and nothing is scheduled that would read none of it', () => {
  expect(parse(required).resources).toEqual(['transactions', 'balances', 'vaults', 'whitelist']);
  const balances = parse({ ...required, CUSTODY_RESOURCES: ' vaults,balances , vaults' });
  expect(balances.resources).toEqual(['balances', 'vaults']);
  expect(balances.schedule.expressions).toEqual({
    transactions: null,
    balances: '*/5 * * * *',
    documents: '*/15 * * * *',
    reconcile: null,
    maintenance: '47 4 * * *',
  });
  const { schedule } = parseDatabaseConfig({
    env: { DATABASE_URL: databaseUrl, CUSTODY_RESOURCES: 'transactions' },
    isTerminal: false,
  });
  expect(schedule.expressions).toMatchObject({ balances: null, documents: null, reconcile: '17 3 * * *' });
});

test.each(['prices', 'transactions,', 'transactions balances', ',', 'all', 'Vaults'])(
  'the resources %j are refused',
  (resources) => {
    const reason = 'must be one or more of transactions, balances, vaults, whitelist, separated by commas';
    expect(faultsOf(() => parse({ ...required, CUSTODY_RESOURCES: resources, HTTP_PORT: 'x' }))).toEqual({
      CUSTODY_RESOURCES: reason,
      HTTP_PORT: expect.any(String),
    });
  },
);

test('a timeout beyond what the HTTP client holds is refused with the reason', () => {
  expect(parse({ ...required, CUSTODY_TIMEOUT_MS: '300000' }).custody.timeoutMs).toBe(300_000);
  expect(faultsOf(() => parse({ ...required, CUSTODY_TIMEOUT_MS: '300001' }))).toEqual({
    CUSTODY_TIMEOUT_MS:
      'must be a whole number from 1 to 300000 (the HTTP client of Node.js waits 5 minutes for an answer at the most)',
  });
});

test('what must be chosen is asked for', () => {
  expect(faultsOf(() => parse({}))).toEqual({
    DATABASE_URL: expect.stringContaining('is required (or DATABASE_URL_FILE'),
    CUSTODY_BASE_URL: 'is required',
    CUSTODY_API_KEY: expect.stringContaining('is required (or CUSTODY_API_KEY_FILE'),
  });
  expect(Object.keys(faultsOf(() => parse({ ...required, CUSTODY_API_KEY: '  ' })))).toEqual([
    'CUSTODY_API_KEY',
  ]);
});

test.each([
  ['http://custody.example', 'must begin with https:// (http is for addresses of this machine only)'],
  ['http://127.0.0.1.example', 'must begin with https:// (http is for addresses of this machine only)'],
  ['ftp://custody.example', 'must begin with https://'],
  ['https://user:s3cret@custody.example', 'must not hold credentials; the key goes into CUSTODY_API_KEY'],
  ['http://localhost:6000', 'names port 6000, which fetch never connects to; check the port'],
  ['https://custody.example/?key=s3cret', 'must end before any ? or #'],
])('the base address %s is refused', (address, reason) => {
  expect(faultsOf(() => parse({ ...required, CUSTODY_BASE_URL: address }))).toEqual({
    CUSTODY_BASE_URL: reason,
  });
});

test.each([
  'http://localhost:2',
  'http://127.9.9.9',
  'http://[::1]:8080/v1',
  'http://sandbox.localhost:8788',
])('the base address %s is of this machine', (address) => {
  expect(faultsOf(() => parse({ ...required, CUSTODY_BASE_URL: address }))).toEqual({});
});

test.each(["x'; drop schema custody; --", 'a b', '../x', 'a\nb', 'x'.repeat(64), '$1', 'ключ', '-x', '%27'])(
  'the account name %j is refused',
  (name) => {
    expect(faultsOf(() => parse({ ...required, CUSTODY_ACCOUNT: name }))).toEqual({
      CUSTODY_ACCOUNT: 'must be 1 to 63 letters, digits, dots, dashes or underscores',
    });
  },
);

test('the bounds of the backoff agree', () => {
  const env = { ...required, CUSTODY_RETRY_MIN_MS: '100', CUSTODY_RETRY_MAX_MS: '99' };
  expect(faultsOf(() => parse(env))).toEqual({
    CUSTODY_RETRY_MAX_MS: 'must not be below CUSTODY_RETRY_MIN_MS',
  });
});

test('a secret can come from a file, with its last line break', () => {
  const { CUSTODY_API_KEY: _, ...others } = required;
  expect(parse({ ...others, CUSTODY_API_KEY_FILE: fileHolding(`${key}\n`) }).custody.key.reveal()).toBe(key);
  expect(
    parseDatabaseConfig({
      env: { DATABASE_URL_FILE: fileHolding(databaseUrl) },
      isTerminal: false,
    }).database.url.reveal(),
  ).toBe(databaseUrl);
});

test('a file that cannot be read, is empty or competes is a fault', () => {
  const { CUSTODY_API_KEY: _, ...others } = required;
  const fault = (env: Environment) => faultsOf(() => parse({ ...others, ...env }));
  expect(fault({ CUSTODY_API_KEY_FILE: '/nowhere/key' })).toEqual({
    CUSTODY_API_KEY_FILE: 'the file it names cannot be read (ENOENT)',
  });
  expect(Object.keys(fault({ CUSTODY_API_KEY_FILE: fileHolding('\n') }))).toEqual(['CUSTODY_API_KEY_FILE']);
  expect(fault({ CUSTODY_API_KEY: key, CUSTODY_API_KEY_FILE: fileHolding(key) })).toEqual({
    CUSTODY_API_KEY: 'set either CUSTODY_API_KEY or CUSTODY_API_KEY_FILE, not both',
  });
});

test('an address of PostgreSQL without its slashes is answered with one that has them', () => {
  for (const url of ['postgres:mirror@db.example/custody', 'postgresql:/mirror@db.example/custody'])
    expect(faultsOf(() => parse({ ...required, DATABASE_URL: url }))).toEqual({
      DATABASE_URL: expect.stringContaining('such as postgres://user:password@host:5432/database'),
    });
});

test('no message and no rendering holds a secret', () => {
  const messages = [
    { DATABASE_URL: 'mysql://root:s3cret@localhost/x' },
    { CUSTODY_API_KEY: 's3cret\ns3cret' },
    { CUSTODY_API_KEY: '', CUSTODY_API_KEY_FILE: 's3cret' },
    { CUSTODY_API_KEY: '', CUSTODY_API_KEY_FILE: fileHolding('s3cret\ns3cret') },
    { CUSTODY_BASE_URL: 'https://u:s3cret@custody.example' },
    { DATABASE_URL: 's3cret' },
    { DATABASE_URL: 'postgres:s3cret@db.example/custody' },
    { DATABASE_URL: 'postgres://mirror:77/s3cret@db.example/custody' },
    { DATABASE_URL: 'postgres://mirror:77#s3cret@db.example/custody' },
    { DATABASE_URL: 'postgres://mirror:77?s3cret@db.example/custody' },
  ].map((env) => JSON.stringify(faultsOf(() => parse({ ...required, ...env }))));
  for (const message of messages) {
    expect(message).not.toBe('{}');
    expect(message).not.toContain('s3cret');
  }
  const config = parse(required);
  for (const rendering of [
    JSON.stringify(config),
    inspect(config, { depth: 9, showHidden: true }),
    `${config.custody.key}`,
  ]) {
    expect(rendering).not.toContain(key);
    expect(rendering).not.toContain('pa55word');
  }
});

test('the configuration is frozen, to its last member', () => {
  const config = parse(required);
  expect(() => Object.assign(config.http, { port: 1 })).toThrow(TypeError);
  expect(() => Object.assign(config.schedule.expressions, { balances: 'x' })).toThrow(TypeError);
});

test('a command that does not speak to the service needs no key', () => {
  const config = parseDatabaseConfig({
    env: { DATABASE_URL: databaseUrl, CUSTODY_ACCOUNT: 'a' },
    isTerminal: false,
  });
  expect(config.account).toBe('a');
  expect(
    faultsOf(() => parseDatabaseConfig({ env: { CUSTODY_ACCOUNT: '', HTTP_PORT: 'x' }, isTerminal: false })),
  ).toEqual({
    DATABASE_URL: expect.stringContaining('is required'),
    HTTP_PORT: 'must be a whole number from 0 to 65535',
  });
});

test('snapshots are thinned after a week at the earliest', () => {
  const thin = (days: string) =>
    parse({ ...required, THIN_SNAPSHOTS_AFTER_DAYS: days }).thinSnapshotsAfterDays;
  expect(thin('7')).toBe(7);
  expect(thin('off')).toBeNull();
  for (const days of ['6', '0', '-7', '7.5', 'never']) {
    expect(faultsOf(() => thin(days))).toEqual({
      THIN_SNAPSHOTS_AFTER_DAYS: 'must be a whole number from 7 to 36500, or off',
    });
  }
});

test('the log settings can be read alone', () => {
  expect(parseLogConfig({ env: { LOG_LEVEL: 'debug' }, isTerminal: true })).toEqual({
    level: 'debug',
    format: 'pretty',
  });
  expect(Object.keys(faultsOf(() => parseLogConfig({ env: { LOG_FORMAT: 'x' }, isTerminal: true })))).toEqual(
    ['LOG_FORMAT'],
  );
});

test('an sslmode that psql does not know is a fault that names those it does', () => {
  for (const sslmode of ['bogus', 'verify_full', ''])
    expect(
      faultsOf(() =>
        parse({ ...required, DATABASE_URL: `postgres://u@db.example/custody?sslmode=${sslmode}` }),
      ),
    ).toEqual({
      DATABASE_URL: 'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
    });
});
