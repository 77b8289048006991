// Gives the demo's mirror a history: the world goes through its days in fast motion, and the mirror observes
// it as it would have done. The first reading and some sweeps are real jobs; between them, the client's
// readings are committed in bulk.

import type { Clock } from '../../../../src/base/clock.ts';
import type { Config } from '../../../../src/base/config/config.ts';
import type { Logger } from '../../../../src/base/logger.ts';
import { createMetrics } from '../../../../src/base/metrics.ts';
import { type CustodyClient, createCustodyClient } from '../../../../src/custody/client.ts';
import { errorCode, errorMessage } from '../../../../src/domain/errors.ts';
import { type JobName, resources } from '../../../../src/domain/jobs.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import { bindAccount } from '../../../../src/store/run/accounts.ts';
import { acquireLease, type Lease, releaseLease } from '../../../../src/store/run/leases.ts';
import { runners } from '../../../../src/sync/jobs/runners.ts';
import type { JobContext } from '../../../../src/sync/run/context.ts';
import { createFactKeeper } from '../../../../src/sync/run/fact-keeper.ts';
import type { Sandbox } from '../../../sandbox/src/sandbox.ts';
import { writePreparedPrices } from '../backfill/prepared-prices.ts';
import { inSimulatedTime, type SimulatedTime } from '../backfill/simulated-time.ts';
import { day, isCutOff, observationAges } from './moments.ts';
import { makeUpPrices, priceKind } from './prices.ts';
import { createObserver, type SandboxObservation } from './sandbox-observer.ts';
import { type Highlights, type StoryEvent, tellStory } from './story.ts';
import { asClock, type WorldClock } from './world-clock.ts';
import { type Failure, writePast } from './write-past.ts';

export interface HistoryOptions {
  /** Without limits of rate and without retries. */
  readonly config: Config;
  /** Migrated, and empty. */
  readonly database: Database;
  /** It runs by `clock`, and nobody else uses it. */
  readonly sandbox: Sandbox;
  readonly clock: WorldClock;
  readonly seed: number;
  /** Transactions that arrive in these days. */
  readonly arrivals: number;
  readonly historyMs: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const stepMs = 30 * 60_000;
/**
 * Sweeps of the mirror itself, which check the written past against the service. The past is written at each
 * of them, and at its end. The daemon makes the next sweep.
 */
const sweepsAt = [30 * day, 14 * day, 1.25 * day];

/**
 * Plays the history, writes it, and sets the clock to the real time. The history is written whole or not at
 * all.
 *
 * @returns the records to look at
 */
export async function makeHistory(options: HistoryOptions): Promise<Highlights> {
  const { clock, database } = options;
  const highlights = await inSimulatedTime(database, (time) => live(options, time));
  clock.setBehind(0);
  return highlights;
}

async function live(options: HistoryOptions, time: SimulatedTime): Promise<Highlights> {
  const { clock, sandbox, signal, seed, historyMs } = options;
  const past = await openPast(options, time);
  const { client, lease } = past.context;
  const reader = createObserver(sandbox, options.config.custody, clock.now);
  for (const resource of resources) await past.run(resource);
  await writePreparedPrices(time.database, lease, priceKind, makeUpPrices(Date.now(), seed, historyMs));
  const { events: story, highlights } = tellStory();
  let unwritten: (SandboxObservation | Failure)[] = [];
  let [before = historyMs, ...moments] = observationAges(historyMs);
  for (const [index, at] of moments.entries()) {
    signal.throwIfAborted();
    passTime(options, story, before, at);
    const next = moments[index + 1] ?? 0;
    const withDocuments = story.some(
      ({ documents, behind }) => documents && behind < before && behind >= next,
    );
    unwritten.push(isCutOff(at) ? await past.readInVain() : await reader.read(withDocuments || next === 0));
    const isSweepDue = sweepsAt.some((due) => at <= due && before > due);
    if (isSweepDue || next === 0) {
      await writePast(time.database, lease, unwritten);
      unwritten = [];
    }
    if (isSweepDue) {
      await past.goTo(at - 60_000);
      await past.run('reconcile');
    }
    before = at;
  }
  await releaseLease(time.database, lease);
  await client.close();
  return highlights;
}

/** Takes the world from one moment to the next, with the events of its story. */
function passTime(
  { clock, sandbox, arrivals, historyMs }: HistoryOptions,
  story: readonly StoryEvent[],
  from: number,
  to: number,
): void {
  const pace = { arrivals: (arrivals * stepMs) / historyMs, directory: 0 };
  // Before the demo opens, each step adds a transaction, so that some are in progress.
  const busy = { ...pace, arrivals: 1 };
  let at = from;
  const advanceTo = (next: number) => {
    clock.setBehind(next);
    const steps = Math.round((at - next) / stepMs);
    if (next < stepMs) sandbox.advance(1, busy);
    else sandbox.advance(steps, pace);
    at = next;
  };
  for (const event of story) {
    if (event.behind >= from || event.behind < to) continue;
    advanceTo(event.behind);
    event.happen(sandbox);
  }
  advanceTo(to);
}

interface Past {
  readonly context: JobContext;
  /** Sets world and database to a moment. */
  goTo(behind: number): Promise<void>;
  run(job: JobName): Promise<void>;
  /** Asks while the service cannot be reached. */
  readInVain(): Promise<Failure>;
}

async function openPast(options: HistoryOptions, { database, setBehind }: SimulatedTime): Promise<Past> {
  const { config, clock: world, logger, signal, sandbox, historyMs } = options;
  const { account, baseUrl } = config.custody;
  const goTo = async (behind: number) => {
    world.setBehind(behind);
    await setBehind(behind);
  };
  await goTo(historyMs);
  await bindAccount(database, { account, baseUrl: baseUrl.href, timeZone: config.schedule.timezone });
  const facts = await createFactKeeper(database, account);
  const metrics = createMetrics();
  const clock = asClock(world);
  let isOff = false;
  const client: CustodyClient = createCustodyClient({
    config: config.custody,
    clock,
    logger,
    metrics,
    facts: facts.known,
    onFact: (fact) => facts.learn(fact),
    fetch: (url, init) => (isOff ? Promise.reject(refused()) : Promise.resolve(ask(sandbox, url, init))),
  });
  const lease = await takeLease(database, account, clock, 2 * historyMs);
  const context = { database, client, clock, config: config.custody, facts, logger, metrics, lease, signal };
  return {
    context,
    goTo,
    async run(job) {
      const { status, errorMessage } = await runners[job](context, {});
      signal.throwIfAborted();
      if (status !== 'succeeded') throw new Error(`${job} failed in the demo's history: ${errorMessage}`);
    },
    async readInVain() {
      const startedAt = world.now();
      isOff = true;
      const tally = { requests: 0, retries: 0, rateLimited: 0 };
      const error: unknown = await client.balances('all', {}, { signal, priority: 'normal', tally }).then(
        () => new Error('the service was reached'),
        (reason: unknown) => reason,
      );
      isOff = false;
      const failure = { code: errorCode(error), message: errorMessage(error) };
      return { startedAt, finishedAt: world.now(), failure };
    },
  };
}

async function takeLease(database: Database, account: string, clock: Clock, ttlMs: number): Promise<Lease> {
  const request = { account, holder: 'demo: history', ttlMs, clock };
  const taken = await acquireLease(database, request);
  if ('lease' in taken) return taken.lease;
  throw new Error(`the new database is held by ${taken.heldBy}`);
}

/** A request that needs no network. */
function ask(sandbox: Sandbox, url: string | URL | Request, init: RequestInit = {}): Response {
  const { pathname, search } = new URL(url instanceof Request ? url.url : url);
  const { status, headers, contentType, body } = sandbox.answer(
    pathname + search,
    Object.fromEntries(new Headers(init.headers)),
  );
  const bytes = typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(bytes, { status, headers: { ...headers, 'content-type': contentType } });
}

function refused(): TypeError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}
