// What the processes of an account are configured to do (sync.expectations): reporting.health_problems judges
// by it.
import { sql } from 'drizzle-orm';
import { expectations } from '../../../drizzle/expectations.ts';
import type { Database } from '../postgres/database.ts';
import { excludedColumns } from '../values/bulk-rows.ts';
import { type Lease, writeFenced } from './leases.ts';

export interface Expectation {
  /** As in sync.runs. */
  readonly job: string;
  /** CUSTODY_RESOURCES holds what the job reads. */
  readonly isMirrored: boolean;
  /** A schedule or a person starts it. */
  readonly isScheduled: boolean;
  /** How long ago its last success may be; null when not judged, or judged by the past runs of `sync`. */
  readonly maxAgeMs: number | null;
  /** Of `reconcile`: how long ago the last verified sweep of transactions may be; null when not judged. */
  readonly maxVerifiedAgeMs: number | null;
}

/** Who starts the jobs: a daemon by its schedules, or a person or cron that runs `sync`. */
export type StartedBy = 'daemon' | 'sync';

/** A daemon that confirmed nothing for so long counts as gone: then `sync` may replace its expectations. */
const daemonGoneAfter = sql`interval '3 days'`;
/** How often unchanged expectations are confirmed. */
const confirmedFor = sql`interval '1 hour'`;

/**
 * Writes expectations that changed, and all of them when the last confirmation is more than an hour old.
 * Those of `sync` do not replace those that a daemon confirmed within three days.
 */
export async function saveExpectations(
  database: Database,
  lease: Lease,
  startedBy: StartedBy,
  expected: readonly Expectation[],
): Promise<void> {
  const { accountId, job, startedBy: by, isMirrored, isScheduled, confirmedAt } = expectations;
  const { maxAge, maxVerifiedAge } = expectations;
  const now = sql`clock_timestamp()`;
  const stands = sql`${by} = 'daemon' and ${startedBy} = 'sync' and ${confirmedAt} > ${now} - ${daemonGoneAfter}`;
  const differs = sql`(${by}, ${isMirrored}, ${isScheduled}, ${maxAge}, ${maxVerifiedAge}) is distinct from
    (excluded.started_by, excluded.is_mirrored, excluded.is_scheduled, excluded.max_age, excluded.max_verified_age)`;
  await writeFenced(database, lease, 'expectations.save', (db) =>
    db
      .insert(expectations)
      .values(
        expected.map((one) => ({
          accountId: lease.account,
          job: one.job,
          startedBy,
          isMirrored: one.isMirrored,
          isScheduled: one.isScheduled,
          maxAge: intervalOf(one.maxAgeMs),
          maxVerifiedAge: intervalOf(one.maxVerifiedAgeMs),
          confirmedAt: now,
        })),
      )
      .onConflictDoUpdate({
        target: [accountId, job],
        set: excludedColumns(expectations, ['accountId', 'job']),
        setWhere: sql`not (${stands}) and (${differs} or ${confirmedAt} < ${now} - ${confirmedFor})`,
      }),
  );
}

function intervalOf(ms: number | null): string | null {
  return ms === null ? null : `${ms / 1000} seconds`;
}
