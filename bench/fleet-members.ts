// The processes of many accounts: one `run` each, which the bench restarts as Kubernetes would. Each names
// its connections after its account and its start, so that the server's rows tell who wrote them.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, program, settingsOfImage, startDaemon, stopDaemons } from './daemon.ts';
import type { FleetServer } from './fleet-server.ts';
import type { HelperProcess } from './helper-process.ts';
import type { SandboxStarted } from './messages.ts';

export interface Fleet {
  readonly accounts: number;
  readonly atOnce: number;
  /** Name of the database. */
  readonly database: string;
  /** Its address, also after a restart. */
  readonly url: string;
  readonly server: FleetServer;
  readonly members: Members;
  readonly sandboxes: HelperProcess;
  readonly directory: string;
  readonly signal: AbortSignal;
}

export interface Member {
  readonly account: string;
  readonly pid: number;
}

export interface Members {
  /** The processes that run now. */
  readonly running: readonly Member[];
  /** The process of each start, by the name of its connections. */
  readonly pids: ReadonlyMap<string, number>;
  /** Starts processes of the accounts that have none: of these, or of all. */
  start(accounts?: readonly string[]): void;
  /** Ends the processes of these accounts, or of all. */
  stop(accounts?: readonly string[]): Promise<void>;
  /** SIGKILL, all at once. */
  kill(accounts: readonly string[]): Promise<void>;
  /** The program that is started now. */
  readonly file: string;
  /** What is started from now on is of another version. */
  upgrade(file: string): void;
  /** Starts again what ended by itself, of these or of all. @returns how often it did so until now */
  tend(accounts?: readonly string[]): number;
}

export const accountOf = (index: number) => `a${String(index).padStart(3, '0')}`;

export function createMembers(url: string, services: readonly SandboxStarted[], directory: string): Members {
  const settings = { NODE_ENV: 'production', ...settingsOfImage(), LOG_LEVEL: 'warn', HTTP_SERVE: 'probes' };
  const children = new Map<string, ChildProcess>();
  const pids = new Map<string, number>();
  const stopped = new WeakSet<ChildProcess>();
  let file = program;
  let restarts = 0;
  const all = services.map((_, index) => accountOf(index));
  const logOf = (account: string) => join(directory, `${account}.log`);
  const runningOf = (accounts: readonly string[]) =>
    accounts.flatMap((account) => {
      const child = children.get(account);
      return child !== undefined && isRunning(child) ? [{ account, child }] : [];
    });
  const startOne = (account: string, { url: baseUrl, apiKey }: SandboxStarted) => {
    const name = `fleet-${account}-${pids.size}`;
    const log = openSync(logOf(account), 'a');
    const env = {
      ...settings,
      DATABASE_URL: `${url}?application_name=${name}`,
      CUSTODY_ACCOUNT: account,
      CUSTODY_BASE_URL: baseUrl,
      CUSTODY_API_KEY: apiKey,
    };
    const child = startDaemon(env, { file, stdio: ['ignore', log, log] });
    closeSync(log);
    children.set(account, child);
    pids.set(name, child.pid ?? 0);
  };
  const start = (accounts: readonly string[] = all) => {
    const running = runningOf(accounts).map(({ account }) => account);
    for (const [index, service] of services.entries()) {
      const account = accountOf(index);
      if (accounts.includes(account) && !running.includes(account)) startOne(account, service);
    }
  };
  return {
    get running() {
      return runningOf(all).map(({ account, child }) => ({ account, pid: child.pid ?? 0 }));
    },
    pids,
    get file() {
      return file;
    },
    start,
    async stop(accounts = all) {
      const ending = runningOf(accounts).map(({ child }) => child);
      for (const child of ending) stopped.add(child);
      await stopDaemons(ending);
    },
    async kill(accounts) {
      const killed = runningOf(accounts).map(({ child }) => child);
      const ends = killed.map((child) => once(child, 'exit'));
      for (const child of killed) child.kill('SIGKILL');
      await Promise.all(ends);
    },
    upgrade(other) {
      file = other;
    },
    tend(accounts = all) {
      for (const [account, child] of children) {
        if (isRunning(child) || stopped.has(child) || !accounts.includes(account)) continue;
        const words = readFileSync(logOf(account), 'utf8').trimEnd().split('\n').at(-1);
        console.error(`${account} ended by itself and was started again: ${words}`);
        restarts += 1;
        start([account]);
      }
      return restarts;
    },
  };
}
