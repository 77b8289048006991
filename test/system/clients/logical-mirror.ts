// A mirror in a PostgreSQL of its own that can be replicated logically, and the role that takes it away.
import { expect } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { startPostgres } from '../../support/postgres.ts';
import { runProcess } from '../../support/process.ts';
import { withClient } from '../../support/server.ts';

export interface LogicalMirror {
  readonly url: string;
  readonly port: number;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** The tables as the program of a version has them. */
  migrate(program?: string): Promise<void>;
}

export const followerPassword = 'follower';

/** A database without tables yet. */
export async function logicalServer(): Promise<LogicalMirror> {
  const dataDirectory = newDataDirectory('custody-mirror-replica');
  const server = await startPostgres({
    dataDirectory,
    persistent: false,
    settings: { wal_level: 'logical' },
  });
  onCleanup(server.stop);
  await server.createDatabase('mirror');
  const url = server.url('mirror');
  return {
    url,
    port: server.port,
    query: (sql) => withClient(url, async (client) => (await client.query(sql)).rows),
    migrate: async (program) => {
      const migrated = await runProcess(['migrate'], {
        env: { DATABASE_URL: url },
        ...(program === undefined ? {} : { program }),
      });
      expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
    },
  };
}

/** Makes the role `follower` with what docs/scaling.md says that it needs. */
export async function letFollow({ url, query }: LogicalMirror): Promise<void> {
  await query(`create role follower login replication password '${followerPassword}'`);
  const granted = await runProcess(['grant', 'follower'], { env: { DATABASE_URL: url } });
  expect(granted, granted.stderr).toMatchObject({ code: 0 });
}
