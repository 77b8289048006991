// From pages to the observations of each record, in the order of the requests. A list that shifts while it is
// read, or repeats itself, shows a record more than once; committing pages together must have the same result
// as committing them one by one.

import { type SQL, sql } from 'drizzle-orm';
import { quarantine } from '../../../drizzle/findings.ts';
import { runs } from '../../../drizzle/runs.ts';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { settledStatuses } from '../../domain/fields.ts';
import { type Resource, sweepingJobs } from '../../domain/jobs.ts';
import type { DecodedItem, Page } from '../../domain/page.ts';
import { hiddenFromPlanner } from '../postgres/hidden-from-planner.ts';
import type { Anomaly } from '../run/anomalies.ts';
import type { Lease } from '../run/leases.ts';
import type { UndecodableObservation } from '../run/quarantine.ts';
import type { Run } from '../run/runs.ts';
import { textArray } from '../values/bulk-rows.ts';
import { type Micros, toMicros } from '../values/micros.ts';

/** One record in one answer. */
export interface RecordObservation<Record_> {
  readonly item: DecodedItem<Record_>;
  readonly beganAt: Micros;
  readonly arrivedAt: Micros;
}

/** Of one record, in the order of the requests. */
type Observations<Record_> = [RecordObservation<Record_>, ...RecordObservation<Record_>[]];

export interface MergedPages<Record_> {
  /** By key; each request began after the one before it was answered. */
  readonly records: ReadonlyMap<string, Readonly<Observations<Record_>>>;
  readonly undecodable: readonly UndecodableObservation[];
  /** Keys that one page held with different contents, and the items that are not kept. */
  readonly contradicted: ReadonlyMap<string, readonly DecodedItem<Record_>[]>;
  /** Items received. */
  readonly read: number;
  /** Items with the same content as another one. */
  readonly repeated: number;
  /** Items that do not count, because another answer or item of the same time had other content. */
  readonly superseded: number;
}

export function mergeObservations<Record_>(pages: readonly Page<Record_>[]): MergedPages<Record_> {
  const inOrder = [...pages].sort((a, b) => a.beganAt - b.beganAt);
  const byKey = new Map<string, Observations<Record_>>();
  const undecodable: UndecodableObservation[] = [];
  const contradicted = new Map<string, DecodedItem<Record_>[]>();
  let read = 0;
  let repeated = 0;
  let superseded = 0;
  for (const page of inOrder) {
    const beganAt = toMicros(page.beganAt);
    const arrivedAt = toMicros(page.arrivedAt);
    const ofThisPage = new Set<string>();
    for (const item of page.items) {
      read += 1;
      if (item.kind === 'undecodable') {
        undecodable.push({ item, arrivedAt });
        continue;
      }
      const observation = { item, beganAt, arrivedAt };
      const before = byKey.get(item.key);
      if (before === undefined) byKey.set(item.key, [observation]);
      else if (!ofThisPage.has(item.key)) before.push(observation);
      else {
        const last = before[before.length - 1];
        if (last === undefined || last.item.hash === item.hash) {
          repeated += 1;
        } else {
          // The choice does not depend on the order of the list, so that the record does not change with each
          // reading.
          const isKept = item.hash > last.item.hash;
          contradicted.set(item.key, [...(contradicted.get(item.key) ?? []), isKept ? last.item : item]);
          superseded += 1;
          if (isKept) before[before.length - 1] = observation;
        }
      }
      ofThisPage.add(item.key);
    }
  }
  for (const [key, observations] of byKey) {
    if (observations.length === 1) continue;
    const merged = inSequence(observations);
    repeated += merged.repeated;
    superseded += merged.superseded;
    byKey.set(key, merged.observations);
  }
  return { records: byKey, undecodable, contradicted, read, repeated, superseded };
}

/**
 * The anomalies of the keys that one page held twice with different content. The prefix is part of their
 * subjects.
 */
export function duplicateIds(
  {
    contradicted,
  }: Pick<MergedPages<{ readonly raw: string } | { readonly document: string }>, 'contradicted'>,
  resource: Resource,
  prefix = '',
): readonly Anomaly[] {
  const meaning = 'one answer held the same identifier with different contents; one of them is kept';
  return [...contradicted].map(([key, items]) => {
    const byDigest = new Map(items.map(({ hash, record }) => [hash, record]));
    return {
      kind: 'duplicate-id',
      resource,
      resourceId: `${prefix}${key}`,
      details: {
        meaning,
        not_kept: [...byDigest.values()].map((record) => ('raw' in record ? record.raw : record.document)),
        digests: [...byDigest.keys()],
      },
    };
  });
}

/** Keeps the last observation, and each earlier one that had arrived before the next one was asked for. */
function inSequence<Record_>(observations: Readonly<Observations<Record_>>) {
  let next = observations[observations.length - 1] ?? observations[0];
  const kept: Observations<Record_> = [next];
  let repeated = 0;
  let superseded = 0;
  for (let i = observations.length - 2; i >= 0; i -= 1) {
    const earlier = observations[i];
    if (earlier === undefined) continue;
    if (earlier.arrivedAt <= next.beganAt) {
      kept.unshift(earlier);
      next = earlier;
    } else if (earlier.item.hash === next.item.hash) repeated += 1;
    else superseded += 1;
  }
  return { observations: kept, repeated, superseded };
}

// The lower bound of a status change: a moment at which the transaction was certainly still in the previous
// status.
//
// The start of a run that was shown the old status is such a moment, because the run asked after it started.
// (The arrival of its answer is not: the status may have changed between request and answer.) Of these runs
// the last one counts:
// - the run that wrote the last status, and the run that wrote the last revision, unless that marks the
//   transaction as missing;
// - for an open status, the last run that read every open transaction, if it ended before this run started,
//   and started after the two runs above had ended. It was shown the row as it is, or it would have written a
//   change. Runs that overlap in time are left out: their order does not tell which of them was shown the
//   transaction first.
//
// For a first observation the bound is the start of the last run that would have shown the transaction: a
// verified sweep; or, for an increment, an earlier increment that read the growing end without a gap and
// decoded all of it. A transaction that was in quarantine has no such bound: it was listed before, and no run
// could read it.

/**
 * The column `observed_after`: an expression over `r`, the row to be written.
 *
 * @param which of the rows are first observations, and whether one of these transactions was ever in
 *   quarantine
 */
export function observedAfter(
  lease: Lease,
  run: Run,
  which: { readonly areFirst: boolean; readonly wereQuarantined: boolean },
): SQL {
  const ofFirst = firstSeenAfter(lease, run, sql`r.observed_at`, which.wereQuarantined);
  if (which.areFirst) return ofFirst;
  const account = hiddenFromPlanner(lease.account);
  const startOfThisRun = sql`(select this.started_at from ${runs} this
    where this.account_id = ${account} and this.run_id = ${run.runId}::bigint)`;
  // Negative infinity stands for a row that gives no bound. Where the row before is not stored yet, this
  // statement writes it too, from an earlier answer to the same run. A pruned run ended long ago: the arrival
  // of its answer stands for its end.
  return sql`
    case when r.from_status is null then ${ofFirst}
    else nullif(least(r.observed_at, coalesce((
      select coalesce(
        greatest(
          status_run.started_at,
          case when not revision.is_mark then revision_run.started_at end,
          case when r.from_status <> all(${textArray(settledStatuses)})
            and case when status_run.run_id is null then status.observed_at else status_run.finished_at end
              <= reading.started_at
            and (revision.run_id is null or not revision.is_mark
              and case when revision_run.run_id is null then revision.observed_at else revision_run.finished_at end
                <= reading.started_at)
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
      left join ${runs} revision_run
        on revision_run.account_id = ${account} and revision_run.run_id = revision.run_id
      left join (
        select reading.started_at from ${runs} reading
        where reading.account_id = ${account} and reading.open_transactions_read
          and reading.status = 'succeeded' and reading.finished_at <= ${startOfThisRun}
        order by reading.started_at desc limit 1
      ) reading on true
      where status.account_id = ${account} and status.transaction_id = r.transaction_id
        and status.sequence = r.sequence - 1
    ), ${startOfThisRun})), '-infinity') end`;
}

/**
 * The lower bound of a first observation by this run, as an expression; null where none is known.
 *
 * @param wereQuarantined whether one of the transactions was ever in quarantine; each row is looked up then
 */
export function firstSeenAfter(lease: Lease, run: Run, firstSeenAt: SQL, wereQuarantined: boolean): SQL {
  // A resumed sweep does not count: its first pages were read before it started. Negative infinity stands for
  // no value, because least and greatest would pass over a null.
  return sql`
    case when not (${wereQuarantined}::boolean and exists (select from ${quarantine} q
      where q.account_id = ${hiddenFromPlanner(lease.account)} and q.resource = 'transactions'
        and q.record_key = r.transaction_id))
    then nullif(least(${firstSeenAt}, coalesce(greatest((
      select sweep.started_at from ${runs} this join ${runs} sweep on sweep.account_id = this.account_id
        and sweep.status = 'succeeded' and sweep.finished_at <= this.started_at
      where this.account_id = ${lease.account} and this.run_id = ${run.runId}::bigint
        and sweep.verified and sweep.mode = 'full' and sweep.job = any(${textArray(sweepingJobs)})
        and (sweep.verdict->>'resumed' <> '0') is not true
      order by sweep.finished_at desc limit 1
    ), (
      select increment.started_at from ${runs} this join ${runs} increment on increment.account_id = this.account_id
        and increment.status = 'succeeded' and increment.finished_at <= this.started_at
      where this.account_id = ${lease.account} and this.run_id = ${run.runId}::bigint
        and this.mode = 'incremental' and increment.mode = 'incremental'
        and increment.open_transactions_read and increment.quarantined = 0
      order by increment.started_at desc limit 1
    )), '-infinity')), '-infinity') end`;
}
