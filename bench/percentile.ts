// Times of repeated work, and percentiles of them.

/** @returns milliseconds of each round; the rounds that warm up do not count */
export async function timesOf(
  work: () => Promise<unknown>,
  { rounds, warming }: { readonly rounds: number; readonly warming: number },
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = -warming; round < rounds; round += 1) {
    const startedAt = performance.now();
    await work();
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return times;
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
