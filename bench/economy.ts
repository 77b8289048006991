// `npm run bench -- --economy`: counts the requests of cycles after a history is mirrored; the sandbox counts them. The counts
// do not depend on the load of the machine, so one run is enough. A cycle with an unexpected result is an error.
import type { EmbeddedPostgres } from '../src/embedded-postgres/server.ts';
import { dropDatabase, freshDatabase } from './databases.ts';
import { type HelperProcess, startHelper, startMirror } from './helper-process.ts';
import {
  type MirrorReport,
  mirrorReady,
  mirrorReport,
  type SandboxStarted,
  sandboxStarted,
  sandboxUsed,
} from './messages.ts';
import type { BenchOptions } from './options.ts';
import { table } from './report.ts';

/** What changes at the service before a cycle, and the most requests of the cycle; null for any number. */
interface Step {
  readonly name: string;
  readonly inserted: number;
  readonly changed: number;
  readonly bound: number | null;
}

/** Two sweeps with new records between them show at which end the list grows. The later cycles are increments. */
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
  const sandbox = startHelper({
    file: './sandbox-process.js',
    env: { BENCH_TRANSACTIONS: String(transactions) },
  });
  try {
    const service = await sandbox.receive(sandboxStarted);
    const url = await freshDatabase(postgres, 'bench_economy');
    const cycles: Cycle[] = [];
    for (const [number, step] of steps.entries()) {
      const before = await requestsOf(sandbox, `change ${step.inserted} ${step.changed}`);
      const report = await cycle(url, service, options);
      const inserted = number === 0 ? transactions : step.inserted;
      check(step, report, inserted);
      const requests = (await requestsOf(sandbox, 'tell')) - before;
      cycles.push({ ...step, requests, records: report.records, seconds: report.seconds });
    }
    await dropDatabase(postgres, 'bench_economy');
    return cycles;
  } finally {
    await sandbox.stop();
  }
}

/** One cycle of a new process, as after a restart. */
async function cycle(url: string, service: SandboxStarted, options: BenchOptions): Promise<MirrorReport> {
  const mirror = startMirror(url, service, options, { env: { BENCH_FULL: 'no' } });
  try {
    await mirror.receive(mirrorReady);
    mirror.send('begin');
    return await mirror.receive(mirrorReport);
  } finally {
    await mirror.stop();
  }
}

async function requestsOf(sandbox: HelperProcess, message: string): Promise<number> {
  sandbox.send(message);
  return (await sandbox.receive(sandboxUsed)).requests;
}

function check(step: Step, { fault, inserted, changed }: MirrorReport, expected: number): void {
  if (fault !== null || inserted !== expected || changed !== step.changed)
    throw new Error(
      `the cycle had an unexpected result (${step.name}): ${JSON.stringify({ fault, inserted, changed })}`,
    );
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
