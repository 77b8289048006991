// A PostgreSQL that the installed psql, createdb, pg_dump and pg_restore can work with: pg_dump refuses a
// server that is newer than itself, so it is of its version where that is older than the newest.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { EmbeddedPostgres } from '../../../packages/demo/src/embedded-postgres/server.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { newestPostgres, startPostgres } from '../../support/postgres.ts';
import { withClient } from '../../support/server.ts';

const oldest = 15;
const clients = ['psql', 'createdb', 'pg_dump', 'pg_restore'];
const versions = clients.map((program) => {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/ (\d+)[.\d]*/.exec(stdout ?? '')?.[1] ?? 0);
});
const version = Math.min(...versions);
/** The newest server that they can dump. */
export const clientsVersion = String(Math.min(version, Number(newestPostgres)));

/** Why the commands with PostgreSQL's own programs cannot be run here; null where they can. */
export const whyNoClients =
  version === 0
    ? `${clients.filter((_, index) => versions[index] === 0).join(', ')} not installed`
    : version < oldest
      ? `psql and pg_dump are of PostgreSQL ${version}`
      : null;

/** Why no server of a version can be started here, without a download; null where it can. */
export function whyNoServer(of: string): string | null {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/custody-mirror', import.meta.url));
  const isThere =
    of === newestPostgres ||
    (existsSync(cache) && readdirSync(cache).some((name) => name.startsWith(`postgres-${of}-`)));
  return isThere ? null : `PostgreSQL ${of} is not installed; npm run test:matrix installs it`;
}

export interface ClientServer {
  /** The superuser. */
  readonly adminUrl: string;
  /** The database `custody` as its owner, the role `custody`. */
  readonly databaseUrl: string;
  /** Host, port and database, as they stand in an address. */
  readonly place: string;
  /** The superuser's, in the database `custody`. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** The superuser's, beside it. */
  asAdmin(sql: string): Promise<unknown>;
}

/**
 * A server of its own, as roles belong to the whole of it. @param shape whether its database and its role
 * `custody` are there already
 */
export async function clientServer(
  shape: 'with a database' | 'empty',
  of = clientsVersion,
): Promise<ClientServer> {
  const dataDirectory = newDataDirectory('custody-mirror-clients');
  const server: EmbeddedPostgres = await startPostgres({ dataDirectory, persistent: false }, of);
  onCleanup(server.stop);
  const ask = (database: string, sql: string) =>
    withClient(server.url(database), async (client) => (await client.query(sql)).rows);
  if (shape === 'with a database') {
    // As docs/access.md makes them.
    await ask('postgres', "create role custody login password '…'");
    await ask('postgres', 'create database custody owner custody');
    await ask('postgres', 'revoke all on database custody from public');
  }
  const place = `127.0.0.1:${server.port}/custody`;
  return {
    adminUrl: server.url('postgres'),
    databaseUrl: `postgres://custody:…@${place}`,
    place,
    query: (sql) => ask('custody', sql),
    asAdmin: (sql) => ask('postgres', sql),
  };
}
