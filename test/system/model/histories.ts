// Holds statuses and revisions against the log of answers. Each event of a history must be one answer that
// the engine was given, and each answer that showed something else than was known must be an event: unless it
// overlapped another that showed something else, for then nobody can tell which of the two is the later.
import { expect } from 'vitest';
import type { Account } from './account.ts';
import type { HistoryEvidence, RevisionRow, StatusRow } from './evidence.ts';
import type { ModelRecord } from './list-model.ts';
import type { PlayedRun } from './played-run.ts';
import { revisionBetween, sameContent } from './wire.ts';

/** One record in one answer that the engine was given. */
interface Sighting {
  readonly beganAt: number;
  readonly arrivedAt: number;
  readonly timestamp: string;
  readonly record: ModelRecord;
  /** The engine may not pass over it. */
  readonly binding: boolean;
}

/** The state of a transaction after one event of its history. */
interface State {
  readonly at: number;
  readonly content: ModelRecord;
  readonly missing: boolean;
}

export interface HistoryOptions {
  /** Whether no page was read ahead: such a page may be given up unread. */
  readonly strict: boolean;
  readonly runs: readonly PlayedRun[];
}

export function checkHistories(account: Account, mirror: HistoryEvidence, options: HistoryOptions): void {
  const sightings = collectSightings(account, options);
  expect([...mirror.rows.keys()].sort(), 'transactions mirrored, as were seen').toEqual(
    [...sightings.keys()].sort(),
  );
  for (const [id, seen] of sightings) {
    const statuses = mirror.statuses.get(id) ?? [];
    const revisions = mirror.revisions.get(id) ?? [];
    checkNumbers(id, statuses, revisions);
    const states = replay(id, seen, statuses, revisions);
    checkNothingLost(id, seen, states);
  }
}

function collectSightings(account: Account, { strict, runs }: HistoryOptions): Map<string, Sighting[]> {
  const answers = new Map(account.service.answers.map((answer) => [answer.timestamp, answer]));
  const ended = new Set(runs.filter((run) => run.status === 'succeeded').map((run) => run.number));
  const found = new Map<string, Sighting[]>();
  for (const given of account.given()) {
    const { timestamp, beganAt, arrivedAt } = given;
    if (timestamp === null) continue;
    const binding = ended.has(given.run) && (strict || given.path !== 'list');
    for (const record of answers.get(timestamp)?.records ?? []) {
      const sighting = { beganAt, arrivedAt, timestamp, record, binding };
      found.set(record.id, [...(found.get(record.id) ?? []), sighting]);
    }
  }
  return found;
}

/** Numbers without gaps, and each status beginning where the one before it ended. */
function checkNumbers(id: string, statuses: readonly StatusRow[], revisions: readonly RevisionRow[]): void {
  expect(
    statuses.map((row) => row.sequence),
    `sequences of ${id}`,
  ).toEqual(statuses.map((_, index) => index + 1));
  expect(
    statuses.map((row) => row.from),
    `statuses of ${id}, chained`,
  ).toEqual([null, ...statuses.slice(0, -1).map((row) => row.to)]);
  for (const row of statuses) expect(row.to, `a status of ${id} that changed`).not.toBe(row.from);
  expect(
    revisions.map((row) => row.revision),
    `revisions of ${id}`,
  ).toEqual(revisions.map((_, index) => index + 1));
}

/** Follows the history through the answers it names, and checks what each event says of its answer. */
function replay(
  id: string,
  seen: readonly Sighting[],
  statuses: readonly StatusRow[],
  revisions: readonly RevisionRow[],
): readonly State[] {
  const times = [...new Set([...statuses, ...revisions].map((row) => row.observedAt))].sort((a, b) => a - b);
  const states: State[] = [];
  for (const at of times) {
    const status = statuses.find((row) => row.observedAt === at);
    const revision = revisions.find((row) => row.observedAt === at);
    const last = states.at(-1);
    const mark = revision !== undefined && revision.after['missing_since'] != null;
    if (mark && last !== undefined) {
      expect({ status, fields: revision.changedFields, was: last.missing }, `mark of ${id}`).toEqual({
        status: undefined,
        fields: ['missing_since'],
        was: false,
      });
      states.push({ at, content: last.content, missing: true });
      continue;
    }
    const sighting = seen.find(
      (one) => one.arrivedAt === at && (status === undefined || one.timestamp === status.sourceTimestamp),
    );
    expect(sighting, `the answer behind an event of ${id}`).toBeDefined();
    if (sighting === undefined) continue;
    checkEvent(id, last, sighting, status, revision);
    states.push({ at, content: sighting.record, missing: false });
  }
  return states;
}

function checkEvent(
  id: string,
  last: State | undefined,
  { record, beganAt }: Sighting,
  status: StatusRow | undefined,
  revision: RevisionRow | undefined,
): void {
  if (last === undefined) {
    expect({ from: status?.from, to: status?.to, revision }, `first sighting of ${id}`).toEqual({
      from: null,
      to: record.status,
      revision: undefined,
    });
    return;
  }
  expect(beganAt, `${id} was asked for after it had last changed`).toBeGreaterThanOrEqual(last.at);
  const changed =
    record.status === last.content.status ? undefined : { from: last.content.status, to: record.status };
  expect(status && { from: status.from, to: status.to }, `change of status of ${id}`).toEqual(changed);
  const { changedFields, before, after } = revisionBetween(last.content, record);
  const expected = {
    changedFields: [...changedFields, ...(last.missing ? ['missing_since'] : [])].sort(),
    before: { ...before, ...(last.missing ? { missing_since: expect.anything() } : {}) },
    after: { ...after, ...(last.missing ? { missing_since: null } : {}) },
  };
  expect(
    revision && {
      changedFields: [...revision.changedFields].sort(),
      before: revision.before,
      after: revision.after,
    },
    `revision of ${id}`,
  ).toEqual(expected.changedFields.length > 0 ? expected : undefined);
}

function checkNothingLost(id: string, seen: readonly Sighting[], states: readonly State[]): void {
  const events = new Set(states.map((state) => state.at));
  for (const one of seen) {
    if (!one.binding || events.has(one.arrivedAt)) continue;
    if (seen.some((other) => overlap(one, other) && !sameContent(one.record, other.record))) continue;
    const inForce = states.findLast((state) => state.at <= one.beganAt);
    const shown = inForce !== undefined && !inForce.missing && sameContent(inForce.content, one.record);
    const known = states.some((state) => state.at > one.beganAt && state.at <= one.arrivedAt);
    expect(
      shown || known,
      `${id} as shown by ${one.timestamp} (${one.record.status}) stands in its history`,
    ).toBe(true);
  }
}

function overlap(a: Sighting, b: Sighting): boolean {
  return a.timestamp !== b.timestamp && a.beganAt < b.arrivedAt && b.beganAt < a.arrivedAt;
}
