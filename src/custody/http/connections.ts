// The connections to the custody service. Each serves one attempt at a time, and is kept for the next one
// only if its user says so; else it is destroyed, so that no attempt sees leftovers of another.
import type { Client } from 'undici';
import type { CustodyConfig } from '../../base/config/config.ts';
import { connectTo, ProxyFault } from './connect.ts';

/** The parts of an answer that are read. The body is as it was sent, perhaps compressed. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

export type Fetch = (
  url: URL,
  init: { readonly headers: Record<string, string>; readonly redirect: 'manual' },
) => Promise<HttpAnswer>;

export interface Connection {
  readonly fetch: Fetch;
  /** True once it has served an attempt. */
  readonly isUsed: boolean;
  /** True while the proxy has not opened its tunnel. */
  readonly awaitsProxy: () => boolean;
  /** Allows another attempt. */
  keep(): void;
  /** Drops it and its socket without waiting. */
  drop(): void;
}

export interface Connections {
  take(): Connection;
  /** Drops idle connections. */
  close(): void;
}

type Way = Pick<CustodyConfig, 'baseUrl' | 'proxy'>;

export interface ConnectionsOptions {
  /** Sends every request instead of our own connections. */
  readonly fetch?: Fetch | undefined;
  /** Wait after the proxy rejected the password, in milliseconds; it doubles up to `maxProbeMs`. */
  readonly probeMs: number;
  readonly maxProbeMs: number;
  readonly monotonicMs: () => number;
}

export function createConnections(config: Way, options: ConnectionsOptions): Connections {
  const { fetch } = options;
  const connect = guardedConnect(options);
  const idle: Connection[] = [];
  let isClosed = false;
  const keep = (connection: Connection) => {
    if (isClosed) connection.drop();
    else idle.push({ ...connection, isUsed: true });
  };
  return {
    take: () => idle.pop() ?? (fetch === undefined ? open(config, connect, keep) : { ...unmanaged, fetch }),
    close() {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.drop();
    },
  };
}

const nothing = () => undefined;
const unmanaged = { isUsed: false, awaitsProxy: () => false, keep: nothing, drop: nothing };

type Connect = (...asked: Parameters<typeof connectTo>) => ReturnType<typeof connectTo>;

/**
 * `connectTo`, which sends a rejected password again only at growing intervals: many companies lock a user
 * out after a few wrong ones. In between it fails with what the proxy said.
 */
function guardedConnect({ probeMs, maxProbeMs, monotonicMs }: ConnectionsOptions): Connect {
  let rejection: ProxyFault | null = null;
  let probeAt = 0;
  let waitMs = probeMs;
  return async (...asked) => {
    if (rejection !== null) {
      if (monotonicMs() < probeAt) throw rejection;
      // Other attempts wait for this one.
      probeAt = monotonicMs() + waitMs;
      waitMs = Math.min(maxProbeMs, waitMs * 2);
    }
    try {
      const socket = await connectTo(...asked);
      rejection = null;
      waitMs = probeMs;
      return socket;
    } catch (error) {
      if (error instanceof ProxyFault && error.isRejection) {
        if (rejection === null) probeAt = monotonicMs() + waitMs;
        rejection = error;
      }
      throw error;
    }
  };
}

/** No reader of a body is slower than this, so undici never pauses a connection. */
const unpausedBytes = 2 ** 26;

/** Node.js has it; its types do not. */
declare const WebAssembly: { readonly Memory: new (pages: { readonly initial: number }) => unknown };

/** This process may not reserve the addresses that WebAssembly needs. */
export class NoWebAssembly extends Error {}

/**
 * undici parses answers with WebAssembly, and on Node.js 20 loads a second instance, whose failure would end
 * the process. So it is loaded with the first request, and only where there is room for both.
 */
function needWebAssembly(): void {
  lack ??= lackOfWebAssembly();
  if (lack !== 'none') throw lack;
}

/** Looked at once for the process: each look reserves addresses, or searches for them for seconds. */
let lack: NoWebAssembly | 'none' | null = null;

function lackOfWebAssembly(): NoWebAssembly | 'none' {
  try {
    for (let count = 0; count < 2; count += 1) new WebAssembly.Memory({ initial: 1 });
    return 'none';
  } catch (cause) {
    return new NoWebAssembly(
      'requests need WebAssembly, which reserves some 20 GB of addresses: raise the limit of this process (ulimit -v, LimitAS=)',
      { cause },
    );
  }
}

/** A client with one socket at most; it opens another one when the service has closed it. */
function open({ baseUrl, proxy }: Way, connect: Connect, keep: (connection: Connection) => void): Connection {
  const end = new AbortController();
  let awaitsProxy = false;
  let client: Client | null = null;
  const openClient = async () => {
    needWebAssembly();
    const { Client } = await import('undici');
    end.signal.throwIfAborted();
    return new Client(baseUrl.origin, {
      // The deadline covers the whole attempt and is enforced elsewhere.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect(target, callback) {
        awaitsProxy = proxy !== null;
        const proxied = () => {
          awaitsProxy = false;
        };
        connect(target, proxy, end.signal, proxied).then(
          (socket) => callback(null, socket),
          (error: Error) => callback(error, null),
        );
      },
    });
  };
  const connection: Connection = {
    isUsed: false,
    async fetch({ pathname, search }, { headers }) {
      client ??= await openClient();
      const sent = { path: pathname + search, method: 'GET', headers, highWaterMark: unpausedBytes } as const;
      const answer = await client.request(sent);
      // An error of a body that nobody reads any more is of no interest.
      answer.body.on('error', nothing);
      return {
        status: answer.statusCode,
        headers: { get: (name) => [answer.headers[name] ?? []].flat().join(', ') || null },
        body: answer.body,
      };
    },
    awaitsProxy: () => awaitsProxy,
    keep: () => keep(connection),
    drop() {
      end.abort();
      client?.destroy().catch(nothing);
    },
  };
  return connection;
}
