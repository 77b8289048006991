// The connections to the custody service. Each serves one attempt at a time and is kept for the next one
// after a complete answer; after anything else it is destroyed, so that no attempt sees leftovers of another.
import type { Socket } from 'node:net';
import { Client, DecoratorHandler, type Dispatcher, fetch } from 'undici';
import type { CustodyConfig } from '../../base/config/config.ts';
import { connectTo, ProxyFault } from './connect.ts';

/** The parts of an answer that are read. */
export interface HttpAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Pick<Headers, 'get'>;
  readonly body: AsyncIterable<Uint8Array> | null;
}

export type Fetch = (
  url: URL,
  init: {
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal;
    readonly redirect: 'manual';
  },
) => Promise<HttpAnswer>;

export interface Connection {
  readonly fetch: Fetch;
  /** True once it has served an attempt. */
  readonly isUsed: boolean;
  /** True while the proxy has not opened its tunnel. */
  readonly awaitsProxy: () => boolean;
  /** While it is held, nothing is read from the socket, and the service waits. */
  hold(isHeld: boolean): void;
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
const unmanaged = { isUsed: false, awaitsProxy: () => false, hold: nothing, keep: nothing, drop: nothing };

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

/** More than any body may have, compressed or not. */
const maxRawBytes = 2 ** 27;

/**
 * undici fails an assertion, outside of any promise, when a connection ends while its reader is paused, and a
 * body that cannot be decompressed pauses it for good. So it is never paused; the body is limited here.
 */
class Unpaused extends DecoratorHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #drop: () => void;
  #bytes = 0;

  constructor(handler: Dispatcher.DispatchHandler, drop: () => void) {
    super(handler);
    this.#handler = handler;
    this.#drop = drop;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > maxRawBytes) this.#drop();
    else this.#handler.onResponseData?.(withoutPause(controller), chunk);
  }
}

function withoutPause(controller: Dispatcher.DispatchController): Dispatcher.DispatchController {
  return {
    aborted: controller.aborted,
    paused: false,
    reason: controller.reason,
    abort: (reason) => controller.abort(reason),
    pause: () => undefined,
    resume: () => undefined,
  };
}

/**
 * undici reads the socket itself when it is readable. While the socket is held, undici finds nothing there:
 * no data, which stay with the system and then with the service, and no end.
 */
function holderOf(socket: Socket): Connection['hold'] {
  const read = socket.read.bind(socket);
  let isHeldNow = false;
  socket.read = (size) => (isHeldNow ? null : read(size));
  return (isHeld) => {
    isHeldNow = isHeld;
    if (!isHeld) socket.emit('readable');
  };
}

/** A client with one socket at most; it opens another one when the service has closed it. */
function open({ baseUrl, proxy }: Way, connect: Connect, keep: (connection: Connection) => void): Connection {
  const end = new AbortController();
  let awaitsProxy = false;
  let hold: Connection['hold'] = nothing;
  const dispatcher = new Client(baseUrl.origin, {
    // The deadline covers the whole attempt and is enforced elsewhere.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      awaitsProxy = proxy !== null;
      const proxied = () => {
        awaitsProxy = false;
      };
      connect(target, proxy, end.signal, proxied).then(
        (socket) => {
          hold = holderOf(socket);
          callback(null, socket);
        },
        (error: Error) => callback(error, null),
      );
    },
  });
  const unpaused = dispatcher.compose(
    (dispatch) => (options, handler) => dispatch(options, new Unpaused(handler, () => connection.drop())),
  );
  const connection: Connection = {
    isUsed: false,
    fetch: (url, init) => fetch(url, { ...init, dispatcher: unpaused }),
    awaitsProxy: () => awaitsProxy,
    hold: (isHeld) => hold(isHeld),
    keep: () => keep(connection),
    drop() {
      end.abort();
      dispatcher.destroy().catch(() => undefined);
    },
  };
  return connection;
}
