// Standard output and standard error that take nothing: a pipe that nobody reads, a reader that is gone, a
// disk that is full, a descriptor that is closed. The log never stops the work, and a command whose result
// cannot be written says so by its exit code.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { clockAndZone } from '../../support/clock.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { leaseHolder } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { openFullPipe, openPipe } from '../../support/pipes.ts';
import { builtProgram, type ProcessOptions, startProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

type Outputs = Pick<ProcessOptions, 'outputs' | 'launcher'>;

/** Both standard output and standard error, since each may be the one that takes nothing. */
const broken: readonly (readonly [string, () => Outputs])[] = [
  ['pipes that nobody reads', () => ({ outputs: { stdout: openFullPipe().fd, stderr: openFullPipe().fd } })],
  ['pipes whose readers are gone', () => ({ outputs: { stdout: abandoned(), stderr: abandoned() } })],
  ['a device that is full', () => ({ outputs: { stdout: fullDevice(), stderr: fullDevice() } })],
  ['descriptors that are closed', () => ({ launcher: ['sh', '-c', 'exec "$@" >&- 2>&-', 'sh'] })],
  ['files that may not grow', () => ({ launcher: ['sh', '-c', ungrowing(), 'sh'] })],
];

function abandoned(): number {
  const pipe = openPipe();
  pipe.closeReader();
  return pipe.fd;
}

function fullDevice(): number {
  const fd = openSync('/dev/full', 'w');
  onCleanup(async () => closeSync(fd));
  return fd;
}

function ungrowing(): string {
  const folder = newFolder();
  return `ulimit -f 1; exec "$@" >> '${join(folder, 'out')}' 2>> '${join(folder, 'err')}'`;
}

const often = {
  SCHEDULE_TRANSACTIONS: '* * * * * *',
  SCHEDULE_BALANCES: '* * * * * *',
  CUSTODY_RATE_LIMIT: 'off',
  LEASE_TTL_MS: '10000',
  LOG_LEVEL: 'trace',
};

async function startMuteDaemon(outputs: Outputs) {
  const [service, database, port] = await Promise.all([serveSandbox(), testDatabase(), freePort()]);
  const env = environment(service, database, { ...often, HTTP_PORT: String(port) });
  return { service, database, port, daemon: startProcess(['run'], { env, ...outputs }) };
}

/** More runs succeed, each of which writes lines. */
async function untilMirroring(database: TestDatabase) {
  const runs = async () => {
    const found = await database
      .query<{ runs: string }>(`select count(*) as runs from sync.runs where status = 'succeeded'`)
      .catch(() => []);
    return Number(found[0]?.runs ?? 0);
  };
  const before = await runs();
  await waitFor(async () => (await runs()) >= before + 6, { what: '6 more runs' });
}

async function health(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  return { status: answer.status, body: await answer.json() };
}

test.each(broken)(
  'the daemon mirrors, answers and stops with %s',
  async (_, outputs) => {
    const { database, port, daemon } = await startMuteDaemon(outputs());
    await untilMirroring(database);
    const [count] = await database.query('select count(*)::int as rows from custody.transactions');
    expect(count).toEqual({ rows: 150 });
    const [lease] = await database.query('select expires_at > clock_timestamp() as held from sync.leases');
    expect(lease).toEqual({ held: true });
    expect(await health(port)).toMatchObject({ status: 200, body: { alive: true, role: 'writer' } });
    const page = await fetch(`http://127.0.0.1:${port}/transactions`);
    expect(page.status).toBe(200);
    daemon.kill('SIGTERM');
    expect(await daemon.exit(10_000)).toEqual({ code: 0, signal: null });
  },
  120_000,
);

test('the log goes on when its pipe is read again, in whole lines, and ends with the last one', async () => {
  const pipe = openFullPipe();
  const { database, daemon } = await startMuteDaemon({ outputs: { stderr: pipe.fd } });
  await untilMirroring(database);
  let text = '';
  await waitFor(() => {
    text += pipe.read();
    return /"msg":"daemon started"/.test(text);
  });
  const reading = setInterval(() => {
    text += pipe.read();
  }, 5);
  onCleanup(async () => clearInterval(reading));
  daemon.kill('SIGTERM');
  expect(await daemon.exit(10_000)).toEqual({ code: 0, signal: null });
  for (let part = pipe.read(); part !== ''; part = pipe.read()) text += part;
  const lines = text.split('\n').filter((line) => !/^-*$/.test(line));
  const entries = lines.map((line) => JSON.parse(line) as { readonly msg: string });
  expect(entries.at(-1)?.msg).toBe('daemon stopped');
}, 120_000);

test('a result that cannot be written is a failure, and the reason is reported', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database);
  const synced = startProcess(['sync'], { env, outputs: { stdout: fullDevice() } });
  expect((await synced.exit(60_000)).code).toBe(1);
  expect(synced.stderr()).toMatch(/^Standard output could not be written \(ENOSPC\)\.$/m);
  // What was mirrored is kept.
  const [count] = await database.query('select count(*)::int as rows from custody.transactions');
  expect(count).toEqual({ rows: 150 });
  for (const args of [['status', '--json'], ['key', 'list', '--json'], ['doctor']]) {
    const asked = startProcess(args, { env, outputs: { stdout: fullDevice() } });
    expect({ args, code: (await asked.exit()).code }).toEqual({ args, code: 1 });
    expect(asked.stderr()).toMatch(/^Standard output could not be written \(ENOSPC\)\.$/m);
  }
});

test('a result waits for its reader, and a signal ends the wait', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database);
  expect((await startProcess(['sync'], { env }).exit(60_000)).code).toBe(0);
  const pipe = openFullPipe();
  const read = startProcess(['status', '--json'], { env, outputs: { stdout: pipe.fd } });
  await untilDisconnected(database);
  let text = '';
  await waitFor(() => {
    text += pipe.read();
    return text.endsWith('\n}\n');
  });
  expect(JSON.parse(text.replaceAll(/^-+\n/gm, ''))).toHaveProperty('healthy');
  expect((await read.exit()).code).toBeLessThan(2);
  const unread = startProcess(['status', '--json'], { env, outputs: { stdout: openFullPipe().fd } });
  await untilDisconnected(database);
  unread.kill('SIGTERM');
  expect((await unread.exit()).code).toBe(1);
  expect(unread.stderr()).toBe('Standard output could not be written (nobody read it).\n');
}, 120_000);

/** The process has asked the database, and holds no connection any more. */
async function untilDisconnected(database: TestDatabase) {
  const sessions = () =>
    database.query(
      `select pid from pg_stat_activity
        where application_name like 'custody-mirror%' and datname = current_database()`,
    );
  await waitFor(async () => (await sessions()).length > 0, { what: 'a session', intervalMs: 1 });
  await waitFor(async () => (await sessions()).length === 0, { what: 'no session' });
}

/** util-linux' script runs a command on a terminal of its own. */
const hasTerminals = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const absent = hasTerminals ? '' : ' (skipped: the command `script` of util-linux is not installed)';

test.skipIf(!hasTerminals)(
  `the daemon goes on and stops on a terminal that is stopped${absent}`,
  async () => {
    const [service, database, port] = await Promise.all([serveSandbox(), testDatabase(), freePort()]);
    const terminal = spawn('script', ['-qec', `'${process.execPath}' '${builtProgram}' run`, '/dev/null'], {
      env: {
        PATH: process.env['PATH'],
        SHELL: '/bin/sh',
        ...clockAndZone(),
        ...environment(service, database, { ...often, HTTP_PORT: String(port) }),
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onCleanup(async () => void terminal.kill('SIGKILL'));
    let shown = '';
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
    });
    await waitFor(() => shown.includes('daemon started'));
    terminal.stdin.write('\u0013');
    await untilMirroring(database);
    expect(await health(port)).toMatchObject({ status: 200, body: { role: 'writer' } });
    const pid = Number((await leaseHolder(database))?.split(':').at(-2));
    onCleanup(async () => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
    process.kill(pid, 'SIGTERM');
    await waitFor(() => !isRunning(pid), { what: 'the end of the daemon', deadlineMs: 10_000 });
  },
  120_000,
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
