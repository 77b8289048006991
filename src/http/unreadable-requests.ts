// Requests that are no HTTP, too long, or not ended in time never reach a route: they are answered here, in a
// sentence.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

interface Refusal {
  readonly status: number;
  readonly why: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: { status: 431, why: 'The address and the headers of the request are too long.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, why: 'The body of the request is too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, why: 'The request was not ended in time.' },
};
const notHttp: Refusal = { status: 400, why: 'This is no request of HTTP/1.1.' };

/** Answers what the server cannot read, and closes its connection. */
export function refuseUnreadable(server: Server): void {
  /** Answers under way: requests may come before the one ahead of them is answered. */
  const answering = new WeakMap<Duplex, number>();
  const count = (socket: Duplex, by: number) => answering.set(socket, (answering.get(socket) ?? 0) + by);
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    // An answer under way must not be taken for whole, nor this for its end.
    if (!socket.writable || (answering.get(socket) ?? 0) > 0) {
      socket.destroy();
      return;
    }
    const { status, why } = refusals[code ?? ''] ?? notHttp;
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n` +
        `cache-control: no-store\r\nx-content-type-options: nosniff\r\ncontent-length: ${Buffer.byteLength(why) + 1}\r\n\r\n${why}\n`,
      // Who goes on writing does not keep it.
      () => socket.destroy(),
    );
  });
}
