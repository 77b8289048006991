// A sandbox served over HTTP, a database, and everything a job needs between the two.

import type { SandboxOptions } from '../../packages/sandbox/src/options.ts';
import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts';
import type { Config } from '../../src/base/config/config.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import type { CustodyClientOptions } from '../../src/custody/client.ts';
import { onCleanup } from './cleanup.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bindAndLease, type Engine, openEngine, testConfig } from './engine.ts';
import { startSandbox } from './sandbox.ts';
import { open } from './store.ts';

export interface Mirror extends TestDatabase, Pick<Engine, 'context' | 'stop'> {
  readonly sandbox: Sandbox;
  readonly config: Config;
}

export async function openMirror(
  options: SandboxOptions = {},
  env: Readonly<Record<string, string>> = {},
  clientOptions: Partial<CustodyClientOptions> = {},
  /** A database that another mirror has too; without it, one of its own. */
  given?: TestDatabase,
): Promise<Mirror> {
  const { sandbox, url } = await startSandbox({ transactions: 300, ...options });
  const mirror = await mirrorOf({ url, key: sandbox.apiKey }, env, clientOptions, given);
  return { ...mirror, sandbox };
}

/** A mirror of any service. */
export async function mirrorOf(
  service: { readonly url: string; readonly key: string },
  env: Readonly<Record<string, string>> = {},
  clientOptions: Partial<CustodyClientOptions> = {},
  given?: TestDatabase,
): Promise<Omit<Mirror, 'sandbox'>> {
  const test = given ?? (await testDatabase());
  const places = { databaseUrl: test.url, serviceUrl: service.url, key: service.key };
  const config = testConfig(places, { CUSTODY_PAGE_SIZE: '50', ...env });
  const metrics = createMetrics();
  const database = open(test.url, { metrics });
  const lease = await bindAndLease(database, config.custody);
  const engine = await openEngine({
    database,
    config: config.custody,
    lease,
    metrics,
    client: clientOptions,
  });
  onCleanup(engine.close);
  return { ...test, config, context: engine.context, stop: engine.stop };
}
