// `npm run bench:fleet`: many accounts, each with a process of `run` and a service of its own, on one
// PostgreSQL: what they use, what happens when processes, the database or the version change, and how many
// requests processes of `serve` answer. Docs/scaling.md has its figures.
//
//   npm run bench:fleet -- --accounts 100
//   npm run bench:fleet -- --accounts 60 --at-once 60 --connections 100   all at once, too few connections
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { sleep } from '../src/base/loop.ts';
import { startDaemon, stopDaemons } from './daemon.ts';
import { freshDatabase, inBenchDirectory } from './databases.ts';
import { createMembers, type Fleet, type Members } from './fleet-members.ts';
import { type FleetOptions, parseFleetOptions } from './fleet-options.ts';
import { ask, noteWriters, serverTime, untilFresh } from './fleet-questions.ts';
import { measureServe } from './fleet-serve.ts';
import { startFleetServer } from './fleet-server.ts';
import { compare, killSome, restartDatabase, startInWaves, upgrade } from './fleet-troubles.ts';
import { connectionFigures, type Figures, seconds, usedOf, watchConnections, watchUse } from './fleet-use.ts';
import { startHelper } from './helper-process.ts';
import { fleetStarted } from './messages.ts';
import { processorMs } from './process-use.ts';
import { runBench } from './refuse.ts';
import { machineText } from './report.ts';

/** After their first runs the processes return memory, and the ticks of the balances have passed once. */
const settlingMs = 60_000;
const database = 'bench_fleet';

async function bench(options: FleetOptions): Promise<void> {
  if (process.platform !== 'linux')
    throw new RangeError('bench:fleet reads /proc, which this system does not have: run it on Linux');
  const { accounts, atOnce, connections, transactions } = options;
  await inBenchDirectory('bench-fleet', async (directory, signal) => {
    const server = await startFleetServer(directory, connections, signal);
    const sandboxes = startHelper({
      file: './fleet-sandboxes.js',
      env: { BENCH_ACCOUNTS: String(accounts), BENCH_TRANSACTIONS: String(transactions) },
    });
    let members: Members | null = null;
    try {
      const url = await freshDatabase(server.primary, database);
      members = createMembers(url, await sandboxes.receive(fleetStarted), directory);
      await tellMachine(url, options);
      await measure(
        { accounts, atOnce, database, url, server, members, sandboxes, directory, signal },
        options,
      );
    } finally {
      await members?.stop();
      await sandboxes.stop();
      await server.stop();
    }
  });
}

async function measure(fleet: Fleet, options: FleetOptions): Promise<void> {
  const { members, sandboxes, url, signal } = fleet;
  tell(['cold start'], [await coldStart(fleet)]);
  await sleep(settlingMs, signal);
  const quiet = await watchUse(fleet, options.minutes);
  await usedOf(sandboxes, 'move');
  tell(['quiet', 'two new transactions a minute each'], [quiet, await watchUse(fleet, options.minutes)]);
  await noteWriters(url);
  tell(['a tenth killed'], [await killSome(fleet)]);
  tell(['database restarted'], [await restartDatabase(fleet)]);
  tell(['upgrade with a migration'], [await upgrade(fleet)]);
  tell(['at the end'], [await compare(fleet)]);
  await members.stop();
  await measureServe(fleet, options.seconds * 1000);
}

/** From nothing until all are fresh, after the floor: as many processes that only tell their version. */
async function coldStart(fleet: Fleet): Promise<Figures> {
  const { accounts, atOnce, url, members, sandboxes, signal } = fleet;
  const flooredAt = performance.now();
  const floor: ChildProcess[] = Array.from({ length: accounts }, () =>
    startDaemon({}, { command: '--version', stdio: 'ignore' }),
  );
  try {
    await Promise.all(floor.map((child) => once(child, 'exit')));
  } finally {
    await stopDaemons(floor);
  }
  const floorSeconds = (performance.now() - flooredAt) / 1000;
  let started = 0;
  const { value, connections } = await watchConnections(url, async () => {
    const since = await serverTime(url);
    const startedAt = performance.now();
    await startInWaves(fleet);
    started = (performance.now() - startedAt) / 1000;
    return await untilFresh(url, accounts, since, signal, members.tend);
  });
  const { half, all } = value;
  const { requests, peak } = await usedOf(sandboxes);
  const used = members.running.reduce((sum, { pid }) => sum + processorMs(pid), 0) / 1000;
  return new Map([
    ['half; all fresh after', `${seconds(half)}; ${seconds(all)}`],
    [`all started, ${atOnce} at a time, after`, seconds(started)],
    ['processor of a process until then', seconds(used / accounts)],
    ['floor: as many processes that tell their version', seconds(floorSeconds)],
    ['requests; within a second at the most', `${requests}; ${peak}`],
    ...connectionFigures(connections),
    ['processes that ended by themselves', String(members.tend())],
  ]);
}

async function tellMachine(url: string, { accounts, transactions }: FleetOptions): Promise<void> {
  const rows = await ask<{ name: string; value: string }>(
    url,
    `select name, current_setting(name) as value from pg_settings
     where name in ('max_connections', 'shared_buffers', 'server_version')`,
  );
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  console.log(machineText(settings.get('server_version') ?? '', settings));
  console.log(`commit    ${commit}, ${new Date().toISOString().slice(0, 10)}`);
  console.log(`accounts  ${accounts} with ${transactions} transactions each`);
}

function tell(names: readonly string[], columns: readonly Figures[]): void {
  console.log(`\n| | ${names.join(' | ')} |\n|---|${names.map(() => '--:|').join('')}`);
  for (const name of columns[0]?.keys() ?? [])
    console.log(`| ${name} | ${columns.map((figures) => figures.get(name) ?? '').join(' | ')} |`);
}

await runBench((args) => bench(parseFleetOptions(args)));
