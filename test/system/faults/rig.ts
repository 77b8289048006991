// One cell of a fault matrix: a sandbox over HTTP and an account of its own in a database that all cells of a
// file share, because a database for each would cost more than everything else. Cells run side by side: each
// closes what it opened.

import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import { createSandbox, type Sandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import type { CustodyClientOptions } from '../../../src/custody/client.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import { type Row, testDatabase } from '../../support/database.ts';
import { bindAndLease, openEngine, testConfig } from '../../support/engine.ts';
import { open } from '../../support/store.ts';

export interface Cell {
  readonly account: string;
  readonly sandbox: Sandbox;
  readonly context: JobContext;
  /** Rows of one statement; without parameters of its own, `$1` is the account. */
  query<Found extends Row = Row>(sql: string, params?: readonly unknown[]): Promise<Found[]>;
  close(): Promise<void>;
}

export interface CellOptions {
  readonly sandbox?: SandboxOptions;
  readonly env?: Readonly<Record<string, string>>;
  readonly client?: Partial<CustodyClientOptions>;
}

export interface Rig {
  open(name: string, options: CellOptions): Promise<Cell>;
}

/** Opens what the cells of a file share. */
export async function openRig(): Promise<Rig> {
  const test = await testDatabase();
  const metrics = createMetrics();
  const database = open(test.url, { metrics, maxConnections: 16 });
  return {
    async open(account, { sandbox: options = {}, env = {}, client = {} }) {
      const sandbox = createSandbox({ frozen: true, seed: 5, ...options });
      const { url: serviceUrl } = await sandbox.listen();
      const { custody: config } = testConfig(
        { databaseUrl: test.url, serviceUrl, key: sandbox.apiKey },
        {
          CUSTODY_ACCOUNT: account,
          CUSTODY_PAGE_SIZE: '12',
          CUSTODY_TIMEOUT_MS: '20000',
          CUSTODY_RETRY_MAX_MS: '2',
          ...env,
        },
      );
      const lease = await bindAndLease(database, config);
      const probes = { keyProbeMs: 1, keyProbeMaxMs: 2 };
      const engine = await openEngine({ database, config, lease, metrics, client: { ...probes, ...client } });
      return {
        account,
        sandbox,
        context: engine.context,
        query: (sql, params = [account]) => test.query(sql, params),
        async close() {
          await engine.close();
          await sandbox.close();
        },
      };
    },
  };
}
