// A PostgreSQL of the test's own that is stopped or killed and started again on its data and its port, as
// often as the test likes.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onCleanup } from './cleanup.ts';
import type { Row } from './database.ts';
import { startPostgres } from './postgres.ts';
import { withClient } from './server.ts';

export interface RestartingPostgres {
  /** Of its database `custody`. */
  readonly url: string;
  /** By a connection of its own, since none outlives a restart. */
  query<Found extends Row = Row>(sql: string, params?: readonly unknown[]): Promise<Found[]>;
  /** As when power fails. */
  kill(): void;
  /** As an administrator does it; resolves when it has ended. */
  stop(): Promise<void>;
  /** Neither answers nor ends, until the function given back is called. */
  freeze(): () => void;
  /** After a `kill` or `stop`; resolves when it answers again. */
  start(): Promise<void>;
}

export async function openRestartingPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<RestartingPostgres> {
  const wished = join(tmpdir(), `custody-mirror-restarting-${randomBytes(5).toString('hex')}`);
  const launch = (dataDirectory: string, port?: number) =>
    startPostgres({ dataDirectory, persistent: true, port, settings });
  let server = await launch(wished);
  onCleanup(async () => {
    await server.stop();
    rmSync(server.dataDirectory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  await server.createDatabase('custody');
  const url = server.url('custody');
  return {
    url,
    query: <Found extends Row>(sql: string, params: readonly unknown[] = []) =>
      withClient(url, async (client) => (await client.query<Found>(sql, [...params])).rows),
    kill: () => void process.kill(server.pid, 'SIGKILL'),
    stop: () => server.stop(),
    freeze() {
      // The first one forks no more of them once it is stopped.
      process.kill(server.pid, 'SIGSTOP');
      const children = childrenOf(server.pid);
      signal(children, 'SIGSTOP');
      return () => signal([...children, server.pid], 'SIGCONT');
    },
    async start() {
      server = await launch(server.dataDirectory, server.port);
    },
  };
}

function childrenOf(pid: number): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0);
}

/** Some may have ended meanwhile. */
function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
