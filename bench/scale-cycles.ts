// Cycles of `bench:scale` against a service. It holds few transactions, because the sandbox keeps its world
// in memory: they are mirrored first, the rest of the mirror is built around them, and the cycles after that
// meet a service that shows no more than its head.
import { type Change, startCycledService } from './cycles.ts';
import { parseBenchOptions } from './options.ts';
import { percentile } from './percentile.ts';
import { benchAccount } from './reporting-size.ts';

export interface ScaleService {
  /** @returns median milliseconds by the name of the cycle */
  measureCycles(rounds: number): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

const transactions = 2_000;
const account = benchAccount;

const measured: readonly Change[] = [
  { name: 'idle cycle, with a service', inserted: 0, changed: 0 },
  { name: 'busy cycle, with a service: 100 new transactions, 50 changed', inserted: 100, changed: 50 },
];

/** Mirrors a service into the empty database, twice: so the mirror learns at which end the list grows. */
export async function mirrorService(url: string): Promise<ScaleService> {
  const service = await startCycledService(transactions, parseBenchOptions([]));
  await service.cycle(url, { name: 'first sweep', inserted: 0, changed: 0 }, { first: true, account });
  await service.cycle(url, { name: 'second sweep', inserted: 60, changed: 0 }, { account });
  return {
    async measureCycles(rounds) {
      const medians = new Map<string, number>();
      for (const change of measured) {
        const taken: number[] = [];
        for (let round = 0; round < rounds; round += 1)
          taken.push((await service.cycle(url, change, { account })).seconds * 1000);
        medians.set(change.name, percentile(taken, 50));
      }
      return medians;
    },
    stop: service.stop,
  };
}
