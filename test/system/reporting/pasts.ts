// What the mirror can know of each transaction, told from the readings alone: in which statuses it was seen
// and from when, what it looked like last, and since when it is missing.
import type { TransactionRecord } from '../../../packages/sandbox/src/world/records.ts';
import type { TransactionReading } from './observed.ts';
import type { Micros } from './zones.ts';

export interface Stay {
  readonly status: string;
  /** When the status was first seen. */
  readonly at: Micros;
  /** The last moment at which it was certainly not there yet; null where nothing is known. */
  readonly after: Micros | null;
}

/** How a transaction was seen, and whether it was held to be gone, from a moment on. */
export interface Content {
  readonly at: Micros;
  readonly record: TransactionRecord;
  readonly missingSince: Micros | null;
}

export interface Past {
  /** As it was seen last. */
  readonly record: TransactionRecord;
  /** Every other content it was seen with, in order; the first is the first sighting. */
  readonly contents: readonly Content[];
  readonly firstSeenAt: Micros;
  readonly stays: readonly Stay[];
  readonly missingSince: Micros | null;
}

interface Growing {
  record: TransactionRecord;
  contents: Content[];
  firstSeenAt: Micros;
  stays: Stay[];
  /** Readings in a row that did not show it. */
  absent: number;
  missingSince: Micros | null;
  /** When something other than the status last changed. */
  revisedAt: Micros | null;
  /** Whether that was the mark of one that is missing. */
  marked: boolean;
}

export const settledStatuses: readonly string[] = ['completed', 'rejected', 'cancelled', 'failed'];

/** @param readings verified sweeps, each of which shows the whole list */
export function pastsOf(readings: readonly TransactionReading[]): Map<string, Past> {
  const pasts = new Map<string, Growing>();
  let previousAt: Micros | null = null;
  for (const { at, records } of readings) {
    for (const [id, record] of records) {
      const past = pasts.get(id);
      if (past === undefined) pasts.set(id, firstSighting(record, at, previousAt));
      else addSighting(past, record, at, previousAt);
    }
    for (const [id, past] of pasts) {
      if (records.has(id) || past.missingSince !== null) continue;
      past.absent += 1;
      if (past.absent < 2) continue;
      Object.assign(past, { missingSince: at, revisedAt: at, marked: true });
      past.contents.push({ at, record: past.record, missingSince: at });
    }
    previousAt = at;
  }
  return pasts;
}

function firstSighting(record: TransactionRecord, at: Micros, previousAt: Micros | null): Growing {
  return {
    record,
    contents: [{ at, record, missingSince: null }],
    firstSeenAt: at,
    stays: [{ status: record.status, at, after: previousAt }],
    absent: 0,
    missingSince: null,
    revisedAt: null,
    marked: false,
  };
}

function addSighting(past: Growing, record: TransactionRecord, at: Micros, previousAt: Micros | null): void {
  const last = past.stays.at(-1);
  if (last === undefined) throw new Error('a transaction was never seen');
  const revised = contentOf(past.record) !== contentOf(record) || past.missingSince !== null;
  if (last.status !== record.status) {
    const known = [last.at];
    if (past.revisedAt !== null && !past.marked) known.push(past.revisedAt);
    // An open one is looked after by every reading, unless it was missing: then nobody knows when it moved.
    if (!settledStatuses.includes(last.status) && !past.marked && previousAt !== null) known.push(previousAt);
    const after = known.reduce((latest, moment) => (moment > latest ? moment : latest));
    past.stays.push({ status: record.status, at, after });
  }
  if (revised) {
    Object.assign(past, { revisedAt: at, marked: false });
    past.contents.push({ at, record, missingSince: null });
  }
  Object.assign(past, { record, absent: 0, missingSince: null });
}

/** What the wire tells beside the status. Kept, because each reading shows the whole list again. */
function contentOf(record: TransactionRecord): string {
  const known = contents.get(record);
  if (known !== undefined) return known;
  const { status: _, createdAt: __, ...content } = record;
  const text = JSON.stringify(content);
  contents.set(record, text);
  return text;
}
const contents = new WeakMap<TransactionRecord, string>();
