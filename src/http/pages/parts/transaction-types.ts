// The types of transactions in words, the same on all pages.
import { onOneLine } from '../../../domain/words.ts';

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
