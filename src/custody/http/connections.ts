// The connections to the custody service. Each serves one attempt at a time and is kept for the next one
// after a whole answer; after anything else it is destroyed, so that no attempt meets what another one
// left behind.
import { Client, fetch } from 'undici';
import type { CustodyConfig } from '../../base/config/config.ts';
import { connectTo } from './connect.ts';

/** What is read of an answer. */
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
  /** True while the proxy has not opened its tunnel. */
  readonly awaitsProxy: () => boolean;
  /** Makes it serve another attempt. */
  keep(): void;
  /** Gives it up, with its socket. Nothing of it is waited for. */
  drop(): void;
}

export interface Connections {
  take(): Connection;
  /** Drops those that no attempt uses. */
  close(): void;
}

type Way = Pick<CustodyConfig, 'baseUrl' | 'proxy'>;

/** @param fetch sends every request in place of connections of ours */
export function createConnections(config: Way, fetch?: Fetch): Connections {
  const idle: Connection[] = [];
  let isClosed = false;
  const keep = (connection: Connection) => {
    if (isClosed) connection.drop();
    else idle.push(connection);
  };
  return {
    take: () => idle.pop() ?? (fetch === undefined ? open(config, keep) : { ...unmanaged, fetch }),
    close() {
      isClosed = true;
      for (const connection of idle.splice(0)) connection.drop();
    },
  };
}

const unmanaged = { awaitsProxy: () => false, keep: () => undefined, drop: () => undefined };

/** A client with one socket at most; it opens another one when the service has closed it. */
function open({ baseUrl, proxy }: Way, keep: (connection: Connection) => void): Connection {
  const end = new AbortController();
  let awaitsProxy = false;
  const dispatcher = new Client(baseUrl.origin, {
    // An attempt has one deadline for all of it, which is not kept here.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(target, callback) {
      awaitsProxy = proxy !== null;
      const proxied = () => {
        awaitsProxy = false;
      };
      connectTo(target, proxy, end.signal, proxied).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      );
    },
  });
  const connection: Connection = {
    fetch: (url, init) => fetch(url, { ...init, dispatcher }),
    awaitsProxy: () => awaitsProxy,
    keep: () => keep(connection),
    drop() {
      end.abort();
      dispatcher.destroy().catch(() => undefined);
    },
  };
  return connection;
}
