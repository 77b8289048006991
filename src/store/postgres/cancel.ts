// Cancels what a server process does, by a connection of its own: the pool may have none left.
import pg from 'pg';
import { within } from '../../base/waiting.ts';

/** What a server process is doing for us: behind a pooler it does something else for others right after. */
export interface ServerTransaction {
  readonly pid: number;
  /** When the transaction began, as the server says it. */
  readonly since: string;
}

export interface Cancelling {
  /** Resolves when no cancellation is on its way. */
  settled(): Promise<void>;
  /** Leaves the signal. */
  release(): void;
}

/** Where it takes longer, the time limit of the statement has to do. */
const waitMs = 2_000;

export function cancelOnAbort(cancel: () => Promise<void>, signal: AbortSignal): Cancelling {
  let sent: Promise<void> = Promise.resolve();
  const onAbort = () => {
    sent = cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return { settled: () => sent, release: () => signal.removeEventListener('abort', onAbort) };
}

/** A server that keeps no activity tells no beginnings either. */
const cancel = `select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
  where pid = $1 and (xact_start = $2::timestamptz or state = 'disabled')`;

/** Resolves when the server has it, or two seconds later. Never rejects. */
export async function cancelTransaction(
  connectionString: string,
  { pid, since }: ServerTransaction,
): Promise<void> {
  const client = new pg.Client({
    connectionString,
    application_name: 'custody-mirror cancel',
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
  });
  client.on('error', () => undefined);
  const sending = client.connect().then(() => client.query(cancel, [pid, since]));
  await within(waitMs, sending).catch(() => undefined);
  void client.end().catch(() => undefined);
}
