// How `serve` leaves: it says so and goes on answering for HTTP_DRAIN_MS, so that a load balancer that asks
// /readyz sends nobody to a closed port.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { serveSandbox, sync } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { listening } from '../../support/listening.ts';
import { startServe } from '../../support/serve.ts';
import { waitFor } from '../../support/wait-for.ts';

const startDraining = (database: { readonly url: string }, drainMs: number) =>
  startServe(database, { HTTP_DRAIN_MS: String(drainMs), HTTP_RATE_LIMIT: 'off' });

test('serve that gets a stop says so, and answers until its time is over or a second signal ends it', async () => {
  const database = await testDatabase();
  expect((await sync(await serveSandbox(), database)).code).toBe(0);
  const { get, ...serve } = await startDraining(database, 600_000);
  expect((await get('/readyz')).status).toBe(200);
  serve.kill('SIGTERM');
  await waitFor(async () => (await get('/readyz')).status === 503, { what: 'serve to say that it stops' });
  const ready = await get('/readyz');
  expect(ready.connection).toBe('close');
  expect(JSON.parse(ready.text)).toEqual({ ready: false, role: 'stopping', reasons: ['stopping'] });
  expect(await get('/healthz')).toMatchObject({ status: 200, connection: 'close' });
  expect(await get('/api/v1/accounts')).toMatchObject({ status: 200, connection: 'close' });
  serve.kill('SIGTERM');
  expect((await serve.exit(10_000)).code).not.toBe(0);
});

longTest('nobody is refused while one serve takes the place of another behind a load balancer', async () => {
  const database = await testDatabase();
  expect((await sync(await serveSandbox(), database)).code).toBe(0);
  const old = await startDraining(database, 5_000);
  const balancer = await startBalancer([old.url]);
  let asked = 0;
  let running = true;
  const refused: unknown[] = [];
  // Each request has a connection of its own.
  const clients = Array.from({ length: 4 }, async () => {
    while (running) {
      const status = await statusOf(`${balancer.url}/api/v1/accounts`).catch((error: unknown) => error);
      asked += 1;
      if (status !== 200) refused.push(status);
    }
  });
  const answersMore = async () => {
    const before = asked;
    await waitFor(() => asked > before + 20, { what: 'twenty answers' });
  };
  await answersMore();
  const next = await startDraining(database, 0);
  balancer.servers.push(next.url);
  await waitFor(() => balancer.ready.has(next.url), { what: 'the balancer to know the new server' });
  await answersMore();
  old.kill('SIGTERM');
  expect(await old.exit(30_000), old.stderr()).toEqual({ code: 0, signal: null });
  await answersMore();
  running = false;
  await Promise.all(clients);
  expect(refused).toEqual([]);
});

/** @returns the status of one GET on a connection that is not used again */
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false }, (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode));
      answer.resume();
    })
      .on('error', reject)
      .end();
  });
}

/** Sends each request to the servers in turn that were ready when last asked. */
async function startBalancer(servers: string[]) {
  const ready = new Set<string>();
  let turn = 0;
  const ask = async () => {
    for (const url of servers) {
      const status = await statusOf(`${url}/readyz`).catch(() => undefined);
      if (status === 200) ready.add(url);
      else ready.delete(url);
    }
  };
  await ask();
  let asking = true;
  const asks = (async () => {
    while (asking) {
      await ask();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const forward = ({ url: path }: IncomingMessage, response: ServerResponse) => {
    const url = [...ready][turn % ready.size];
    turn += 1;
    if (url === undefined) {
      response.writeHead(503).end();
      return;
    }
    request(`${url}${path}`, { agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500);
      answer.pipe(response);
    })
      .on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
      .end();
  };
  onCleanup(async () => {
    asking = false;
    await asks;
  });
  return { url: (await listening(createServer(forward))).url, servers, ready };
}
