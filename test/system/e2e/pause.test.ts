// An account that rests on purpose: paused for a time, or retired.
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { waitFor } from '../../support/wait-for.ts';

async function started() {
  const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
  const daemon = await startDaemon(service, database);
  await untilWriter(database, daemon);
  await waitFor(() => succeeded(database), { what: 'a run' });
  const command = (...args: string[]) => runHere(args, { env: environment(service, database) });
  return { service, database, daemon, command };
}

const succeeded = async ({ query }: TestDatabase, since = '-infinity') =>
  (
    await query(
      "select 1 from sync.runs where job = 'balances' and status = 'succeeded' and started_at > $1",
      [since],
    )
  ).length > 0;

const problems = ({ query }: TestDatabase) =>
  query<{ code: string; severity: string }>('select code, severity from reporting.health_problems');

longTest('a paused account is not mirrored, on purpose; resume ends it, and it ends by itself', async () => {
  const { service, database, daemon, command } = await started();
  const holder = await leaseHolder(database);
  // A run that would last is stopped.
  const release = service.sandbox.faults.add({ kind: 'stall', endpoint: 'vaults' });
  await waitFor(
    async () =>
      (await database.query("select 1 from sync.runs where job = 'vaults' and status = 'running'")).length >
      0,
    { what: 'a run that hangs' },
  );
  expect(await command('pause', '--for', '8d')).toMatchObject({ code: 2 });
  const paused = await command('pause', '--for', '2h');
  expect(paused, paused.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Account default is paused until \d{4}-.* UTC by .+@.+ \(.+\)\.\n$/),
  });
  release();
  await daemon.output(/"msg":"mirroring paused"/);
  const runs = () =>
    database.query<{ last: string }>('select max(run_id)::text as last, count(*) from sync.runs');
  expect(await database.query("select 1 from sync.runs where status = 'running'")).toEqual([]);
  const before = await runs();
  expect(await sync(service, database)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is paused until .*custody-mirror resume ends that \(ACCOUNT-PAUSED\)/),
  });
  expect(await runs()).toEqual(before);
  expect(await leaseHolder(database)).toBe(holder);
  expect(await problems(database)).toEqual([{ code: 'paused', severity: 'note' }]);
  expect(await command('status')).toMatchObject({ code: 0, stdout: expect.stringContaining('paused until') });

  const [{ now } = { now: '' }] = await database.query<{ now: string }>(
    'select clock_timestamp()::text as now',
  );
  expect(await command('resume')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is mirrored again'),
  });
  await waitFor(() => succeeded(database, now), { what: 'a run after the pause' });

  expect(await command('pause')).toMatchObject({ code: 0 });
  await daemon.output(/"msg":"mirroring paused"[\s\S]*"msg":"mirroring paused"/);
  // Its end comes, by the clock of the database.
  const [{ end } = { end: '' }] = await database.query<{ end: string }>(
    'update sync.pauses set paused_until = clock_timestamp() where ended_at is null returning paused_until::text as end',
  );
  await waitFor(() => succeeded(database, end), { what: 'a run after the end of the pause' });
  await stopGracefully(daemon);
  expect(
    await database.query(
      "select paused_by = ended_by as ended, paused_until - paused_at > interval '1 hour 59 minutes' as long from sync.pauses order by paused_at",
    ),
  ).toEqual([
    { ended: true, long: true },
    { ended: null, long: false },
  ]);
});

test('a retired account keeps its history and has no problem without a process; it can be mirrored again', async () => {
  const { service, database, daemon, command } = await started();
  const history = () =>
    database.query<{ rows: number }>('select count(*)::int as rows from custody.transaction_status_history');
  expect(await command('account', 'retire', 'unknown')).toMatchObject({ code: 2 });
  expect(await command('account', 'retire', 'default')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Account default is retired by /),
  });
  await stopGracefully(daemon);
  const before = await history();
  expect(await command('status', '--all')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Healthy'),
  });
  expect(await problems(database)).toEqual([{ code: 'retired', severity: 'note' }]);
  expect(await command('account', 'list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^default: http:\S+, is retired by \S+@.+ \(.+\)\n$/),
  });
  expect(await command('pause')).toMatchObject({ code: 2, stderr: expect.stringContaining('is retired') });
  expect(await command('account', 'retire', 'default')).toMatchObject({ code: 0 });
  expect(await command('resume')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('account retire default --undo ends that'),
  });
  expect(await sync(service, database)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('account retire default --undo ends that'),
  });
  expect(await history()).toEqual(before);
  expect(await command('account', 'retire', 'default', '--undo')).toMatchObject({ code: 0 });
  expect(await sync(service, database)).toMatchObject({ code: 0 });
});
