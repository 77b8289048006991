// When the growing end of the list was last read without a gap. Only a record that has not changed in the mirror since
// then shows that what stands beyond it is known: one that a run took in later may stand before others that no run has
// met, because that run was stopped, or because it read the record by its status or its id and not from the growing end.
import { type Instant, instantToIso } from '../../domain/instant.ts';
import type { FactKeeper } from '../run/fact-keeper.ts';
import type { OpenRun } from '../run/run-job.ts';

type Timed = Pick<OpenRun, 'facts' | 'clock'>;

const fact = 'transactions_end_read_at';

/**
 * ISO 8601; null before the first whole reading. One that is told to come was timed by a clock that has been set back since:
 * nothing can be compared with it, and it counts as none.
 */
export function lastReading({ facts, clock }: Timed): string | null {
  const value = facts.known.get(fact) ?? null;
  return value !== null && value > instantToIso(clock.now()) ? null : value;
}

/** @param at when the first request of an increment began, or the last request that showed a sweep its end */
export function learnReading(timed: Timed, at: Instant, by: 'an increment' | 'a sweep'): void {
  const value = instantToIso(at);
  // Of two jobs side by side the later reading counts, whichever ends first.
  if (value <= (lastReading(timed) ?? '')) return;
  timed.facts.learn({ fact, value, evidence: `${by} read the growing end of the list without a gap` });
}

const lengthFact = 'transactions_length';

/** How many records the list held when a sweep last read it whole, unreadable ones included; null before the first. */
export function lastLength(facts: FactKeeper): number | null {
  const value = facts.known.get(lengthFact);
  return value === undefined ? null : Number(value);
}

export function learnLength(facts: FactKeeper, length: number): void {
  facts.learn({ fact: lengthFact, value: String(length), evidence: 'a sweep read the list from end to end' });
}
