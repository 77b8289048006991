// A purpose-made custody service over node:http for one test, and a client that speaks to it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import type { CustodyConfig } from '../../src/base/config/config.ts';
import { createLogger } from '../../src/base/logger.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { Secret } from '../../src/base/secret.ts';
import { type Call, type CustodyClientOptions, createCustodyClient } from '../../src/custody/client.ts';
import type { Fact } from '../../src/domain/endpoint.ts';
import { CustodyError } from '../../src/domain/errors.ts';
import { listening } from './listening.ts';

export const testKey = 'key-for-tests-0123456789';

export type Handler = (request: IncomingMessage, response: ServerResponse, number: number) => void;

export interface Service {
  readonly url: URL;
  /** Path and query of every request that arrived. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  connections: number;
  /** Connections that are open now. */
  open(): number;
}

/** Serves until the test is over. */
export async function serve(handler: Handler): Promise<Service> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    headers.push(request.headers);
    handler(request, response, requests.length);
  });
  const { url, sockets } = await listening(server);
  const service: Service = {
    url: new URL(url),
    requests,
    headers,
    connections: 0,
    open: () => sockets.size,
  };
  server.on('connection', () => {
    service.connections += 1;
  });
  return service;
}

export function json(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}

export function failure(code: string, details = '', status = 400) {
  return {
    status: 'error',
    error_code: code,
    error_message: `message of ${code}`,
    details,
    help: '',
    code: `${status}`,
  };
}

export interface ClientUnderTest {
  readonly client: ReturnType<typeof createCustodyClient>;
  readonly metrics: ReturnType<typeof createMetrics>;
  readonly facts: Fact[];
  readonly logLines: string[];
  /** How often each deviation was tolerated. */
  tolerated(): Promise<Readonly<Record<string, number>>>;
}

export function clientOf(
  service: Pick<Service, 'url'>,
  config: Partial<CustodyConfig> = {},
  options: Partial<CustodyClientOptions> = {},
): ClientUnderTest {
  const metrics = createMetrics();
  const facts: Fact[] = [];
  const known = new Map(options.facts);
  const logLines: string[] = [];
  const logger = createLogger({
    level: 'trace',
    format: 'json',
    destination: { write: (line: string) => void logLines.push(line) },
  });
  const client = createCustodyClient({
    config: {
      baseUrl: service.url,
      proxy: null,
      account: 'default',
      key: new Secret(testKey),
      keyFile: null,
      keyHeader: 'x-api-key',
      keyPrefix: '',
      pageSize: 200,
      recordBudget: { bytes: 1_048_576, members: 10_000, depth: 100 },
      rateLimit: 'off',
      maxConcurrency: 4,
      timeoutMs: 5000,
      retries: 3,
      retryMinMs: 1,
      retryMaxMs: 5,
      documents: { vaultsArray: null, vaultId: null, whitelistArray: null, whitelistId: null },
      ...config,
    },
    clock: createClock(undefined, Date.now()),
    logger,
    metrics,
    onFact: (fact) => {
      facts.push(fact);
      known.set(fact.fact, fact.value);
    },
    ...options,
    facts: known,
  });
  onTestFinished(() => client.close());
  return {
    client,
    metrics,
    facts,
    logLines,
    async tolerated() {
      const { values } = await metrics.tolerated.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.deviation, value]));
    },
  };
}

export function newCall(overrides: Partial<Call> = {}): Call {
  return {
    signal: new AbortController().signal,
    priority: 'normal',
    tally: { requests: 0, retries: 0, rateLimited: 0 },
    ...overrides,
  };
}

/** The CustodyError of a call that must fail with one. */
export async function errorOf(work: Promise<unknown>): Promise<CustodyError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof CustodyError) return error;
  throw new Error(`expected a CustodyError, got ${String(error)}`);
}
