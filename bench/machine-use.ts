// Measures what the work uses of the machine: write-ahead log, and processor time of the server and of all
// processes, which shows a noisy measurement. Processor times are read from /proc, and null where there is
// none.
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { EmbeddedPostgres } from '../packages/demo/src/embedded-postgres/server.ts';
import { withConnection } from './databases.ts';

/** The use of the machine between two moments. */
export interface MachineUse {
  readonly walBytes: number;
  /** Processor time of all the server's processes. */
  readonly serverCpuSeconds: number | null;
  /** Processor time of this process. */
  readonly benchCpuSeconds: number;
  /** Processor time of every process on the machine. */
  readonly machineCpuSeconds: number | null;
}

/** Measures the work. A checkpoint before it gives each measurement the same start. */
export async function measureUse<Value>(
  postgres: EmbeddedPostgres,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly use: MachineUse }> {
  return await withConnection(postgres.url('postgres'), async (client) => {
    await client.query('checkpoint');
    const walBefore = await walPosition(client);
    const serverBefore = cpuOfServer(postgres.pid);
    const machineBefore = cpuOfMachine();
    const benchBefore = process.cpuUsage();
    const value = await work();
    const { user, system } = process.cpuUsage(benchBefore);
    const machine = cpuOfMachine();
    const server = cpuOfServer(postgres.pid);
    const use = {
      walBytes: Number((await walPosition(client)) - walBefore),
      serverCpuSeconds: serverBefore === null || server === null ? null : server - serverBefore,
      machineCpuSeconds: machineBefore === null || machine === null ? null : machine - machineBefore,
      benchCpuSeconds: (user + system) / 1e6,
    };
    return { value, use };
  });
}

async function walPosition(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

/** Processor seconds of the postmaster, of its running processes, and of those that have ended. */
export function cpuOfServer(postmaster: number): number | null {
  for (;;) {
    const before = readTimes(postmaster);
    if (before === null) return null;
    let ticks = before.own + before.ended;
    for (const pid of processesOfServer(postmaster)) {
      const times = readTimes(pid);
      if (times !== null) ticks += times.own + times.ended;
    }
    // A process that ended meanwhile was counted twice or not at all: count again.
    if (readTimes(postmaster)?.ended === before.ended) return ticks / userHz;
  }
}

/** The processes that the postmaster started and that run. */
export function processesOfServer(postmaster: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => readTimes(pid)?.parent === postmaster);
}

/** Clock ticks per second on Linux. */
const userHz = 100;

/** Clock ticks of one process, from /proc/<pid>/stat; null when there is none. */
function readTimes(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the process may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return { parent: field(4), own: field(14) + field(15), ended: field(16) + field(17) };
  } catch {
    return null;
  }
}

/** Processor time of all processes on all processors. */
function cpuOfMachine(): number | null {
  try {
    const [, user, nice, system, , , irq, softirq] = (
      readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
    ).split(/\s+/);
    return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) / userHz;
  } catch {
    return null;
  }
}
