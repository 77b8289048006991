// A database of its own for a test, copied from the migrated one: tests neither share rows nor wait for each
// other.
import pg from 'pg';
import { inject } from 'vitest';
import { onCleanup } from './cleanup.ts';
import { urlOf, withClient } from './server.ts';

export type Row = Record<string, unknown>;

export interface TestDatabase {
  readonly url: string;
  /** Rows of one statement. Numbers that JavaScript cannot hold exactly (bigint, numeric) come as text. */
  query<Found extends Row = Row>(sql: string, params?: readonly unknown[]): Promise<Found[]>;
  /** Drops the database now; otherwise done when the test or, outside a test, the file ends. */
  drop(): Promise<void>;
}

let made = 0;

export interface TestDatabaseOptions {
  /** Without the tables. */
  readonly empty?: boolean;
  /** A database of the test to be copied as it is, instead of the migrated one; its sessions are ended. */
  readonly copyOf?: Pick<TestDatabase, 'url'>;
}

export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { adminUrl, prefix, template, fault } = inject('testServer');
  if (fault !== null && !options.empty) throw new Error(`the migrations failed: ${fault}`);
  made += 1;
  const name = `${prefix}_${process.pid}_${made}`;
  // A connection of its own: one that goes on keeps what it knew of each database, and takes longer with
  // each.
  await withClient(adminUrl, async (client) => {
    if (options.copyOf !== undefined) await copyDatabase(client, databaseOf(options.copyOf), name);
    else await createDatabase(client, options.empty ? 'template0' : template, name);
  });
  const url = urlOf(adminUrl, name);
  // Days in what tests ask are those of UTC wherever they run. The product keeps the zone of the server.
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c TimeZone=UTC' });
  // A test may end the server's side of a connection on purpose.
  pool.on('error', () => undefined);

  let dropped: Promise<void> | undefined;
  const drop = () => {
    dropped ??= (async () => {
      await pool.end();
      await withClient(adminUrl, (client) =>
        client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
      );
    })();
    return dropped;
  };
  onCleanup(drop);
  return {
    url,
    async query<Found extends Row>(sql: string, params: readonly unknown[] = []) {
      const { rows } = await pool.query<Found>(sql, [...params]);
      return rows;
    },
    drop,
  };
}

/**
 * A copy of a database that takes long to make: it is made once for all tests of the run. Settings of the
 * database itself are not copied.
 *
 * @param build makes it, in a database that is dropped with the file of the test that comes first
 */
export async function copyOfShared(
  name: string,
  build: () => Promise<Pick<TestDatabase, 'url'>>,
): Promise<TestDatabase> {
  const { adminUrl, prefix } = inject('testServer');
  const shared = `${prefix}_${name}`;
  await withClient(adminUrl, async (client) => {
    // Workers that want it at the same time wait for the first.
    await client.query('select pg_advisory_lock(hashtext($1))', [shared]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [shared]);
    if (rowCount === 0) await copyDatabase(client, databaseOf(await build()), shared);
  });
  return await testDatabase({ copyOf: { url: urlOf(adminUrl, shared) } });
}

function databaseOf({ url }: Pick<TestDatabase, 'url'>): string {
  return new URL(url).pathname.slice(1);
}

/** Ends the sessions of the source, which a copy does not bear. */
async function copyDatabase(client: pg.Client, source: string, name: string): Promise<void> {
  await client.query('select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1', [
    source,
  ]);
  await createDatabase(client, source, name);
}

/** Copies the files, which takes half of the time that going through the log takes. */
async function createDatabase(client: pg.Client, source: string, name: string): Promise<void> {
  await client.query(
    `create database ${client.escapeIdentifier(name)} template ${client.escapeIdentifier(source)} strategy file_copy`,
  );
}
