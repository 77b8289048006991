import { expect, test } from 'vitest';
import { makeSealKey, readSigner } from '../../src/seal/note.ts';
import { startDaemonOf } from '../support/daemon-in-process.ts';
import { longTest } from '../support/form.ts';
import { openMirror } from '../support/mirror.ts';

test('a rejected key stops the requests until it is due to be tried again, and works again by itself', async () => {
  const mirror = await openMirror(
    {},
    {
      SCHEDULE_TRANSACTIONS: '* * * * * *',
      SCHEDULE_BALANCES: 'off',
      SCHEDULE_DOCUMENTS: 'off',
      SCHEDULE_RECONCILE: 'off',
      SCHEDULE_MAINTENANCE: 'off',
    },
    { keyProbeMs: 3_000, keyProbeMaxMs: 3_000 },
  );
  const { sandbox } = mirror;
  sandbox.faults.set('err02');
  const began = performance.now();
  const { entries } = await startDaemonOf(mirror);
  const runs = () =>
    mirror.query<{ status: string; error_code: string | null }>(
      'select status, error_code from sync.runs order by run_id',
    );
  await expect.poll(async () => (await runs())[0]).toEqual({ status: 'failed', error_code: 'ERR-02' });
  // More seconds of the schedule pass without a run or a request than with one.
  await expect.poll(() => performance.now() - began).toBeGreaterThan(3_000);
  const [begun, { total }] = [(await runs()).length, sandbox.requests];
  expect(Math.max(begun, total)).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 3_000));
  sandbox.faults.clear();
  await expect
    .poll(async () => (await runs()).filter((run) => run.status === 'succeeded').length)
    .toBeGreaterThan(0);
  // What failed last is told to work again, also by a run that found nothing new.
  await expect.poll(() => entries().filter(({ msg }) => msg === 'run succeeded again').length).toBe(1);
});

test('only what CUSTODY_RESOURCES lists is scheduled', async () => {
  const often = '* * * * * *';
  const mirror = await openMirror(
    { transactions: 20 },
    {
      CUSTODY_RESOURCES: 'balances,whitelist',
      SCHEDULE_TRANSACTIONS: often,
      SCHEDULE_BALANCES: often,
      SCHEDULE_DOCUMENTS: often,
      SCHEDULE_RECONCILE: often,
      SCHEDULE_MAINTENANCE: often,
    },
  );
  const { sandbox } = mirror;
  const finished: string[] = [];
  await startDaemonOf(mirror, { onOutcome: ({ job }) => void finished.push(job) });
  const times = (job: string) => finished.filter((each) => each === job).length;
  await expect
    .poll(() => Math.min(times('balances'), times('whitelist'), times('maintenance')))
    .toBeGreaterThan(2);
  expect(new Set(finished)).toEqual(new Set(['balances', 'whitelist', 'maintenance']));
  expect(Object.keys(sandbox.requests.byEndpoint).sort()).toEqual([
    'balances',
    'balances-by-type',
    'whitelist',
  ]);
});

/** A daemon that seals two parts and more beside a job that gets no answer. */
async function startSealing() {
  const key = makeSealKey('custody.example/acme');
  const signer = readSigner(key);
  const often = '* * * * * *';
  const mirror = await openMirror(
    { transactions: 20 },
    {
      CUSTODY_RESOURCES: 'transactions',
      SCHEDULE_TRANSACTIONS: often,
      SCHEDULE_SEAL: often,
      SCHEDULE_RECONCILE: 'off',
      SCHEDULE_MAINTENANCE: 'off',
      SEAL_KEY: key,
      CUSTODY_TIMEOUT_MS: '6000',
    },
  );
  await mirror.query(`do $do$ begin set local session_replication_role = replica;
    insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
    select a.account_id, 'vault', gen_random_uuid(), 1, now(), 'added', '{}', 1 from custody.accounts a, generate_series(1, 9000); end $do$`);
  const release = mirror.sandbox.faults.add({ kind: 'stall', endpoint: 'transactions' });
  // The first part waits, so that its pause is long.
  const locked = mirror.query('do $do$ begin lock table internal.seal_tiles; perform pg_sleep(4); end $do$');
  const { entries, end } = await startDaemonOf(mirror, {
    sealing: signer === null ? undefined : { signer, checkpointsFile: null },
  });
  const parts = () => entries().filter(({ msg }) => msg === 'history sealed').length;
  await expect.poll(parts, { interval: 5 }).toBe(1);
  await locked;
  return { release, end, parts, failed: () => entries().filter(({ msg }) => msg === 'job failed') };
}

test('a stop while sealing pauses for another job is no failure', async () => {
  const { end, failed } = await startSealing();
  await end();
  expect(failed()).toEqual([]);
});

longTest('sealing continues when the job for which it paused has ended', async () => {
  const { release, parts, failed } = await startSealing();
  release();
  await expect.poll(parts).toBeGreaterThan(2);
  expect(failed()).toEqual([]);
});

test('a process that stood by while its account was erased writes nothing of it', async () => {
  const mirror = await openMirror({}, { SCHEDULE_TRANSACTIONS: '* * * * * *' });
  await mirror.query('delete from custody.accounts');
  await mirror.query(
    "insert into internal.erasures (account_id, started_at, finished_at, erased_by) values ('default', now(), now(), 'x')",
  );
  const { entries } = await startDaemonOf(mirror);
  const faults = () => entries().filter(({ msg }) => msg === 'daemon turn failed');
  await expect.poll(() => faults().length).toBeGreaterThan(1);
  expect(JSON.stringify(faults()[0])).toContain('was erased');
  expect(await mirror.query('select from sync.runs')).toEqual([]);
  expect(await mirror.query('select from sync.expectations')).toEqual([]);
});

test('a daemon whose database was made again without its account says so and ends', async () => {
  const mirror = await openMirror();
  await mirror.query('delete from custody.accounts');
  const { failure } = await startDaemonOf(mirror);
  expect(await failure()).toMatchObject({
    code: 'ACCOUNT-MISSING',
    message: expect.stringMatching(/holds no account "default", and no record that it was erased/),
  });
  expect(await mirror.query('select from sync.runs')).toEqual([]);
});

longTest(
  'a daemon without work asks the database for nothing but its lease and what people ask of it',
  async () => {
    const off = { SCHEDULE_DOCUMENTS: 'off', SCHEDULE_RECONCILE: 'off', SCHEDULE_MAINTENANCE: 'off' };
    const mirror = await openMirror(
      {},
      {
        ...off,
        SCHEDULE_TRANSACTIONS: 'off',
        SCHEDULE_BALANCES: 'off',
        LEASE_TTL_MS: '15000',
      },
    );
    const asked: string[] = [];
    const { database } = mirror.context;
    const noting: typeof database = {
      ...database,
      transact(label, work, options) {
        asked.push(label);
        return database.transact(label, work, options);
      },
    };
    await startDaemonOf({ ...mirror, context: { ...mirror.context, database: noting } });
    const renewals = () => asked.filter((label) => label === 'renew-lease').length;
    await expect.poll(renewals).toBeGreaterThan(1);
    const first = asked.indexOf('renew-lease');
    expect(new Set(asked.slice(first))).toEqual(new Set(['renew-lease', 'sync-requests.look']));
  },
);
