// The server and the databases of a bench: one database for each thing measured, migrated as the program migrates it.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { createLogger } from '../src/base/logger.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { Secret } from '../src/base/secret.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/embedded-postgres/server.ts';
import { type Database, openDatabase } from '../src/store/postgres/database.ts';
import { migrate } from '../src/store/schema/migrate.ts';

export interface BenchServer {
  readonly postgres: EmbeddedPostgres;
  /** For whatever the bench leaves on the disk; removed in the end. */
  readonly directory: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Runs work with a PostgreSQL of its own, which is gone afterwards. */
export async function onBenchServer(
  name: string,
  work: (server: BenchServer) => Promise<void>,
): Promise<void> {
  const directory = resolve('.data', `${name}-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('stopped')));
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(directory, 'postgres'),
    persistent: false,
    signal: stop.signal,
  });
  try {
    await work({ postgres, directory, signal: stop.signal });
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Creates the database in the place of one that exists, and migrates it. @returns its address */
export async function freshDatabase(postgres: EmbeddedPostgres, name: string): Promise<string> {
  await postgres.recreateDatabase(name);
  const url = postgres.url(name);
  const database = openBenchDatabase(url);
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  return url;
}

/** The database as the program opens it. */
export function openBenchDatabase(url: string): Database {
  return openDatabase({
    url: new Secret(url),
    applicationName: 'custody-mirror bench',
    logger: createLogger({ level: 'error', format: 'json' }),
    metrics: createMetrics(),
  });
}

export async function dropDatabase(postgres: EmbeddedPostgres, name: string): Promise<void> {
  await withConnection(postgres.url('postgres'), (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
  );
}

export async function withConnection<Value>(
  url: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
