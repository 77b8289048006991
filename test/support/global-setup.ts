// Before the first test file: dist/, which tests that start processes use, is built where it is older than
// its sources; then one PostgreSQL server for the run, and on it a migrated database that tests copy.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { createMetrics } from '../../src/base/metrics.ts';
import { Secret } from '../../src/base/secret.ts';
import { openDatabase } from '../../src/store/postgres/database.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { silentLogger } from './loggers.ts';
import { startTestServer } from './providers.ts';
import { dropDatabases, uniquePrefix, urlOf, withClient } from './server.ts';

export interface TestServerContext {
  readonly adminUrl: string;
  readonly prefix: string;
  /** Name of the migrated database. */
  readonly template: string;
  /** Why it could not be migrated. */
  readonly fault: string | null;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly testServer: TestServerContext;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildIfStale();
  const prefix = uniquePrefix();
  const server = await startTestServer(process.env);
  const template = `${prefix}_template`;
  await withClient(server.adminUrl, (client) =>
    client.query(`create database ${client.escapeIdentifier(template)} template template0`),
  );
  // Told by the tests that need the tables, so that the others still run.
  const fault = await migrateTemplate(urlOf(server.adminUrl, template)).then(
    () => null,
    (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
  );
  project.provide('testServer', { adminUrl: server.adminUrl, prefix, template, fault });
  return async () => {
    await dropDatabases(server.adminUrl, prefix);
    await server.stop();
  };
}

function buildIfStale(): void {
  const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [script, '--no-check', '--if-stale'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('dist/ is older than its sources and cannot be built: npm run build');
}

async function migrateTemplate(url: string): Promise<void> {
  const database = openDatabase({
    url: new Secret(url),
    applicationName: 'custody-mirror tests',
    logger: silentLogger,
    metrics: createMetrics(),
  });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}
