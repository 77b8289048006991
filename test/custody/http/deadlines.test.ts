// An attempt ends within its time whatever the HTTP client below it does, its connection is given up, and
// what it left behind neither holds the next attempt nor stays in memory.
import { createServer } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import { createConnections, type Fetch } from '../../../src/custody/http/connections.ts';
import { send } from '../../../src/custody/http/transport.ts';
import { clientOf, errorOf, json, newCall, serve } from '../../support/custody-service.ts';
import { longTest } from '../../support/form.ts';
import { listening } from '../../support/listening.ts';
import { silentLogger } from '../../support/loggers.ts';
import { transactionRecord } from '../../support/wire-records.ts';

const list = { transactions: [transactionRecord('t-1')] };
const never = new Promise<never>(() => undefined);

/** A service that answers each connection with the same bytes and closes it. */
async function serveBytes(bytes: Buffer) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.once('data', () => socket.end(bytes));
  });
  const { url, sockets: open } = await listening(server);
  return { url: new URL(url), open, connections: () => connections };
}

const head = (...fields: readonly string[]) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${fields.join('\r\n')}\r\n\r\n`);
const body = Buffer.from(JSON.stringify(list));

test.each([
  { what: 'that is no gzip', bytes: body },
  { what: 'that is no gzip and longer than one part', bytes: Buffer.alloc(200_000, ' ') },
  { what: 'that ends before it begins', bytes: Buffer.alloc(0) },
  { what: 'of which the first half came', bytes: gzipSync(body).subarray(0, 60) },
])('a body $what, ended by the end of its connection, is a transient fault', async ({ bytes }) => {
  const service = await serveBytes(
    Buffer.concat([head('Content-Encoding: gzip', 'Connection: close'), bytes]),
  );
  const { client } = clientOf(service, { retries: 1, timeoutMs: 1_000 });
  const { fault } = await errorOf(client.transactions({}, newCall()));
  expect(fault).toMatchObject({ kind: 'transient' });
  expect(service.connections()).toBe(2);
  await expect.poll(() => service.open.size).toBe(0);
});

test.each([
  { what: 'that never answers', hanging: async () => never },
  {
    what: 'whose body never ends',
    hanging: async () => new Response(new ReadableStream({ pull: () => never }), { status: 200 }),
  },
  {
    what: 'that never lets go of the body of a redirect, or of one that is too large',
    hanging: async () => {
      const stream = new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(70_000)),
        cancel: () => never,
      });
      return new Response(stream, { status: 500 });
    },
  },
])('an HTTP client $what costs one attempt', async ({ hanging }) => {
  const service = await serve((_, response) => json(response, list));
  let calls = 0;
  const fetch: typeof globalThis.fetch = async (...request) => {
    calls += 1;
    return calls === 1 ? await hanging() : await globalThis.fetch(...request);
  };
  const { client } = clientOf(service, { timeoutMs: 1_000, retries: 5 }, { fetch });
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(calls).toBeGreaterThan(1);
});

test('a caller that stops is let go at once, whatever the HTTP client does', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const fetch: typeof globalThis.fetch = async () => {
    queueMicrotask(() => controller.abort(reason));
    return await never;
  };
  const { client } = clientOf({ url: new URL('http://127.0.0.1:1') }, {}, { fetch });
  await expect(client.transactions({}, newCall({ signal: controller.signal }))).rejects.toBe(reason);
  await client.close();
});

test('a redirect whose body never ends is followed without waiting for it', async () => {
  const service = await serve((request, response) => {
    if (request.url?.startsWith('/moved')) return json(response, list);
    response.writeHead(302, { location: '/moved', 'content-encoding': 'gzip' });
    response.write('this is not the end');
  });
  const { client } = clientOf(service, { timeoutMs: 5_000, retries: 0 });
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(service.connections).toBe(2);
});

test('the attempt after one that timed out has another connection, and the first one is closed', async () => {
  const ports: (number | undefined)[] = [];
  const closed: (number | undefined)[] = [];
  const service = await serve((request, response, number) => {
    const { socket } = request;
    const port = socket.remotePort;
    ports.push(port);
    socket.once('close', () => closed.push(port));
    if (number > 1) json(response, list);
    else response.writeHead(200, { 'content-type': 'application/json' }).write('{"t');
  });
  const { client } = clientOf(service, { timeoutMs: 1_000, retries: 5 });
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(ports.length).toBeGreaterThan(1);
  expect(ports.slice(1)).not.toContain(ports[0]);
  await expect.poll(() => closed).toContain(ports[0]);
});

/** Attempts without a client around them, whose logs and metrics would be counted too. */
function attemptsAt(url: URL, fetch?: Fetch) {
  const config = { baseUrl: url, proxy: null, timeoutMs: 200, keyHeader: 'x-api-key', keyPrefix: '' };
  const tools = {
    config,
    clock: createClock(),
    logger: silentLogger,
    foreign: { show: (text: string) => text },
    userAgent: 'tests',
    connections: createConnections(config, {
      fetch,
      probeMs: 1,
      maxProbeMs: 1,
      monotonicMs: () => performance.now(),
    }),
    maxBodyBytes: 1_000_000,
  };
  const attempt = () => {
    const key = new Secret('k');
    return send({ ...newCall(), endpoint: 'transactions', url, key }, tools);
  };
  return async (count: number) => {
    for (let left = count; left > 0; left -= 50)
      await Promise.all(Array.from({ length: 50 }, () => errorOf(attempt())));
  };
}

longTest('a thousand answers that never end leave neither sockets nor memory behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no gc');
  const usedAfterCollection = async () => {
    for (let round = 0; round < 5; round += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      collect();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const sockets = () =>
    process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCPSocket')).length;
  const broken = Buffer.concat([
    head('Content-Encoding: gzip', 'Connection: close'),
    Buffer.alloc(5_000, ' '),
  ]);
  const service = await serveBytes(broken);
  const stalling = await serve((_, response) => void response.writeHead(200).write('{'));
  const sendings = [
    attemptsAt(service.url),
    attemptsAt(stalling.url),
    attemptsAt(service.url, () => new Promise(() => undefined)),
  ];
  const send = async (count: number) => {
    for (const sending of sendings) await sending(count);
    await expect.poll(() => service.open.size).toBe(0);
    await expect.poll(() => stalling.open()).toBe(0);
    return { used: await usedAfterCollection(), sockets: sockets() };
  };
  const before = await send(100);
  const after = await send(1_000);
  expect(after.sockets).toBeLessThanOrEqual(before.sockets);
  // A kilobyte for each of them would show.
  expect(after.used - before.used).toBeLessThan(3_000_000);
});
