// Readers of many accounts: one, two and four processes of `serve`, on the server that is written and on its
// replica, asked by as many as answer without pause. /healthz shows what asking itself allows.
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { sleep } from '../src/base/loop.ts';
import { settingsOfImage, startDaemon, stopDaemons } from './daemon.ts';
import { accountOf, type Fleet } from './fleet-members.ts';
import { ask } from './fleet-questions.ts';
import { cpuOfServer } from './machine-use.ts';
import { percentile } from './percentile.ts';
import { processorMs } from './process-use.ts';
import { read } from './read.ts';

const readers = 16;
const warmingMs = 2_000;
const asked = [
  ['overview page', (account: string) => `/?account=${account}`],
  ['API, 100 transactions', (account: string) => `/api/v1/transactions?limit=100&account=${account}`],
  ['floor: /healthz', () => '/healthz'],
] as const;

interface Server {
  readonly pid: number;
  url(database: string): string;
}

/** Prints a row for each load. */
export async function measureServe(fleet: Fleet, ms: number): Promise<void> {
  const replica = await fleet.server.addReplica();
  await untilFollowing(fleet);
  console.log(
    '\n| `serve` | on | asked | requests/s | p50; p95 ms | ms of processor, each: serve; PostgreSQL |\n|--:|---|---|--:|--:|--:|',
  );
  for (const [where, server] of [
    ['primary', fleet.server.primary],
    ['replica', replica],
  ] as const)
    for (const processes of [1, 2, 4]) await measureProcesses(fleet, { where, server, processes, ms });
}

interface Load {
  readonly where: string;
  readonly server: Server;
  readonly processes: number;
  readonly ms: number;
}

async function measureProcesses(fleet: Fleet, { where, server, processes, ms }: Load): Promise<void> {
  const children: ChildProcess[] = [];
  try {
    const bases: string[] = [];
    for (let count = 0; count < processes; count += 1) {
      const child = startServe(server.url(fleet.database), fleet.members.file);
      children.push(child);
      bases.push(await addressOf(child));
    }
    const used = () => ({
      serve: children.reduce((sum, { pid }) => sum + processorMs(pid), 0),
      server: 1000 * (cpuOfServer(server.pid) ?? Number.NaN),
    });
    for (const [what, path] of asked) {
      const pathOf = (number: number) => path(accountOf(number % fleet.accounts));
      await load(bases, pathOf, warmingMs, fleet.signal);
      const before = used();
      const times = await load(bases, pathOf, ms, fleet.signal);
      const after = used();
      const each = [after.serve - before.serve, after.server - before.server].map((all) =>
        (all / times.length).toFixed(1),
      );
      const [p50, p95] = [50, 95].map((percent) => percentile(times, percent).toFixed(0));
      console.log(
        `| ${processes} | ${where} | ${what} | ${((1000 * times.length) / ms).toFixed(0)} | ${p50}; ${p95} | ${each.join('; ')} |`,
      );
    }
  } finally {
    await stopDaemons(children);
  }
}

function startServe(url: string, file: string): ChildProcess {
  const settings = { NODE_ENV: 'production', ...settingsOfImage(), HTTP_RATE_LIMIT: 'off' };
  return startDaemon(
    { ...settings, DATABASE_URL: url },
    { command: 'serve', file, stdio: ['ignore', 'inherit', 'pipe'] },
  );
}

/** From its log, which is read to the end. */
async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('serve has no log');
  let last = '';
  for await (const line of createInterface({ input: child.stderr })) {
    last = line;
    const [, url] = /"url":"(http:[^"]+)"[^\n]*"msg":"serving started"/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return url;
  }
  throw new Error(`serve ended: ${last}`);
}

/** Each reader asks again when it has its answer. @returns the time of each request, in milliseconds */
async function load(
  bases: readonly string[],
  path: (number: number) => string,
  ms: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const until = performance.now() + ms;
  const times: number[] = [];
  const readOn = async (reader: number) => {
    for (let number = reader; performance.now() < until; number += readers) {
      signal.throwIfAborted();
      const beganAt = performance.now();
      await read(`${bases[reader % bases.length]}${path(number)}`);
      times.push(performance.now() - beganAt);
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, reader) => readOn(reader)));
  return times;
}

/** Waits until the replica streams what the primary writes. */
async function untilFollowing({ url, signal }: Fleet): Promise<void> {
  for (;;) {
    const [row] = await ask<{ follows: boolean }>(
      url,
      'select coalesce(bool_or(replay_lsn >= pg_current_wal_lsn()), false) as follows from pg_stat_replication',
    );
    if (row?.follows === true) return;
    await sleep(250, signal);
  }
}
