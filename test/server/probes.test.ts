import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { makeApiKey } from '../../src/base/api-key.ts';
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

/** Requests that wait for their answers, from this machine. */
function hold(url: string, path: string, count: number): readonly Socket[] {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${makeApiKey().key.reveal()}\r\n\r\n`;
  const to = { port: Number(new URL(url).port), host: '127.0.0.1' };
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
  const held = hold(url, '/status.json', 600);
  await waitFor(() => asked > 0 && held.filter(({ destroyed }) => destroyed).length >= 600 - 512, {
    what: 'every connection to be taken',
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

test('a port of the probes that is taken is named', async () => {
  const { probesUrl } = await startServer({ probesPort: 0 });
  const port = Number(new URL(probesUrl ?? '').port);
  await expect(startServer({ probesPort: port })).rejects.toThrow(`HTTP_PROBES_PORT: port ${port}`);
});
