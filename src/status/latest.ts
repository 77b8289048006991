// The status report, shared by all viewers: one reading at a time, and none while the last one is young
// enough, so that the load of the database does not grow with the number of viewers. It can be refreshed
// without viewers, so that metrics and pages never show an old state as the present one.
import { runLoop } from '../base/loop.ts';
import { within } from '../base/waiting.ts';
import type { StatusReport } from '../store/job-queries/status.ts';

export interface LatestStatus<Report = StatusReport> {
  /** A report at most `maxAgeMs` old. Rejects with the error of reading it; waits as long as that takes. */
  read(maxAgeMs: number): Promise<Report>;
  /** The last report that was read, of any age; null before the first. */
  readonly known: { readonly report: Report; readonly ageMs: number } | null;
  /** Reads every `everyMs` until the signal is aborted, even after a failed reading. */
  keepFresh(everyMs: number, signal: AbortSignal): Promise<void>;
}

export interface LatestStatusOptions<Report> {
  readonly readStatus: () => Promise<Report>;
  /** Called with every report. */
  readonly onRead: (report: Report) => void;
  /** Called when a reading failed. */
  readonly onFailure: (error: unknown) => void;
  readonly monotonicMs?: () => number;
}

/** A reading that takes longer is given up, because its connection may be lost. */
const hangsAfterMs = 60_000;

interface Reading<Report> {
  readonly outcome: Promise<Report>;
  readonly startedAt: number;
  endedAt: number | null;
}

export function createLatestStatus<Report>(options: LatestStatusOptions<Report>): LatestStatus<Report> {
  const { readStatus, onRead, onFailure, monotonicMs: now = () => performance.now() } = options;
  let reading: Reading<Report> | null = null;
  let known: { readonly report: Report; readonly endedAt: number } | null = null;

  const begin = (): Reading<Report> => {
    const begun: Reading<Report> = {
      outcome: Promise.resolve().then(readStatus),
      startedAt: now(),
      endedAt: null,
    };
    begun.outcome.then(
      (report) => {
        begun.endedAt = now();
        if (reading !== begun) return;
        known = { report, endedAt: begun.endedAt };
        onRead(report);
      },
      (error: unknown) => {
        begun.endedAt = now();
        if (reading === begun) onFailure(error);
      },
    );
    return begun;
  };
  const serves = ({ startedAt, endedAt }: Reading<Report>, maxAgeMs: number) =>
    endedAt === null ? now() - startedAt < hangsAfterMs : now() - endedAt < maxAgeMs;

  const read = (maxAgeMs: number) => {
    if (reading === null || !serves(reading, maxAgeMs)) reading = begin();
    return reading.outcome;
  };
  return {
    get known() {
      return known && { report: known.report, ageMs: now() - known.endedAt };
    },
    read,
    keepFresh: (everyMs, signal) =>
      runLoop({
        signal,
        backoff: { minMs: everyMs, maxMs: everyMs },
        // `onFailure` was called already.
        onError: () => undefined,
        turn: async () => {
          await within(hangsAfterMs, read(everyMs));
          return everyMs;
        },
      }),
  };
}
