// TLS in front of a server that speaks none: what arrives encrypted goes on in the clear, on this machine. It
// holds the certificate that it is given, whoever trusts it.
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import type { ServerCertificate } from './certificates.ts';
import { listening } from './listening.ts';

/** @returns the port that stands for the address, on 127.0.0.1 */
export async function encrypted(address: string, { certificate, key }: ServerCertificate): Promise<number> {
  const { hostname, port } = new URL(address);
  const server = createServer({ cert: certificate, key }, (client) => {
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
  });
  // A client that refuses the certificate hangs up.
  server.on('tlsClientError', () => undefined);
  return (await listening(server)).port;
}
