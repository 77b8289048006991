// An account that gets another name by the command line: refused while its daemon runs, killed on the way,
// and mirrored on under the new name.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { expireLease, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { killWaiting } from '../../support/killed-command.ts';
import { mirrored, truth } from '../../support/truth.ts';

longTest(
  'a rename is refused while a daemon runs, leaves nothing half done when it is killed, and the mirror continues',
  async () => {
    const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
    const env = environment(service, database);
    const rename = ['account', 'rename', 'default', '--to', 'treasury'];
    const daemon = await startDaemon(service, database);
    await untilWriter(database, daemon);
    expect(await runHere(rename, { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/writes for account "default": stop every process.*LEASE-HELD/),
    });
    await stopGracefully(daemon);
    expect(await sync(service, database)).toMatchObject({ code: 0 });
    for (const [to, why] of [
      ['no/name', '--to: must be 1 to 63 letters'],
      ['default', 'account "default" is in the database already'],
    ] as const)
      expect(await runHere([...rename.slice(0, -1), to], { env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(why),
      });
    const names = () => database.query('select account_id from custody.accounts');
    const counts = () =>
      database.query<{ rows: string }>(
        'select (select count(*) from custody.transactions) + (select count(*) from custody.transaction_status_history) as rows',
      );
    const before = await counts();

    // It waits in the middle of its statement, and is killed there.
    await killWaiting(rename, { env }, database, 'custody.vaults');
    expect(await names()).toEqual([{ account_id: 'default' }]);
    await expireLease(database);

    expect(await runHere(rename, { env })).toMatchObject({
      code: 0,
      stdout:
        'Renamed account default to treasury. Set CUSTODY_ACCOUNT=treasury before you start its processes.\n',
    });
    expect(await names()).toEqual([{ account_id: 'treasury' }]);
    expect(await counts()).toEqual(before);
    // It is the same account: nothing is new to it.
    const next = await runHere(['sync'], { env: { ...env, CUSTODY_ACCOUNT: 'treasury' } });
    expect(next, next.stderr).toMatchObject({ code: 0 });
    expect(await counts()).toEqual(before);
    expect(await mirrored(database, 'treasury')).toEqual(truth(service.sandbox));
  },
  120_000,
);

test('a sealed account is renamed after its log was ended, and its new log verifies', async () => {
  const [service, database] = await Promise.all([serveSandbox({ transactions: 20 }), testDatabase()]);
  const env = environment(service, database);
  const folder = mkdtempSync(join(tmpdir(), 'custody-mirror-rename-'));
  onCleanup(async () => rmSync(folder, { recursive: true }));
  const command = (args: string[], more: Record<string, string> = {}) =>
    runHere(args, { env: { ...env, ...more } });
  const first = { SEAL_KEY_FILE: `${folder}/first.key` };
  const second = { SEAL_KEY_FILE: `${folder}/second.key`, CUSTODY_ACCOUNT: 'default' };
  expect(await command(['seal', 'init', first.SEAL_KEY_FILE, 'example.org/first'])).toMatchObject({
    code: 0,
  });
  const created = await command(['seal', 'init', second.SEAL_KEY_FILE, 'example.org/second']);
  expect(await command(['sync'], first)).toMatchObject({ code: 0 });
  const rename = ['account', 'rename', 'default', '--to', 'treasury'];
  expect(await command(rename)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('end it with custody-mirror seal restart --end <directory>'),
  });
  expect(await command(['seal', 'restart', '--end', `${folder}/old-log`])).toMatchObject({ code: 0 });
  expect(await command(rename)).toMatchObject({ code: 0 });
  const renamed = { ...second, CUSTODY_ACCOUNT: 'treasury' };
  expect(await command(['sync'], renamed)).toMatchObject({ code: 0 });
  const verified = await command(['verify', '--key', created.stdout.trim()], renamed);
  expect(verified, verified.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('intact') });
}, 120_000);
