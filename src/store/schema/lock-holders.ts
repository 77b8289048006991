// Finds the sessions that hold a lock that another session waits for, so that a message can name them. It
// never reads the texts of their statements, which may hold private data.
import { sql } from 'drizzle-orm';
import { sleep } from '../../base/loop.ts';
import { onOneLine } from '../../domain/words.ts';
import { type Database, readOne } from '../postgres/database.ts';

/**
 * Looks every `everyMs` for the sessions that keep the one of `pid` waiting, and passes on a description of
 * each; never an empty list. Ends with the signal. It never rejects: it only helps to word an error.
 */
export async function watchLockHolders(
  database: Database,
  pid: number,
  everyMs: number,
  signal: AbortSignal,
  onFound: (holders: readonly string[]) => void,
): Promise<void> {
  try {
    for (;;) {
      await sleep(everyMs, signal);
      const holders = await readLockHolders(database, pid);
      if (holders.length > 0) onFound(holders);
    }
  } catch {
    // Stopped, or the catalog could not be asked.
  }
}

interface LockHolder extends Record<string, unknown> {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly state: string | null;
  readonly began: string | null;
  readonly asked: string | null;
}

async function readLockHolders(database: Database, pid: number): Promise<readonly string[]> {
  // Of other users' sessions PostgreSQL shows an ordinary user little more than the application.
  const found = await readOne(database, 'locks.holders', (db) =>
    db.execute<LockHolder>(sql`
      select distinct b.pid, a.usename::text as user, a.application_name as application, a.state,
        to_char(a.xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as began,
        to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as asked
      from unnest(pg_blocking_pids(${pid})) as b (pid) left join pg_catalog.pg_stat_activity a on a.pid = b.pid
      order by b.pid limit 5`),
  );
  return found.rows.map(describeHolder);
}

function describeHolder({ pid, user, application, state, began, asked }: LockHolder): string {
  if (pid === 0) return 'a prepared transaction';
  const known = [
    user === null ? null : `user ${onOneLine(user)}`,
    application === null || application === '' ? null : `application ${onOneLine(application)}`,
    state,
    began === null ? null : `transaction since ${began}`,
    asked === null ? null : `last query at ${asked}`,
  ].filter((part) => part !== null);
  return known.length === 0 ? `pid ${pid}` : `pid ${pid} (${known.join(', ')})`;
}
