// An account that rests on purpose.
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
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

const succeeded = async ({ query }: TestDatabase) =>
  (await query("select 1 from sync.runs where job = 'balances' and status = 'succeeded'")).length > 0;

const problems = ({ query }: TestDatabase) =>
  query<{ code: string; severity: string }>('select code, severity from reporting.health_problems');

test('a retired account keeps its history and has no problem without a process; it can be mirrored again', async () => {
  const { service, database, daemon, command } = await started();
  const history = () =>
    database.query<{ rows: number }>('select count(*)::int as rows from custody.transaction_status_history');
  expect(await command('account', 'retire', 'unknown')).toMatchObject({ code: 2 });
  expect(await command('account', 'retire', 'default')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/stop every process of this account.*\(LEASE-HELD\)/),
  });
  await stopGracefully(daemon);
  expect(await command('account', 'retire', 'default')).toMatchObject({
    code: 0,
    stdout: 'Account default is retired: its history stays, and nothing is added.\n',
  });
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
  expect(await command('account', 'retire', 'default')).toMatchObject({ code: 0 });
  for (const refused of [await sync(service, database), await command('run')])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /account retire default --undo lets it be mirrored again.*ACCOUNT-RETIRED/,
      ),
    });
  expect(await history()).toEqual(before);
  expect(await command('account', 'retire', 'default', '--undo')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('can be mirrored again'),
  });
  expect(await command('account', 'retire', 'default', '--undo')).toMatchObject({
    stdout: expect.stringContaining('was not retired'),
  });
  expect(await sync(service, database)).toMatchObject({ code: 0 });
  expect(await database.query('select retired_by = ended_by as ended from sync.retirements')).toEqual([
    { ended: true },
  ]);
});
