// What people ask of the process that holds the lease: to rest, or to mirror now. Each renewal of the lease
// reads it, so that a process that nobody asks for anything pays nothing for it.
import { sql } from 'drizzle-orm';
import { leases, syncRequests } from '../../../drizzle/runs.ts';

export interface Wishes {
  /** Who paused or retired the account and until when, in words; null if it is to be mirrored. */
  readonly pause: string | null;
  /** Whether a request of `sync` waits to be taken. */
  readonly isAsked: boolean;
}

/** @returns the columns of `Wishes` */
export function wishesFor(account: string) {
  return {
    pause: sql<string | null>`(${pauseInWords(account)})`,
    isAsked: sql<boolean>`(${waitingRequest(account)}) is not null`,
  };
}

export function pauseInWords(account: string) {
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
