// Runs that an outage of the database kept from being recorded: a PostgreSQL is stopped and started.
import { expect, test } from 'vitest';
import { MirrorError } from '../../../src/domain/errors.ts';
import { createMissedRuns } from '../../../src/scheduler/missed-runs.ts';
import { recordUnrecorded } from '../../../src/store/run/unrecorded.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { runJob } from '../../../src/sync/run/run-job.ts';
import { createUnrecordedRuns } from '../../../src/sync/run/unrecorded-runs.ts';
import { openMirror } from '../../support/mirror.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { open, openStore } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const away = { status: 'failed', errorCode: 'DATABASE-UNREACHABLE' };

test('each job has one failed run for an outage of the database, with the times of it', async () => {
  const postgres = await openRestartingPostgres();
  await migrate(open(postgres.url));
  const mirror = await openMirror(
    { transactions: 20 },
    { SCHEDULE_RECONCILE: '* * * * * *' },
    {},
    { ...postgres, drop: async () => undefined },
  );
  const unrecorded = createUnrecordedRuns();
  const noted: string[] = [];
  const seen: typeof unrecorded = {
    ...unrecorded,
    note(failed) {
      noted.push(failed.job);
      unrecorded.note(failed);
    },
  };
  const context = { ...mirror.context, unrecorded: seen };
  const cycle = () => syncTransactions(context, { full: false });
  expect(await cycle()).toMatchObject({ status: 'succeeded' });
  const now = async () => (await postgres.query<{ now: Date }>('select now()'))[0]?.now;

  const before = await now();
  // One run is under way, others cannot begin.
  const stopped = await runJob(context, { job: 'whitelist', mode: 'full' }, async () => {
    await postgres.stop();
    throw new Error('stopped by the test');
  });
  expect(stopped).toMatchObject({ status: 'failed' });
  for (const run of [cycle, cycle, () => snapshotBalances(context)]) expect(await run()).toMatchObject(away);
  // Nobody holds the lease any more: what would begin by its schedule counts.
  const missed = createMissedRuns(mirror.config, { ...context, unrecorded: seen }, () => true);
  missed.stillAway(new MirrorError('DATABASE-UNREACHABLE', 'the database is away'));
  await waitFor(async () => noted.includes('reconcile'), { what: 'the schedule of reconcile' });
  await missed.end();
  await postgres.start();
  const back = await now();

  for (const run of [mirrorWhitelist, cycle, snapshotBalances, cycle])
    expect(await run(context)).toMatchObject({ status: 'succeeded' });
  const failed = await postgres.query(
    `select job, count(*)::int, bool_and(started_at between $1::timestamptz - interval '1 second' and finished_at) as began,
       bool_and(finished_at < $2::timestamptz + interval '1 second') as ended, min(error_code) as error_code,
       bool_and(finished_at > started_at) as lasted
     from sync.runs where status = 'failed' group by job order by job`,
    [before, back],
  );
  const one = { count: 1, began: true, ended: true, error_code: 'DATABASE-UNREACHABLE' };
  expect(failed).toEqual([
    { job: 'balances', ...one, lasted: true },
    { job: 'reconcile', ...one, lasted: expect.any(Boolean) },
    { job: 'transactions', ...one, lasted: true },
    { job: 'whitelist', ...one, lasted: true },
  ]);
  expect(await postgres.query("select job from sync.runs where status = 'abandoned'")).toEqual([]);
  const health = 'select failed_runs_24h::int as failed from reporting.sync_health';
  expect(await postgres.query(health)).toEqual([{ failed: 4 }]);
}, 60_000);

test('an outage that is written twice, because the answer was lost, leaves one row; the next one has its own', async () => {
  const { database, lease, query } = await openStore();
  const at = Date.UTC(2026, 0, 1);
  const outage = (startedAt: number, finishedAt: number) =>
    recordUnrecorded(database, lease, [
      {
        ...{ job: 'balances', mode: 'full', runId: null, startedAt, finishedAt },
        ...{ errorCode: 'DATABASE-UNREACHABLE', errorMessage: 'away' },
      },
    ]);
  await outage(at, at + 5_000);
  await outage(at, at + 9_000);
  await outage(at + 10_000, at + 10_000);
  expect(
    await query(
      "select extract(epoch from finished_at - started_at)::int as s from sync.runs where job = 'balances'",
    ),
  ).toEqual([{ s: 5 }, { s: 0 }]);
});

test('a job that another process has done since the outage began has not failed', async () => {
  const { database, lease, query } = await openStore();
  await query(
    `insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
     values ('${lease.account}', 'balances', 'full', 'succeeded', '2026-01-01 00:05Z', '2026-01-01 00:06Z')`,
  );
  const startedAt = Date.UTC(2026, 0, 1);
  const outage = { mode: 'full', runId: null, startedAt, finishedAt: startedAt + 600_000 } as const;
  const why = { errorCode: 'DATABASE-UNREACHABLE', errorMessage: 'away' };
  await recordUnrecorded(
    database,
    lease,
    ['balances', 'vaults'].map((job) => ({ ...outage, ...why, job })),
  );
  expect(await query("select job from sync.runs where status = 'failed'")).toEqual([{ job: 'vaults' }]);
});

test('who finds that another process writes forgets the outage, which is for that one to tell', async () => {
  const { database, lease, query } = await openStore();
  const { clock } = (await openMirror()).context;
  const unrecorded = createUnrecordedRuns();
  const error = new MirrorError('DATABASE-UNREACHABLE', 'the database is away');
  unrecorded.note({ job: 'balances', mode: 'full', run: null, beganMs: performance.now(), error });
  unrecorded.note({ job: 'vaults', mode: 'full', run: null, beganMs: 0, error: new Error('no outage') });
  unrecorded.forget();
  await unrecorded.record({ database, lease, clock });
  expect(await query("select job from sync.runs where status = 'failed'")).toEqual([]);
});
