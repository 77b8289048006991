// A server that answers as a test tells it to, over real HTTP, and a client of it that hurries.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../../test/support/listening.ts';
import type { ApiError } from '../src/client.ts';
import { type Client, type ClientOptions, createClient } from '../src/client.ts';

export type Respond = (request: IncomingMessage, response: ServerResponse, asked: URL) => unknown;

export interface FakeApi {
  readonly url: string;
  readonly client: Client;
  /** Addresses of the requests so far, without the origin. */
  readonly requests: string[];
  /** What the client tried again. */
  readonly retries: { readonly error: ApiError; readonly delayMs: number }[];
}

export async function fakeApi(respond: Respond, options: Partial<ClientOptions> = {}): Promise<FakeApi> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    respond(request, response, new URL(request.url ?? '', 'http://fake'));
  });
  const { url } = await listening(server);
  const retries: FakeApi['retries'] = [];
  const client = createClient({
    baseUrl: url,
    ...options,
    retry: {
      firstDelayMs: 2,
      greatestDelayMs: 20,
      onRetry: (error, delayMs) => retries.push({ error, delayMs }),
      ...options.retry,
    },
  });
  return { url, client, requests, retries };
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

export function sendProblem(
  response: ServerResponse,
  status: number,
  problem: { readonly code: string; readonly detail: string },
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ type: `/api#${problem.code}`, title: 'No', status, ...problem }));
}

/** Begins an answer of JSON and ends the connection in the middle. */
export function breakOff(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** Ends an answer in its middle as if it were whole, as some proxies do. */
export function cutShort(response: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text.slice(0, text.length / 2));
}

/** A page of a list of runs. */
export function pageOf(ids: readonly number[], next: string | null) {
  return { account_id: 'acme', data: ids.map((run_id) => ({ run_id })), next_cursor: next };
}
