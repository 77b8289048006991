// Whether another clock agrees with this machine's, within the time between a request and its answer.
import { type Finding, note, ok } from './finding.ts';

/** A greater difference is worth a note. */
const toleranceMs = 5_000;

export interface ClockReading {
  /** What the other clock showed at some moment between the request and its answer. */
  readonly shown: number;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/** @param reason another possible reason for a difference */
export function compareClocks(
  subject: string,
  { shown, askedAt, answeredAt }: ClockReading,
  fix: string,
  reason = '',
): Finding {
  const difference = shown < askedAt ? shown - askedAt : Math.max(0, shown - answeredAt);
  if (Math.abs(difference) <= toleranceMs) return ok(subject, 'agrees with this machine');
  const seconds = Math.round(Math.abs(difference) / 1000);
  const side = difference < 0 ? 'behind' : 'ahead of';
  return note(subject, `${seconds} s ${side} this machine${reason}`, fix);
}
