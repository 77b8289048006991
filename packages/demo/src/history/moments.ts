// When the demo's mirror observed its world: rarely at first, often lately, never while it was cut off.
const minute = 60_000;
const hour = 60 * minute;
export const day = 24 * hour;

/** The service could not be reached between these two. */
const outage = { from: 9.25 * day, to: 8.2 * day };

/** Until how long before the present, and an observation in each so many hours. */
const spans = [
  [30 * day, 24 * hour],
  [8 * day, 8 * hour],
  [2 * day, 4 * hour],
  [2 * hour, 2 * hour],
] as const;

const last = [2 * hour, hour, 30 * minute, 12 * minute, 4 * minute, minute];

/**
 * How long before the present each observation was, the earliest first.
 *
 * @param historyMs how long before the present the history begins
 */
export function observationAges(historyMs: number): readonly number[] {
  const before = spans.flatMap(([to, every], span) => {
    const from = spans[span - 1]?.[0] ?? historyMs;
    return Array.from({ length: Math.round((from - to) / every) }, (_, index) => from - index * every);
  });
  return [...before, ...last];
}

export function isCutOff(behind: number): boolean {
  return behind <= outage.from && behind >= outage.to;
}
