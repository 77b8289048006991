import { expect, test } from 'vitest';
import { parseDatabaseConfig, parseLogConfig } from '../../../src/base/config/config.ts';
import { databaseUrl, faultsOf, parse, required } from './config-cases.ts';

test('every variable is read', () => {
  const config = parse({
    ...required,
    CUSTODY_BASE_URL: 'http://127.0.0.1:8080',
    CUSTODY_API_KEY_HEADER: 'Authorization',
    CUSTODY_API_KEY_PREFIX: 'Bearer ',
    CUSTODY_ACCOUNT: 'treasury-1',
    CUSTODY_PAGE_SIZE: '50',
    CUSTODY_RECORD_BYTES: '20000',
    CUSTODY_RECORD_MEMBERS: '2000',
    CUSTODY_RECORD_DEPTH: '20',
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
    LEASE_TTL_MS: '12000',
    HTTP_HOST: '0.0.0.0',
    HTTP_PORT: '0',
    HTTP_PROBES_PORT: '8789',
    LOG_LEVEL: 'trace',
    LOG_FORMAT: 'pretty',
  });
  expect(config).toMatchObject({
    custody: {
      account: 'treasury-1',
      keyHeader: 'Authorization',
      keyPrefix: 'Bearer ',
      pageSize: 50,
      recordBudget: { bytes: 20_000, members: 2_000, depth: 20 },
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
    leaseTtlMs: 12_000,
    http: { host: '0.0.0.0', port: 0, probesPort: 8789, token: null },
    log: { level: 'trace', format: 'pretty' },
  });
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
    seal: null,
    verify: null,
  });
  const { schedule } = parseDatabaseConfig({
    env: { DATABASE_URL: databaseUrl, CUSTODY_RESOURCES: 'transactions' },
    isTerminal: false,
  });
  expect(schedule.expressions).toMatchObject({ balances: null, documents: null, reconcile: '17 3 * * *' });
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

test('the log settings can be read alone', () => {
  expect(parseLogConfig({ env: { LOG_LEVEL: 'debug' }, isTerminal: true })).toEqual({
    level: 'debug',
    format: 'pretty',
  });
  expect(Object.keys(faultsOf(() => parseLogConfig({ env: { LOG_FORMAT: 'x' }, isTerminal: true })))).toEqual(
    ['LOG_FORMAT'],
  );
});
