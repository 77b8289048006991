// When the growing end of the list was last read without a gap. An increment may stop at a record that has
// not changed since then: everything beyond it is known. A record that a later run committed proves nothing,
// because that run may have been stopped, or may have read the record by its status or its id.
import { type Instant, instantToIso } from '../../domain/instant.ts';
import type { FactKeeper } from '../run/fact-keeper.ts';
import type { OpenRun } from '../run/run-job.ts';

type Timed = Pick<OpenRun, 'facts' | 'clock'>;

const fact = 'transactions_end_read_at';

/** ISO 8601; null before the first. A time in the future is ignored: the clock was set back since. */
export function lastReading({ facts, clock }: Timed): string | null {
  const value = facts.known.get(fact) ?? null;
  return value !== null && value > instantToIso(clock.now()) ? null : value;
}

/** @param at when an increment's first request began, or the one that showed a sweep the end of the list */
export function learnReading(timed: Timed, at: Instant, by: 'an increment' | 'a sweep'): void {
  const value = instantToIso(at);
  // Of two jobs side by side the later reading counts.
  if (value <= (lastReading(timed) ?? '')) return;
  timed.facts.learn({ fact, value, evidence: `${by} read the growing end of the list without a gap` });
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
