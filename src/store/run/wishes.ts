// What people ask of the process that holds the lease: to rest, or to mirror now. It is read after each
// renewal of the lease, in a transaction of its own: a lock on these tables must not cost the lease.
import type { EventEmitter } from 'node:events';
import { type SQL, sql } from 'drizzle-orm';
import { leases, syncRequests } from '../../../drizzle/runs.ts';
import type { Database } from '../postgres/database.ts';

export interface Wishes {
  /** Who paused or retired the account and until when, in words; null if it is to be mirrored. */
  readonly pause: string | null;
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
  const statement = sql`select (${pauseInWords(account)}) as pause, (${waitingRequest(account)}) is not null as "isAsked"`;
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

export function pauseInWords(account: string | SQL) {
  return sql`
    select case when p.paused_until = 'infinity' then 'is retired' else
      to_char(p.paused_until at time zone 'UTC', '"is paused until "YYYY-MM-DD HH24:MI" UTC"') end || ' by ' || p.paused_by as pause
    from sync.pauses p where p.account_id = ${account} and p.ended_at is null and p.paused_until > clock_timestamp()
    order by p.paused_until desc limit 1`;
}

/** The oldest request that somebody waits for and that nobody has taken since the lease was. */
export function waitingRequest(account: string) {
  return sql`
    select min(w.request_id) from ${syncRequests} w
    join ${leases} l on l.account_id = w.account_id and coalesce(w.progress_at, '-infinity') < l.acquired_at
    where w.account_id = ${account} and w.result is null and w.wanted_until > clock_timestamp()`;
}
