// The connections to the custody service, direct or through a tunnel (CONNECT) of the proxy. Each serves one
// attempt at a time, and is kept for the next one only if its user says so; else it is destroyed, so that no
// attempt sees leftovers of another. Invariant: aborting its signal destroys every socket that was opened for
// a connection, whatever it waits for.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, connect as openSocket, type Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as openTls, type TLSSocket } from 'node:tls';
import type { Client } from 'undici';
import type { CustodyConfig } from '../../base/config/config.ts';
import { bareHost, type HttpProxy, proxyName } from '../../base/config/proxy.ts';
import { createProbes, type ProbeOptions, type Probes } from './keys.ts';

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

export type Connections = ReturnType<typeof createConnections>;

type Way = Pick<CustodyConfig, 'baseUrl' | 'proxy'>;

export interface ConnectionsOptions extends ProbeOptions {
  /** Sends every request instead of our own connections. */
  readonly fetch?: Fetch | undefined;
}

export function createConnections(config: Way, options: ConnectionsOptions) {
  const { fetch } = options;
  const connect = guardedConnect(options);
  const idle: Connection[] = [];
  let isClosed = false;
  const keep = (connection: Connection) => {
    if (isClosed) connection.drop();
    else idle.push({ ...connection, isUsed: true });
  };
  return {
    take: (): Connection =>
      idle.pop() ?? (fetch === undefined ? open(config, connect, keep) : { ...unmanaged, fetch }),
    /** Drops idle connections. */
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
function guardedConnect(options: ProbeOptions): Connect {
  let rejected: { readonly error: ProxyFault; readonly probes: Probes } | null = null;
  return async (...asked) => {
    if (rejected !== null) {
      if (!rejected.probes.isDue()) throw rejected.error;
      rejected.probes.begin();
    }
    try {
      const socket = await connectTo(...asked);
      rejected = null;
      return socket;
    } catch (error) {
      if (error instanceof ProxyFault && error.isRejection)
        rejected = { error, probes: rejected?.probes ?? createProbes(options) };
      throw error;
    }
  };
}

/**
 * No reader of a body is slower than this, so undici never pauses a connection: when the service ends a paused
 * one, undici 7 throws where nothing can catch it (its issue 5360; release 8 mends it, and needs Node.js 22).
 */
const unpausedBytes = 2 ** 26;

/** Node.js has it; its types do not. */
declare const WebAssembly: { readonly Memory: new (pages: { readonly initial: number }) => unknown };

/** This process may not reserve the addresses that WebAssembly needs. */
export class NoWebAssembly extends Error {}

/** Looked at once for the process: each look reserves addresses, or searches for them for seconds. */
let lack: NoWebAssembly | null | undefined;

/**
 * undici parses answers with WebAssembly, and on Node.js 20 loads a second instance, whose failure would end
 * the process. So it is loaded with the first request, and only where there is room for both.
 */
function needWebAssembly(): void {
  if (lack === undefined) {
    lack = null;
    try {
      for (let count = 0; count < 2; count += 1) new WebAssembly.Memory({ initial: 1 });
    } catch (cause) {
      lack = new NoWebAssembly(
        'requests need WebAssembly, which reserves some 20 GB of addresses: raise the limit of this process (ulimit -v, LimitAS=)',
        { cause },
      );
    }
  }
  if (lack !== null) throw lack;
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
      // An error in a body that nobody reads any more does not matter.
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

/** The proxy is at fault, not the service. The message names it. */
export class ProxyFault extends Error {
  override readonly name = 'ProxyFault';
  /** The proxy refused, so a retry is pointless. */
  readonly isRefusal: boolean;
  /** It rejected user and password (HTTP 407). */
  readonly isRejection: boolean;

  constructor(proxy: HttpProxy, what: string, { status = 0, cause }: { status?: number; cause?: unknown }) {
    super(`the proxy ${proxyName(proxy)} ${what}`, { cause });
    this.isRefusal = status >= 400 && status <= 499 && status !== 408 && status !== 429;
    this.isRejection = status === 407;
  }
}

/** @param proxied called when the proxy has opened its tunnel */
export async function connectTo(
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
  proxy: HttpProxy | null,
  signal: AbortSignal,
  proxied: () => void = nothing,
): Promise<Socket | TLSSocket> {
  const isEncrypted = protocol === 'https:';
  const host = bareHost(hostname);
  const target = { host, port: Number(port || (isEncrypted ? 443 : 80)) };
  const servername = serverName(host);
  const tls = { host, servername, ALPNProtocols: ['http/1.1'] };
  if (proxy !== null) {
    const socket = await openTunnel(proxy, target, signal);
    proxied();
    if (!isEncrypted) return guarded(socket, signal);
    // Only the outer socket is destroyed: Node.js 20 crashes when the inner one goes first.
    return await ready(openTls({ ...tls, socket }), 'secureConnect', signal);
  }
  return isEncrypted
    ? await ready(openTls({ ...tls, ...target }), 'secureConnect', signal)
    : await ready(openSocket(target), 'connect', signal);
}

/** Server names are names, never addresses (RFC 6066, section 3). */
function serverName(host: string): string {
  return isIP(host) === 0 ? host : '';
}

async function ready<Kind extends Socket>(socket: Kind, event: string, signal: AbortSignal): Promise<Kind> {
  guarded(socket, signal);
  await once(socket, event);
  return socket;
}

/** The socket, destroyed on abort. Nothing else handles its errors during the handover. */
function guarded<Kind extends Socket>(socket: Kind, signal: AbortSignal): Kind {
  socket.on('error', nothing);
  return addAbortSignal(signal, socket);
}

async function openTunnel(
  proxy: HttpProxy,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, host, port, authorization } = proxy;
  const path = proxyName(target);
  const credentials = authorization === null ? {} : { 'proxy-authorization': authorization.reveal() };
  const headers = { host: path, ...credentials };
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const servername = serverName(host); // Not that of the header.
  const request = send({ host, port, servername, method: 'CONNECT', path, headers, agent: false });
  const stop = () => request.destroy();
  signal.addEventListener('abort', stop, { once: true });
  request.on('error', nothing).end();
  const [{ statusCode: status = 0 }, socket] = await once(request, 'connect')
    .catch((cause: Error) => {
      throw new ProxyFault(proxy, `failed: ${cause.message}`, { cause });
    })
    .finally(() => signal.removeEventListener('abort', stop));
  socket.on('error', nothing);
  if (status >= 200 && status <= 299 && !signal.aborted) return socket;
  socket.destroy();
  const why = status === 407 ? ': it wants a different user and password' : '';
  throw new ProxyFault(proxy, `refused a tunnel to ${path} with HTTP ${status}${why}`, { status });
}
