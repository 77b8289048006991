// Whether a schedule came due between two moments: what was due while no process ran begins at the start.
import { parse } from 'node-cron';

/** A cron expression and its test. */
export interface Schedule {
  readonly expression: string;
  match(date: Date): boolean;
}

const minuteMs = 60_000;
/** How far back a missed time is looked for. */
const maxMinutesBack = 40 * 24 * 60;

/** @param since when the job last ran; null when it never did, which always makes it due */
export function isDue(schedule: Schedule, since: Date | null, now: Date): boolean {
  if (since === null) return true;
  const seconds = parse(schedule.expression).second;
  const thisMinute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  for (let back = 0; back < maxMinutesBack; back += 1) {
    const minute = thisMinute - back * minuteMs;
    if (minute + minuteMs <= since.getTime()) return false;
    for (const second of seconds) {
      const time = minute + second * 1000;
      if (time > since.getTime() && time <= now.getTime() && schedule.match(new Date(time))) return true;
    }
  }
  return false;
}
