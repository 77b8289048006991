// Between which two readings of the growing end transactions appeared: what is known of the time of a record, whose
// `timestamp` is that of its retrieval (interface.md 2.2).
import { sql } from 'drizzle-orm';
import { runs } from '../../drizzle/runs.ts';
import { transactionStatusHistory as history } from '../../drizzle/transaction-history.ts';
import type { Instant } from '../domain/instant.ts';
import type { Database } from './database.ts';
import { microsToInstant } from './micros.ts';

export interface Appearance {
  readonly transactionId: string;
  /** The list was read at this moment or later, and the transaction was not there. */
  readonly after: Instant;
}

const increments = 5;
const most = 1_000;

/**
 * The transactions that the latest increments met first, newest first. An increment counts when the run before it left
 * no gap, and when it did not give way to a sweep, for then it has met the list otherwise than it expected.
 */
export async function readAppearances(database: Database, account: string): Promise<readonly Appearance[]> {
  const rows = await database.transact('appearances', (tx) =>
    tx.run('transactions.appearances', (db) =>
      db.execute<{ transaction_id: string; after: string }>(sql`
        with neighbours as (
          select ${runs.runId} as run_id, ${runs.mode} as mode, ${runs.status} as status,
            ${runs.recordsInserted} as inserted, ${runs.startedAt} as began,
            lag(${runs.startedAt}) over by_time as began_before,
            lag(${runs.status}) over by_time as status_before,
            lag(${runs.mode} = 'incremental' or coalesce(${runs.verified}, false)) over by_time as whole_before,
            lead(${runs.mode}) over by_time as mode_after
          from ${runs}
          where ${runs.accountId} = ${account} and ${runs.job} = 'transactions'
          window by_time as (order by ${runs.runId})
        ), appearing as (
          select run_id, began, began_before from neighbours
          where mode = 'incremental' and status = 'succeeded' and inserted > 0
            and status_before = 'succeeded' and whole_before and mode_after is distinct from 'full'
          order by run_id desc limit ${increments}
        )
        select ${history.transactionId} as transaction_id,
          (extract(epoch from began_before) * 1000000)::bigint::text as after
        from appearing join ${history} on ${history.runId} = appearing.run_id
          and ${history.accountId} = ${account} and ${history.sequence} = 1
          and ${history.observedAt} > appearing.began - interval '1 minute'
        order by began_before desc limit ${most}`),
    ),
  );
  return rows.rows.map((row) => ({
    transactionId: row.transaction_id,
    after: microsToInstant(Number(row.after)),
  }));
}
