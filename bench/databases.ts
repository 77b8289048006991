// The databases of the bench: one for each thing measured, migrated as the program migrates it, and the figures that
// PostgreSQL has about itself.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { createLogger } from '../src/base/logger.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { Secret } from '../src/base/secret.ts';
import type { EmbeddedPostgres } from '../src/cli/embedded-postgres.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';

/** Creates the database in the place of one that exists, and migrates it. @returns its address */
export async function freshDatabase(postgres: EmbeddedPostgres, name: string): Promise<string> {
  await postgres.recreateDatabase(name);
  const url = postgres.url(name);
  const database = openDatabase({
    url: new Secret(url),
    applicationName: 'custody-mirror bench',
    logger: createLogger({ level: 'error', format: 'json' }),
    metrics: createMetrics(),
  });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
  return url;
}

export async function dropDatabase(postgres: EmbeddedPostgres, name: string): Promise<void> {
  await withConnection(postgres.url('postgres'), (client) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`),
  );
}

export async function withConnection<Value>(
  url: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What the server was asked to do between two moments. */
export interface ServerUse {
  readonly walBytes: number;
  /** Processor time of all its processes; null where there is no /proc to tell. */
  readonly serverCpuSeconds: number | null;
}

/** Measures the server's use by the work. A checkpoint before it gives everything measured the same start. */
export async function measureServer<Value>(
  postgres: EmbeddedPostgres,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly use: ServerUse }> {
  return await withConnection(postgres.url('postgres'), async (client) => {
    await client.query('checkpoint');
    const walBefore = await walPosition(client);
    const cpuBefore = cpuOfServer(postgres.pid);
    const value = await work();
    const cpuAfter = cpuOfServer(postgres.pid);
    const walBytes = Number((await walPosition(client)) - walBefore);
    const serverCpuSeconds = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
    return { value, use: { walBytes, serverCpuSeconds } };
  });
}

async function walPosition(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`,
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

/** Processor time of the postmaster, of its processes that live, and of those it has seen end. */
function cpuOfServer(postmaster: number): number | null {
  for (;;) {
    const before = readTimes(postmaster);
    if (before === null) return null;
    let ticks = before.own + before.ended;
    for (const name of readdirSync('/proc')) {
      const times = /^\d+$/.test(name) ? readTimes(Number(name)) : null;
      if (times?.parent === postmaster) ticks += times.own + times.ended;
    }
    // Where one ended while they were added up, it was counted twice or not at all.
    if (readTimes(postmaster)?.ended === before.ended) return ticks / userHz;
  }
}

/** Clock ticks a second, to every program on Linux. */
const userHz = 100;

/** Clock ticks of one process, from /proc/<pid>/stat; null when there is none. */
function readTimes(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const field = (number: number) => Number(fields[number - 3]);
    return { parent: field(4), own: field(14) + field(15), ended: field(16) + field(17) };
  } catch {
    return null;
  }
}
