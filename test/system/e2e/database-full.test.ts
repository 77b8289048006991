import { expect, test } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { testRole } from '../../support/roles.ts';

/** A migrated database whose role may open no connection until it is `let` in. */
async function openFull() {
  const database = await testDatabase({ empty: true });
  const role = await testRole(database);
  await database.query(
    `grant create on database ${new URL(database.url).pathname.slice(1)} to ${role.quoted}`,
  );
  expect(await runHere(['migrate'], { env: { DATABASE_URL: role.url } })).toMatchObject({ code: 0 });
  const limit = (to: number) => database.query(`alter role ${role.quoted} connection limit ${to}`);
  await limit(0);
  return { url: role.url, letIn: () => limit(-1) };
}

/** Starts processes that have to wait for the database, until it is resumed. */
async function waitsUntil(env: Record<string, string>, resume: () => unknown): Promise<void> {
  const [run, serve, status] = ['run', 'serve', 'status'].map((command) => startProcess([command], { env }));
  const waiting = /"refusals":2[^\n]*"msg":"database accepts no connections yet"/;
  for (const process of [run, serve, status]) await process?.output(waiting);
  await resume();
  const patient = { deadlineMs: 40_000 };
  await run?.output(/"msg":"lease acquired"/, patient);
  await serve?.output(/"msg":"serving started"/, patient);
  await status?.exit(40_000);
  expect(status?.stderr()).not.toContain('DATABASE-UNREACHABLE)');
  expect(status?.stdout()).toContain('default');
  if (run !== undefined) await stopGracefully(run);
  serve?.kill('SIGTERM');
  expect(await serve?.exit(10_000)).toEqual({ code: 0, signal: null });
}

longTest(
  'run, serve and status wait for a connection where the database has none left',
  async () => {
    const [service, database] = [await serveSandbox({ transactions: 20 }), await openFull()];
    await waitsUntil(environment(service, database), database.letIn);
  },
  150_000,
);

longTest(
  'run, serve and status wait for a database that accepts them and does not answer',
  async () => {
    const database = await openRestartingPostgres();
    const service = await serveSandbox({ transactions: 20 });
    const env = environment(service, database);
    expect(await runHere(['migrate'], { env })).toMatchObject({ code: 0 });
    const thaw = database.freeze();
    await waitsUntil(env, thaw);
  },
  150_000,
);

test('what waits for a connection ends when it is asked to stop', async () => {
  const env = environment(await serveSandbox({ transactions: 20 }), await openFull());
  for (const command of ['run', 'serve']) {
    const process = startProcess([command], { env });
    await process.output(/"msg":"database accepts no connections yet"/);
    process.kill('SIGTERM');
    expect(await process.exit(10_000)).toEqual({ code: 0, signal: null });
  }
});
