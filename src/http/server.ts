// The HTTP server of health, metrics and the status page: bound to what was configured, bounded in what a client can
// hold of it, and closed promptly whatever connections are open.
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { explainBindError } from '../base/bind-error.ts';
import { type AppOptions, createApp, sharedStatus } from './app.ts';

export interface HttpServerOptions extends Omit<AppOptions, 'isClosing'> {
  /** HTTP_PORT; 0 takes a free one. */
  readonly port: number;
  /** How often the status is read although nobody asks, in milliseconds; left out for never. */
  readonly refreshMs?: number;
}

export interface HttpServer {
  /** @throws MirrorError `CONFIGURATION` when the address cannot be taken, naming HTTP_PORT or HTTP_HOST */
  listen(): Promise<HttpAddress>;
  /** Refuses new connections, lets answers under way end for a moment, and closes what is left. */
  close(): Promise<void>;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  /** Where a person on this machine opens it. */
  readonly url: string;
}

/** How long answers under way may take once the server closes. */
const graceMs = 500;

/** What one client can hold: little, for every request is small and every answer is quick. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};
const maxHeaders = 100;
const maxConnections = 512;

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { host, port, logger } = options;
  let closing = false;
  const status = sharedStatus(options);
  const app = createApp({ ...options, isClosing: () => closing }, status);
  const stopRefreshing = new AbortController();
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(limits, (request, response) => void listener(request, response));
  server.maxHeadersCount = maxHeaders;
  server.maxConnections = maxConnections;

  return {
    async listen() {
      try {
        const bound = await bind(server, host, port);
        server.on('error', (error) => logger.error({ err: error }, 'http server failed'));
        if (options.refreshMs !== undefined) void status.keepFresh(options.refreshMs, stopRefreshing.signal);
        return { host, port: bound, url: urlFor(host, bound) };
      } catch (error) {
        throw explainBindError(error, { host, port, setBy: { host: 'HTTP_HOST', port: 'HTTP_PORT' } });
      }
    },
    async close() {
      closing = true;
      stopRefreshing.abort();
      // Closing ends idle connections too; of a server that does not listen there is nothing to close.
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      try {
        await closed;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** @returns the port that was taken */
function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function urlFor(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
