// Draws age and status of the transactions that a world begins with: most are settled, some of the latest are
// open, a few are stuck. Invariant: each is drawn just before it is made, so that the seed decides all of
// them.
import type { Random } from '../values/random.ts';
import { hashUnit } from '../values/random.ts';
import { openStatuses, statusNumbers } from './statuses.ts';

interface HistoryOptions {
  readonly seed: number;
  /** How many transactions. */
  readonly transactions: number;
  /** When history ends, milliseconds since the epoch. */
  readonly now: number;
}

/** Status and age of a transaction; the oldest is drawn first. */
export interface Past {
  readonly status: number;
  readonly createdAt: number;
}

export function* drawHistory(random: Random, { seed, transactions, now }: HistoryOptions): Generator<Past> {
  const recent = Math.min(Math.ceil(transactions * 0.03), 150);
  const stuckRate = transactions === 0 ? 0 : Math.min(0.004, 40 / transactions);
  const span = Math.min(3 * 365, 30 + transactions / 40) * 86_400_000;
  for (let i = 0; i < transactions; i += 1) {
    const age = (transactions - i - hashUnit(seed, i, 5)) / transactions;
    const open = i >= transactions - recent ? random.chance(0.7) : random.chance(stuckRate);
    const status = open ? random.pick(openStatuses) : drawOutcome(random);
    yield { status, createdAt: Math.floor(now - 1000 - age * span) };
  }
}

function drawOutcome(random: Random): number {
  const point = random.next();
  if (point < 0.9) return statusNumbers.completed;
  if (point < 0.93) return statusNumbers.rejected;
  return point < 0.96 ? statusNumbers.cancelled : statusNumbers.failed;
}
