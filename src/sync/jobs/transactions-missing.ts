// Concludes that a transaction is missing: two consecutive verified sweeps did not list it, and its id is
// answered with TXN-04 (docs/custody-service.md 4.2). If too many would be missing at once, none is marked
// and an anomaly is reported: a wrong address or a broken service is more likely.
import { z } from 'zod';
import { errorCode } from '../../domain/errors.ts';
import { markMissingTransactions, readPresentIds } from '../../store/commit/mark-missing.ts';
import { recountTransactions } from '../../store/run/accounts.ts';
import { reportAnomaly, resolveAnomaly } from '../../store/run/anomalies.ts';
import { clearPosition, readPosition, writePosition } from '../../store/run/learned.ts';
import { withFence } from '../../store/run/leases.ts';
import { askById, commitById } from '../pages/commit-pages.ts';
import type { KeySet } from '../run/key-set.ts';
import type { OpenRun } from '../run/run-job.ts';

/** The position of this name holds the transactions missing from the last verified sweep. */
const positionJob = 'missing';
const largestShare = 0.05;
/** This many may be missing from a mirror of any size, unless they are all of it. */
const always = 3;
/** How many ids are requested after one sweep. The next sweep continues after them, so each gets its turn. */
const maxAsked = 1_000;
/** How many missing ids are kept for the next sweep: plenty for any mirror. */
const maxKept = 20_000;
const tooMany = { kind: 'too-many-missing', resource: 'transactions', resourceId: '' } as const;

const keptSchema = z.object({
  absent: z.array(z.string()),
  /** The last id asked for; the next sweep begins after it. */
  asked_up_to: z.string().default(''),
  /** Absent, and still answered by their ids. */
  answered: z.array(z.string()).default([]),
});
type Kept = z.infer<typeof keptSchema>;

/** Forgets which transactions the last sweep missed. An unverified sweep breaks the sequence. */
export async function forgetAbsentees({ database, lease }: OpenRun): Promise<false> {
  if ((await readPosition(database, lease.account, positionJob)) !== null)
    await clearPosition(database, lease, positionJob);
  return false;
}

/**
 * @param met every key that a verified sweep of the whole list has read
 * @returns how many that the sweeps did not meet were answered by their ids, again and again
 */
export async function concludeMissing(
  run: OpenRun,
  met: KeySet,
  { asked: askedAtOnce = maxAsked, kept: mostKept = maxKept } = {},
): Promise<number> {
  const { database, lease } = run;
  const mirrored = await recountTransactions(database, lease);
  const { ids: absent, count } = await findAbsent(run, met, mostBelievable(mirrored));
  if (isTooMuch(count, mirrored)) {
    await reportAnomaly(database, lease, { ...tooMany, details: { absent: count, mirrored } });
    await forgetAbsentees(run);
    return 0;
  }
  await resolveAnomaly(database, lease, tooMany);
  const before = await absentBefore(run);
  const known = new Set(before.absent);
  const twice = absent.filter((id) => known.has(id)).sort();
  const asked = inTurn(twice, before.asked_up_to, askedAtOnce);
  const { gone, answered } = await askEach(run, asked);
  const askedUpTo = asked.at(-1) ?? before.asked_up_to;
  const left = absent.filter((id) => !gone.has(id)).sort();
  const kept = { absent: [...inTurn(left, askedUpTo, mostKept)], asked_up_to: askedUpTo, answered };
  if (left.length === 0) await forgetAbsentees(run);
  else
    await withFence(database, lease, 'save-position', async (tx) =>
      writePosition(tx, { job: positionJob, position: kept }),
    );
  // One that was answered may have come back; one that is answered again, and listed by no sweep, has not.
  return answered.filter((id) => before.answered.includes(id)).length;
}

/**
 * More than a twentieth of the mirror and more than three; or all of it, if it holds more than one: a service
 * that shows nothing of the mirror is broken, or another one.
 */
function isTooMuch(absent: number, mirrored: number): boolean {
  const isAll = absent >= mirrored && mirrored > 1;
  return absent > mostBelievable(mirrored) || isAll;
}

function mostBelievable(mirrored: number): number {
  return Math.max(always, mirrored * largestShare);
}

/** The first `most` of the ids, beginning after the given one and continuing at the start. */
export function inTurn(ids: readonly string[], after: string, most: number): readonly string[] {
  return [...ids.filter((id) => id > after), ...ids.filter((id) => id <= after)].slice(0, most);
}

/** @returns how many there are, and their ids if they are no more than `most` */
async function findAbsent({ database, lease, run }: OpenRun, met: KeySet, most: number) {
  const ids: string[] = [];
  let count = 0;
  for await (const part of readPresentIds(database, lease.account, run.startedAt)) {
    const absent = part.filter((id) => !met.has(id));
    count += absent.length;
    if (count <= most) ids.push(...absent);
    else ids.length = 0;
  }
  return { ids, count };
}

async function absentBefore({ database, lease }: OpenRun): Promise<Kept> {
  const kept = keptSchema.safeParse((await readPosition(database, lease.account, positionJob))?.position);
  return kept.success ? kept.data : keptSchema.parse({ absent: [] });
}

/** Requests each transaction by its id, commits the answers, and marks the others as missing. */
async function askEach(run: OpenRun, ids: readonly string[]) {
  const { clock, database, lease, logger } = run;
  /** Those that the service answered with their record. */
  const answered: string[] = [];
  /** Those that it does not know. */
  const gone = new Set<string>();
  const asked = clock.now();
  for (const id of ids) {
    const answer = await askById(run, id, 'background');
    if (answer instanceof Error)
      logger.warn(
        { transaction_id: id, code: errorCode(answer) },
        'absent transaction could not be read by id',
      );
    else if (answer.items.length === 0) gone.add(id);
    else if (await commitById(run, answer, id)) answered.push(id);
  }
  if (gone.size > 0) {
    const marked = await markMissingTransactions(database, lease, run.run, {
      ids: [...gone],
      asked,
      missingSince: clock.now(),
    });
    logger.warn({ transactions: marked }, 'transactions are missing from the service');
  }
  return { gone, answered };
}
