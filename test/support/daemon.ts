// A daemon under test: started with quick schedules, watched through its log and what it serves.
import { expect } from 'vitest';
import { environment, type Service } from './command.ts';
import type { TestDatabase } from './database.ts';
import { startProcess, type TestProcess } from './process.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

export interface Daemon extends TestProcess {
  /** Where it serves health, metrics and pages. */
  readonly url: string;
  get(path: string): Promise<{ readonly status: number; readonly text: string }>;
}

export async function startDaemon(
  service: Pick<Service, 'url'>,
  database: Pick<TestDatabase, 'url'>,
  more: Readonly<Record<string, string>> = {},
  waiting: WaitOptions = {},
): Promise<Daemon> {
  const daemon = startProcess(['run'], {
    env: environment(service, database, {
      SCHEDULE_TRANSACTIONS: '* * * * * *',
      SCHEDULE_BALANCES: '* * * * * *',
      SCHEDULE_DOCUMENTS: '* * * * * *',
      CUSTODY_RATE_LIMIT: 'off',
      LEASE_TTL_MS: '10000',
      ...more,
    }),
  });
  const [, url = ''] = await daemon.output(/"url":"(http:[^"]+)"[^\n]*"msg":"daemon started"/, waiting);
  return {
    ...daemon,
    url,
    async get(path) {
      const answer = await fetch(url + path);
      return { status: answer.status, text: await answer.text() };
    },
  };
}

/** Asks for a graceful stop, and expects one well within the ten seconds that are promised. */
export async function stopGracefully(daemon: TestProcess, signal: NodeJS.Signals = 'SIGTERM') {
  daemon.kill(signal);
  expect(await daemon.exit(10_000)).toEqual({ code: 0, signal: null });
  expect(daemon.stderr()).toMatch(/"msg":"daemon stopped"/);
}

/** Who holds the lease now, if anybody. */
export async function leaseHolder(database: Pick<TestDatabase, 'query'>): Promise<string | null> {
  const [lease] = await database.query<{ holder: string }>(
    'select holder from sync.leases where expires_at > clock_timestamp()',
  );
  return lease?.holder ?? null;
}

/** The lease of a process that was killed or frozen is over now: the shortest one is long for a test. */
export async function expireLease({ query }: Pick<TestDatabase, 'query'>): Promise<void> {
  const [{ exists } = { exists: false }] = await query<{ exists: boolean }>(
    "select to_regclass('sync.leases') is not null as exists",
  );
  if (exists) await query('update sync.leases set expires_at = clock_timestamp()');
}

/** Waits until the process holds the lease; its id is part of the holder's name. */
export async function untilWriter(
  database: Pick<TestDatabase, 'query'>,
  { pid }: TestProcess,
  waiting: WaitOptions = {},
): Promise<void> {
  await waitFor(async () => (await leaseHolder(database))?.split(':').includes(String(pid)), {
    what: `the lease in the hands of process ${pid}`,
    ...waiting,
  });
}
