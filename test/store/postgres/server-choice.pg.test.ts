// Which server a process that writes keeps to: real servers with replication, behind an address that leads
// to one or the other.
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { testDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { listening } from '../../support/listening.ts';
import { startReplicated } from '../../support/replicated.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { open } from '../../support/store.ts';

const portOf = async (database: Database) => {
  const { rows } = await database.transact('port', (tx) =>
    tx.run('port', (db) => db.execute<{ port: string }>(sql`select current_setting('port') as port`)),
  );
  return rows[0]?.port;
};

const write = (database: Database) =>
  database.transact('write', (tx) =>
    tx.run('write', (db) => db.execute(sql`insert into public.written default values`)),
  );

/** Lends as many connections at once as there are, so that each is used. */
const writeOverAll = (database: Database) => Promise.all([1, 2, 3].map(() => write(database)));

const readOnly = {
  code: 'DATABASE-UNREACHABLE',
  message: expect.stringMatching(/database custody on \S+ is read-only: .*standby.*DATABASE_URL/),
};

test('a process that writes leaves a server that is, or turns, read-only, and a former primary', async () => {
  const { primary, replica, untilCaughtUp, promote } = await startReplicated();
  await primary.query('create table written (at timestamptz default now())');
  await untilCaughtUp();
  const gate = await openGate(primary.url);
  const database = open(gate.url, { takesWrites: true });
  const [first, second] = [primary, replica].map(({ url }) => new URL(url).port);
  await writeOverAll(database);

  // An address that leads to a standby for a while; who does not write may stay there.
  gate.leadTo(replica.url);
  gate.set('pass');
  await expect(write(database)).rejects.toMatchObject(readOnly);
  await expect(portOf(database)).rejects.toMatchObject(readOnly);
  expect(await portOf(open(gate.url))).toBe(second);
  gate.leadTo(primary.url);
  await writeOverAll(database);
  expect(await portOf(database)).toBe(first);

  // A switchover with both up: what is connected to the old primary stays connected.
  await untilCaughtUp();
  await primary.query('alter system set default_transaction_read_only = on');
  await primary.query('select pg_reload_conf()');
  await expect.poll(() => write(database).then(() => null, String)).toMatch(/is read-only/);
  await promote();
  gate.leadTo(replica.url);
  await writeOverAll(database);
  expect(await portOf(database)).toBe(second);

  // The old primary takes writes again, as after a wrong repair: its timeline betrays it.
  await primary.query('alter system reset default_transaction_read_only');
  await primary.query('select pg_reload_conf()');
  gate.leadTo(primary.url);
  gate.set('pass');
  await expect(write(database)).rejects.toMatchObject({
    code: 'DATABASE-UNREACHABLE',
    message: expect.stringMatching(/is on a former primary \(timeline 1, after 2\)/),
  });
  gate.leadTo(replica.url);
  await write(database);
});

test('of several hosts the first that will do is taken, and another when it falls away', async () => {
  const { primary, replica, untilCaughtUp, promote } = await startReplicated();
  await primary.query('create table written (at timestamptz default now())');
  await untilCaughtUp();
  const [first, second] = [primary, replica].map(({ url }) => new URL(url).port);
  const { username, password } = new URL(primary.url);
  const at = (hosts: string, attrs: string) =>
    open(`postgres://${username}:${password}@${hosts}/custody?target_session_attrs=${attrs}`, {
      maxConnections: 1,
    });
  const nobody = '127.0.0.1:1';
  const hosts = `${nobody},127.0.0.1:${second},127.0.0.1:${first}`;
  const writer = at(hosts, 'read-write');
  const reader = at(hosts, 'any');
  const single = at(`127.0.0.1:${second}`, 'read-write');
  expect([await portOf(writer), await portOf(reader)]).toEqual([first, second]);
  await expect(portOf(single)).rejects.toMatchObject(readOnly);
  await expect(portOf(at(`${nobody},127.0.0.1:${second}`, 'read-write'))).rejects.toMatchObject({
    code: 'DATABASE-UNREACHABLE',
    message: expect.stringMatching(
      /127\.0\.0\.1:1 cannot be reached .*; database custody on \S+ is read-only/,
    ),
  });
  await write(writer);
  await untilCaughtUp();

  await promote();
  await primary.stop();
  const taken = () =>
    write(writer).then(
      () => portOf(writer),
      () => null,
    );
  await expect.poll(taken).toBe(second);
  // Promotion cuts no connection of a reader.
  expect([await portOf(reader), await portOf(single)]).toEqual([second, second]);
});

test('a host that logs in and then reads no file is left for the next one', async () => {
  const { url } = await testDatabase();
  const { host, hostname, port } = new URL(url);
  const hanging = createServer((down) => {
    const up = connect(Number(port), hostname);
    let hangs = false;
    down.on('data', (data) => {
      hangs ||= data.includes('pg_control_system');
      if (!hangs) up.write(data);
    });
    up.on('data', (data) => hangs || down.write(data));
    for (const [one, other] of [
      [down, up],
      [up, down],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  const { port: first } = await listening(hanging);
  const database = open(url.replace(host, `127.0.0.1:${first},${host}`), { takesWrites: true });
  expect(await portOf(database)).toBe(port);
});

test('a socket is an address like any other', async () => {
  const server = await openRestartingPostgres({ unix_socket_directories: tmpdir() });
  const { username, password, port } = new URL(server.url);
  const parameters = `host=${encodeURIComponent(tmpdir())}&port=${port}`;
  const database = open(`postgres://${username}:${password}@/custody?${parameters}`, { takesWrites: true });
  expect(await portOf(database)).toBe(port);
  expect(database.target).toBe(`custody on ${tmpdir()}:${port}`);
});
