// The rule of missing transactions: marked are only those that two verified sweeps in a row did not show and
// whose id was answered with TXN-04; and never more than a twentieth of the mirror at once, or three, nor all
// of it.
import { expect } from 'vitest';
import type { Account } from './account.ts';
import type { HistoryEvidence } from './evidence.ts';
import { idsSwept } from './observed-client.ts';
import type { PlayedRun } from './played-run.ts';
import type { ModelService } from './service.ts';

export interface ExpectedMissing {
  /** Whether any of them is not marked yet. */
  readonly awaited: boolean;
  /** Those that must be marked in the end. */
  readonly marked: readonly string[];
}

/** What must come of missing transactions once the list is at rest, given the mirror at its beginning. */
export function expectedMissing({ list }: ModelService, { rows }: HistoryEvidence): ExpectedMissing {
  const unmarked = [...rows].filter(([, row]) => row.missingSince === null).map(([id]) => id);
  const absent = unmarked.filter((id) => list.record(id) === undefined);
  // Sweeps at rest still insert what no run has met; that only widens the twentieth, so it is reckoned in.
  const returning = [...rows].filter(
    ([id, row]) => row.missingSince !== null && list.record(id) !== undefined,
  );
  const unmet = list.records.filter(({ id }) => !rows.has(id)).length;
  const mirrored = unmarked.length + returning.length + unmet;
  const marked = [...rows].filter(([, row]) => row.missingSince !== null).map(([id]) => id);
  const lasting = marked.filter((id) => list.record(id) === undefined);
  const isAll = absent.length >= mirrored && mirrored > 1;
  const believed = absent.length <= Math.max(3, mirrored * 0.05) && !isAll;
  const awaited = believed && absent.length > 0;
  return { awaited, marked: [...lasting, ...(believed ? absent : [])].sort() };
}

export function checkMarks(
  account: Account,
  mirror: HistoryEvidence,
  runs: readonly PlayedRun[],
  expected: ExpectedMissing,
): void {
  const marked = [...mirror.rows].filter(([, row]) => row.missingSince !== null).map(([id]) => id);
  expect(marked.sort(), 'marked as missing').toEqual(expected.marked);
  for (const [id, revisions] of mirror.revisions) {
    for (const { observedAt, after } of revisions)
      if (after['missing_since'] != null) checkMark(account, runs, id, observedAt);
  }
}

/**
 * The run that marked it was told by its id that it is gone, and neither this sweep nor the one before it
 * showed it.
 */
function checkMark(account: Account, runs: readonly PlayedRun[], id: string, at: number): void {
  const marking = runs.find((run) => run.beganAt <= at && at <= run.endedAt);
  const sweeps = runs.filter((run) => run.verified && run.number <= (marking?.number ?? 0)).slice(-2);
  const shownBy = sweeps.map((run) => idsSwept(account.given(), run.number).has(id));
  const asked = account
    .given()
    .findLast((given) => given.run === marking?.number && given.asked === id && given.arrivedAt <= at);
  expect({ verified: marking?.verified, shownBy, answered: asked?.ids }, `mark of ${id}`).toEqual({
    verified: true,
    shownBy: [false, false],
    answered: [],
  });
}
