// TLS in front of a server that speaks none: what arrives encrypted goes on in the clear, on this machine.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { ServerCertificate } from './certificates.ts';
import { onCleanup } from './cleanup.ts';

/** @returns the port that stands for the address, on 127.0.0.1 */
export async function encrypted(address: string, { certificate, key }: ServerCertificate): Promise<number> {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>();
  const server = createServer({ cert: certificate, key }, (client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  // A client that refuses the certificate hangs up.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}
