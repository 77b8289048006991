// The world of the demo: a sandbox whose account lives on, and the mirror that has watched it.
import type { Config } from '../../../../src/base/config/config.ts';
import type { Logger } from '../../../../src/base/logger.ts';
import type { Metrics } from '../../../../src/base/metrics.ts';
import { openDatabase } from '../../../../src/store/postgres/database.ts';
import { migrate } from '../../../../src/store/schema/migrate.ts';
import { createSandbox, type Sandbox } from '../../../sandbox/src/sandbox.ts';
import { makeHistory } from './history.ts';
import { day } from './moments.ts';
import { type Highlights, unreadableVaultId } from './story.ts';
import { createWorldClock, type WorldClock } from './world-clock.ts';

export interface WorldOptions {
  readonly transactions: number;
  readonly seed: number;
  /** False begins with an empty mirror. */
  readonly history: boolean;
  /** Of the history. Default: 90. */
  readonly days?: number;
}

export interface DemoWorld {
  readonly sandbox: Sandbox;
  readonly clock: WorldClock;
  readonly seed: number;
  /** Transactions that arrive in the days of the history. */
  readonly arrivals: number;
  readonly historyMs: number;
}

/** The pace of the world: a transaction each ten seconds, of which each takes a minute or so. */
const pace = { newPerMinute: 6, stepMs: 4_000 };
/** The share of the transactions that arrive in the days of the history, and the most of them. */
const arriving = { share: 0.6, most: 1_200 };

/** With a history its clock stands where that begins. */
export function createDemoWorld({ transactions, seed, history, days = 90 }: WorldOptions): DemoWorld {
  const historyMs = days * day;
  const clock = createWorldClock();
  const arrivals = history ? Math.min(arriving.most, Math.round(transactions * arriving.share)) : 0;
  if (history) clock.setBehind(historyMs);
  const sandbox = createSandbox({
    seed,
    transactions: transactions - arrivals,
    now: () => Math.floor(clock.now()),
    quirks: { 'missing-id': [unreadableVaultId] },
    ...pace,
  });
  return { sandbox, clock, seed, arrivals, historyMs };
}

/** Makes the history in the empty mirror. */
export async function fillMirror(
  config: Config,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  signal: AbortSignal,
  world: DemoWorld,
): Promise<Highlights> {
  // Reading millions of records takes longer than a transaction may usually stand idle.
  const database = openDatabase({
    url: config.database.url,
    applicationName: 'custody-mirror demo',
    idleTransactionTimeoutMs: 600_000,
    logger,
    metrics,
  });
  try {
    await migrate(database, { signal });
    const custody = { ...config.custody, rateLimit: 'off' as const, retries: 0 };
    return await makeHistory({ ...world, config: { ...config, custody }, database, logger, signal });
  } finally {
    await database.close();
  }
}
