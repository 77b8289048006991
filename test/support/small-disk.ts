// A PostgreSQL whose database lies on a file system of its own that a test can fill to the last byte and
// empty again. The file system is a tmpfs in a mount namespace that only the server lives in: it needs no
// privileges where the kernel gives user namespaces to everybody, nothing else can be filled by it, and it is
// gone with the server, however that ends.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAs, unprivilegedAccount } from '../../packages/demo/src/embedded-postgres/binaries.ts';
import { onCleanup } from './cleanup.ts';
import type { Row, TestDatabase } from './database.ts';
import { newFolder } from './folder.ts';
import { startPostgres } from './postgres.ts';
import { withClient } from './server.ts';

/** Becomes what follows, in namespaces of its own, with a tmpfs mounted on the directory. */
const launcherOn = (directory: string) => [
  ...['unshare', '--user', '--map-current-user', '--keep-caps', '--mount'],
  ...['sh', '-c', `mount -t tmpfs -o size=48m tmpfs '${directory}' && exec "$@"`, 'sh'],
];

/** Why there can be no such file system here; null where there can. */
export function whyNoSmallDisk(): string | null {
  const [program = '', ...args] = [...launcherOn(mountPoint()), 'true'];
  const { error, status, stderr } = spawnSync(program, args, {
    ...runAs(unprivilegedAccount()),
    encoding: 'utf8',
  });
  if (error !== undefined) return error.message;
  return status === 0 ? null : stderr.trim();
}

export interface SmallDisk {
  /** An empty database, all of which lies on the small file system; the write-ahead log does not. */
  readonly database: TestDatabase;
  /** Leaves no room for another page, or about as many kilobytes as given. */
  fill(room?: number): Promise<void>;
  /** Takes away what `fill` put there. */
  empty(): Promise<void>;
}

export async function openSmallDisk(): Promise<SmallDisk> {
  const directory = mountPoint();
  const server = await startPostgres({
    dataDirectory: join(tmpdir(), `custody-mirror-small-${randomBytes(5).toString('hex')}`),
    persistent: false,
    launcher: launcherOn(directory),
  });
  onCleanup(server.stop);
  const ask = <Found extends Row>(database: string, sql: string, params: readonly unknown[] = []) =>
    withClient(server.url(database), async (client) => (await client.query<Found>(sql, [...params])).rows);
  await ask('postgres', `create tablespace small location '${directory}'`);
  await ask('postgres', 'create database custody template template0 tablespace small');

  // The server itself writes what fills it: nobody else sees the file system.
  const write = (file: string, kilobytes: number) =>
    ask(
      'postgres',
      `copy (select repeat('x', 999) from generate_series(1, ${kilobytes})) to '${join(directory, file)}'`,
    );
  return {
    database: {
      url: server.url('custody'),
      query: (sql, params) => ask('custody', sql, params),
      drop: server.stop,
    },
    async fill(room = 0) {
      await write('room', room);
      const outcome = await write('ballast', 1_000_000).catch((error: unknown) => error);
      // disk_full: what fitted stays.
      if (!(outcome instanceof Error && 'code' in outcome && outcome.code === '53100')) throw outcome;
      await write('room', 0);
    },
    async empty() {
      await write('ballast', 0);
    },
  };
}

/** The server may run as somebody else. */
const mountPoint = () => newFolder(0o755);
