import { expect, test } from 'vitest';
import {
  mistypedVariables,
  parseConfig,
  parseDatabaseConfig,
  parseLogConfig,
} from '../../../src/base/config/config.ts';
import type { Environment } from '../../../src/base/config/reader.ts';
import { variableNames } from '../../../src/base/config/variables.ts';

const meant = (env: Environment) =>
  Object.fromEntries(mistypedVariables(env, variableNames).map((found) => [found.name, found.meant]));

test('a name that nobody reads is reported with the nearest one that is read', () => {
  expect(
    meant({
      CUSTODY_RATE: '3',
      CUSTODY_API_KEYFILE: '/x',
      CUSTODY_RETRY_MAX: '1',
      CUSTODY_PAGESIZE: '1',
      SCHEDULE_TRANSACTION: 'off',
      SCHEDULE_TIME_ZONE: 'UTC',
      LEASE_TTL: '1',
      LEASE_TTL_MS_: '1',
      custody_page_size: '9',
      HTTP_PROT: '1',
      LOG_LEVLE: 'debug',
      DATABASE_URI: 'x',
      CUSTODY_ENTIRELY_DIFFERENT: '1',
    }),
  ).toEqual({
    CUSTODY_RATE: 'CUSTODY_RATE_LIMIT',
    CUSTODY_API_KEYFILE: 'CUSTODY_API_KEY_FILE',
    CUSTODY_RETRY_MAX: 'CUSTODY_RETRY_MAX_MS',
    CUSTODY_PAGESIZE: 'CUSTODY_PAGE_SIZE',
    SCHEDULE_TRANSACTION: 'SCHEDULE_TRANSACTIONS',
    SCHEDULE_TIME_ZONE: 'SCHEDULE_TIMEZONE',
    LEASE_TTL: 'LEASE_TTL_MS',
    LEASE_TTL_MS_: 'LEASE_TTL_MS',
    custody_page_size: 'CUSTODY_PAGE_SIZE',
    HTTP_PROT: 'HTTP_PORT',
    LOG_LEVLE: 'LOG_LEVEL',
    DATABASE_URI: 'DATABASE_URL',
    CUSTODY_ENTIRELY_DIFFERENT: null,
  });
});

test('a letter that is wrong in the prefix is found too, unless what was meant is set', () => {
  const wrong = { DATABSE_URL: 'x', CUSTDOY_API_KEY: 'x', SHEDULE_BALANCES: 'off' };
  expect(meant(wrong)).toEqual({
    DATABSE_URL: 'DATABASE_URL',
    CUSTDOY_API_KEY: 'CUSTODY_API_KEY',
    SHEDULE_BALANCES: 'SCHEDULE_BALANCES',
  });
  const set = { DATABASE_URL_FILE: '/x', CUSTODY_API_KEY: 'x', SCHEDULE_BALANCES: 'off' };
  expect(meant({ ...wrong, ...set })).toEqual({});
  expect(meant({ RELEASE_TTL_MS: '1', BLOG_LEVEL: 'x' })).toEqual({});
});

test('what others own is left alone', () => {
  expect(
    meant({
      HTTP_PROXY: 'http://proxy:3128',
      HTTPS_PROXY: 'x',
      http_proxy: 'x',
      NO_PROXY: 'x',
      HTTP_USER_AGENT: 'x',
      HTTP_TIMEOUT: '3',
      LOG_DIR: '/var/log',
      LOG_FILE: 'x',
      DATABASE_HOST: 'db',
      DATABASE_PASSWORD: 'x',
      DATABASE_URL: 'postgres://db/x',
      DATABASE_URI: 'postgres://db/y',
      OTEL_SERVICE_NAME: 'x',
      PGHOST: 'x',
      NODE_OPTIONS: 'x',
      CUSTODY_EMPTY: '',
      // Kubernetes, of services named custody-mirror, custody-mirror-pods and lease
      CUSTODY_MIRROR_SERVICE_HOST: '10.0.0.1',
      CUSTODY_MIRROR_SERVICE_PORT: '8787',
      CUSTODY_MIRROR_SERVICE_PORT_HTTP: '8787',
      CUSTODY_MIRROR_PORT: 'tcp://10.0.0.1:8787',
      CUSTODY_MIRROR_PORT_8787_TCP: 'tcp://10.0.0.1:8787',
      CUSTODY_MIRROR_PORT_8787_TCP_PROTO: 'tcp',
      CUSTODY_MIRROR_PORT_8787_TCP_PORT: '8787',
      CUSTODY_MIRROR_PORT_8787_TCP_ADDR: '10.0.0.1',
      LEASE_SERVICE_HOST: '10.0.0.2',
      // a link of Docker
      CUSTODY_DB_PORT: 'tcp://172.17.0.5:5432',
      CUSTODY_DB_NAME: '/app/custody-db',
      CUSTODY_DB_ENV_POSTGRES_USER: 'x',
      CUSTODY_DB_PORT_5432_TCP_ADDR: '172.17.0.5',
    }),
  ).toEqual({});
});

test('a port that is no address of a service is a mistake all the same', () => {
  expect(meant({ CUSTODY_PORT: '8787' })).toHaveProperty('CUSTODY_PORT');
});

test('every command refuses it, together with whatever else is wrong', () => {
  const env = { DATABASE_URL: 'postgres://db/x', CUSTODY_RATE: '3' };
  const fault =
    'CUSTODY_RATE: is not a custody-mirror variable, but CUSTODY_RATE_LIMIT is: correct the name, or unset it';
  expect(() => parseDatabaseConfig({ env, isTerminal: false })).toThrow(fault);
  expect(() => parseLogConfig({ env, isTerminal: false })).toThrow(fault);
  expect(() => parseConfig({ env, isTerminal: false })).toThrow(
    new RegExp(`CUSTODY_BASE_URL: is required[^]*${fault}`.replaceAll('[^]', '[\\s\\S]')),
  );
});
