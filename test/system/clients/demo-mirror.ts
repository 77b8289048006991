// The mirror of the demo with its history, for clients to read.
import {
  createDemoWorld,
  fillMirror,
  type WorldOptions,
} from '../../../packages/demo/src/history/demo-world.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { testConfig } from '../../support/engine.ts';
import { silentLogger } from '../../support/loggers.ts';

export async function openDemoMirror(): Promise<TestDatabase> {
  const database = await testDatabase();
  await addDemoAccount(database, {});
  return database;
}

/** @param env of the account's daemon */
export async function addDemoAccount(
  database: TestDatabase,
  env: Readonly<Record<string, string>>,
  options: Partial<WorldOptions> = {},
): Promise<void> {
  const world = createDemoWorld({ transactions: 1_000, seed: 7, history: true, ...options });
  onCleanup(() => world.sandbox.close());
  const service = await world.sandbox.listen();
  const places = { databaseUrl: database.url, serviceUrl: service.url, key: world.sandbox.apiKey };
  const scope = { logger: silentLogger, metrics: createMetrics() };
  await fillMirror(testConfig(places, env), scope, new AbortController().signal, world);
  // The history leaves the clock of its lease ahead; a daemon would take a new one.
  await database.query('delete from sync.leases');
}
