import { expect, test } from 'vitest';
import { faultsOf, parse, required } from './config-cases.ts';

test('all faults are reported at once, by variable', () => {
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

test('a timeout beyond five minutes is refused', () => {
  expect(parse({ ...required, CUSTODY_TIMEOUT_MS: '300000' }).custody.timeoutMs).toBe(300_000);
  expect(faultsOf(() => parse({ ...required, CUSTODY_TIMEOUT_MS: '300001' }))).toEqual({
    CUSTODY_TIMEOUT_MS: 'must be a whole number from 1 to 300000',
  });
});

test('a lease that a write could outlive is refused with the least value', () => {
  expect(parse({ ...required, LEASE_TTL_MS: '10000' }).leaseTtlMs).toBe(10_000);
  expect(faultsOf(() => parse({ ...required, LEASE_TTL_MS: '9999' }))).toEqual({
    LEASE_TTL_MS:
      'must be a whole number from 10000 to 3600000 (a lease must outlive a write, which may take five seconds)',
  });
});

test('blanks alone are no value', () => {
  expect(faultsOf(() => parse({ ...required, CUSTODY_API_KEY: '  ' }))).toEqual({
    CUSTODY_API_KEY: expect.stringContaining('is required (or CUSTODY_API_KEY_FILE'),
  });
});

test.each([
  ['http://custody.example', 'must begin with https:// (http is for addresses of this machine only)'],
  ['http://127.0.0.1.example', 'must begin with https:// (http is for addresses of this machine only)'],
  ['ftp://custody.example', 'must begin with https://'],
  ['https://user:s3cret@custody.example', 'must not hold credentials; the key goes into CUSTODY_API_KEY'],
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

test('a weak sslmode beside the authorities of the system is a fault', () => {
  const DATABASE_URL = 'postgres://u@db.example/custody?sslrootcert=system&sslmode=require';
  expect(faultsOf(() => parse({ ...required, DATABASE_URL }))).toEqual({
    DATABASE_URL: expect.stringContaining('sslmode=require with sslrootcert=system'),
  });
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

test('a value in quotes is answered with the quotes alone, whatever the variable', () => {
  const quoted = {
    DATABASE_URL: `"${required.DATABASE_URL}"`,
    CUSTODY_BASE_URL: `'${required.CUSTODY_BASE_URL}'`,
    CUSTODY_API_KEY: `"${required.CUSTODY_API_KEY}"`,
    CUSTODY_PAGE_SIZE: '"200"',
  };
  const faults = faultsOf(() => parse({ ...required, ...quoted }));
  expect(Object.keys(faults)).toEqual(expect.arrayContaining(Object.keys(quoted)));
  expect(new Set(Object.values(faults))).toEqual(
    new Set(['has quotes around it, which count as part of the value: remove them']),
  );
  for (const value of ['"', `it's`, `"a" and "b`])
    expect(faultsOf(() => parse({ ...required, CUSTODY_API_KEY: value }))).toEqual({});
});

test('several hosts, a socket and what is asked of a server are read, and what cannot be is named', () => {
  const faults = (rest: string) =>
    faultsOf(() => parse({ ...required, DATABASE_URL: `postgres://${rest}` }))['DATABASE_URL'];
  for (const rest of [
    'u:p@one:5432,two:5433/custody?target_session_attrs=read-write',
    'u:p@one,two,three/custody?target_session_attrs=any&sslmode=require',
    '/custody?host=/var/run/postgresql',
    'u:p@/custody?host=/var/run/postgresql&port=5433',
    '%2Fvar%2Frun%2Fpostgresql/custody',
  ])
    expect(faults(rest), rest).toBeUndefined();
  expect(faults('one:5432,two:port/custody')).toMatch(/^must be a PostgreSQL address/);
  expect(faults('u@/custody?host=one,two')).toContain(
    'postgres://user:password@host1:5432,host2:5432/database',
  );
  expect(faults('one/custody?target_session_attrs=prefer-standby')).toBe(
    'target_session_attrs must be one of any, read-write',
  );
});

test('a socket in a form of other programs is answered with ours, which is read', () => {
  const faultOf = (value: string) =>
    faultsOf(() => parse({ ...required, DATABASE_URL: value }))['DATABASE_URL'];
  for (const value of [
    '/var/run/postgresql custody',
    'socket:/var/run/postgresql?db=custody',
    'host=/var/run/postgresql dbname=custody',
  ])
    expect(faultOf(value), value).toMatch(/^must give a socket by its directory, as in postgres:/);
  const [, ours = ''] = /(postgres:\S+)/.exec(faultOf('/tmp') ?? '') ?? [];
  expect(faultOf(ours)).toBeUndefined();
});

test('the probes cannot have the port of the pages', () => {
  expect(faultsOf(() => parse({ ...required, HTTP_PORT: '8789', HTTP_PROBES_PORT: '8789' }))).toEqual({
    HTTP_PROBES_PORT: 'must be another port than HTTP_PORT',
  });
});
