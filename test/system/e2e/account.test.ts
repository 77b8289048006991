// The accounts of a database by the command line: listed, and one of them erased.
import { expect, test } from 'vitest';
import { releaseLease } from '../../../src/store/run/leases.ts';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { expireLease } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { rowsOf } from '../../support/every-account-table.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { killWaiting } from '../../support/killed-command.ts';
import { runProcess } from '../../support/process.ts';
import { account, openStore } from '../../support/store.ts';
import { expectTruth } from '../../support/truth.ts';

test('an account is erased only with its name repeated and while nobody writes for it; the list shows the record', async () => {
  const store = await openStore();
  const command = (...args: string[]) => runHere(['account', ...args], { env: { DATABASE_URL: store.url } });
  expect(await command('erase', account, '--confirm', 'another')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--confirm: must repeat the name'),
  });
  expect(await command('erase', 'unknown', '--confirm', 'unknown')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('account "unknown" is not in the database'),
  });
  expect(await command('erase', account, '--confirm', account)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/test writes for account "acme".*LEASE-HELD/),
  });
  await releaseLease(store.database, store.lease);
  expect(await command('list')).toMatchObject({ code: 0, stdout: `${account}: https://custody.example\n` });
  expect(await command('erase', account, '--confirm', account)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`Erased account ${account}: 4 rows.`),
  });
  expect(await command('list')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^acme: erased .* UTC by .+@.+, 4 rows\n$/),
  });
});

longTest(
  'after an erase that was killed on the way no process brings the account back, and the same command ends it',
  async () => {
    const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
    expect(await sync(service, database)).toMatchObject({ code: 0 });
    const env = environment(service, database);
    const erase = ['account', 'erase', 'default', '--confirm', 'default'];
    await killWaiting(erase, { env }, database, 'sync.runs');
    await expireLease(database);
    const left = await rowsOf(database, 'default');
    expect(left).toMatchObject({ 'custody.transactions': 0, 'custody.accounts': 1 });
    expect(await sync(service, database)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/account "default" was half erased: .*account erase again/),
    });
    expect(await rowsOf(database, 'default')).toEqual(left);
    expect(await runProcess(erase, { env })).toMatchObject({ code: 0 });
    expect(Object.entries(await rowsOf(database, 'default')).filter(([, rows]) => rows > 0)).toEqual([]);
    // Whoever wants it anew has it anew.
    expect(await sync(service, database)).toMatchObject({ code: 0 });
    await expectTruth(database, service.sandbox);
  },
  60_000,
);
