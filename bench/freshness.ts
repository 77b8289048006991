// `npm run bench:freshness`: how long it takes from a change at the service to its row, and how many requests
// that costs, by schedule. Daemons with one schedule each mirror the same sandboxes for half an hour: a busy
// account, and quiet ones.
import type { ChildProcess } from 'node:child_process';
import { createSandbox } from '../packages/sandbox/src/sandbox.ts';
import { createRandom } from '../packages/sandbox/src/values/random.ts';
import { sleep } from '../src/base/loop.ts';
import { startDaemon, stopDaemons } from './daemon.ts';
import { type BenchServer, freshDatabase, onBenchServer, withConnection } from './databases.ts';
import { makePayments, type Payments, stageOf } from './freshness-payments.ts';
import { percentile } from './percentile.ts';
import { refuse } from './refuse.ts';

const schedules = ['*/5 * * * * *', '*/10 * * * * *', '*/30 * * * * *', '* * * * *', '*/2 * * * *'];
const accounts = [
  { what: 'busy', everySeconds: 60, count: 1 },
  { what: 'quiet', everySeconds: 600, count: 4 },
] as const;
const history = 2_000;
const warmingMs = 300_000;
/** Changes of the end are still waited for by the slowest schedule. */
const endingMs = 320_000;
const minutes = Number(process.argv[2] ?? 30);
if (!(minutes > 0)) refuse('bench:freshness -- [minutes]');

interface Mirrored {
  readonly what: string;
  readonly schedule: string;
  readonly database: string;
  readonly payments: Payments;
}

await onBenchServer('bench-freshness', measure, { max_connections: '500', track_commit_timestamp: 'on' });

async function measure(server: BenchServer): Promise<void> {
  const daemons: ChildProcess[] = [];
  const sandboxes = accounts.flatMap(({ what, everySeconds, count }) =>
    Array.from({ length: count }, (_, index) => {
      const sandbox = createSandbox({ transactions: history, frozen: true, seed: index + 1 });
      return { what, everySeconds, sandbox, random: createRandom(index + 1, what) };
    }),
  );
  const mirrored: Mirrored[] = [];
  try {
    for (const { what, everySeconds, sandbox, random } of sandboxes) {
      const { url } = await sandbox.listen();
      const payments = makePayments(sandbox, everySeconds, () => random.next());
      for (const schedule of schedules) {
        const database = await freshDatabase(server.postgres, `fresh_${mirrored.length}`);
        daemons.push(
          startDaemon({
            CUSTODY_RESOURCES: 'transactions',
            SCHEDULE_RECONCILE: 'off',
            LOG_LEVEL: 'error',
            DATABASE_URL: database,
            SCHEDULE_TRANSACTIONS: schedule,
            CUSTODY_BASE_URL: url,
            CUSTODY_API_KEY: sandbox.apiKey,
          }),
        );
        mirrored.push({ what, schedule, database, payments });
      }
    }
    await sleep(warmingMs, server.signal);
    const from = Date.now();
    await sleep(minutes * 60_000, server.signal);
    const until = Date.now();
    await sleep(endingMs, server.signal);
    await report(mirrored, from, until);
  } finally {
    await stopDaemons(daemons);
    for (const { payments } of mirrored) payments.stop();
    for (const { sandbox } of sandboxes) await sandbox.close();
  }
}

async function report(mirrored: readonly Mirrored[], from: number, until: number): Promise<void> {
  console.log(
    '| account | schedule | requests an hour | new: p50 s | p95 s | changed: p50 s | p95 s | changes |\n|---|---|--:|--:|--:|--:|--:|--:|',
  );
  for (const { what } of accounts)
    for (const schedule of schedules) {
      const alike = mirrored.filter((mirror) => mirror.what === what && mirror.schedule === schedule);
      const found = await Promise.all(alike.map((mirror) => measured(mirror, from, until)));
      const requests =
        found.reduce((sum, one) => sum + one.requests, 0) / found.length / ((until - from) / 3_600_000);
      const delays = found.flatMap((one) => one.delays);
      const [fresh, changed] = [
        delays.filter(({ stage }) => stage === 0),
        delays.filter(({ stage }) => stage > 0),
      ];
      const seconds = [fresh, changed].flatMap((some) =>
        [50, 95].map((percent) =>
          percentile(
            some.map(({ ms }) => ms / 1000),
            percent,
          ).toFixed(1),
        ),
      );
      console.log(
        `| ${what} | \`${schedule}\` | ${requests.toFixed(0)} | ${seconds.join(' | ')} | ${delays.length} |`,
      );
    }
}

/** The delay of each change within the time: until the mirror held that status, or a later one. */
async function measured({ database, payments }: Mirrored, from: number, until: number) {
  return await withConnection(database, async (client) => {
    const { rows } = await client.query<{ transaction_id: string; to_status: string; committed: string }>(`
      select transaction_id, to_status, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000 as committed
        from custody.transaction_status_history order by sequence`);
    const delays = payments.changes
      .filter(({ at }) => at >= from && at < until)
      .map(({ transactionId, stage, at }) => {
        const row = rows.find(
          ({ transaction_id, to_status }) => transaction_id === transactionId && stageOf(to_status) >= stage,
        );
        return { stage, ms: row === undefined ? Number.POSITIVE_INFINITY : Number(row.committed) - at };
      });
    const counted = await client.query<{ requests: number }>(
      `select coalesce(sum(requests), 0)::int as requests from sync.runs
        where job = 'transactions' and started_at >= to_timestamp($1) and started_at < to_timestamp($2)`,
      [from / 1000, until / 1000],
    );
    return { delays, requests: counted.rows[0]?.requests ?? 0 };
  });
}
