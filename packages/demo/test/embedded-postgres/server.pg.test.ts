import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { withClient } from '../../../../test/support/server.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/embedded-postgres/server.ts';

function newDirectory(): string {
  const directory = join(tmpdir(), `custody-mirror-embedded-${randomBytes(5).toString('hex')}`);
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function start(dataDirectory: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const server = await startEmbeddedPostgres({ dataDirectory, persistent: true, ...options });
  onTestFinished(server.stop);
  return server;
}

const ask = (url: string, sql: string) =>
  withClient(url, async (client) => (await client.query({ text: sql, rowMode: 'array' })).rows);

/** A process that has ended but was not yet waited for still has its number, and no command line. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  if (existsSync('/proc/self/cmdline')) return existsSync(path) && readFileSync(path, 'utf8') !== '';
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a persistent cluster is continued by the next start', async () => {
  const directory = newDirectory();
  const first = await start(directory);
  await first.createDatabase('a "b"');
  await first.createDatabase('a "b"');
  await ask(first.url('a "b"'), 'create table t as select 7 as x');
  await first.stop();
  const second = await start(directory);
  expect(await ask(second.url('a "b"'), 'select x from t')).toEqual([[7]]);
});

test('a cluster whose server was killed is continued, and so is one whose lock names a process of another kind', async () => {
  const directory = newDirectory();
  const first = await start(directory);
  await ask(first.url('postgres'), 'create table t as select 7 as x');
  process.kill(first.pid, 'SIGKILL');
  const second = await start(directory);
  expect(await ask(second.url('postgres'), 'select x from t')).toEqual([[7]]);
  await second.stop();
  writeFileSync(join(directory, 'postmaster.pid'), `${process.pid}\n${directory}\n`);
  expect(await ask((await start(directory)).url('postgres'), 'select x from t')).toEqual([[7]]);
});

test('a cluster in use is refused, naming the process, and goes on', async () => {
  const directory = newDirectory();
  const server = await start(directory);
  await expect(start(directory)).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringContaining(`(process ${server.pid})`),
  });
  expect(await ask(server.url('postgres'), 'select 1')).toEqual([[1]]);
});

test('a server listens on loopback alone, asks for its password, and is not root', async () => {
  const server = await start(newDirectory(), { persistent: false });
  expect(
    await ask(
      server.url('postgres'),
      `select current_setting('listen_addresses'), current_setting('unix_socket_directories'),
              current_setting('server_encoding'), current_setting('lc_messages')`,
    ),
  ).toEqual([['127.0.0.1', '', 'UTF8', 'C']]);
  const without = new URL(server.url('postgres'));
  without.password = 'wrong';
  await expect(ask(without.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(server.dataDirectory).mode & 0o777).toBe(0o700);
  expect(statSync(server.dataDirectory).uid).not.toBe(0);
});

test('servers side by side do not meet, and leave nothing', async () => {
  const directories = [newDirectory(), newDirectory(), newDirectory()];
  const servers = await Promise.all(directories.map((directory) => start(directory, { persistent: false })));
  expect(new Set(servers.map((server) => server.port)).size).toBe(3);
  await Promise.all(servers.map((server) => server.stop()));
  expect(directories.filter((directory) => existsSync(directory))).toEqual([]);
  const names = directories.map((directory) => directory.slice(tmpdir().length + 1));
  expect(readdirSync(tmpdir()).filter((found) => names.some((name) => found.startsWith(name)))).toEqual([]);
});

test('a directory that holds other files is refused and left as it is', async () => {
  const directory = newDirectory();
  mkdirSync(directory);
  writeFileSync(join(directory, 'mine'), 'text');
  await expect(start(directory, { persistent: false })).rejects.toMatchObject({ code: 'DATABASE-REFUSED' });
  expect(readdirSync(directory)).toEqual(['mine']);
});

test('a port that is in use is named', async () => {
  const { port } = await start(newDirectory(), { persistent: false });
  const directory = newDirectory();
  await expect(start(directory, { persistent: false, port })).rejects.toMatchObject({
    code: 'DATABASE-UNREACHABLE',
    message: expect.stringContaining(`port ${port} is in use`),
  });
  expect(existsSync(directory)).toBe(false);
});

test('a setting that PostgreSQL refuses is reported in its words', async () => {
  const settings = { work_mem: 'plenty' };
  await expect(start(newDirectory(), { persistent: false, settings })).rejects.toThrow(/work_mem.*plenty/);
});

test('a start that is given up ends with the reason and leaves no server', async () => {
  const directory = newDirectory();
  const reason = new Error('given up');
  await expect(start(directory, { persistent: false, signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
  expect(existsSync(directory)).toBe(false);
});

test('a server ends with the process that started it, also when that is killed, and what is not kept is removed', async () => {
  const built = fileURLToPath(
    new URL('../../../../dist/packages/demo/src/embedded-postgres/server.js', import.meta.url),
  );
  if (!existsSync(built)) throw new Error(`${built} is missing; npm run build makes it`);
  const directory = newDirectory();
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(built)};
    const server = await startEmbeddedPostgres({ dataDirectory: ${JSON.stringify(directory)}, persistent: false });
    console.log(server.pid);
    setInterval(() => undefined, 1000);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [line] = await parent.stdout.take(1).toArray();
  const pid = Number(String(line));
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await waitFor(() => !isAlive(pid), { what: 'the end of the server' });
  await waitFor(() => !existsSync(directory), { what: 'the removal of its directory' });
});
