// Whether somebody asks the process that holds the lease to mirror now. It is read after each renewal of the
// lease, in a transaction of its own: a lock on these tables must not cost the lease.
import type { EventEmitter } from 'node:events';
import { sql } from 'drizzle-orm';
import { leases, syncRequests } from '../../../drizzle/runs.ts';
import type { Database } from '../postgres/database.ts';

export interface Wishes {
  /** Whether a request of `sync` waits to be taken. */
  readonly isAsked: boolean;
}

/** Emits what is read after each renewal. */
export type Renewals = EventEmitter<{ renewed: [Wishes] }>;

const limits = { readOnly: true, statementTimeoutMs: 2_000, wayMs: 1_000 };

/** Reads the wishes, and emits them to those who follow the renewals of the lease. */
export async function passOnWishes(
  database: Database,
  { account, renewals }: { readonly account: string; readonly renewals: Renewals },
): Promise<void> {
  const statement = sql`select (${waitingRequest(account)}) is not null as "isAsked"`;
  const [wishes] = await database.transact(
    'wishes.read',
    (tx) =>
      tx.run(
        'wishes.read',
        async (db) => (await db.execute<Wishes & Record<string, unknown>>(statement)).rows,
      ),
    limits,
  );
  if (wishes !== undefined) renewals.emit('renewed', wishes);
}

/** The oldest request that somebody waits for and that nobody has taken since the lease was. */
export function waitingRequest(account: string) {
  return sql`
    select min(w.request_id) from ${syncRequests} w
    join ${leases} l on l.account_id = w.account_id and coalesce(w.progress_at, '-infinity') < l.acquired_at
    where w.account_id = ${account} and w.result is null and w.wanted_until > clock_timestamp()`;
}
