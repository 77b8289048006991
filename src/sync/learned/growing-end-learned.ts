// Learns at which end of the list new records appear, from their positions in sweeps, and forgets it when a
// sweep finds one elsewhere. docs/custody-service.md 4.1 documents no order. Also keeps when that end was
// last read.
import { type Instant, instantToIso } from '../../domain/instant.ts';
import type { RecentChange } from '../../store/job-queries/mirrored.ts';
import type { FactKeeper } from '../run/fact-keeper.ts';
import type { OpenRun } from '../run/run-job.ts';
import type { GrowingEnd } from '../walk/growing-end.ts';
import { noteEvidence } from './repeated-evidence.ts';

/** Where the new records of one sweep were: all before the known ones, all after them, or among them. */
export type GrowthObservation = { readonly end: GrowingEnd | 'among'; readonly records: number };

export type GrowthObserver = ReturnType<typeof createGrowthObserver>;

/** With more new and changed records than this, the observer gives up: it would need too much memory. */
export const maxObserved = 20_000;

/**
 * @param earlier records mirrored since the last whole reading: some of the new ones; the walk finds the
 *   rest. Taken for known, they would make every new record seem to be among known ones. By themselves they
 *   are not an observation, because they may have been one before.
 */
export function createGrowthObserver(earlier: readonly RecentChange[] = []) {
  const idsOf = (isNew: boolean) =>
    earlier.filter((one) => one.isNew === isNew).map((one) => one.transactionId);
  const fresh = new Set(idsOf(true));
  /** Changed records may have moved with their change, so that their places prove nothing. */
  const moved = new Set(idsOf(false));
  const freshBefore = fresh.size;
  let known = 0;
  let before = 0;
  let after = 0;
  let among = 0;
  let isOverflowed = earlier.length > maxObserved;
  const counted = new Set<string>();
  const giveUp = () => {
    isOverflowed = true;
    for (const ids of [fresh, moved, counted]) ids.clear();
  };

  return {
    /** The walk starts at the head of the list, for the first time or again. */
    begin() {
      known = before = after = among = 0;
      counted.clear();
    },
    /** A page: its keys in order, and which records a commit inserted and changed. */
    page(keys: readonly string[], inserted: Iterable<string>, changed: Iterable<string>): void {
      if (isOverflowed) return;
      for (const key of inserted) fresh.add(key);
      for (const key of changed) moved.add(key);
      if (fresh.size + moved.size > maxObserved) giveUp();
      if (isOverflowed) return;
      for (const key of keys) {
        if (!fresh.has(key)) {
          if (moved.has(key)) continue;
          known += 1;
          among += after;
          after = 0;
        } else if (!counted.has(key)) {
          counted.add(key);
          if (known === 0) before += 1;
          else after += 1;
        }
      }
    },
    /** Null without a new record, or without a known one to compare it with. */
    observation(): GrowthObservation | null {
      const records = before + after + among;
      if (isOverflowed || fresh.size === freshBefore || records === 0 || known === 0) return null;
      if (before === records) return { end: 'head', records };
      if (after === records) return { end: 'tail', records };
      return { end: 'among', records };
    },
  };
}

const growthFact = 'transactions_grow_at';
/** So many new records at one end are not a coincidence. */
const enoughRecords = 3;

/** The growing end; null while it is unknown. */
export function growingEnd({ known }: FactKeeper): GrowingEnd | null {
  const value = known.get(growthFact);
  return value === 'head' || value === 'tail' ? value : null;
}

/** Whether too few records have appeared to know the growing end, and none contradicts one. */
export function isGrowingEndUnknown({ known }: FactKeeper): boolean {
  return !known.has(growthFact);
}

/**
 * Learns from an observation. The first end is accepted at once if several records show it. A list that is
 * ordered by groups can show new records at its head for a long time, and then elsewhere: after a
 * contradiction, as on few records, consecutive runs have to agree.
 */
export function learnGrowth(
  run: Pick<OpenRun, 'facts' | 'run'>,
  observation: GrowthObservation | null,
  by: 'a sweep' | 'an increment' = 'a sweep',
): void {
  if (observation === null) return;
  const { end, records } = observation;
  const known = growingEnd(run.facts);
  const stood = end === 'among' ? 'some among known ones' : `all at the ${end}`;
  const evidence = `${by} found ${records} new ${records === 1 ? 'record' : 'records'}, ${stood}`;
  const value = known === null || known === end ? end : 'among';
  const isSure = isGrowingEndUnknown(run.facts) && records >= enoughRecords;
  noteEvidence(run, { fact: growthFact, value, evidence }, isSure);
}

const fact = 'transactions_end_read_at';

/**
 * When the growing end was last read without a gap, ISO 8601; null before the first. An increment may stop at
 * a record that has not changed since then: everything beyond it is known. A record that a later run
 * committed proves nothing: that run may have been stopped, or have read the record by its status or its id.
 */
export function lastReading(facts: FactKeeper): string | null {
  return facts.known.get(fact) ?? null;
}

/** @param at when the request began that showed the end of the list; at the head, an increment's first one */
export function learnReading(facts: FactKeeper, at: Instant, by: 'an increment' | 'a sweep'): void {
  const value = instantToIso(at);
  // Of two parallel jobs the later reading counts.
  if (value <= (lastReading(facts) ?? '')) return;
  facts.learn({ fact, value, evidence: `${by} read the growing end of the list without a gap` });
}

const lengthFact = 'transactions_length';

/** The length of the list when a sweep last read it whole, unreadable records included; null before that. */
export function lastLength(facts: FactKeeper): number | null {
  const value = facts.known.get(lengthFact);
  return value === undefined ? null : Number(value);
}

export function learnLength(facts: FactKeeper, length: number): void {
  facts.learn({ fact: lengthFact, value: String(length), evidence: 'a sweep read the list from end to end' });
}
