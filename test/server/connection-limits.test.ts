// Which connection gives way to a new one, where all have an answer in progress.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { admitted } from '../../src/http/access/gate.ts';
import { limitConnections } from '../../src/server/connection-limits.ts';
import { onCleanup } from '../support/cleanup.ts';
import { waitFor } from '../support/wait-for.ts';

/** Answers `/now` alone. Who asks for `/known` came in as a reader. */
async function startLimited(most: number) {
  let asked = 0;
  const server = createServer(({ url, socket }, response) => {
    asked += 1;
    if (url === '/known') admitted.add(socket);
    if (url === '/now') response.end('now');
  });
  const isFull = limitConnections(server, { most, mostOfAddress: most, trustedProxies: null });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onCleanup(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) => request({ port, host: '127.0.0.1', path, agent: false }).end();
  const wait = async (path: string, times: number) => {
    const before = asked;
    const sent = Array.from({ length: times }, () => ask(path).on('error', () => undefined));
    await waitFor(() => asked === before + times, { what: 'the requests' });
    return sent;
  };
  const now = async () => {
    const [response] = (await once(ask('/now'), 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  return { wait, now, isFull };
}

test('answers that nobody was admitted to give way, the oldest first', async () => {
  const { wait, now, isFull } = await startLimited(4);
  const [known] = await wait('/known', 1);
  const guesses = await wait('/guess', 3);
  expect(isFull()).toBe(false);
  expect(await now()).toBe(200);
  await waitFor(() => guesses[0]?.destroyed === true, { what: 'the oldest to give way' });
  expect([known, ...guesses.slice(1)].map((each) => each?.destroyed)).toEqual([false, false, false]);
});

test('answers to readers do not', async () => {
  const { wait, now, isFull } = await startLimited(4);
  const readers = await wait('/known', 4);
  expect(isFull()).toBe(true);
  await expect(now()).rejects.toThrow('socket hang up');
  expect(readers.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
});
