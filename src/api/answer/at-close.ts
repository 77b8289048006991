// A day in place of a moment (`at`) stands for its close, in every list that has a past.
import { isDay } from '../../domain/instant.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import { readClose } from '../../store/read-api/known-since.ts';
import type { Observed, Selection } from '../../store/read-api/list/listing.ts';
import { inUtc } from '../../store/read-api/list/parameter-kinds.ts';
import { badParameter, Problem } from './problem.ts';

/**
 * A day means its close: its last moment, except for balances, of which the last observation on the day
 * counts (held.ts). A cursor goes with the day as it was given.
 */
export async function atClose(
  tx: Tx,
  past: { readonly of: Observed } | undefined,
  selection: Selection,
): Promise<Selection> {
  const { account, at, filters } = selection;
  if (at === null || past === undefined || !isDay(at)) return selection;
  const asked = { account, at, vaultType: filters['vault_type'] };
  const { today, lastMoment, isObserved } = await readClose(tx, asked);
  // An account that is not mirrored has no days: that is refused next.
  if (today !== null && at > today) throw badParameter('at', `is in the future: today is ${today}`);
  // A day before the first of the mirror: no moment of it is known.
  if (past.of !== 'balances' || lastMoment === null)
    return { ...selection, at: lastMoment ?? inUtc(`${at}T00:00:00Z`) };
  if (!isObserved)
    throw new Problem(
      'moment-unknown',
      `the data at the end of that day is unknown, not empty: nothing was observed on ${at}`,
    );
  return selection;
}
