// The PostgreSQL of many accounts, which can be restarted, and its streaming replica.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../packages/demo/src/embedded-postgres/server.ts';

export interface FleetServer {
  /** The server that runs now. */
  readonly primary: EmbeddedPostgres;
  /** Stops the server in order and starts it on its data and port. @returns milliseconds without it */
  restart(): Promise<number>;
  /** Restarts the server, and starts a replica from a copy of its files. */
  addReplica(): Promise<EmbeddedPostgres>;
  /** Ends both, and removes their files. */
  stop(): Promise<void>;
}

export async function startFleetServer(
  directory: string,
  maxConnections: number,
  signal: AbortSignal,
): Promise<FleetServer> {
  const launch = (dataDirectory: string, settings: Readonly<Record<string, string>> = {}, port = 0) =>
    startEmbeddedPostgres({
      dataDirectory,
      persistent: true,
      port,
      settings: { max_connections: String(maxConnections), ...settings },
      signal,
    });
  let primary = await launch(join(directory, 'postgres'));
  let replica: EmbeddedPostgres | null = null;
  const copy = `${primary.dataDirectory}-replica`;
  const restart = async (whileStopped: () => void = () => undefined) => {
    const stoppedAt = performance.now();
    await primary.stop();
    whileStopped();
    primary = await launch(primary.dataDirectory, {}, primary.port);
    return performance.now() - stoppedAt;
  };
  return {
    get primary() {
      return primary;
    },
    restart: () => restart(),
    async addReplica() {
      await restart(() => {
        // The owner of the files stays.
        const { status } = spawnSync('cp', ['-a', primary.dataDirectory, copy], { stdio: 'inherit' });
        if (status !== 0) throw new Error('the files of the server could not be copied');
        writeFileSync(join(copy, 'standby.signal'), '');
      });
      const { port, password } = new URL(primary.url('postgres'));
      replica = await launch(copy, {
        primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
      });
      return replica;
    },
    async stop() {
      await replica?.stop();
      await primary.stop();
      for (const data of [primary.dataDirectory, copy]) rmSync(data, { recursive: true, force: true });
    },
  };
}
