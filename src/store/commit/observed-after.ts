// From when on a status change can have happened: a moment at which the transaction was certainly still in the status before.
// Whatever a run was shown, it had asked for after it began, so the beginning of a run that was shown the old status is such
// a moment (the arrival of its answer is not: the change may have come between the two). Of these runs the last counts:
// - the run that wrote the last status, and the run that wrote the last other change, unless that was the mark of a
//   transaction that vanished;
// - for an open status, the last run that read every open transaction, if it ended before this one began, and if the two
//   above had ended before it began. Then it found the row as it is: had it been shown anything else, it would have
//   written that. Of runs side by side, nobody knows which of them was shown the transaction first.
//
// Of a first sighting it is the beginning of the last run that would have shown the transaction: a verified sweep; or, for what
// an increment meets at the growing end, an increment that read that end without a gap and could decode all of it. What
// stood in quarantine was there unread, so that no run that could not read it says anything of it.
import { type SQL, sql } from 'drizzle-orm';
import { quarantine } from '../../../drizzle/findings.ts';
import { runs } from '../../../drizzle/runs.ts';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { sweepingJobs } from '../../domain/jobs.ts';
import { terminalStatuses } from '../../domain/transaction.ts';
import { textArray } from '../postgres/binary-array.ts';
import type { Lease } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import type { StatusChange } from './transaction-changes.ts';

/** The column's values, in the terms of the rows to be written (see `ColumnValues`). */
export function observedAfter(lease: Lease, run: Run, changes: readonly StatusChange[]): SQL {
  const ofFirst = firstSeenAfter(lease, run, sql`r.observed_at`);
  if (changes.every((change) => change.fromStatus === null)) return ofFirst;
  const account = sql`${lease.account}`;
  const startOfThisRun = sql`(select this.started_at from ${runs} this
    where this.account_id = ${account} and this.run_id = ${run.runId}::bigint)`;
  const lastReading = sql`
    select reading.started_at from ${runs} reading
    where reading.account_id = ${account} and reading.open_transactions_read and reading.status = 'succeeded'
      and reading.finished_at <= ${startOfThisRun}
    order by reading.started_at desc limit 1`;
  // A run that is removed was over long ago; when what it saw arrived is then enough.
  const endedBefore = (writer: SQL, arrivedAt: SQL) => sql`
    case when ${writer}.run_id is null then ${arrivedAt} else ${writer}.finished_at end <= reading.started_at`;
  const settled = textArray(terminalStatuses);
  // Negative infinity is the mark of a row that is there and tells nothing.
  const bound = sql`
    select coalesce(
      greatest(
        status_run.started_at,
        case when not revision.is_mark then revision_run.started_at end,
        case when r.from_status <> all(${settled})
          and ${endedBefore(sql`status_run`, sql`status.observed_at`)}
          and (revision.run_id is null
            or not revision.is_mark and ${endedBefore(sql`revision_run`, sql`revision.observed_at`)})
        then reading.started_at end),
      '-infinity')
    from ${transactionStatusHistory} status
    left join ${runs} status_run on status_run.account_id = ${account} and status_run.run_id = status.run_id
    left join lateral (
      select v.run_id, v.observed_at, coalesce(v.after->>'missing_since', '') <> '' as is_mark
      from ${transactionRevisions} v
      where v.account_id = ${account} and v.transaction_id = r.transaction_id
      order by v.revision desc limit 1
    ) revision on true
    left join ${runs} revision_run on revision_run.account_id = ${account} and revision_run.run_id = revision.run_id
    left join (${lastReading}) reading on true
    where status.account_id = ${account} and status.transaction_id = r.transaction_id
      and status.sequence = r.sequence - 1`;
  // A row before that is not there yet is written with this one, from an earlier answer to the same run.
  return sql`case when r.from_status is null then ${ofFirst}
    else nullif(least(r.observed_at, coalesce((${bound}), ${startOfThisRun})), '-infinity') end`;
}

/** From when on a transaction that the run is the first to read can have appeared; null where nothing is known. */
export function firstSeenAfter(lease: Lease, run: Run, firstSeenAt: SQL): SQL {
  const earlier = sql`
    from ${runs} this join ${runs} reading on reading.account_id = this.account_id
      and reading.status = 'succeeded' and reading.finished_at <= this.started_at
    where this.account_id = ${lease.account} and this.run_id = ${run.runId}::bigint`;
  // A sweep that went on from another run read its first pages before it began itself.
  const sweep = sql`
    select reading.started_at ${earlier} and reading.verified and reading.mode = 'full'
      and reading.job = any(${textArray(sweepingJobs)}) and (reading.verdict->>'resumed' <> '0') is not true
    order by reading.finished_at desc limit 1`;
  const increment = sql`
    select reading.started_at ${earlier} and this.mode = 'incremental' and reading.mode = 'incremental'
      and reading.open_transactions_read and reading.quarantined = 0
    order by reading.started_at desc limit 1`;
  const stoodUnread = sql`exists (select from ${quarantine} q
    where q.account_id = ${lease.account} and q.resource = 'transactions' and q.record_key = r.transaction_id)`;
  // Of no value at all, least and greatest would make the other one.
  return sql`case when not ${stoodUnread} then
    nullif(least(${firstSeenAt}, coalesce(greatest((${sweep}), (${increment})), '-infinity')), '-infinity') end`;
}
