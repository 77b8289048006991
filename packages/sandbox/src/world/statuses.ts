// Statuses as numbers, as the columns keep them, and what a transaction shows in each status.
import { statuses } from './records.ts';

/** The place of each status in `statuses`. */
export const statusNumbers = {
  pending: statuses.indexOf('pending'),
  processing: statuses.indexOf('processing'),
  confirming: statuses.indexOf('confirming'),
  completed: statuses.indexOf('completed'),
  rejected: statuses.indexOf('rejected'),
  cancelled: statuses.indexOf('cancelled'),
  failed: statuses.indexOf('failed'),
} as const;

const { processing, confirming, completed, failed } = statusNumbers;

/** Statuses that a transaction can still leave. */
export const openStatuses: readonly number[] = [statusNumbers.pending, processing, confirming];

const withFee: readonly number[] = [processing, confirming, completed, failed];
const withHash: readonly number[] = [confirming, completed, failed];

/** True where the fee is known: from processing on, unless nothing was sent. */
export function showsFee(status: number): boolean {
  return withFee.includes(status);
}

/** True where the hash and its link are known: after the broadcast. */
export function showsHash(status: number): boolean {
  return withHash.includes(status);
}
