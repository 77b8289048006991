// A primary and a streaming replica, made of a cold copy, with an empty database `custody`.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onCleanup } from './cleanup.ts';
import { newDataDirectory } from './data-directory.ts';
import type { Row } from './database.ts';
import { startPostgres } from './postgres.ts';
import { withClient } from './server.ts';
import { waitFor } from './wait-for.ts';

export interface ReplicatedServer {
  /** Of its database `custody`. */
  readonly url: string;
  query<Found extends Row = Row>(sql: string, params?: readonly unknown[]): Promise<Found[]>;
  stop(): Promise<void>;
}

export interface Replicated {
  readonly primary: ReplicatedServer;
  readonly replica: ReplicatedServer;
  restartReplica(): Promise<void>;
  /** Waits until the replica shows what the primary holds now. */
  untilCaughtUp(): Promise<void>;
  /** The replica becomes a primary. */
  promote(): Promise<void>;
}

export async function startReplicated(): Promise<Replicated> {
  const primaryData = newDataDirectory('custody-mirror-primary');
  const first = await startPostgres({ dataDirectory: primaryData, persistent: true });
  await first.createDatabase('custody');
  await first.stop();
  const { dataDirectory } = first;
  const copy = `${dataDirectory}-replica`;
  onCleanup(async () => {
    for (const directory of [dataDirectory, copy]) rmSync(directory, { recursive: true, force: true });
  });
  // The owner of the files stays.
  const { status, stderr } = spawnSync('cp', ['-a', dataDirectory, copy], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  writeFileSync(join(copy, 'standby.signal'), '', { mode: 0o666 });
  const primary = await startPostgres({ dataDirectory, persistent: true });
  onCleanup(() => primary.stop());
  const { port, password } = new URL(primary.url('custody'));
  const startReplica = (at?: number) =>
    startPostgres({
      dataDirectory: copy,
      persistent: true,
      port: at,
      settings: {
        primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
        // Replay waits for a question of the test, and does not cancel it.
        max_standby_streaming_delay: '-1',
      },
    });
  let replica = await startReplica();
  onCleanup(() => replica.stop());
  const on = (url: string) => ({
    url,
    query: <Found extends Row>(sql: string, params: readonly unknown[] = []) =>
      withClient(url, async (client) => (await client.query<Found>(sql, [...params])).rows),
  });
  const servers = {
    primary: { ...on(primary.url('custody')), stop: () => primary.stop() },
    replica: { ...on(replica.url('custody')), stop: () => replica.stop() },
  };
  const placeOf = async ({ query }: ReplicatedServer, place: string) =>
    Number((await query<{ lsn: string }>(`select ${place} - '0/0'::pg_lsn as lsn`))[0]?.lsn);
  return {
    ...servers,
    async restartReplica() {
      await replica.stop();
      replica = await startReplica(replica.port);
    },
    untilCaughtUp: async () =>
      void (await waitFor(
        async () => {
          const written = await placeOf(servers.primary, 'pg_current_wal_lsn()');
          return (await placeOf(servers.replica, 'pg_last_wal_replay_lsn()')) >= written;
        },
        { what: 'the replica to catch up' },
      )),
    promote: async () => void (await servers.replica.query('select pg_promote(wait_seconds => 60)')),
  };
}
