// Whether a listener serves, asked as a client would, by a connection of its own. It may be closed, or answer
// nobody, while the process and its database are well.
import { request, type Server } from 'node:http';
import { errorCode } from '../domain/errors.ts';

export interface CheckedListener {
  readonly server: Server;
  /** The variable that sets the port. */
  readonly setBy: string;
  /** Whether it closes every new connection, because each of those it has is being answered. */
  readonly isFull: () => boolean;
}

/** @returns what is wrong, in one sentence; null while the listener serves */
export async function listenerFault(
  { server, setBy, isFull }: CheckedListener,
  waitMs: number,
): Promise<string | null> {
  const address = server.address();
  if (address === null || typeof address === 'string') return `nothing listens on ${setBy}`;
  if (isFull()) return `${setBy} takes no more connections: each of those it has waits for its answer`;
  // `::` takes IPv4 too, and a machine may have no `::1`.
  const host = ['0.0.0.0', '::'].includes(address.address) ? '127.0.0.1' : address.address;
  const signal = AbortSignal.timeout(waitMs);
  try {
    await anyAnswer({ host, port: address.port, signal });
    return null;
  } catch (error) {
    if (signal.aborted) return `${setBy} did not answer within ${waitMs / 1000} s`;
    const code = errorCode(error);
    // Taken, and closed again by the limit of one address, which does not concern others.
    return code === 'ECONNRESET' ? null : `${setBy} cannot be reached (${code})`;
  }
}

function anyAnswer(to: { host: string; port: number; signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    request({ ...to, path: '/healthz', agent: false }, (answer) => {
      answer.resume().on('error', reject).on('end', resolve);
    })
      .on('error', reject)
      .end();
  });
}
