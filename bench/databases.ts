// The server and the databases of a bench: a migrated database for each measurement.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../packages/demo/src/embedded-postgres/server.ts';
import { createLogger } from '../src/base/logger.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { Secret } from '../src/base/secret.ts';
import { type Database, openDatabase } from '../src/store/postgres/database.ts';
import { migrate } from '../src/store/schema/migrate.ts';

export interface BenchServer {
  readonly postgres: EmbeddedPostgres;
  /** For the files of the bench; removed at the end. */
  readonly directory: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Runs the work with its own PostgreSQL, and removes it afterwards. */
export async function onBenchServer(
  name: string,
  work: (server: BenchServer) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  await inBenchDirectory(name, async (directory, signal) => {
    const postgres = await startEmbeddedPostgres({
      dataDirectory: join(directory, 'postgres'),
      persistent: false,
      settings,
      signal,
    });
    try {
      await work({ postgres, directory, signal });
    } finally {
      await postgres.stop();
    }
  });
}

/** Runs the work with its own directory, removed afterwards. Ctrl-C and SIGTERM abort the signal. */
export async function inBenchDirectory(
  name: string,
  work: (directory: string, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const directory = resolve('.data', `${name}-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  const stop = new AbortController();
  for (const ending of ['SIGINT', 'SIGTERM'] as const)
    process.once(ending, () => stop.abort(new Error('stopped')));
  try {
    await work(directory, stop.signal);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Creates and migrates the database; an existing one is dropped first. @returns its address */
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

/** Opens the database as the program does. */
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
