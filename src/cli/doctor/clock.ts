// Whether another clock agrees with this machine's, as far as a question and its answer can tell.
import type { Finding } from './finding.ts';

/** Beyond this, times of the two cannot be read side by side. */
const toleranceMs = 5_000;

export interface ClockReading {
  /** What the other clock showed, at some moment between the question and the answer. */
  readonly shown: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** @param reason another reason for a difference, appended to it */
export function compareClocks(
  subject: string,
  { shown, askedAt, answeredAt }: ClockReading,
  mend: string,
  reason = '',
): Finding {
  const difference = shown < askedAt ? shown - askedAt : Math.max(0, shown - answeredAt);
  if (Math.abs(difference) <= toleranceMs)
    return { verdict: 'ok', subject, result: 'agrees with this machine' };
  const seconds = Math.round(Math.abs(difference) / 1000);
  const side = difference < 0 ? 'behind' : 'ahead of';
  return { verdict: 'note', subject, result: `${seconds} s ${side} this machine${reason}`, mend };
}
