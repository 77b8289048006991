// The daemon as a process: it serves from the start, follows the service, and stops and goes on without loss.
import { mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signalsHeard } from '../../../src/base/lifecycle.ts';
import { serveSandbox } from '../../support/command.ts';
import { leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest, sampled } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';
import { mirrored, truth, untilTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

test('new records and changed statuses arrive with their history while health and metrics are served', async () => {
  const [service, database] = await Promise.all([serveSandbox({ frozen: false }), testDatabase()]);
  const daemon = await startDaemon(service, database);
  await untilWriter(database, daemon);
  expect(await daemon.get('/healthz')).toMatchObject({ status: 200 });
  // The lease stands in the database a moment before the process knows that it has it.
  const isReady = async () => {
    const { status, text } = await daemon.get('/readyz');
    return status === 200 && text.includes('"writer"');
  };
  await waitFor(isReady, { what: 'the writer' });
  const { world } = service.sandbox;
  await untilTruth(database, service.sandbox);

  const moved = [...world.transactions()].find(({ status }) => status === 'confirming')?.transactionId ?? '';
  service.sandbox.advance(30);
  const { transactionId: arrived } = world.insertTransaction('head', { status: 'pending' });
  world.alterTransaction(moved, { status: 'completed', note: 'settled by hand' });
  await untilTruth(database, service.sandbox);
  world.alterTransaction(arrived, { status: 'rejected' });
  await untilTruth(database, service.sandbox);

  const history = (id: string) =>
    database.query(
      `select sequence, from_status, to_status from custody.transaction_status_history
       where transaction_id = $1 order by sequence`,
      [id],
    );
  expect(await history(arrived)).toEqual([
    { sequence: 1, from_status: null, to_status: 'pending' },
    { sequence: 2, from_status: 'pending', to_status: 'rejected' },
  ]);
  expect(await history(moved)).toEqual([
    { sequence: 1, from_status: null, to_status: 'confirming' },
    { sequence: 2, from_status: 'confirming', to_status: 'completed' },
  ]);
  const revisions = await database.query(
    `select revision, changed_fields @> '{note}' as note, after ->> 'note' as after
     from custody.transaction_revisions where transaction_id = $1`,
    [moved],
  );
  expect(revisions).toEqual([{ revision: 1, note: true, after: 'settled by hand' }]);

  // What a sweep has read is mirrored before the sweep ends.
  const isCounted = async () =>
    /^custody_mirror_runs_total\{mirror_job="transactions",status="succeeded",account="default"\} [1-9]/m.test(
      (await daemon.get('/metrics')).text,
    );
  await waitFor(isCounted, { what: 'the end of the first run' });
  const metrics = await daemon.get('/metrics');
  const series = metrics.text.split('\n').filter((line) => line.startsWith('custody_mirror_'));
  expect(series.filter((line) => !/[{,]account="default"[,}]/.test(line))).toEqual([]);
  expect(metrics.text).toMatch(/^custody_mirror_lease_held\{account="default"\} 1$/m);
  expect(metrics.text).toMatch(
    /^custody_mirror_requests_total\{endpoint="vaults",outcome="ok",account="default"\} [1-9]/m,
  );
  // A page that cannot be made in time says so with 503.
  await waitFor(async () => (await daemon.get('/sync')).status === 200, { what: 'the page' });
  expect((await daemon.get('/sync')).text).toContain(service.url);
  await stopGracefully(daemon);
});

longTest('a schedule that fails outside of a run shows in the metrics until it succeeds', async () => {
  const folder = newFolder();
  const [key, elsewhere] = [join(folder, 'key'), join(folder, 'elsewhere')];
  expect((await runHere(['seal', 'init', key, 'custody.example/acme'], { env: {} })).code).toBe(0);
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const daemon = await startDaemon(service, database, {
    SCHEDULE_SEAL: '* * * * * *',
    SEAL_KEY_FILE: key,
    SEAL_CHECKPOINTS_FILE: join(elsewhere, 'checkpoints'),
  });
  const told = async (count: string) =>
    new RegExp(
      `^custody_mirror_schedule_consecutive_failures{schedule="seal",account="default"} ${count}$`,
      'm',
    ).test((await daemon.get('/metrics')).text);
  await waitFor(async () => await told('[2-9]'), { what: 'the second failure in a row' });
  mkdirSync(elsewhere);
  await waitFor(async () => await told('0'), { what: 'the success' });
  await stopGracefully(daemon);
});

longTest(
  'a stop in the middle of a sweep gives the lease back, and the next start resumes and completes',
  async () => {
    const [service, database] = await Promise.all([serveSandbox({ transactions: 400 }), testDatabase()]);
    // Beyond the tenth page no answer comes, so the sweep stands in the middle.
    const release = service.sandbox.faults.add({
      kind: 'stall',
      endpoint: 'transactions',
      when: ({ query }) => Number(query.get('offset')) > 200,
    });
    const first = await startDaemon(service, database, { CUSTODY_PAGE_SIZE: '20' });
    const reached = async () => {
      const [position] = await database.query<{ offset: number }>(
        `select (position #>> '{window,offset}')::int as "offset" from sync.positions where job = 'transactions'`,
      );
      return position === undefined || position.offset < 100 ? null : position.offset;
    };
    const stoppedAt = await waitFor(reached, { what: 'the middle of the sweep' });
    await stopGracefully(first);
    expect(await leaseHolder(database)).toBeNull();
    const stopped = await database.query(`select distinct status from sync.runs where job = 'transactions'`);
    expect(stopped).toEqual([{ status: 'abandoned' }]);
    const [kept] = await database.query<{ count: number }>(
      'select count(*)::int as count from custody.transactions',
    );
    expect(kept?.count).toBeGreaterThanOrEqual(stoppedAt);

    release();
    service.sandbox.requests.reset();
    const second = await startDaemon(service, database, {
      CUSTODY_PAGE_SIZE: '20',
      // Due all the same, because the last run was not brought to its end.
      SCHEDULE_TRANSACTIONS: '0 0 1 1 *',
    });
    await waitFor(
      async () =>
        (await database.query("select 1 from sync.runs where job = 'transactions' and verified")).length > 0,
      { what: 'the end of the sweep' },
    );
    const offsets = service.sandbox.requests
      .recent()
      .filter(({ endpoint }) => endpoint === 'transactions')
      .map(({ query }) => Number(new URLSearchParams(query).get('offset')));
    expect(offsets[0]).toBeGreaterThan(100);
    expect((await mirrored(database)).transactions).toEqual(truth(service.sandbox).transactions);
    const [history] = await database.query('select count(*)::int from custody.transaction_status_history');
    expect(history).toEqual({ count: 400 });
    await stopGracefully(second, 'SIGINT');
  },
);

test('a second signal ends the daemon at once, whatever it waits for', async () => {
  const [service, database] = await Promise.all([serveSandbox({ faults: 'stall=1' }), testDatabase()]);
  const daemon = await startDaemon(service, database);
  await waitFor(() => service.sandbox.requests.running > 0, { what: 'a request that hangs' });
  daemon.kill('SIGTERM');
  daemon.kill('SIGINT');
  expect(await daemon.exit(10_000)).toEqual({ code: 1, signal: null });
  expect(daemon.stderr()).toMatch(/"signal":"SIG(INT|TERM)"[^\n]*"msg":"stopped at once"/);
});

longTest('a daemon whose key is rejected lives on and stops asking', async () => {
  const [service, database] = await Promise.all([serveSandbox({ faults: 'err02=1' }), testDatabase()]);
  const daemon = await startDaemon(service, database, { SCHEDULE_MAINTENANCE: '* * * * * *' });
  await daemon.output(/"job":"transactions"[^\n]*"code":"ERR-02"[^\n]*"msg":"run failed"/);
  // Every schedule has had its time again once this one, which asks nothing of the service, has had it three
  // times.
  await waitFor(
    async () => {
      const [row] = await database.query<{ runs: number }>(
        "select count(*)::int as runs from sync.runs where job = 'maintenance' and status = 'succeeded'",
      );
      return (row?.runs ?? 0) >= 3;
    },
    { what: 'three runs of maintenance' },
  );
  expect(service.sandbox.requests.byEndpoint).toHaveProperty('transactions');
  for (const [endpoint, requests] of Object.entries(service.sandbox.requests.byEndpoint))
    expect(requests, endpoint).toBeLessThanOrEqual(2);
  expect((await daemon.get('/metrics')).text).toMatch(
    /^custody_mirror_key_rejected\{endpoint="transactions",account="default"\} 1$/m,
  );
  expect(await daemon.get('/healthz')).toMatchObject({ status: 200 });
  await stopGracefully(daemon);
});

/** Signals that end no process, and those that are left to the system: of a fault, a terminal, a profiler. */
const harmless = ['SIGPIPE', 'SIGCHLD', 'SIGCONT', 'SIGURG', 'SIGWINCH', 'SIGXFSZ'] as const;
const leftAlone = [
  ...(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP', 'SIGKILL'] as const),
  ...(['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGPROF', 'SIGXCPU'] as const),
];

test('whatever signal reaches a daemon, it goes on or stops gracefully, and opens no debugger', async () => {
  const { stop, ignore } = signalsHeard;
  // Some have two names.
  const known = [...stop, ...ignore, ...harmless, ...leftAlone].map((name) => constants.signals[name]);
  const others = Object.entries(constants.signals).filter(([, number]) => !known.includes(number));
  expect(others).toEqual([]);
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  for (const signal of sampled(stop, { every: 6, from: 2 })) {
    const daemon = await startDaemon(service, database);
    await untilWriter(database, daemon);
    for (const other of [...ignore, ...harmless]) daemon.kill(other);
    expect(await daemon.get('/healthz')).toMatchObject({ status: 200 });
    await stopGracefully(daemon, signal);
    expect(daemon.stderr()).not.toMatch(/[Dd]ebugger/);
    expect(await leaseHolder(database)).toBeNull();
  }
});

test.each([
  [
    'closes the debugger that a signal opened before anything was loaded',
    "--inspect-port=0 --import=data:text/javascript,process.kill(process.pid,'SIGUSR1')",
    false,
  ],
  ['keeps the debugger that was asked for', '--inspect=0', true],
])('the program %s', async (_, options, isKept) => {
  const program = startProcess(['sandbox', '--port', '0'], { env: { NODE_OPTIONS: options } });
  await program.output(/custody service listens/);
  const opened = [...program.stderr().matchAll(/Debugger listening on ws:\/\/(\S+?)\//g)];
  expect(opened).not.toEqual([]);
  const answers = await Promise.allSettled(opened.map(([, host]) => fetch(`http://${host}/json`)));
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(isKept);
});
