// The server itself: where it listens, how it closes, and what it does with faults of its own.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { MirrorError } from '../../src/domain/errors.ts';
import { createHttpServer } from '../../src/server/server.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listening } from '../support/listening.ts';
import { capturingLogger, silentLogger } from '../support/loggers.ts';
import { atWork, startServer } from '../support/running-server.ts';
import { never } from './silent-database.ts';

test('a fault of our own is logged and answered without its words', async () => {
  const { logger, entries } = capturingLogger();
  const health = () => {
    throw new Error('the words of the fault');
  };
  const { get } = await startServer({ health, logger });
  const answer = await get('/readyz');
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('the words');
  expect(entries().filter(({ level }) => level === 'error')).toMatchObject([
    { msg: 'answering a request failed', route: '/readyz' },
  ]);
});

test('a port in use is a fault of the configuration that names HTTP_PORT and the fix', async () => {
  const { port } = await listening(createServer());
  const error = await startServer({ port }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MirrorError);
  expect(error).toMatchObject({ code: 'CONFIGURATION' });
  expect(String(error)).toContain(`HTTP_PORT: port ${port} of 127.0.0.1 is in use by another program`);
});

test('a host that is not of this machine is a fault of the configuration that names HTTP_HOST', async () => {
  const error = await startServer({ host: '192.0.2.1' }).catch((caught: unknown) => caught);
  expect(error).toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('HTTP_HOST: 192.0.2.1'),
  });
});

test('the url is one that a person can open', async () => {
  const server = createHttpServer({
    host: '0.0.0.0',
    port: 0,
    account: 'acme',
    metrics: (await startServer()).metrics,
    logger: silentLogger,
    health: () => atWork,
    readStatus: never,
    checkDatabase: never,
    allowedHosts: [],
    version: '1',
  });
  const { url, port } = await server.listen();
  onCleanup(() => server.close());
  expect(url).toBe(`http://localhost:${port}`);
});

test('closing ends idle connections, those that say nothing, and those whose answer does not come', async () => {
  const { url, server } = await startServer({ readStatus: never });
  const { port } = new URL(url);
  // Closed with a reset or not.
  const begin = () => connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const idle = begin();
  idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(idle, 'data');
  const silent = begin();
  await once(silent, 'connect');
  const waiting = request(`${url}/status.json`);
  const ended = new Promise((resolve) => waiting.on('error', resolve).on('response', resolve));
  waiting.end();
  const closings = [idle, silent].map((socket) => new Promise((closed) => socket.on('close', closed)));
  await server.close();
  await Promise.all([...closings, ended]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await server.close();
});
