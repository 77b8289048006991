// Finds who holds a lock that a transaction waits for, so that a message can name them: sessions and prepared
// transactions. It never reads the texts of their statements, which may hold private data.
import { sql } from 'drizzle-orm';
import { sleep } from '../../base/loop.ts';
import { onOneLine } from '../../domain/words.ts';
import { type Database, readOne, type TransactionOptions } from '../postgres/database.ts';
import type { Tx } from '../postgres/transaction.ts';

/**
 * Runs the transaction. Whenever it waits for a lock for a quarter of `lockTimeoutMs`, another session looks
 * for those that hold it, and passes on a description of each; never an empty list.
 */
export async function transactNamingHolders<T>(
  database: Database,
  label: string,
  work: (tx: Tx) => Promise<T>,
  limits: TransactionOptions & { readonly lockTimeoutMs: number },
  onFound: (holders: readonly string[]) => void,
): Promise<T> {
  const ended = new AbortController();
  let pid = 0;
  const watching = watch(database, () => pid, limits.lockTimeoutMs / 4, ended.signal, onFound);
  try {
    return await database.transact(
      label,
      async (tx) => {
        const [own] = await tx.ask<{ pid: string }>('locks.own', sql`select pg_backend_pid()::text as pid`);
        pid = Number(own?.pid);
        return await work(tx);
      },
      limits,
    );
  } finally {
    ended.abort();
    await watching;
  }
}

/** It never rejects: it only helps to word an error. */
async function watch(
  database: Database,
  pid: () => number,
  everyMs: number,
  signal: AbortSignal,
  onFound: (holders: readonly string[]) => void,
): Promise<void> {
  try {
    for (;;) {
      await sleep(everyMs, signal);
      const holders = await readLockHolders(database, pid());
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
  /** Name of a prepared transaction; its pid is 0. */
  readonly prepared: string | null;
}

async function readLockHolders(database: Database, pid: number): Promise<readonly string[]> {
  // Of other users' sessions PostgreSQL shows an ordinary user little more than the application.
  const found = await readOne(database, 'locks.holders', (db) =>
    db.execute<LockHolder>(sql`
      select distinct b.pid, coalesce(a.usename, p.owner)::text as user, a.application_name as application, a.state, p.gid as prepared,
        to_char(coalesce(a.xact_start, p.prepared) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as began,
        to_char(a.query_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as asked
      from unnest(pg_blocking_pids(${pid})) as b (pid) left join pg_catalog.pg_stat_activity a on a.pid = b.pid
        left join pg_catalog.pg_prepared_xacts p on b.pid = 0 and p.database = current_database()
      order by b.pid limit 5`),
  );
  return found.rows.map(describeHolder);
}

function describeHolder({ pid, user, application, state, began, asked, prepared }: LockHolder): string {
  const name = pid === 0 ? `a prepared transaction ${onOneLine(prepared ?? '')}`.trimEnd() : `pid ${pid}`;
  const known = [
    user === null ? null : `user ${onOneLine(user)}`,
    application === null || application === '' ? null : `application ${onOneLine(application)}`,
    state,
    began === null ? null : `transaction since ${began}`,
    asked === null ? null : `last query at ${asked}`,
  ].filter((part) => part !== null);
  return known.length === 0 ? name : `${name} (${known.join(', ')})`;
}
