// The last successful sweep of transactions: its claim, how much of the list it read, and its doubts.
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { runs } from '../../../drizzle/runs.ts';
import {
  type Coverage,
  type DoubtCode,
  doubtCode,
  notCovered,
  type SweepClaim,
} from '../../domain/doubts.ts';
import { sweepingJobs } from '../../domain/jobs.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/binary-array.ts';
import { isoOf, selectIso } from '../values/micros.ts';

export interface SweepStatus extends SweepClaim {
  readonly job: string;
  /** ISO 8601 in UTC. */
  readonly finishedAt: string | null;
  /** What the sweep may have missed, in words. */
  readonly notCovered: readonly string[];
}

const figure = z.number().int().nonnegative();
const coverageSchema = z.object({
  met: figure,
  list_length: figure.nullable(),
  list_shown: figure.nullable(),
  resumed: figure,
});
/** Runs of earlier versions store only the sentences. */
const doubtsSchema = z.union([
  z.object({ doubt_codes: z.array(z.string()) }).transform((verdict) => verdict.doubt_codes),
  z.object({ doubts: z.array(z.string()) }).transform((verdict) => verdict.doubts),
]);

export async function readLastSweep(tx: Tx, account: string): Promise<SweepStatus | null> {
  const { rows } = await tx.run('status.last-sweep', (db) =>
    db.execute<{ job: string; finishedAt: string | null; verified: boolean; verdict: unknown }>(sql`
      select l.job, ${selectIso(sql`l.finished_at`)} as "finishedAt", coalesce(l.verified, false) as verified, l.verdict
      from unnest(${textArray(sweepingJobs)}) as j (job)
      cross join lateral (select r.* from ${runs} r
        where r.account_id = ${account} and r.job = j.job and r.mode = 'full' and r.status = 'succeeded'
        order by r.finished_at desc limit 1) as l
      order by l.finished_at desc limit 1`),
  );
  const [row] = rows;
  if (row === undefined) return null;
  const claim = claimOf(row.verified, row.verdict);
  return { job: row.job, finishedAt: isoOf(row.finishedAt), ...claim, notCovered: notCovered(claim.doubts) };
}

/** What a run claims about its list. @param verdict as stored in sync.runs */
export function claimOf(verified: boolean, verdict: unknown): SweepClaim {
  return { verified, coverage: coverageOf(verdict), doubts: doubtsOf(verdict) };
}

function coverageOf(verdict: unknown): Coverage | null {
  const parsed = coverageSchema.safeParse(verdict);
  if (!parsed.success) return null;
  const { met, list_length: listLength, list_shown: listShown, resumed } = parsed.data;
  return { met, listLength, listShown, isResumed: resumed > 0 };
}

function doubtsOf(verdict: unknown): DoubtCode[] {
  const parsed = doubtsSchema.safeParse(verdict);
  return parsed.success ? parsed.data.map(doubtCode).filter((code) => code !== null) : [];
}
