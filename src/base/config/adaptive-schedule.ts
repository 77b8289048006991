// A schedule that goes by what there is to read instead of by the clock: `adaptive`, or `adaptive 5-60` with the seconds of its
// shortest and longest pause.

/** The pause between the end of one run and the beginning of the next stays within these bounds. */
export interface AdaptiveSchedule {
  readonly shortestMs: number;
  readonly longestMs: number;
}

const form = /^adaptive(?: (\d{1,5})-(\d{1,5}))?$/;
const usual = { shortestMs: 5_000, longestMs: 60_000 };
const longestSeconds = 86_400;

/** @returns null for text that is no adaptive schedule, such as a cron expression */
export function parseAdaptive(text: string): AdaptiveSchedule | null {
  const found = form.exec(text);
  if (found === null) return null;
  const [, shortest, longest] = found;
  if (shortest === undefined || longest === undefined) return usual;
  const bounds = { shortestMs: Number(shortest) * 1000, longestMs: Number(longest) * 1000 };
  const isInOrder = 0 < bounds.shortestMs && bounds.shortestMs <= bounds.longestMs;
  return isInOrder && bounds.longestMs <= longestSeconds * 1000 ? bounds : null;
}

/** What is wrong with text that was meant as an adaptive schedule; null where it was not, or nothing is wrong. */
export function faultOfAdaptive(text: string): string | null {
  if (!/^["']?adaptiv/i.test(text) || parseAdaptive(text) !== null) return null;
  const [, shortest, longest] = form.exec(text) ?? [];
  if (Number(shortest) > Number(longest))
    return `its shortest pause must not be above its longest: adaptive ${Number(longest)}-${Number(shortest)}`;
  return `must be adaptive, or adaptive with its shortest and longest pause in whole seconds from 1 to ${longestSeconds}, such as adaptive 5-60`;
}
