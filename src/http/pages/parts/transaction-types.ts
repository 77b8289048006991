// The types of transactions in words, and from when on an open one is stuck: the same on all pages.
import { onOneLine } from '../../../domain/words.ts';
import type { View } from '../view/view.ts';

/** The documented types with their words. */
export const typeWords: readonly (readonly [type: string, word: string])[] = [
  ['deposit', 'Deposit'],
  ['withdraw', 'Withdrawal'],
  ['rebalance', 'Internal transfer'],
  ['stake', 'Stake'],
  ['unstake', 'Unstake'],
  ['claim', 'Claim of rewards'],
  ['change pool', 'Change of pool'],
];

const words = new Map(typeWords);

/** Text of the service where the type is not documented. */
export function typeInWords(type: string | null): string {
  if (type === null || type === '') return 'Transaction of unknown type';
  return words.get(type) ?? onOneLine(type).slice(0, 60);
}

/** A transaction that is open for so long needs a person: most settle within hours. */
export const stuckMs = 24 * 3_600_000;

export function isStuck({ first_seen_at }: { readonly first_seen_at: string }, { now }: View): boolean {
  return Date.parse(now) - Date.parse(first_seen_at) >= stuckMs;
}
