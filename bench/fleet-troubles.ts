// What happens to many accounts at once: processes killed, the database restarted, an upgrade with a
// migration. After each all must be fresh again; at the end every account must equal its service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { sleep } from '../src/base/loop.ts';
import { accountOf, type Fleet } from './fleet-members.ts';
import {
  brokenHistories,
  freshTimes,
  holders,
  mirroredWorlds,
  serverTime,
  sizes,
  untilFresh,
  writtenRows,
} from './fleet-questions.ts';
import { connectionFigures, type Figures, seconds, usedOf, watchConnections } from './fleet-use.ts';
import { addMigration, copyRepository } from './later-version.ts';
import { world } from './messages.ts';

/** A tenth of the processes, spread over the accounts, is killed and started again at once. */
export async function killSome(fleet: Fleet): Promise<Figures> {
  const { url, members, accounts } = fleet;
  const killed = Array.from({ length: Math.max(1, Math.round(accounts / 10)) }, (_, index) =>
    accountOf(index * 10),
  );
  return await troubled(fleet, {
    begin: async () => {
      await members.kill(killed);
      members.start(killed);
    },
    tell: async (since) => {
      const { half, all } = await freshTimes(url, since, killed);
      return [[`the ${killed.length} killed: half; all fresh after`, `${seconds(half)}; ${seconds(all)}`]];
    },
  });
}

export async function restartDatabase(fleet: Fleet): Promise<Figures> {
  let awayMs = 0;
  return await troubled(fleet, {
    begin: async () => {
      awayMs = await fleet.server.restart();
    },
    tell: async () => [['the database was away before', seconds(awayMs / 1000)]],
  });
}

/** `migrate` of a later version, as before an upgrade of the chart; then new processes replace the old. */
export async function upgrade(fleet: Fleet): Promise<Figures> {
  const { url, members } = fleet;
  members.upgrade(laterVersion(fleet.directory));
  let migrateMs = 0;
  let replaceMs = 0;
  return await troubled(fleet, {
    begin: async () => {
      const beganAt = performance.now();
      const env = { DATABASE_URL: url, LOG_LEVEL: 'warn' };
      const stdio = ['ignore', 'ignore', 'inherit'] as const;
      const migrating = spawn(process.execPath, [members.file, 'migrate'], { env, stdio: [...stdio] });
      const [code] = await once(migrating, 'exit');
      if (code !== 0) throw new Error('migrate failed: see its messages above');
      migrateMs = performance.now() - beganAt;
    },
    meanwhile: async () => {
      const beganAt = performance.now();
      await startInWaves(fleet);
      replaceMs = performance.now() - beganAt;
    },
    tell: async () => [
      ['migrate took before', seconds(migrateMs / 1000)],
      [`all replaced, ${fleet.atOnce} at a time, after`, seconds(replaceMs / 1000)],
    ],
  });
}

interface Trouble {
  begin(): Promise<void>;
  /** What belongs to the time until all are fresh. */
  meanwhile?(): Promise<void>;
  /** @param since when `begin` had ended */
  tell(since: string): Promise<[string, string][]>;
}

/** Does it, and waits until all are fresh again. Times count from the end of `begin`. */
async function troubled(fleet: Fleet, { begin, meanwhile, tell }: Trouble): Promise<Figures> {
  const { url, members, sandboxes, accounts, signal } = fleet;
  await usedOf(sandboxes);
  const restarts = members.tend();
  const { value, connections } = await watchConnections(url, async () => {
    await begin();
    const since = await serverTime(url);
    await meanwhile?.();
    return { since, ...(await untilFresh(url, accounts, since, signal, members.tend)) };
  });
  const { since, half, all } = value;
  const { peak } = await usedOf(sandboxes);
  return new Map([
    ['half; all fresh after', `${seconds(half)}; ${seconds(all)}`],
    ...(await tell(since)),
    ...connectionFigures(connections),
    ['requests within a second, at the most', String(peak)],
    ['processes that ended by themselves', String(members.tend() - restarts)],
  ]);
}

/** Starts all processes, older ones end first: some at once, and the next when these hold their leases. */
export async function startInWaves(fleet: Fleet): Promise<void> {
  const { members, accounts, atOnce, signal } = fleet;
  for (let first = 0; first < accounts; first += atOnce) {
    const length = Math.min(atOnce, accounts - first);
    const some = Array.from({ length }, (_, index) => accountOf(first + index));
    await members.stop(some);
    members.start(some);
    await untilHeld(fleet, some, signal);
  }
}

async function untilHeld({ url, members }: Fleet, accounts: readonly string[], signal: AbortSignal) {
  for (;;) {
    members.tend(accounts);
    const held = await holders(url);
    const started = members.running.filter(({ account }) => accounts.includes(account));
    if (started.every(({ account, pid }) => held.get(account) === pid)) return;
    await sleep(250, signal);
  }
}

/** This build with one migration more. @returns its program */
function laterVersion(directory: string): string {
  const copy = join(directory, 'later');
  copyRepository(copy, ['dist', 'migrations', 'package.json']);
  addMigration(
    join(copy, 'migrations'),
    '9999_later',
    `alter table custody.transactions add column later text not null default 'unknown'`,
  );
  return join(copy, 'dist/src/cli/main.js');
}

/** Lets the services stand still, and compares. @throws Error when something is lost, doubled or stale */
export async function compare(fleet: Fleet): Promise<Figures> {
  const { url, members, sandboxes, accounts, signal } = fleet;
  await usedOf(sandboxes, 'stand');
  await untilFresh(url, accounts, await serverTime(url), signal, members.tend);
  sandboxes.send('worlds');
  const worlds = await sandboxes.receive(z.array(world));
  const mirrored = await mirroredWorlds(url);
  const different = worlds.filter(({ digest }, index) => mirrored.get(accountOf(index))?.digest !== digest);
  const written = await writtenRows(url, members.pids);
  const broken = await brokenHistories(url);
  const { database, run, snapshot } = await sizes(url);
  if (different.length + written.stale + broken > 0 || written.all === 0) process.exitCode = 1;
  return new Map([
    ['accounts that differ from their service', `${different.length} of ${worlds.length}`],
    ['their transactions', String(worlds.reduce((sum, { transactions }) => sum + transactions, 0))],
    ['rows written meanwhile; by who did not hold the lease', `${written.all}; ${written.stale}`],
    ['rows of histories that do not follow the one before', String(broken)],
    ['the database', `${(database / 2 ** 20).toFixed(0)} MiB`],
    ['a row with its indexes: sync.runs; snapshots', `${run.toFixed(0)}; ${snapshot.toFixed(0)} bytes`],
  ]);
}
