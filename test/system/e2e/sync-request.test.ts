// `sync` where another process writes: the daemon does what is asked, and the command ends with its result.
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { expireLease, leaseHolder, startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { startProcess } from '../../support/process.ts';
import { withClient } from '../../support/server.ts';
import { expectTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Schedules that start nothing by themselves once everything was read. */
const idle = {
  SCHEDULE_TRANSACTIONS: '0 0 1 1 *',
  SCHEDULE_BALANCES: '0 0 1 1 *',
  SCHEDULE_DOCUMENTS: '0 0 1 1 *',
  SCHEDULE_RECONCILE: 'off',
};
const runs = ({ query }: TestDatabase, condition: string) =>
  query<{ job: string; mode: string; requested_by: string | null }>(
    `select job, mode, requested_by from sync.runs where ${condition} order by job`,
  );

async function idleDaemon(more: Readonly<Record<string, string>> = {}) {
  const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
  const daemon = await startDaemon(service, database, { ...idle, ...more });
  await untilWriter(database, daemon);
  const first = (more['CUSTODY_RESOURCES'] ?? 'transactions,balances,vaults,whitelist').split(',').length;
  await waitFor(async () => (await runs(database, "status = 'succeeded'")).length >= first, {
    what: 'first runs',
  });
  return { service, database, daemon };
}

test('a daemon does what sync asks, whoever runs it; the command ends with its result', async () => {
  const { service, database, daemon } = await idleDaemon();
  const holder = await leaseHolder(database);
  service.sandbox.world.insertTransaction('head', { status: 'pending' });
  const asked = await sync(service, database, {}, ['transactions', 'vaults', '--full']);
  expect(asked, asked.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^transactions: 1 new, verified: all 61 records in the list were read \(\d+ records read, \d+ requests, [\d.]+ s\) \| vaults: nothing new, verified/,
    ),
  });
  expect(await leaseHolder(database)).toBe(holder);
  const by = expect.stringMatching(new RegExp(`^.+@${hostname()} \\(.+\\)$`));
  expect(await runs(database, 'requested_by is not null')).toEqual([
    { job: 'transactions', mode: 'full', requested_by: by },
    { job: 'vaults', mode: 'full', requested_by: by },
  ]);
  await expectTruth(database, service.sandbox);
  // Two at once both end, after each other.
  const both = await Promise.all([sync(service, database), sync(service, database, {}, ['balances'])]);
  expect(both).toMatchObject([{ code: 0 }, { code: 0, stdout: expect.stringMatching(/^balances: /) }]);
  await stopGracefully(daemon);
  expect(daemon.stderr()).toMatch(/"msg":"sync requested"/);
});

longTest(
  'what fails there ends the command as it would here: a fault with 1, a refused key with 3, a resource left out with 2',
  async () => {
    const { service, database } = await idleDaemon({
      CUSTODY_RESOURCES: 'transactions,balances',
      CUSTODY_RETRIES: '0',
    });
    expect(await sync(service, database, {}, ['vaults'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('CUSTODY_RESOURCES: leaves vaults out in the daemon'),
    });
    service.sandbox.faults.set('http500@balances=1');
    expect(await sync(service, database, {}, ['balances'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^balances: failed/),
    });
    service.sandbox.faults.set('err02');
    expect(await sync(service, database)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('rejected the key'),
    });
  },
);

const taken = async ({ query }: TestDatabase) =>
  (await query('select 1 from sync.sync_requests where taken_by is not null')).length > 0;

longTest('where the daemon dies over it, the command does the work itself', async () => {
  const { service, database, daemon } = await idleDaemon();
  const release = service.sandbox.faults.add({ kind: 'stall' });
  const env = environment(service, database, { LEASE_TTL_MS: '10000' });
  const command = startProcess(['sync', '--full'], { env });
  await waitFor(() => taken(database), { what: 'the request taken' });
  daemon.kill('SIGKILL');
  await daemon.exit();
  release();
  await expireLease(database);
  expect(await command.exit(), command.stderr()).toEqual({ code: 0, signal: null });
  expect(await database.query('select 1 from sync.sync_requests')).toEqual([]);
  await expectTruth(database, service.sandbox);
});

longTest('a command that loses its connection keeps its request, and looks again', async () => {
  const { service, database } = await idleDaemon({ CUSTODY_TIMEOUT_MS: '2000' });
  const release = service.sandbox.faults.add({ kind: 'stall' });
  const command = startProcess(['sync', 'vaults'], { env: environment(service, database) });
  await waitFor(() => taken(database), { what: 'the request taken' });
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~ 'update.+wanted_until'`;
  await withClient(database.url, async (locker) => {
    await locker.query('begin; lock table sync.sync_requests');
    await waitFor(async () => (await database.query(ended)).length > 0, { what: 'a look of the command' });
  });
  release();
  expect(await command.exit(60_000), command.stderr()).toEqual({ code: 0, signal: null });
  expect(await runs(database, 'requested_by is not null')).toHaveLength(1);
});

longTest('where another daemon takes over, that one does it', async () => {
  const { service, database, daemon } = await idleDaemon();
  const second = await startDaemon(service, database, idle);
  await second.output(/"msg":"standing by while another process writes"/);
  const release = service.sandbox.faults.add({ kind: 'stall' });
  const command = startProcess(['sync', 'vaults'], { env: environment(service, database) });
  await waitFor(() => taken(database), { what: 'the request taken' });
  // Stopped so that the command, which looks every second, cannot be the first at the free lease.
  command.kill('SIGSTOP');
  daemon.kill('SIGKILL');
  await daemon.exit();
  release();
  await expireLease(database);
  await untilWriter(database, second);
  command.kill('SIGCONT');
  expect(await command.exit(60_000), command.stderr()).toEqual({ code: 0, signal: null });
  expect(second.stderr()).toMatch(/"msg":"sync requested"/);
});

longTest('a stopped command withdraws what nobody began, and leaves alone what runs', async () => {
  const { service, database, daemon } = await idleDaemon({ CUSTODY_TIMEOUT_MS: '2000' });
  const release = service.sandbox.faults.add({ kind: 'stall' });
  const begun = startProcess(['sync', '--full'], { env: environment(service, database) });
  await waitFor(() => taken(database), { what: 'the request taken' });
  begun.kill('SIGINT');
  expect(await begun.exit()).toEqual({ code: 1, signal: null });
  release();
  const done = () => runs(database, "requested_by is not null and status = 'succeeded'");
  await waitFor(async () => (await done()).length === 4, { what: 'what was asked for, done' });

  await stopGracefully(daemon);
  const store = await holdLease(database);
  const waiting = startProcess(['sync'], { env: environment(service, database) });
  const asked = () => database.query('select 1 from sync.sync_requests where taken_by is null');
  await waitFor(async () => (await asked()).length === 1, { what: 'the request' });
  waiting.kill('SIGINT');
  expect(await waiting.exit()).toEqual({ code: 1, signal: null });
  expect(await asked()).toEqual([]);
  expect(await leaseHolder(database)).toBe(store);
});

longTest(
  'a holder that takes no requests is named after twice the time of the lease, with code 1',
  async () => {
    const { service, database, daemon } = await idleDaemon();
    await stopGracefully(daemon);
    const holder = await holdLease(database);
    const refused = await sync(service, database, { LEASE_TTL_MS: '10000' });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `another process writes for account default and takes no requests: ${holder}`,
    );
    expect(refused.stderr).toMatch(/LEASE-HELD/);
    expect(refused.stderr).not.toContain('    at ');
    expect(await database.query('select 1 from sync.sync_requests where taken_by is null')).toEqual([]);
  },
);

longTest('a request whose holder loses the lease to one that takes none ends with code 1', async () => {
  const { service, database, daemon } = await idleDaemon();
  const release = service.sandbox.faults.add({ kind: 'stall' });
  const command = startProcess(['sync'], {
    env: environment(service, database, { LEASE_TTL_MS: '10000' }),
  });
  await waitFor(() => taken(database), { what: 'the request taken' });
  const before = await leaseHolder(database);
  const after = await holdLease(database);
  release();
  expect(await command.exit(60_000), command.stderr()).toEqual({ code: 1, signal: null });
  expect(command.stderr()).toContain(
    `${before} took the request and no longer writes for account default; ${after} does now`,
  );
  await stopGracefully(daemon);
});

/** Such as `account erase` has it. */
async function holdLease({ query }: TestDatabase): Promise<string> {
  await query(
    `update sync.leases set holder = 'elsewhere:1', token = token + 1, expires_at = clock_timestamp() + interval '1 hour'`,
  );
  return 'elsewhere:1';
}
