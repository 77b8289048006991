// What the processes of an account are configured to do (sync.expectations): by it reporting.health_problems judges what was done.
import { eq, sql } from 'drizzle-orm';
import { expectations } from '../../../drizzle/expectations.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';

export interface Expectation {
  /** As in sync.runs. */
  readonly job: string;
  /** What it reads is among CUSTODY_RESOURCES. */
  readonly isMirrored: boolean;
  /** Something starts it. */
  readonly isScheduled: boolean;
  /** How long ago its last success may be; null where nobody judges that, or its past runs tell. */
  readonly maxAgeMs: number | null;
  /** Of `reconcile`: how long ago the last verified sweep of transactions may be; null where that is not judged. */
  readonly maxVerifiedAgeMs: number | null;
}

/** Who starts the jobs: a daemon by its schedules, or somebody who runs `sync`. */
export type StartedBy = 'daemon' | 'sync';

/** Where a daemon has not said for so long that it works, whoever runs `sync` speaks for the account. */
const daemonGoneAfter = sql`interval '3 days'`;
/** How often it is said again while nothing changed. */
const confirmedFor = sql`interval '1 hour'`;

/**
 * Writes what changed, and all of it when it was last said more than an hour ago. What `sync` expects does not replace what
 * a daemon said within three days.
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
  await withFence(database, lease, 'save-expectations', (tx) =>
    tx.run('expectations.save', (db) =>
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
          set: {
            startedBy: sql`excluded.started_by`,
            isMirrored: sql`excluded.is_mirrored`,
            isScheduled: sql`excluded.is_scheduled`,
            maxAge: sql`excluded.max_age`,
            maxVerifiedAge: sql`excluded.max_verified_age`,
            confirmedAt: sql`excluded.confirmed_at`,
          },
          setWhere: sql`not (${stands}) and (${differs} or ${confirmedAt} < ${now} - ${confirmedFor})`,
        }),
    ),
  );
}

function intervalOf(ms: number | null): string | null {
  return ms === null ? null : `${ms / 1000} seconds`;
}

export interface ExpectedJob {
  readonly job: string;
  readonly startedBy: string;
  readonly isMirrored: boolean;
  readonly isScheduled: boolean;
}

/** What was last said for the account; empty where no process of this version ever worked for it. */
export async function readExpectations(tx: Tx, account: string): Promise<readonly ExpectedJob[]> {
  const { job, startedBy, isMirrored, isScheduled } = expectations;
  return await tx.run('status.expectations', (db) =>
    db
      .select({ job, startedBy, isMirrored, isScheduled })
      .from(expectations)
      .where(eq(expectations.accountId, account))
      .orderBy(job),
  );
}
