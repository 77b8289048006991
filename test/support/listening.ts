// A server of a test on a free port of this machine. It and its connections are gone when the test ends.
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onCleanup } from './cleanup.ts';

export interface Listening {
  readonly port: number;
  /** Over HTTP. */
  readonly url: string;
  /** Its connections that are open now. */
  readonly sockets: ReadonlySet<Socket>;
}

export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, sockets };
}
