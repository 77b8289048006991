// Jobs that hang for ever: they end as failed, and so does the daemon, to be started again. What they still do
// is not written.
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { CustodyClient } from '../../src/custody/client.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { saveFact } from '../../src/store/run/learned.ts';
import { withFence } from '../../src/store/run/leases.ts';
import { requestSync } from '../../src/store/run/sync-requests.ts';
import { runJob } from '../../src/sync/run/run-job.ts';
import { startDaemonOf } from '../support/daemon-in-process.ts';
import { type Mirror, openMirror } from '../support/mirror.ts';
import { waitFor } from '../support/wait-for.ts';

const onlyBalances = {
  CUSTODY_RESOURCES: 'balances',
  SCHEDULE_BALANCES: '* * * * * *',
  SCHEDULE_RECONCILE: 'off',
  SCHEDULE_MAINTENANCE: 'off',
};
const stalledAfterMs = 1_000;
const hung = () => new Promise<never>(() => undefined);

const runsOf = ({ query }: Pick<Mirror, 'query'>) =>
  query<{ status: string; error_code: string | null }>(
    'select status, error_code from sync.runs order by run_id',
  );

/** It ended by itself, recorded why, and gave back what the hung work held: turn, connection and lease. */
async function expectEnd(mirror: Mirror, daemon: Awaited<ReturnType<typeof startDaemonOf>>) {
  expect(await daemon.failure()).toMatchObject({
    code: 'JOB-STALLED',
    message: expect.stringContaining('the run of balances made no progress'),
  });
  expect(daemon.entries()).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'run failed', code: 'JOB-STALLED', job: 'balances' }),
  );
  expect(await mirror.query(`select expires_at = '-infinity' as free from sync.leases`)).toEqual([
    { free: true },
  ]);
}

test('a run whose request never ends, and ignores its signal, ends the daemon; the next one mirrors', async () => {
  const mirror = await openMirror({ transactions: 5 }, onlyBalances);
  const client: CustodyClient = { ...mirror.context.client, balances: hung };
  const context = { ...mirror.context, client, stalledAfterMs };
  await expectEnd(mirror, await startDaemonOf({ ...mirror, context }));
  expect((await runsOf(mirror))[0]).toEqual({ status: 'failed', error_code: 'JOB-STALLED' });
  await startDaemonOf(mirror);
  await waitFor(async () => (await runsOf(mirror)).some(({ status }) => status === 'succeeded'), {
    what: 'a run after the one that hung',
  });
});

test('who asked for the run that hung hears so before the daemon ends', async () => {
  const never = { ...onlyBalances, SCHEDULE_BALANCES: '0 0 1 1 *' };
  const mirror = await openMirror({ transactions: 5 }, never);
  const { database, lease, client } = mirror.context;
  let isHanging = false;
  const balances: CustodyClient['balances'] = (...asked) => (isHanging ? hung() : client.balances(...asked));
  const context = { ...mirror.context, client: { ...client, balances }, stalledAfterMs };
  const daemon = await startDaemonOf({ ...mirror, context });
  await waitFor(async () => (await runsOf(mirror)).some(({ status }) => status === 'succeeded'), {
    what: 'the first run',
  });
  isHanging = true;
  const wish = { resources: ['balances'], isFull: false, trustEmpty: false } as const;
  await requestSync(database, lease.account, 'test', wish);
  await expectEnd(mirror, daemon);
  expect(
    await mirror.query(`select r.error_code from sync.sync_requests q
      join sync.runs r on r.run_id::text = any(q.run_ids) where q.finished_at is not null`),
  ).toEqual([{ error_code: 'JOB-STALLED' }]);
});

test.each(['commit-balances', 'start-run'])(
  'a transaction whose work never ends (%s) ends the daemon, which gives turn, connection and lease back',
  async (unit) => {
    const mirror = await openMirror({ transactions: 5 }, onlyBalances);
    const { database } = mirror.context;
    const hanging: Database = {
      ...database,
      transact: (label, work, options) =>
        database.transact(label, (tx) => (label === unit ? hung() : work(tx)), options),
    };
    const context = { ...mirror.context, database: hanging, stalledAfterMs };
    await expectEnd(mirror, await startDaemonOf({ ...mirror, context }));
  },
);

test('what an abandoned run does late commits nothing, nor does what it had begun', async () => {
  const { context, query } = await openMirror({ transactions: 5 }, onlyBalances);
  const late: unknown[] = [];
  let wake: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const fact = { fact: 'late', value: '1', evidence: 'written by the test' };
  const outcome = await runJob(
    { ...context, stalledAfterMs: 200 },
    { job: 'balances', mode: 'full' },
    (run) =>
      withFence(run.database, run.lease, 'test', async (tx) => {
        await woken;
        await tx.run('test', (db) => db.execute('select 1')).catch((error: unknown) => late.push(error));
        await saveFact(run.database, run.lease, fact).catch((error: unknown) => late.push(error));
        return null;
      }),
  );
  expect(outcome).toMatchObject({ status: 'failed', errorCode: 'JOB-STALLED' });
  wake();
  await waitFor(async () => late.length === 2, { what: 'the late work' });
  expect(await query("select fact from sync.learned where fact = 'late'")).toEqual([]);
});

test('a run that waits for its turn goes on as long as the limiter knows until when', async () => {
  const { context } = await openMirror(
    { transactions: 5 },
    { ...onlyBalances, CUSTODY_RATE_LIMIT: '0.4', CUSTODY_MAX_CONCURRENCY: '1' },
  );
  // The second request waits for far longer than the limit.
  const outcome = await runJob(
    { ...context, stalledAfterMs: 300 },
    { job: 'balances', mode: 'full' },
    async (run) => {
      const call = { signal: run.signal, priority: 'normal' as const, tally: run.tally };
      for (let asked = 0; asked < 2; asked += 1)
        await context.client.balances('all', { offset: 0, limit: 10 }, call);
      return null;
    },
  );
  expect(outcome).toMatchObject({ status: 'succeeded', requests: 2 });
});

test('a stop does not wait for a run that hangs', async () => {
  const mirror = await openMirror({ transactions: 5 }, onlyBalances);
  let isHung = false;
  const client: CustodyClient = {
    ...mirror.context.client,
    balances: () => {
      isHung = true;
      return hung();
    },
  };
  const { end } = await startDaemonOf({ ...mirror, context: { ...mirror.context, client } });
  await waitFor(async () => isHung, { what: 'the run' });
  await Promise.race([end(), later(20_000).then(() => Promise.reject(new Error('it was waited for')))]);
  expect((await runsOf(mirror)).map(({ status }) => status)).toEqual(['abandoned']);
});
