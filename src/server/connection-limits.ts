// Limits of connections, of all and of one address. A connection without an answer in progress, half-sent
// requests included, gives way to a new one, the oldest first, or else one over which no reader was admitted:
// so nobody can block the server by opening connections, by guessing, or by not taking an answer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { isTrusted, limitedAddress, plainAddress } from '../http/access/client-address.ts';
import { admitted } from '../http/access/gate.ts';

export interface ConnectionLimits {
  readonly most: number;
  readonly mostOfAddress: number;
  /** Proxies, which have the connections of many clients: all together have all but a reserve. */
  readonly trustedProxies: BlockList | null;
}

interface OpenConnection {
  readonly address: string;
  readonly isProxy: boolean;
  answering: number;
}

/** Connections that proxies leave to others, such as Prometheus. */
const reserve = 64;
/** Requests of one connection that wait for their answers: browsers send one, and a guesser many. */
const mostPipelined = 16;

/** @returns whether every new connection, or each of a proxy, is closed: all have an answer in progress */
export function limitConnections(server: Server, limits: ConnectionLimits): () => boolean {
  const { most, mostOfAddress, trustedProxies } = limits;
  /** Answers in progress, by connection, in the order in which they were opened. */
  const open = new Map<Socket, OpenConnection>();
  server.on('connection', (socket: Socket) => {
    const address = limitedAddress(socket.remoteAddress ?? 'unknown');
    const isProxy = isTrusted(plainAddress(socket.remoteAddress ?? ''), trustedProxies);
    const alike = [...open].filter(([, known]) => (isProxy ? known.isProxy : known.address === address));
    const share = isProxy ? most - reserve : mostOfAddress;
    const crowd = alike.length >= share ? alike : open.size >= most ? [...open] : null;
    if (crowd !== null) {
      const idle = crowd.find(([, { answering }]) => answering === 0);
      const [leaving = socket] = idle ?? crowd.find(([known]) => !admitted.has(known)) ?? [];
      leaving.destroy();
      if (leaving === socket) return;
      open.delete(leaving);
    }
    open.set(socket, { address, isProxy, answering: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const known = open.get(socket);
    if (known === undefined) return;
    known.answering += 1;
    if (known.answering > mostPipelined) socket.destroy();
    response.once('close', () => {
      known.answering -= 1;
    });
  });
  const isFull = (connections: readonly (readonly [Socket, OpenConnection])[], share: number) =>
    connections.length >= share &&
    connections.every(([socket, { answering }]) => answering > 0 && admitted.has(socket));
  return () => {
    const all = [...open];
    const ofProxies = all.filter(([, { isProxy }]) => isProxy);
    return isFull(all, most) || (ofProxies.length > 0 && isFull(ofProxies, most - reserve));
  };
}
