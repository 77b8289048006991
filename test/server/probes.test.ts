import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeApiKey } from '../../src/base/api-key.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { listenerFault } from '../../src/server/listener-check.ts';
import { onCleanup } from '../support/cleanup.ts';
import { atWork, startServer } from '../support/running-server.ts';
import { statusReport } from '../support/status-report.ts';
import { waitFor } from '../support/wait-for.ts';
import { never, unreachable } from './silent-database.ts';

test('healthz says that the process works and asks nobody', async () => {
  let asked = 0;
  const count = async () => {
    asked += 1;
    return statusReport();
  };
  const { get } = await startServer({ readStatus: count, checkDatabase: count });
  const answer = await get('/healthz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ alive: true, role: 'writer', version: '1.2.3' });
  expect(asked).toBe(0);
});

test('healthz answers 503 once the process cannot work any more', async () => {
  const { get } = await startServer({ health: () => ({ ...atWork, alive: false }) });
  expect((await get('/healthz')).status).toBe(503);
});

test('readyz gives the reasons of a process that is not ready', async () => {
  const health = () => ({ ...atWork, ready: false, reasons: ['migrations run'], role: 'starting' as const });
  const { get } = await startServer({ health });
  const answer = await get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, role: 'starting', reasons: ['migrations run'] });
});

test('readyz is 200 on a standby', async () => {
  const { get } = await startServer({ health: () => ({ ...atWork, role: 'standby' }) });
  const answer = await get('/readyz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ready: true, role: 'standby', reasons: [] });
});

test('readyz says that the database is away, and that it does not answer', async () => {
  const away = await startServer({ checkDatabase: unreachable });
  const answer = await away.get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ reasons: ['db.example:5432 cannot be reached; start it'] });

  const hanging = await startServer({ checkDatabase: never });
  const late = await hanging.get('/readyz');
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ reasons: ['the database did not answer within 0.8 s'] });
});

/** Requests that wait for their answers, from one address of this machine. */
function hold(url: string, path: string, count: number, localAddress: string): readonly Socket[] {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${makeApiKey().key.reveal()}\r\n\r\n`;
  const to = { port: Number(new URL(url).port), host: '127.0.0.1', localAddress };
  const sockets = Array.from({ length: count }, () =>
    connect(to, function (this: Socket) {
      this.write(request);
    })
      .on('error', () => undefined)
      .resume(),
  );
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

test('a port of their own answers probes and nothing else, whatever the other is busy with', async () => {
  let asked = 0;
  const find = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  const keys = { find, noteUse: async () => undefined };
  const { url, probesUrl } = await startServer({ keys, probesPort: 0 });
  const held = hold(url, '/status.json', 300, '127.0.0.1');
  await waitFor(() => asked > 0 && held.filter(({ destroyed }) => destroyed).length >= 44, {
    what: 'what one address may have to be taken',
  });
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(probesUrl + path, init)).status;
  for (const path of ['/healthz', '/readyz']) expect(await statusOf(path), path).toBe(200);
  for (const path of [
    '/',
    '/metrics',
    '/status.json',
    '/assets/style.css',
    '/api/v1/accounts',
    '/custody/balances',
  ])
    expect(await statusOf(path), path).toBe(404);
  expect(await statusOf('/healthz', { method: 'POST' })).toBe(405);
});

test('who says nothing to the port of the probes keeps nobody from it, and one that is taken is named', async () => {
  const { probesUrl } = await startServer({ probesPort: 0 });
  const port = Number(new URL(probesUrl ?? '').port);
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
  });
  await waitFor(() => sockets.filter(({ destroyed }) => destroyed).length >= 36, {
    what: 'the oldest to go',
  });
  for (let time = 0; time < 70; time += 1) expect((await fetch(`${probesUrl}/healthz`)).status).toBe(200);
  await expect(startServer({ probesPort: port })).rejects.toThrow(`HTTP_PROBES_PORT: port ${port}`);
});

test('the port of the probes says that the other one answers nobody, takes nobody, and serves again', async () => {
  const metrics = createMetrics();
  const get = metrics.logLinesDropped.get;
  metrics.logLinesDropped.get = never;
  const { url, probesUrl } = await startServer({ metrics, probesPort: 0, mostAtOnce: 512 });
  const reason = async () => {
    const answer = await fetch(`${probesUrl}/readyz`);
    const { ready, reasons } = (await answer.json()) as { ready: boolean; reasons: readonly string[] };
    expect([answer.status, ready, reasons.length]).toEqual(ready ? [200, true, 0] : [503, false, 1]);
    return reasons[0];
  };
  expect(await reason()).toBe('HTTP_PORT did not answer within 0.8 s');
  const held = ['127.0.0.2', '127.0.0.3'].flatMap((from) => hold(url, '/metrics', 256, from));
  const full = 'HTTP_PORT takes no more connections: each of those it has waits for its answer';
  // A check takes a place too, while it lasts.
  const isFull = async () => {
    if ((await reason()) === full) return true;
    held.push(...hold(url, '/metrics', 1, '127.0.0.4'));
    return false;
  };
  await waitFor(isFull, { what: 'every connection to wait' });
  metrics.logLinesDropped.get = get;
  expect(await reason()).toBe(full);
  for (const socket of held) socket.destroy();
  await waitFor(async () => (await reason()) === undefined, { what: 'places' });
});

test('a listener that is closed, answers nobody or resets what it took is recognised', async () => {
  let answers = false;
  const server = createServer((_, response) => {
    if (answers) response.end();
  });
  const faultOf = (isFull = () => false) => listenerFault({ server, setBy: 'HTTP_PORT', isFull }, 200);
  expect(await faultOf()).toBe('nothing listens on HTTP_PORT');
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  expect(await faultOf()).toBe('HTTP_PORT did not answer within 0.2 s');
  answers = true;
  expect(await faultOf()).toBeNull();
  // What the system still calls open, although nobody is there to take a connection.
  const elsewhere = Object.assign(createServer(), { address: () => ({ address: '127.0.0.2', port: 1 }) });
  expect(await listenerFault({ server: elsewhere, setBy: 'HTTP_PORT', isFull: () => false }, 200)).toBe(
    'HTTP_PORT cannot be reached (ECONNREFUSED)',
  );
  server.on('connection', (socket) => socket.destroy());
  expect(await faultOf()).toBeNull();
});
