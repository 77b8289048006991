// The status report, shared by all who ask: at most one reading at a time, and none while the last one is young enough,
// so that the database's load does not grow with the number of viewers. Failures are shared like reports. It can be kept
// fresh although nobody asks, so that metrics and pages never tell of a time long past as if it were now.
import { runLoop } from '../base/loop.ts';
import { within } from '../base/waiting.ts';
import type { StatusReport } from '../store/query/status.ts';

export interface LatestStatus {
  /** A report not older than that; rejects as reading it did. May take as long as the database takes. */
  read(maxAgeMs: number): Promise<StatusReport>;
  /** The last report that was read, however old; null before the first. */
  readonly known: KnownStatus | null;
  /** Reads again and again until the signal is aborted, whatever becomes of a reading. */
  keepFresh(everyMs: number, signal: AbortSignal): Promise<void>;
}

export interface KnownStatus {
  readonly report: StatusReport;
  /** The moment it is now on the clock that `readAt` of the report is of, ISO 8601: from it ages are counted. */
  readonly now: string;
}

export interface LatestStatusOptions {
  readonly readStatus: () => Promise<StatusReport>;
  /** Told of every report. */
  readonly onRead: (report: StatusReport) => void;
  /** Told of every reading that failed. */
  readonly onFailure: (error: unknown) => void;
  readonly monotonicMs?: () => number;
}

/** A reading that hangs for longer is given up, so that one lost connection does not blind the process for good. */
const hangsAfterMs = 60_000;

interface Reading {
  readonly outcome: Promise<StatusReport>;
  readonly startedAt: number;
  endedAt: number | null;
}

export function createLatestStatus(options: LatestStatusOptions): LatestStatus {
  const { readStatus, onRead, onFailure, monotonicMs: now = () => performance.now() } = options;
  let reading: Reading | null = null;
  let known: { readonly report: StatusReport; readonly endedAt: number } | null = null;

  const begin = (): Reading => {
    const begun: Reading = {
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
  const serves = ({ startedAt, endedAt }: Reading, maxAgeMs: number) =>
    endedAt === null ? now() - startedAt < hangsAfterMs : now() - endedAt < maxAgeMs;

  const read = (maxAgeMs: number) => {
    if (reading === null || !serves(reading, maxAgeMs)) reading = begin();
    return reading.outcome;
  };
  return {
    get known() {
      if (known === null) return null;
      const { report, endedAt } = known;
      return { report, now: new Date(Date.parse(report.readAt) + now() - endedAt).toISOString() };
    },
    read,
    keepFresh: (everyMs, signal) =>
      runLoop({
        signal,
        backoff: { minMs: everyMs, maxMs: everyMs },
        // Told by `onFailure` already.
        onError: () => undefined,
        turn: async () => {
          await within(hangsAfterMs, read(everyMs));
          return everyMs;
        },
      }),
  };
}
