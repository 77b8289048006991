// What the words of `sslmode` do against a real PostgreSQL with certificates of an authority of our own: who
// is let in, who is refused, and that a refusal names the certificate and never the password.
import { beforeAll, expect, test } from 'vitest';
import type { EmbeddedPostgres } from '../../../packages/demo/src/embedded-postgres/server.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { Secret } from '../../../src/base/secret.ts';
import { diagnoseDatabase } from '../../../src/store/job-queries/diagnosis.ts';
import { openDatabase } from '../../../src/store/postgres/database.ts';
import { type Authority, createAuthority } from '../../support/certificates.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { testDatabase } from '../../support/database.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { startPostgres } from '../../support/postgres.ts';

let ours: Authority;
let foreign: Authority;
let server: EmbeddedPostgres;
let expired: EmbeddedPostgres;

beforeAll(async () => {
  [ours, foreign] = await Promise.all([createAuthority(), createAuthority()]);
  const longAgo = { from: new Date('2020-01-01'), until: new Date('2020-02-01') };
  [server, expired] = await Promise.all([startWith(['localhost']), startWith(['localhost'], longAgo)]);
});

async function startWith(...certified: Parameters<Authority['issue']>): Promise<EmbeddedPostgres> {
  const { certificateFile, keyFile } = await ours.issue(...certified);
  const started = await startPostgres({
    dataDirectory: newDataDirectory('custody-mirror-tls'),
    persistent: false,
    settings: { ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile, fsync: 'off' },
  });
  onCleanup(started.stop);
  return started;
}

/**
 * Connects, and tells how the connection is encrypted; null when it is not. Nothing said on the way holds the
 * password.
 */
async function connect(
  host: string,
  parameters: Record<string, string>,
  to = server,
): Promise<string | null> {
  const url = new URL(to.url('postgres'));
  url.hostname = host;
  url.search = new URLSearchParams(parameters).toString();
  return await connectTo(url.href);
}

async function connectTo(url: string): Promise<string | null> {
  const { password } = new URL(url);
  const { logger, text } = capturingLogger();
  const database = openDatabase({
    url: new Secret(url),
    applicationName: 'custody-mirror tests',
    logger,
    metrics: createMetrics(),
  });
  onCleanup(() => database.close());
  try {
    const { tls } = await diagnoseDatabase(database, 'UTC');
    return tls;
  } catch (error) {
    expect(String(error)).not.toContain(password);
    logger.error({ err: error }, 'connecting failed');
    throw error;
  } finally {
    expect(text()).not.toContain(password);
  }
}

const encrypted = expect.stringMatching(/^TLS/);
const untrusted = { code: 'DATABASE-REFUSED', message: expect.stringMatching(/certificate.*sslrootcert/) };
const misnamed = { code: 'DATABASE-REFUSED', message: expect.stringMatching(/certificate.*another name/) };

test('verify-full accepts the authority and the name that were asked for', async () => {
  expect(await connect('localhost', { sslmode: 'verify-full', sslrootcert: ours.file })).toEqual(encrypted);
});

test('verify-full refuses another authority, none at all, another name and a certificate out of date', async () => {
  const full = { sslmode: 'verify-full' };
  await expect(connect('localhost', { ...full, sslrootcert: foreign.file })).rejects.toMatchObject(untrusted);
  await expect(connect('localhost', full)).rejects.toMatchObject(untrusted);
  const trusting = { ...full, sslrootcert: ours.file };
  await expect(connect('127.0.0.1', trusting)).rejects.toMatchObject(misnamed);
  await expect(connect('localhost', trusting, expired)).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringContaining('CERT_HAS_EXPIRED'),
  });
});

test('a word that psql does not know is taken at its strictest', async () => {
  await expect(connect('localhost', { sslmode: 'verify_full' })).rejects.toMatchObject(untrusted);
  await expect(connect('localhost', { ssl: 'true' })).rejects.toMatchObject(untrusted);
});

test('verify-ca asks for the authority and not for the name', async () => {
  expect(await connect('127.0.0.1', { sslmode: 'verify-ca', sslrootcert: ours.file })).toEqual(encrypted);
  await expect(
    connect('127.0.0.1', { sslmode: 'verify-ca', sslrootcert: foreign.file }),
  ).rejects.toMatchObject(untrusted);
});

test('require encrypts without asking whom, and with an authority asks for that', async () => {
  expect(await connect('127.0.0.1', { sslmode: 'require' })).toEqual(encrypted);
  await expect(connect('127.0.0.1', { sslmode: 'require', sslrootcert: foreign.file })).rejects.toMatchObject(
    untrusted,
  );
});

test('prefer insists on TLS, but asks for no authority', async () => {
  expect(await connect('127.0.0.1', { sslmode: 'prefer' })).toEqual(encrypted);
  const { url } = await testDatabase({ empty: true });
  await expect(connectTo(`${url}?sslmode=prefer`)).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringMatching(/refused encryption.*sslmode/),
  });
});

test('without sslmode, and with disable or allow, nothing is encrypted', async () => {
  expect(await connect('127.0.0.1', { sslmode: 'allow' })).toBeNull();
  expect(await connect('127.0.0.1', {})).toBeNull();
  expect(await connect('127.0.0.1', { sslmode: 'disable' })).toBeNull();
});
