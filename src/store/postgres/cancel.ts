// Cancels the statement of a connection when a signal is aborted, by PostgreSQL's own request for that. The
// request needs no free connection of the pool and no login, and goes through poolers.
import { once } from 'node:events';
import { connect } from 'node:net';
import type pg from 'pg';

export interface Cancelling {
  /** Resolves when no cancellation is on its way. */
  settled(): Promise<void>;
  /** Leaves the signal. */
  release(): void;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, CancelRequest. */
const cancelRequest = 80_877_102;
/** The server answers by closing. Where it does not, the time limit of the statement has to do. */
const waitMs = 2_000;

export function cancelOnAbort(client: pg.PoolClient, signal: AbortSignal): Cancelling {
  let sent: Promise<void> = Promise.resolve();
  const onAbort = () => {
    sent = sendCancel(client);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return { settled: () => sent, release: () => signal.removeEventListener('abort', onAbort) };
}

/** What the driver keeps of its connection, and its types do not name. */
interface Connected {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** Resolves when the server has it, or two seconds later. Never rejects. */
export async function sendCancel(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Connected;
  if (processID === null || secretKey === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(cancelRequest, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.setTimeout(waitMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const closed = once(socket, 'close');
  socket.resume();
  socket.end(message);
  await closed.catch(() => undefined);
}
