// `npm run bench -- --economy`: counts the requests of cycles after a history is mirrored; the sandbox counts
// them. The counts do not depend on the load of the machine, so one run is enough. A cycle with an unexpected
// result is an error.
import type { EmbeddedPostgres } from '../packages/demo/src/embedded-postgres/server.ts';
import { type Change, startCycledService } from './cycles.ts';
import { dropDatabase, freshDatabase } from './databases.ts';
import type { BenchOptions } from './options.ts';
import { table } from './report.ts';

/** The most requests of the cycle after a change; null for any number. */
interface Step extends Change {
  readonly bound: number | null;
}

/**
 * Two sweeps with new records between them show at which end the list grows. The later cycles are increments.
 */
const steps: readonly Step[] = [
  { name: 'first sweep', inserted: 0, changed: 0, bound: null },
  { name: 'second sweep, 60 new', inserted: 60, changed: 0, bound: null },
  { name: 'nothing changed', inserted: 0, changed: 0, bound: 6 },
  { name: '100 new, 50 open ones changed', inserted: 100, changed: 50, bound: 20 },
];

export interface Cycle extends Step {
  readonly requests: number;
  readonly records: number;
  readonly seconds: number;
}

/** Mirrors a history and counts the requests of the cycles after it. Removes its database at the end. */
export async function measureEconomy(
  postgres: EmbeddedPostgres,
  options: BenchOptions,
  transactions: number,
): Promise<readonly Cycle[]> {
  const service = await startCycledService(transactions, options);
  try {
    const url = await freshDatabase(postgres, 'bench_economy');
    const cycles: Cycle[] = [];
    for (const [number, step] of steps.entries()) {
      const { requests, records, seconds } = await service.cycle(url, step, { first: number === 0 });
      cycles.push({ ...step, requests, records, seconds });
    }
    await dropDatabase(postgres, 'bench_economy');
    return cycles;
  } finally {
    await service.stop();
  }
}

export function isWithinBounds(cycles: readonly Cycle[]): boolean {
  return cycles.every(({ requests, bound }) => bound === null || requests <= bound);
}

export function economyText(transactions: number, cycles: readonly Cycle[]): string {
  const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const rows = cycles.map(({ name, requests, bound, records, seconds }) => [
    name,
    count.format(requests),
    bound === null ? '' : `${bound}${requests > bound ? ', exceeded' : ''}`,
    count.format(records),
    seconds.toFixed(2),
  ]);
  return [
    `${count.format(transactions)} transactions; requests of one cycle`,
    table([['', 'requests', 'at most', 'records read', 'seconds'], ...rows]),
  ].join('\n');
}
