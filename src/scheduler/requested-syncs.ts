// Does what `sync` asks of this process while it holds the lease: each job in the slot of its schedule, after
// the work that runs there. It polls for requests: LISTEN needs a connection of its own and does not work
// behind every pooler. A request that a stop interrupts stays for the next holder, or for the command itself.
import { runLoop, sleep } from '../base/loop.ts';
import { jobOf, type Resource } from '../domain/jobs.ts';
import { listed } from '../domain/words.ts';
import type { Lease } from '../store/run/leases.ts';
import { finishRequest, type TakenRequest, takeRequest } from '../store/run/sync-requests.ts';
import { againWhileWaiting } from '../sync/jobs/repeat-sweeps.ts';
import { runCycle } from '../sync/jobs/runners.ts';
import type { JobContext } from '../sync/run/context.ts';
import type { JobOutcome } from '../sync/run/run-job.ts';
import type { JobSlots } from './job-slots.ts';

export interface RequestedSyncsOptions {
  readonly context: JobContext;
  /** CUSTODY_RESOURCES. */
  readonly mirrored: readonly Resource[];
  readonly slots: JobSlots;
  readonly onOutcome: (outcome: JobOutcome) => void;
  /** Called once its end is written, or could not be: the process may end then. */
  readonly onAnswered: (outcomes: readonly JobOutcome[]) => void;
}

/** The command waits for twice the time of the lease. */
const lookEveryMs = ({ ttlMs }: Lease) => Math.min(10_000, ttlMs / 3);
const finishEveryMs = 1_000;
/** How long it may take to write the end of a request in which a job hung. */
const stalledMs = 5_000;

/** Resolves when the context's signal is aborted and all work has ended. */
export async function answerRequests(options: RequestedSyncsOptions): Promise<void> {
  const { database, lease, logger, signal } = options.context;
  const working = new Map<bigint, Promise<void>>();
  await runLoop({
    signal,
    backoff: { minMs: 2_000, maxMs: 10_000 },
    onError: (err, failures) => logger[failures > 3 ? 'warn' : 'debug']({ err }, 'requests were not read'),
    turn: async () => {
      const request = await takeRequest(database, lease, [...working.keys()], signal);
      if (request === null) return lookEveryMs(lease);
      const { requestId, requestedBy: requested_by, resources, isFull: full } = request;
      logger.info({ account: lease.account, requested_by, resources, full }, 'sync requested');
      const work = answer(options, request)
        .catch(async (err: unknown) => {
          if (!signal.aborted) logger.error({ err, requested_by }, 'requested sync failed');
          // If somebody still waits for it, it is taken again then.
          await sleep(lookEveryMs(lease), signal).catch(() => undefined);
        })
        .finally(() => working.delete(requestId));
      working.set(requestId, work);
      return 0;
    },
  });
  await Promise.all(working.values());
}

async function answer(options: RequestedSyncsOptions, request: TakenRequest) {
  const { context, mirrored, slots, onOutcome, onAnswered } = options;
  const { database, lease, logger, signal } = context;
  const resources = request.resources ?? mirrored;
  const leftOut = resources.filter((resource) => !mirrored.includes(resource));
  if (leftOut.length > 0) {
    const refusal = `CUSTODY_RESOURCES: leaves ${listed(leftOut)} out in the daemon ${lease.holder}`;
    return await finishRequest(database, lease, request, { resources, refusal });
  }
  let outcomes: readonly JobOutcome[] = [];
  try {
    outcomes = await runCycle(
      { ...context, request, trustEmptyLists: request.trustEmpty },
      resources,
      { full: request.isFull, again: againWhileWaiting },
      async (resource, work) => {
        let outcome = null as JobOutcome | null;
        await slots.runNext(jobOf(resource).schedule, async () => {
          outcome = await work();
        });
        signal.throwIfAborted();
        if (outcome === null) throw new Error(`${resource} was not run`);
        onOutcome(outcome);
        return outcome;
      },
    );
    // A process in which a job hung ends, also while the database is offline.
    const isStalled = outcomes.some(({ errorCode }) => errorCode === 'JOB-STALLED');
    const finished = new AbortController();
    const limits = isStalled ? [AbortSignal.timeout(stalledMs)] : [];
    await runLoop({
      signal: AbortSignal.any([signal, finished.signal, ...limits]),
      backoff: { minMs: finishEveryMs, maxMs: finishEveryMs },
      onError: (err) => logger.debug({ err }, 'end of a requested sync was not written'),
      turn: async () => {
        await finishRequest(database, lease, request, { resources });
        finished.abort();
        return 0;
      },
    });
  } finally {
    onAnswered(outcomes);
  }
}
