// Reports answers that were refused because the mirror holds a later time than the database's clock: that
// clock was wrong when the row was written. Answers are refused until that time has come, and an open anomaly
// says until when. A refusal for a time that has passed is not reported: two runs were answered at once.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { anomalies } from '../../../drizzle/findings.ts';
import type { Resource } from '../../domain/jobs.ts';
import { type Micros, microsToIso } from '../values/micros.ts';
import { writeAnomalies } from './anomalies.ts';
import type { FencedTx } from './fence.ts';

/** The anomaly of a resource whose answers are refused. */
const clockRefusedKind = 'clock-refused';

export interface ClockRefusal {
  /** ISO 8601: until when answers are refused. */
  readonly until: string;
  /** How many commits have refused answers, this one included. */
  readonly occurrences: number;
}

/** By how much clocks that agree may differ. */
const toleranceMs = 2_000;

/**
 * Reports a refusal, in the transaction that refused. Call it for each: it checks the time.
 *
 * @returns null when that time has passed
 */
export async function reportRefusal(
  tx: FencedTx,
  resource: Resource,
  refused: { readonly count: number; readonly for: Micros },
): Promise<ClockRefusal | null> {
  const until = microsToIso(refused.for);
  const ahead = await tx.run('refusals.ahead', (db) =>
    db.execute<{ ahead: boolean }>(
      sql`select ${until}::timestamptz > clock_timestamp() + make_interval(secs => ${toleranceMs / 1000}) as ahead`,
    ),
  );
  if (ahead.rows[0]?.ahead !== true) return null;
  const details = {
    until,
    refused: refused.count,
    meaning: 'the mirror holds a later time than the clock of the database: answers are refused until then',
  };
  writeAnomalies(tx, [{ kind: clockRefusedKind, resource, resourceId: '', details }]);
  const { accountId, kind, resource: ofResource, resourceId, occurrences } = anomalies;
  const [row] = await tx.run('refusals.occurrences', (db) =>
    db
      .select({ occurrences })
      .from(anomalies)
      .where(
        and(
          eq(accountId, tx.lease.account),
          eq(kind, clockRefusedKind),
          eq(ofResource, resource),
          eq(resourceId, ''),
        ),
      ),
  );
  return { until, occurrences: Number(row?.occurrences ?? 1) };
}

/** Resolves the anomalies whose time has come. Called at the end of each run. */
export function resolveRefusals(tx: FencedTx): void {
  const { accountId, kind, resolvedAt, details } = anomalies;
  const hasCome = sql`(${details} ->> 'until')::timestamptz < clock_timestamp()`;
  tx.send('refusals.resolve', (db) =>
    db
      .update(anomalies)
      .set({ resolvedAt: sql`clock_timestamp()` })
      .where(and(eq(accountId, tx.lease.account), eq(kind, clockRefusedKind), isNull(resolvedAt), hasCome)),
  );
}
