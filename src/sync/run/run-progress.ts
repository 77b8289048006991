// Counts what a run does, for its outcome, the metrics, `onProgress` and the stall limit.
import type { RequestTally, WaitingRequest } from '../../domain/endpoint.ts';
import { type JobName, mirroredBy } from '../../domain/jobs.ts';
import type { RecordCounts } from '../../store/run/runs.ts';
import type { JobContext } from './context.ts';

type Totals = Record<'records' | 'inserted' | 'changed' | 'quarantined', number>;

export interface RunProgress {
  readonly tally: RequestTally;
  readonly totals: Totals;
  count(records: RecordCounts): void;
  /** How many records were refused, because the mirror holds a later observation. */
  refused(): number;
  /** A transaction or statement began. */
  step(): void;
  /** Changes with each step, request and turn of the limiter, and while the limiter knows that it waits. */
  steps(): number;
}

export function createProgress({ metrics, onProgress }: JobContext, job: JobName): RunProgress {
  const waiting = new Set<WaitingRequest>();
  const tally = { requests: 0, retries: 0, rateLimited: 0, waiting };
  const totals: Totals = { records: 0, inserted: 0, changed: 0, quarantined: 0 };
  const resource = mirroredBy(job) ?? job;
  let stale = 0;
  let statements = 0;
  const count = (counts: RecordCounts) => {
    stale += counts.stale;
    totals.inserted += counts.inserted;
    totals.changed += counts.changed;
    totals.quarantined += counts.quarantined;
    for (const outcome of ['inserted', 'changed', 'unchanged', 'stale', 'quarantined'] as const) {
      const records = counts[outcome];
      totals.records += records;
      if (records > 0) metrics.records.inc({ resource, outcome }, records);
    }
    onProgress?.({ job, ...totals, requests: tally.requests, retries: tally.retries });
  };
  return {
    ...{ tally, totals, count, refused: () => stale },
    step() {
      statements += 1;
    },
    steps() {
      const turns = [...waiting].map((request) => Math.min(performance.now(), request.movesUntil()));
      return statements + totals.records + tally.requests + tally.retries + Math.max(0, ...turns);
    },
  };
}
