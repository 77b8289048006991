// The PostgreSQL server of a test run: the embedded one, or the one that TEST_DATABASE_URL names.
// Every database made on it has the run's prefix, so that runs side by side on one server do not meet.
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/cli/embedded-postgres.ts';

export interface TestServer {
  /** A role that may create databases, in a database that is left alone. */
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** A server to run the tests on; further kinds join here. */
export async function startTestServer(
  env: Readonly<Record<string, string | undefined>>,
  prefix: string,
): Promise<TestServer> {
  const given = env['TEST_DATABASE_URL'];
  return given ? { adminUrl: given, stop: async () => undefined } : startEmbedded(prefix);
}

async function startEmbedded(prefix: string): Promise<TestServer> {
  const server = await startEmbeddedPostgres({
    dataDirectory: join(tmpdir(), prefix),
    persistent: false,
    settings: {
      // Nothing here outlives the run, so nothing needs to reach the disk.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      shared_buffers: '128MB',
    },
  });
  return { adminUrl: server.url('postgres'), stop: server.stop };
}

/** A prefix for names of databases that no other run uses. */
export function uniquePrefix(): string {
  return `custody_mirror_test_${randomBytes(5).toString('hex')}`;
}

export function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Runs work with a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Drops every database of the run, also those that a killed test left. */
export async function dropDatabases(adminUrl: string, prefix: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'select datname from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { datname } of rows)
      await client.query(`drop database if exists ${client.escapeIdentifier(datname)} with (force)`);
  });
}
