// Measures rounds with one number of transactions. Each round measures a first sweep, a second sweep of the
// unchanged list, and the floor, close together in time, so that other load on the machine affects all three.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedPostgres } from '../packages/demo/src/embedded-postgres/server.ts';
import { dropDatabase, freshDatabase } from './databases.ts';
import { type FloorInput, measureFloor, writeFloorInput } from './floor.ts';
import { type HelperProcess, startMirror, startSandbox } from './helper-process.ts';
import { type MachineUse, measureUse } from './machine-use.ts';
import {
  type MirrorReport,
  mirrorReady,
  mirrorReport,
  type SandboxStarted,
  sandboxStarted,
  sandboxUsed,
} from './messages.ts';
import type { BenchOptions } from './options.ts';

export interface Sweep extends MirrorReport, MachineUse {
  readonly sandboxCpuSeconds: number;
}

export interface Floor extends MachineUse {
  readonly seconds: number;
}

export interface Round {
  readonly floor: Floor;
  readonly first: Sweep;
  readonly again: Sweep;
}

interface Bench {
  readonly postgres: EmbeddedPostgres;
  readonly options: BenchOptions;
  readonly transactions: number;
  readonly sandbox: HelperProcess;
  readonly service: SandboxStarted;
  readonly input: FloorInput;
}

/** Measures all rounds of one size, and removes their files and databases. */
export async function measureSize(
  postgres: EmbeddedPostgres,
  options: BenchOptions,
  transactions: number,
  directory: string,
  onRound: (round: Round, number: number) => void,
): Promise<readonly Round[]> {
  const input = { directory: join(directory, 'floor'), format: options.floorFormat };
  mkdirSync(input.directory, { recursive: true });
  const sandbox = startSandbox(transactions);
  try {
    const service = await sandbox.receive(sandboxStarted);
    const bench = { postgres, options, transactions, sandbox, service, input };
    const rounds: Round[] = [];
    for (let number = 1; number <= options.rounds; number += 1) {
      const round = await measureRound(bench, number);
      rounds.push(round);
      onRound(round, number);
    }
    return rounds;
  } finally {
    await sandbox.stop();
    rmSync(input.directory, { recursive: true, force: true });
  }
}

async function measureRound(bench: Bench, number: number): Promise<Round> {
  // The first floor needs the rows of a sweep. After that, floor and sweep take turns in going first.
  const floorFirst = number % 2 === 0 ? await floorOf(bench) : null;
  const url = await freshDatabase(bench.postgres, 'bench_sweep');
  const first = await sweep(bench, url);
  check(first, { inserted: bench.transactions });
  const again = await sweep(bench, url);
  check(again, { inserted: 0 });
  if (number === 1) await writeFloorInput(url, bench.input);
  await dropDatabase(bench.postgres, 'bench_sweep');
  return { first, again, floor: floorFirst ?? (await floorOf(bench)) };
}

async function floorOf({ postgres, input, transactions }: Bench): Promise<Floor> {
  const url = await freshDatabase(postgres, 'bench_floor');
  const { value: seconds, use } = await measureUse(postgres, () => measureFloor(url, input, transactions));
  await dropDatabase(postgres, 'bench_floor');
  return { seconds, ...use };
}

async function sweep({ postgres, options, sandbox, service }: Bench, url: string): Promise<Sweep> {
  const profiling = options.profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  // Half of the container's memory is what Node.js takes as the limit of its heap.
  const memory = options.container ? ['--max-semi-space-size=8', '--max-old-space-size=256'] : [];
  const nodeOptions = ['--enable-source-maps', ...memory, ...profiling];
  const mirror = startMirror(url, service, options, { nodeOptions });
  try {
    await mirror.receive(mirrorReady);
    const sandboxBefore = await cpuOf(sandbox);
    const { value: report, use } = await measureUse(postgres, async () => {
      mirror.send('begin');
      return await mirror.receive(mirrorReport);
    });
    return { ...report, ...use, sandboxCpuSeconds: (await cpuOf(sandbox)) - sandboxBefore };
  } finally {
    await mirror.stop();
  }
}

async function cpuOf(sandbox: HelperProcess): Promise<number> {
  sandbox.send('tell');
  return (await sandbox.receive(sandboxUsed)).cpuSeconds;
}

/** Refuses a sweep with an unexpected result. */
function check(swept: Sweep, expected: { readonly inserted: number }): void {
  const { fault, verified, inserted, changed } = swept;
  if (fault !== null || !verified || inserted !== expected.inserted || changed !== 0)
    throw new Error(
      `the sweep had an unexpected result: ${JSON.stringify({ fault, verified, inserted, changed })}`,
    );
}
