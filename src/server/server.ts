// The HTTP server of pages, read API, health and metrics. It limits what a client can hold of it, and closes
// quickly, also with open connections.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { explainBindError } from '../base/bind-error.ts';
import type { Logger } from '../base/logger.ts';
import { shareWork } from '../base/waiting.ts';
import { createGate } from '../http/access/gate.ts';
import { type AppOptions, createApp, createProbesApp, isThisMachine, probeRoutes } from './app.ts';
import { createMetricsSource } from './metrics-source.ts';

export interface HttpServerOptions extends Omit<AppOptions, 'isClosing'> {
  /** HTTP_PORT; 0 takes a free one. */
  readonly port: number;
  /** HTTP_PROBES_PORT; null or left out for no port of the probes alone. */
  readonly probesPort?: number | null;
  /** How often the status is read when nobody asks, in milliseconds; never when left out. */
  readonly refreshMs?: number;
  /** After this time without a byte in either direction a connection is closed, in milliseconds. */
  readonly silenceMs?: number;
  /** How long a client may take for the lines of a request, in milliseconds. */
  readonly headersMs?: number;
}

export interface HttpServer {
  /** @throws MirrorError `CONFIGURATION` when an address cannot be taken, naming the variable that sets it */
  listen(): Promise<HttpAddress>;
  /** Refuses new connections, gives answers in progress half a second, and closes the rest. */
  close(): Promise<void>;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** Where a person on this machine opens it. */
  readonly url: string;
  /** Null without a port of the probes alone. */
  readonly probesUrl: string | null;
}

/** How long answers in progress may take after `close`. */
const graceMs = 500;

/** Limits of one client. They are low, because requests are small and answers are quick. */
const limits = {
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 16 * 1024,
};
const headersMs = 10_000;
/** More than the longest wait for changes, and for the next part of a long answer. */
const silenceMs = 60_000;
/** More are turned away; a proxy in front limits them by address (docs/http.md). */
const mostConnections = 512;
const mostOfProbes = 64;

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, port, probesPort = null, logger } = options;
  let closing = false;
  const stopRefreshing = new AbortController();
  const source = createMetricsSource(options, stopRefreshing.signal);
  const gate = createGate({ ...options, isLocal: isThisMachine(host) });
  // A stopping server says so with each answer, before the listener closes.
  const isClosing = () => closing || options.health().role === 'stopping';
  const appOptions = { ...options, isClosing };
  const probesOptions = { ...options, checkDatabase: shareWork(options.checkDatabase) };
  const serve = (app: App, port: number, setBy: string, most: number): Listener => {
    const server = createNodeServer(app, options);
    server.maxConnections = most;
    return { server, port, setBy };
  };
  const app = createApp(appOptions, probeRoutes(probesOptions), source, gate);
  const main = serve(app, port, 'HTTP_PORT', mostConnections);
  const probesApp = createProbesApp(appOptions, probeRoutes(probesOptions));
  const forProbes =
    probesPort === null ? null : serve(probesApp, probesPort, 'HTTP_PROBES_PORT', mostOfProbes);
  const listeners = [main, ...(forProbes === null ? [] : [forProbes])];

  return {
    async listen() {
      try {
        const probesBound = forProbes === null ? null : await bind(forProbes, host, logger);
        const bound = await bind(main, host, logger);
        void gate.prime();
        if (options.refreshMs !== undefined)
          void source.status.keepFresh(options.refreshMs, stopRefreshing.signal);
        const probesUrl = probesBound === null ? null : urlFor(host, probesBound);
        return { host, port: bound, url: urlFor(host, bound), probesUrl };
      } catch (error) {
        forProbes?.server.close();
        throw error;
      }
    },
    async close() {
      closing = true;
      stopRefreshing.abort();
      try {
        await Promise.all(listeners.map(({ server }) => closeServer(server)));
      } finally {
        await gate.close();
      }
    },
  };
}

type App = ReturnType<typeof createApp>;

interface Listener {
  readonly server: Server;
  readonly port: number;
  /** The variable that sets the port. */
  readonly setBy: string;
}

function createNodeServer(app: App, options: Pick<HttpServerOptions, 'headersMs' | 'silenceMs'>): Server {
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const headersTimeout = options.headersMs ?? headersMs;
  const server = createServer(
    { ...limits, headersTimeout, connectionsCheckingInterval: headersTimeout / 5 },
    (request, response) => void listener(request, response),
  );
  // All of them, in the length that they may have: what is left out could be what a proxy added.
  server.maxHeadersCount = 0;
  server.timeout = options.silenceMs ?? silenceMs;
  return server;
}

/** Closes idle connections at once. Resolves also for a server that does not listen. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** @returns the port that was taken */
async function bind({ server, port, setBy }: Listener, host: string, logger: Logger): Promise<number> {
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw explainBindError(error, { host, port, setBy: { host: 'HTTP_HOST', port: setBy } });
  });
  server.on('error', (error) => logger.error({ err: error }, 'http server failed'));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function urlFor(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
