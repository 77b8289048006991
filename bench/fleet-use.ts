// What many accounts use: processor and memory of their processes, the server's connections and writes, and
// requests at the services.
import { sleep } from '../src/base/loop.ts';
import type { Fleet } from './fleet-members.ts';
import { ask } from './fleet-questions.ts';
import type { HelperProcess } from './helper-process.ts';
import { measureUse, processesOfServer } from './machine-use.ts';
import { fleetSandboxesUsed } from './messages.ts';
import { memory, memoryIfRunning, processorMs } from './process-use.ts';

/** Names of figures, and their texts. */
export type Figures = ReadonlyMap<string, string>;

export interface Connections {
  readonly most: number;
  readonly mostOfOne: number;
  /** At work in the same moment: on the average, and at the most. */
  readonly busy: number;
  readonly mostBusy: number;
  /** The most that waited for a lock of another. */
  readonly mostWaiting: number;
}

/** Looks at the connections of the accounts twice a second while the work is done. */
export async function watchConnections<Value>(
  url: string,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly connections: Connections }> {
  const stop = new AbortController();
  const seen: Sample[] = [];
  const watch = async () => {
    while (!stop.signal.aborted) {
      // While the server is away there is nothing to count.
      seen.push(...(await ask<Sample>(url, connectionsNow).catch(() => [])));
      await sleep(500, stop.signal).catch(() => undefined);
    }
  };
  const watching = watch();
  const endWatch = async () => {
    stop.abort();
    await watching;
  };
  const value = await endedAfter(work, endWatch);
  const most = (name: keyof Sample) => Math.max(...seen.map((one) => one[name]));
  const connections = {
    most: most('all'),
    mostOfOne: most('one'),
    busy: seen.reduce((sum, { busy }) => sum + busy, 0) / seen.length,
    mostBusy: most('busy'),
    mostWaiting: most('waiting'),
  };
  return { value, connections };
}

async function endedAfter<Value>(work: () => Promise<Value>, end: () => Promise<void>): Promise<Value> {
  try {
    return await work();
  } finally {
    await end();
  }
}

type Sample = Readonly<Record<'all' | 'one' | 'busy' | 'waiting', number>>;

const connectionsNow = `
  select coalesce(sum(n), 0)::int as all, coalesce(max(n), 0)::int as one,
    coalesce(sum(busy), 0)::int as busy, coalesce(sum(waiting), 0)::int as waiting
  from (select count(*) as n, count(*) filter (where state <> 'idle') as busy,
      count(*) filter (where wait_event_type = 'Lock') as waiting
    from pg_stat_activity where application_name like 'fleet-%' group by application_name) a`;

/** Watches for so many minutes what all use while nothing disturbs them. */
export async function watchUse(fleet: Fleet, minutes: number): Promise<Figures> {
  const { url, server, members, sandboxes, signal } = fleet;
  const restarts = members.tend();
  const pids = members.running.map(({ pid }) => pid);
  const cpu = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0) / 1000;
  const writesBefore = await writes(url);
  await usedOf(sandboxes);
  const watched = await watchConnections(url, () =>
    measureUse(server.primary, async () => {
      const before = cpu();
      await sleep(minutes * 60_000, signal);
      if (members.tend() > restarts) throw new Error('a process ended meanwhile: see above');
      return cpu() - before;
    }),
  );
  const { value: cpuSeconds, use } = watched.value;
  const asked = await usedOf(sandboxes);
  const written = await writes(url);
  const share = (seconds: number) => `${((100 * seconds) / (minutes * 60)).toFixed(1)} % of a core`;
  const aMinute = (name: keyof Writes) => whole((written[name] - writesBefore[name]) / minutes);
  return new Map([
    ['processor of the processes', share(cpuSeconds)],
    ['each', `${((100 * cpuSeconds) / (minutes * 60) / pids.length).toFixed(2)} %`],
    ['processor of PostgreSQL', share(use.serverCpuSeconds ?? Number.NaN)],
    ['processor of everything on the machine', share(use.machineCpuSeconds ?? Number.NaN)],
    ['requests a minute at the services', whole(asked.requests / minutes)],
    ['the most within a second', whole(asked.peak)],
    ...memoryOf(pids, server.primary.pid),
    ...connectionFigures(watched.connections),
    ['write-ahead log a minute', `${(use.walBytes / minutes / 1024).toFixed(0)} KiB`],
    ['transaction numbers a minute', aMinute('xids')],
    ['commits a minute', aMinute('commits')],
    ['rows inserted; updated a minute', `${aMinute('inserted')}; ${aMinute('updated')}`],
    ['vacuums by autovacuum', whole(written.vacuums - writesBefore.vacuums)],
  ]);
}

/** What was used at the services since they were asked before, after this message. */
export async function usedOf(sandboxes: HelperProcess, message: 'tell' | 'move' | 'stand' = 'tell') {
  sandboxes.send(message);
  return await sandboxes.receive(fleetSandboxesUsed);
}

export function connectionFigures(connections: Connections): [string, string][] {
  const { most, mostOfOne, busy, mostBusy, mostWaiting } = connections;
  return [
    ['connections at the most; of one process', `${most}; ${mostOfOne}`],
    ['at work at once: average; most', `${busy.toFixed(1)}; ${mostBusy}`],
    ['waiting for a lock at the most', whole(mostWaiting)],
  ];
}

function memoryOf(pids: readonly number[], postmaster: number): [string, string][] {
  const shares = pids.map((pid) => memory(pid).shareMiB);
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  // A worker of autovacuum may end meanwhile.
  const ofServer = [postmaster, ...processesOfServer(postmaster)].flatMap(
    (pid) => memoryIfRunning(pid)?.shareMiB ?? [],
  );
  return [
    [
      'memory of the processes (PSS): all; mean',
      `${mebibytes(sum(shares))}; ${mebibytes(sum(shares) / pids.length)}`,
    ],
    ['the largest', mebibytes(Math.max(...shares))],
    ['memory of PostgreSQL (PSS); its processes', `${mebibytes(sum(ofServer))}; ${ofServer.length}`],
  ];
}

type Writes = Readonly<Record<'xids' | 'commits' | 'inserted' | 'updated' | 'vacuums', number>>;

async function writes(url: string): Promise<Writes> {
  const [row] = await ask<Writes>(
    url,
    `select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as xids,
       (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
       sum(n_tup_ins)::float8 as inserted, sum(n_tup_upd)::float8 as updated,
       sum(autovacuum_count)::float8 as vacuums from pg_stat_user_tables`,
  );
  if (row === undefined) throw new Error('the server has no statistics');
  return row;
}

const mebibytes = (value: number) => `${value.toFixed(0)} MiB`;
const whole = (value: number) => value.toFixed(0);
export const seconds = (value: number) => `${value.toFixed(1)} s`;
