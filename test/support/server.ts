// The PostgreSQL server of a test run, wherever it comes from (providers.ts), and the databases on it.
// Every database made on it has the run's prefix, so that runs side by side on one server do not meet.
import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface TestServer {
  /** A role that may create databases, in a database that is left alone. */
  readonly adminUrl: string;
  stop(): Promise<void>;
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
  // A server that is killed, or ends the connection, fails the statement or the next one; without a listener
  // it fails the run as well, outside of any test.
  client.on('error', () => undefined);
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
