// A database that has no connection left for a while, or is too busy to log anyone in: what starts meanwhile
// waits for one.
import pg from 'pg';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { stopGracefully } from '../../support/daemon.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';

/** Takes every connection that the server has. @returns a function that gives them back */
async function takeAll(url: string): Promise<() => Promise<void>> {
  const clients: pg.Client[] = [];
  const giveBack = async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
  };
  onCleanup(giveBack);
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === '53300') return giveBack;
      throw error;
    }
    clients.push(client);
  }
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
    const database = await openRestartingPostgres({ max_connections: '20' });
    const service = await serveSandbox({ transactions: 20 });
    const env = environment(service, database);
    expect(await runHere(['migrate'], { env })).toMatchObject({ code: 0 });
    const giveBack = await takeAll(database.url);
    await waitsUntil(env, giveBack);
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
  const database = await openRestartingPostgres({ max_connections: '20' });
  const service = await serveSandbox({ transactions: 20 });
  await takeAll(database.url);
  const env = environment(service, database);
  for (const command of ['run', 'serve']) {
    const process = startProcess([command], { env });
    await process.output(/"msg":"database accepts no connections yet"/);
    process.kill('SIGTERM');
    expect(await process.exit(10_000)).toEqual({ code: 0, signal: null });
  }
});
