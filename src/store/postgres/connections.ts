// The connections of a pool. It creates their sockets, so that it can see incoming data and end each one.
// When a connection turns out dead, or the server must be left, connections of the same age are not reused.
import { Socket } from 'node:net';
import type pg from 'pg';
import { Late } from '../../base/waiting.ts';
import { cancelTransaction, type ResponseWatchdog, watchResponses } from './response-watchdog.ts';
import { Client, type Server, type ServerChoice } from './server-choice.ts';

/** How long a new connection may take to log in and to identify its server. */
const loginMs = 5_000;

interface Connection {
  readonly socket: Socket;
  readonly server: Server;
  /** Ends the connection unless its server is accepted in time. */
  readonly login: NodeJS.Timeout;
  readonly madeAt: number;
  /** Whether it was lent before. */
  isUsed: boolean;
}

export type Connections = ReturnType<typeof createConnections>;

export function createConnections() {
  const known = new WeakMap<pg.ClientBase, Connection>();
  const watched = new Set<ResponseWatchdog>();
  let doubtedUntil = Number.NEGATIVE_INFINITY;
  /** When data last arrived over the connection that was found dead. */
  let deadSince = Number.NEGATIVE_INFINITY;
  const of = (client: pg.ClientBase): Connection => {
    const connection = known.get(client);
    if (connection === undefined) throw new TypeError('a connection of another pool');
    return connection;
  };
  const isDoubted = (client: pg.ClientBase) => of(client).madeAt < doubtedUntil;
  const doubt = (madeBefore = performance.now()) => {
    doubtedUntil = Math.max(doubtedUntil, madeBefore);
  };
  return {
    of,
    isDoubted,
    doubt,
    end: (client: pg.PoolClient) => end(client, of(client)),
    async accept(client: pg.ClientBase, servers: ServerChoice) {
      const { server, login, madeAt } = of(client);
      if (await servers.accept(client, server)) doubt(madeAt);
      clearTimeout(login);
    },
    /** New connections work: any that have been silent since one was found dead are dead, too. */
    endSilent() {
      for (const watchdog of watched) watchdog.giveUpIfSilentSince(deadSince);
    },
    classFor: (servers: ServerChoice) => classFor(servers, known),
    watch(client: pg.PoolClient, longestMs: number) {
      const connection = of(client);
      const { socket, server } = connection;
      connection.isUsed = true;
      const watchdog = watchResponses(socket, {
        target: server.target,
        longestMs,
        cancelTransaction: (transaction) => cancelTransaction(server.connectionString, transaction),
        onGiveUp: (silentSince) => {
          doubt();
          deadSince = Math.max(deadSince, silentSince);
        },
      });
      watched.add(watchdog);
      const release = (isBroken: boolean) => {
        watched.delete(watchdog);
        if (isBroken || isDoubted(client)) end(client, connection);
        else client.release();
      };
      return { watchdog, release };
    },
  };
}

/**
 * Each connection goes to the server chosen when it is opened. A connection that is open, but not logged
 * in within `loginMs`, fails with `Late`: the server is there, but too busy.
 */
function classFor(servers: ServerChoice, known: WeakMap<pg.ClientBase, Connection>) {
  return class extends Client {
    constructor(config: pg.ClientConfig = {}) {
      const server = servers.current;
      const socket = new Socket();
      const { connectionString } = server;
      super({ ...config, connectionString, connectionTimeoutMillis: 0, stream: () => socket });
      const login = setTimeout(() => {
        const isUnreachable = socket.connecting || socket.pending;
        const words = `no ${isUnreachable ? 'connection' : 'login'} within ${loginMs} ms`;
        socket.destroy(isUnreachable ? new Error(words) : new Late(words));
      }, loginMs);
      socket.once('close', () => clearTimeout(login));
      known.set(this, { socket, server, login, madeAt: performance.now(), isUsed: false });
    }
  };
}

function end(client: pg.PoolClient, { socket }: Connection): void {
  socket.destroy();
  client.release(true);
}
