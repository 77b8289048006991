// Runs of a prepared past, many in one statement. They have the times that they are given.
import { runs } from '../../../../drizzle/runs.ts';
import { type Instant, instantToIso } from '../../../../src/domain/instant.ts';
import type { JobName, RunMode } from '../../../../src/domain/jobs.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import { type Lease, withFence } from '../../../../src/store/run/leases.ts';
import type { Run } from '../../../../src/store/run/runs.ts';

export interface PreparedRun {
  readonly job: JobName;
  readonly mode: RunMode;
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly requests: number;
  readonly recordsRead: number;
  readonly verified: boolean | null;
  readonly verdict: JsonObject | null;
  readonly openTransactionsRead: boolean | null;
  /** Set for a run that failed. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Writes the runs as ended. @returns them in the same order */
export function writePreparedRuns(
  database: Database,
  lease: Lease,
  prepared: readonly PreparedRun[],
): Promise<readonly Run[]> {
  return withFence(database, lease, 'write-prepared-runs', async (tx) => {
    if (prepared.length === 0) return [];
    const rows = await tx.run('prepared-runs.write', (db) =>
      db
        .insert(runs)
        .values(
          prepared.map(({ failure, startedAt, finishedAt, ...run }) => ({
            ...run,
            accountId: lease.account,
            status: failure === null ? 'succeeded' : 'failed',
            startedAt: instantToIso(startedAt),
            finishedAt: instantToIso(finishedAt),
            errorCode: failure?.code ?? null,
            errorMessage: failure?.message ?? null,
          })),
        )
        .returning({ runId: runs.runId }),
    );
    return rows.map(({ runId }, index) => {
      const run = prepared[index];
      if (run === undefined) throw new Error('more runs were written than given');
      return { runId: runId.toString(), job: run.job, startedAt: run.startedAt };
    });
  });
}
