// When the growing end of the list was last read without a gap. Only a record that has not changed in the mirror since
// then shows that what stands beyond it is known: one that a run took in later may stand before others that no run has
// met, because that run was stopped, or because it read the record by its status or its id and not from the growing end.
import { type Instant, instantToIso } from '../domain/instant.ts';
import type { FactKeeper } from './facts.ts';

const fact = 'transactions_end_read_at';

/** ISO 8601; null before the first whole reading. */
export function lastReading(facts: FactKeeper): string | null {
  return facts.known.get(fact) ?? null;
}

/** @param at when the first request of an increment began, or the last request that showed a sweep its end */
export function learnReading(facts: FactKeeper, at: Instant, by: 'an increment' | 'a sweep'): void {
  const value = instantToIso(at);
  // Of two jobs side by side the later reading counts, whichever ends first.
  if (value <= (lastReading(facts) ?? '')) return;
  facts.learn({ fact, value, evidence: `${by} read the growing end of the list without a gap` });
}
