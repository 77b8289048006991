// undici 7 throws where nothing can catch it when a service ends a connection that undici has paused because
// nobody reads.
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConnections } from '../../../src/custody/http/connections.ts';
import { listening } from '../../support/listening.ts';

const ending = async (head: string, body: Buffer) => {
  const server = createServer((socket) => {
    socket.once('data', async () => {
      socket.write(`HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n`);
      // With the second half there is more than is kept unread by default; nothing more follows it.
      socket.write(body.subarray(0, body.length / 2));
      await pause(50);
      socket.end(body.subarray(body.length / 2));
    });
  });
  return await listening(server);
};

test('a connection that ends before anybody reads the body throws nothing, and the body is whole', async () => {
  const body = Buffer.alloc(80_000, 'a');
  for (const head of ['200 OK', `200 OK\r\nContent-Length: ${body.length}`]) {
    const { url, sockets } = await ending(head, body);
    const probes = { probeMs: 1_000, maxProbeMs: 1_000, monotonicMs: () => 0 };
    const connection = createConnections({ baseUrl: new URL(url), proxy: null }, probes).take();
    const answer = await connection.fetch(new URL(url), { headers: {}, redirect: 'manual' });
    await expect.poll(() => sockets.size, { timeout: 5_000 }).toBe(0);
    await pause(50);
    let size = 0;
    for await (const part of answer.body ?? []) size += part.byteLength;
    expect(size).toBe(body.length);
    connection.drop();
  }
});
