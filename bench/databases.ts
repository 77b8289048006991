// The databases of the bench: one for each thing measured, migrated as the program migrates it.
import pg from 'pg';
import { createLogger } from '../src/base/logger.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { Secret } from '../src/base/secret.ts';
import type { EmbeddedPostgres } from '../src/cli/embedded-postgres.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';

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
