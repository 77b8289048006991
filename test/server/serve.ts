// A server over real sockets with a real gate, and with routes of the test behind it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createMetrics } from '../../src/base/metrics.ts';
import { createGate, type GateOptions } from '../../src/http/access/gate.ts';
import { createErrorAnswer, observe } from '../../src/http/access/observe.ts';
import type { AccessEnv } from '../../src/http/request/environment.ts';
import { onCleanup } from '../support/cleanup.ts';
import { listening } from '../support/listening.ts';
import { capturingLogger } from '../support/loggers.ts';

export async function serve(routes: (app: Hono<AccessEnv>) => void, options: Partial<GateOptions> = {}) {
  const metrics = createMetrics();
  const { logger, entries } = capturingLogger();
  const app = new Hono<AccessEnv>();
  observe(app, { metrics, logger, account: 'acme' });
  app.onError(createErrorAnswer(logger));
  const gate = createGate({ isLocal: true, logger, ...options });
  gate.guard(app);
  routes(app);
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer((request, response) => void listener(request, response));
  onCleanup(() => gate.close());
  const { url, port } = await listening(server);
  return { url, port, metrics, entries, gate };
}

/** Asks over a socket of its own, and reads nothing until `read` is called. */
export async function askSlowly(port: number, path: string) {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  // An answer that is cut ends with a reset, which is an error to the socket.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    socket,
    /** Everything that comes until the end. */
    async read(): Promise<string> {
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
      });
      socket.resume();
      await closed;
      return text;
    },
  };
}
