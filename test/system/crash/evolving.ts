// What the crash tests share: a service that goes on evolving and failing now and then, a daemon that is
// started without waiting for it, and what must hold in the end, however often somebody died on the way.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import { createRandom, type Random } from '../../../packages/sandbox/src/values/random.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, type Service, serveSandbox } from '../../support/command.ts';
import type { TestDatabase } from '../../support/database.ts';
import { startProcess, type TestProcess } from '../../support/process.ts';
import { mirrored, truth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Chronicle, chronicleOf, expectHonestHistory } from '../faults/history.ts';

export type Queryable = Pick<TestDatabase, 'query' | 'url'>;

/** The random stream of one test, from a seed that is printed so that the moments can be drawn again. */
export function seededRandom(name: string): Random {
  const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
  process.stdout.write(`${name}: CRASH_SEED=${seed}\n`);
  return createRandom(seed, name);
}

export interface EvolvingService extends Service {
  readonly chronicle: Chronicle;
  /** Answers nothing any more, until the function given back is called. */
  hang(): () => void;
  /** Is gone with all its connections, until the function given back is called; the account goes on. */
  goAway(): Promise<() => Promise<unknown>>;
  /** Ends the evolution and the faults: from now on there is one truth. */
  settle(): void;
}

export async function serveEvolving(
  seed: number,
  more: SandboxOptions = {},
  stepEveryMs = 120,
): Promise<EvolvingService> {
  const faults = [
    { kind: 'all', rate: 0.03, retryAfter: 0, delayMs: 50 },
    { kind: 'lies', rate: 0.02 },
  ] as const;
  const service = await serveSandbox({
    seed,
    transactions: 250,
    frozen: false,
    newPerMinute: 40,
    faults,
    ...more,
  });
  const { sandbox } = service;
  const chronicle = chronicleOf(sandbox);
  const timer = setInterval(() => {
    sandbox.advance();
    chronicle.note();
  }, stepEveryMs);
  onCleanup(async () => clearInterval(timer));
  return {
    ...service,
    chronicle,
    hang() {
      sandbox.faults.set([{ kind: 'stall' }]);
      return () => sandbox.faults.set(faults);
    },
    async goAway() {
      await sandbox.close();
      return () => sandbox.listen(Number(new URL(service.url).port));
    },
    settle() {
      clearInterval(timer);
      sandbox.faults.clear();
    },
  };
}

/** Sweeps so seldom that one ends before the next begins. */
export const finishing = { SCHEDULE_RECONCILE: '*/10 * * * * *' };

/** Starts the daemon with quick schedules and the shortest lease, and does not wait for it. */
export function beginDaemon(
  service: Service,
  database: Pick<Queryable, 'url'>,
  more: Readonly<Record<string, string>> = {},
): TestProcess {
  return startProcess(['run'], {
    env: environment(service, database, {
      SCHEDULE_TRANSACTIONS: '* * * * * *',
      SCHEDULE_BALANCES: '* * * * * *',
      SCHEDULE_DOCUMENTS: '* * * * * *',
      SCHEDULE_RECONCILE: '*/2 * * * * *',
      CUSTODY_PAGE_SIZE: '20',
      CUSTODY_RATE_LIMIT: 'off',
      CUSTODY_TIMEOUT_MS: '1000',
      LEASE_TTL_MS: '10000',
      ...more,
    }),
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resume) => setTimeout(resume, ms));
}

/**
 * Waits until the mirror equals the world and nothing is left half done, and holds the histories against the
 * world.
 */
export async function expectTruth(
  database: Queryable,
  { sandbox, chronicle }: EvolvingService,
  deadlineMs = 120_000,
): Promise<void> {
  // Both are judged as they were seen together: a daemon at work begins the next sweep at any moment, and its
  // position is there for as long as that lasts.
  let held = await mirrored(database);
  let left = await leftOver(database);
  const settled = async () => {
    held = await mirrored(database);
    left = await leftOver(database);
    return isDeepStrictEqual(held, truth(sandbox)) && left.length === 0;
  };
  await waitFor(settled, { what: 'the truth', deadlineMs, intervalMs: 200 }).catch(() => undefined);
  expect(held).toEqual(truth(sandbox));
  expect(left).toEqual([]);
  await expectHonestHistory({ query: (sql, params = ['default']) => database.query(sql, params) }, chronicle);
}

/** Positions of sweeps that were not finished. */
function leftOver({ query }: Queryable): Promise<Record<string, unknown>[]> {
  return query('select job from sync.positions');
}

/** Runs that count as running now; when their process is dead, they are to be abandoned. */
export async function runningRuns({ query }: Queryable): Promise<readonly string[]> {
  const rows = await query<{ run_id: string }>("select run_id from sync.runs where status = 'running'");
  return rows.map((row) => row.run_id);
}

export async function expectAbandoned({ query }: Queryable, runs: Iterable<string>): Promise<void> {
  const kept = await query(
    "select run_id, status from sync.runs where run_id = any($1) and status <> 'abandoned'",
    [[...runs]],
  );
  expect(kept).toEqual([]);
}
