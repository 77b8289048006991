// Cancels the work of a server process over a separate connection: the pool may have none left.
import pg from 'pg';
import { within } from '../../base/waiting.ts';

/** Our work at a server process: behind a pooler the process serves somebody else right after. */
export interface ServerTransaction {
  readonly pid: number;
  /** When the transaction began, by the server. */
  readonly since: string;
}

export interface Cancelling {
  /** Resolves when no cancellation is in flight. */
  settled(): Promise<void>;
  /** Unsubscribes from the signal. */
  release(): void;
}

/** If it takes longer, the statement timeout has to end it. */
const waitMs = 2_000;

export function cancelOnAbort(cancel: () => Promise<void>, signal: AbortSignal): Cancelling {
  let sent: Promise<void> = Promise.resolve();
  const onAbort = () => {
    sent = cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return { settled: () => sent, release: () => signal.removeEventListener('abort', onAbort) };
}

/** A server that does not track activities reports no start times either. */
const cancel = `select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
  where pid = $1 and (xact_start = $2::timestamptz or state = 'disabled')`;

/** Resolves when the server has received it, or after two seconds. Never rejects. */
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
