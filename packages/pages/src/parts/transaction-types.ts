// The types and statuses of transactions in words, and how long is too long, the same on all pages.

import { stuckAfterHours } from '../../../../src/domain/transaction.ts';
import { onOneLine } from '../../../../src/domain/words.ts';
import type { Judgement, Tone } from '../api/interface.ts';

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

const tones = new Map<string, Tone>([
  ['completed', 'good'],
  ['rejected', 'bad'],
  ['failed', 'bad'],
  ['cancelled', 'plain'],
]);

/** A status as a badge: open ones, and those that nobody documented, ask for a look. */
export function statusJudgement(status: string): Judgement {
  return { word: onOneLine(status).slice(0, 60), tone: tones.get(status) ?? 'note' };
}

const stuckMs = stuckAfterHours * 3_600_000;

/** Those that are stuck, the oldest first: the filters of their list, to the minute. */
export function stuckOnly(now: string) {
  const since = Math.floor((Date.parse(now) - stuckMs) / 60_000) * 60_000;
  return { is_open: 'true', first_seen_to: new Date(since).toISOString(), sort: 'first_seen_at' };
}

export function isStuck(
  { first_seen_at }: { readonly first_seen_at: string },
  { now }: { readonly now: string },
): boolean {
  return Date.parse(now) - Date.parse(first_seen_at) >= stuckMs;
}
