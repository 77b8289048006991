// At which end of the list new records appear: learned from where sweeps meet them, and unlearned when a sweep meets
// one elsewhere. interface.md 4.1 documents no order.

import type { FactKeeper } from './facts.ts';
import type { GrowingEnd } from './walk/growing-end.ts';

/** Where the new records of one sweep stood: all before the known ones, all after them, or among them. */
export type GrowthSighting = { readonly end: GrowingEnd | 'among'; readonly records: number };

export interface GrowthObserver {
  /** The walk began at the head of the list, or began there again. */
  begin(): void;
  /** Takes the keys of a page in order, with those that were new to the mirror and those that had changed. */
  page(keys: readonly string[], inserted: Iterable<string>, changed: Iterable<string>): void;
  /** Null when nothing can be told: no new record, or none that was known. */
  sighting(): GrowthSighting | null;
}

/** More new records than this tell nothing more, and are not kept in mind. */
const maxNew = 20_000;

export function createGrowthObserver(): GrowthObserver {
  const fresh = new Set<string>();
  /** Changed records may have moved with their change: where they stand tells nothing. */
  const moved = new Set<string>();
  let known = 0;
  let before = 0;
  let after = 0;
  let among = 0;
  let overflown = false;
  const counted = new Set<string>();

  return {
    begin() {
      known = before = after = among = 0;
      counted.clear();
    },
    page(keys, inserted, changed) {
      for (const key of inserted) fresh.add(key);
      for (const key of changed) moved.add(key);
      if (fresh.size > maxNew) overflown = true;
      if (overflown) return;
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
    sighting() {
      const records = before + after + among;
      if (overflown || records === 0 || known === 0) return null;
      if (before === records) return { end: 'head', records };
      if (after === records) return { end: 'tail', records };
      return { end: 'among', records };
    },
  };
}

const growthFact = 'transactions_grow_at';
const enoughRecords = 3;

/** The end that is known, or null while none is. */
export function growingEnd(facts: FactKeeper): GrowingEnd | null {
  const value = facts.known.get(growthFact);
  return value === 'head' || value === 'tail' ? value : null;
}

/** Nothing is known that speaks against an end, nor enough for one: no record has appeared, or a single one. */
export function isGrowthOpen(facts: FactKeeper): boolean {
  const value = facts.known.get(growthFact);
  return value === undefined || value.startsWith('perhaps');
}

/** What is known after a sighting: believed at once when it rests on several records, else when it is seen twice. */
export function learnGrowth(
  facts: FactKeeper,
  sighting: GrowthSighting | null,
  by: 'a sweep' | 'an increment' = 'a sweep',
): void {
  if (sighting === null) return;
  const { end, records } = sighting;
  const before = facts.known.get(growthFact);
  if (end === before) return;
  const stood = end === 'among' ? 'among known ones' : `at the ${end}`;
  const evidence = `${by} met ${records} new ${records === 1 ? 'record' : 'records'}, all ${stood}`;
  const contradicts = before === 'head' || before === 'tail' || before === 'among';
  const believed =
    end === 'among' || before === `perhaps ${end}` || (records >= enoughRecords && !contradicts);
  facts.learn({
    fact: growthFact,
    value: believed ? end : `perhaps ${end}`,
    evidence: end === 'among' ? evidence.replace(', all', ', some') : evidence,
  });
}

/** Takes back that the list grows at one end alone: records appeared elsewhere, and were met by other means. */
export function contradictGrowth(facts: FactKeeper, evidence: string): void {
  facts.learn({ fact: growthFact, value: 'among', evidence });
}
