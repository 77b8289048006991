// The database in which migrations are compared with the files: a given empty one, or a PostgreSQL of its own.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** Calls `work` with a client of the database that `url` names, or of one that ends with the work. */
export async function withDatabase(url, work) {
  const { given, end } = url ? { given: url, end: () => {} } : await ownServer();
  const client = new pg.Client({ connectionString: given });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
    await end();
  }
}

async function ownServer() {
  const { startEmbeddedPostgres } = await import('../dist/packages/demo/src/embedded-postgres/server.js');
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-sql-'));
  const server = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), persistent: false });
  await server.createDatabase('sql');
  const end = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { given: server.url('sql'), end };
}

/** What separates the statements of a migration, as drizzle-kit writes it. */
export const separator = '--> statement-breakpoint';

/** Applies the migrations of the folder to an empty database, all but the one in the file `except`. */
export async function applyMigrations(client, folder, except = null) {
  await client.query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  const names = readdirSync(folder).filter((file) => file.endsWith('.sql') && file !== except);
  for (const name of names.toSorted())
    await play(client, name, readFileSync(join(folder, name), 'utf8').split(separator));
}

/** Runs the statements of a migration; the error names it. */
export async function play(client, name, statements) {
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      const why = [error.message, error.detail].filter(Boolean).join(': ');
      throw new Error(`migrations/${name}: ${why}\n${statement.trim()}`, { cause: error });
    }
  }
}
