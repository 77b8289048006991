// The status report, shared by all viewers: one reading at a time, and none while the last one is young
// enough, so that the load of the database does not grow with the number of viewers. It can be refreshed when
// nobody asks, so that metrics and pages do not show an old state as the present one.
import { runLoop } from '../base/loop.ts';
import { within } from '../base/waiting.ts';
import type { StatusReport } from '../store/query/status.ts';

export interface LatestStatus {
  /** A report at most `maxAgeMs` old. Rejects with the error of reading it; waits as long as that takes. */
  read(maxAgeMs: number): Promise<StatusReport>;
  /** The last report that was read, of any age; null before the first. */
  readonly known: KnownStatus | null;
  /** Reads every `everyMs` until the signal is aborted, also after a reading failed. */
  keepFresh(everyMs: number, signal: AbortSignal): Promise<void>;
}

export interface KnownStatus {
  readonly report: StatusReport;
  /** The present time on the clock of the report's `readAt`, ISO 8601. Ages count from it. */
  readonly now: string;
}

export interface LatestStatusOptions {
  readonly readStatus: () => Promise<StatusReport>;
  /** Called with every report. */
  readonly onRead: (report: StatusReport) => void;
  /** Called when a reading failed. */
  readonly onFailure: (error: unknown) => void;
  readonly monotonicMs?: () => number;
}

/** A reading that takes longer is given up, because its connection may be lost. */
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
        // `onFailure` was called already.
        onError: () => undefined,
        turn: async () => {
          await within(hangsAfterMs, read(everyMs));
          return everyMs;
        },
      }),
  };
}
