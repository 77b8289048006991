// Transactions in words: what they are, which way they go, and their status.

import { lengthInWords, onOneLine } from '../../../../src/domain/words.ts';
import type { Transaction } from '../api/interface.ts';
import { typeInWords } from '../parts/transaction-types.ts';
import { exactText } from '../view/numbers.ts';

const directions = new Map([
  ['in', 'comes in'],
  ['out', 'goes out'],
  ['internal', 'stays within the account'],
  ['staking', 'staking'],
]);

export function directionInWords(direction: string | null): string {
  return directions.get(direction ?? '') ?? 'direction unknown';
}

/** The documented statuses, in the order in which a transaction passes them. */
export const statuses = [
  ...['pending', 'processing', 'confirming'],
  ...['completed', 'rejected', 'cancelled', 'failed'],
];

/** What the service waits for in an open status. */
export function waitInWords(status: string): string {
  if (status === 'pending') return 'It is waiting for approval or for the custody service to pick it up.';
  if (status === 'processing')
    return 'The custody service is processing it; it has not reported it on the blockchain yet.';
  if (status === 'confirming') return 'It was sent to the blockchain and is waiting for confirmations.';
  return 'The service reports an undocumented status; it counts as open.';
}

/** `Withdrawal of 1,250.5 USDT`. */
export function titleOf(row: Pick<Transaction, 'transaction_type' | 'amount' | 'asset_id'>): string {
  const asset = onOneLine(row.asset_id ?? '').slice(0, 40);
  const amount = row.amount === null ? 'an unknown amount' : exactText(row.amount);
  return `${typeInWords(row.transaction_type)} of ${`${amount} ${asset}`.trim()}`;
}

/** The time between two moments in words; null where one is unknown. */
export function between(from: string | null, to: string | null): string | null {
  if (from === null || to === null) return null;
  return lengthInWords(Date.parse(to) - Date.parse(from));
}
