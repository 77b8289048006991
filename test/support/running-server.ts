// A server on a free port for one test, with everything around it literal.
import { createMetrics, type Metrics } from '../../src/base/metrics.ts';
import type { ProcessState } from '../../src/http/request/status-source.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from '../../src/server/server.ts';
import { onCleanup } from './cleanup.ts';
import { silentLogger } from './loggers.ts';
import { statusReport } from './status-report.ts';

export const atWork: ProcessState = {
  ready: true,
  reasons: [],
  role: 'writer',
  holder: 'host-2/1',
};

export interface RunningServer {
  readonly url: string;
  readonly probesUrl: string | null;
  readonly server: HttpServer;
  readonly metrics: Metrics;
  get(path: string, init?: RequestInit): Promise<Response>;
}

export async function startServer(changes: Partial<HttpServerOptions> = {}): Promise<RunningServer> {
  const metrics = changes.metrics ?? createMetrics();
  const server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    account: 'acme',
    metrics,
    logger: silentLogger,
    health: () => atWork,
    readStatus: async () => statusReport(),
    checkDatabase: async () => undefined,
    allowedHosts: [],
    version: '1.2.3',
    ...changes,
  });
  const { url, probesUrl } = await server.listen();
  onCleanup(() => server.close());
  // A connection for each request: while the process is busy the server closes one that stood idle, and the
  // next request over it fails.
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, {
      ...init,
      headers: { connection: 'close', ...Object.fromEntries(new Headers(init.headers)) },
    });
    // Every body is read to its end, also one that a test leaves: undici 7 pauses a connection whose body is
    // left, and throws where nothing can catch it when the server then closes.
    answer
      .clone()
      .arrayBuffer()
      .catch(() => undefined);
    return answer;
  };
  return { url, probesUrl, server, metrics, get };
}
