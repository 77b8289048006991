// Plays a plan: runs the engine while the list changes, brings it to rest, and holds the mirror against the
// truth.
import { expect } from 'vitest';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { replayed } from '../../seal/replayed.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
import type { Account, Bench } from './account.ts';
import { type HistoryEvidence, readMirror } from './evidence.ts';
import { checkHistories } from './histories.ts';
import { createListModel } from './list-model.ts';
import { checkMarks, expectedMissing } from './missing.ts';
import { idsSwept } from './observed-client.ts';
import type { Happening, Plan, RunKind } from './plan.ts';
import type { PlayedRun } from './played-run.ts';
import { createModelService, type Misbehaviour, type ModelService } from './service.ts';
import { toRow } from './wire.ts';

/** Sweeps after which a list at rest must have been verified. */
const sweepsAtRest = 4;

/** Plays the plan on an account of its own; rejects when the mirror is not what it must be. */
export async function play(bench: Bench, plan: Plan): Promise<void> {
  const list = createListModel(plan.order, plan.length);
  const account = await bench.open(createModelService(list, plan.clamp), plan);
  try {
    const runs = createRunner(account);
    if (plan.begin === 'known') await becomeKnown(account, plan, runs);
    for (const step of plan.steps) {
      for (const what of step.between) happen(account, what);
      await runs.run(step.run, step.during);
    }
    if (plan.rest === 'cycle') {
      if (runs.isCutShort('cycle')) await runs.run('cycle');
      await runs.run('cycle');
      checkEqual(account.service, await readMirror(account));
    }
    await checkAtRest(account, plan, runs);
  } finally {
    await account.close();
  }
}

/** Sweeps the list, and teaches at which end it grows. */
async function becomeKnown(account: Account, { order, length }: Plan, runs: Runner): Promise<void> {
  // That a list is empty is believed when a second sweep finds the same; each run is an hour after the last.
  if (length === 0) await runs.run('full');
  expect(await runs.run('full'), 'the first sweep').toMatchObject({ verified: true });
  const { facts, lease } = account.context();
  const value = order === 'tail' ? 'tail' : 'head';
  facts.learn({ fact: 'transactions_grow_at', value, evidence: 'told by the test' });
  await facts.save(lease);
}

interface Runner {
  readonly played: PlayedRun[];
  /**
   * Whether the next such run may go on with a sweep that was stopped: it does not read again what that one
   * had read.
   */
  isCutShort(kind: RunKind): boolean;
  run(kind: RunKind, during?: Plan['steps'][number]['during']): Promise<PlayedRun>;
}

function createRunner(account: Account): Runner {
  const { service } = account;
  const played: PlayedRun[] = [];
  const watched = new Map<string, Set<string>>();
  const isCutShort = (kind: RunKind) => {
    const last = played.findLast((run) => isSweepOf(run, kind));
    return last !== undefined && last.status !== 'succeeded';
  };
  return {
    played,
    isCutShort,
    async run(kind, during = []) {
      const number = played.length + 1;
      const first = service.requests;
      let stopped = false;
      // A sweep that was cut short is continued: its verdict concerns all its parts.
      const key = kind === 'reconcile' ? kind : 'cycle';
      const before = isCutShort(kind) ? watched.get(key) : undefined;
      const stayed = before ?? service.list.watch();
      watched.set(key, stayed);
      service.hook = ({ number: request }) => {
        let misbehaviour: Misbehaviour | null = null;
        if (request - first > mostRequests(service)) account.stop();
        for (const { what } of during.filter((one) => one.request === request - first)) {
          if (what.kind === 'answer') misbehaviour = what.with;
          else if (what.kind === 'stop') stopped = true;
          happen(account, what);
        }
        return misbehaviour;
      };
      account.beginRun(number);
      letAnHourPass(account.context());
      const beganAt = account.now();
      const outcome = await runJobOf(account, kind);
      service.hook = null;
      expect(service.requests - first, 'requests of one run').toBeLessThanOrEqual(mostRequests(service));
      const run = {
        number,
        kind,
        status: outcome.status,
        verified: outcome.verified === true,
        beganAt,
        endedAt: account.now(),
      };
      played.push(run);
      if (stopped) await account.restart();
      else if (
        !during.some(({ what }) => what.kind === 'answer' && !['false-empty', 'late'].includes(what.with))
      )
        expect(outcome, 'a run that met no fault').toMatchObject({ status: 'succeeded' });
      if (run.verified) {
        await checkComplete(account, stayed);
        if (before === undefined) checkMet(account, run, stayed);
      }
      return run;
    },
  };
}

/** Far more than a run should need, and far less than one that goes round in circles takes. */
function mostRequests({ list }: ModelService): number {
  return 200 + 20 * list.records.length;
}

function isSweepOf(run: PlayedRun, kind: RunKind): boolean {
  return (run.kind === 'reconcile') === (kind === 'reconcile');
}

function runJobOf(account: Account, kind: RunKind) {
  const context = account.context();
  return kind === 'reconcile'
    ? sweepTransactions(context, { job: 'reconcile' })
    : syncTransactions(context, { full: kind === 'full' });
}

function happen(account: Account, what: Happening): void {
  const { service } = account;
  if (what.kind === 'clamp') service.clamp = what.to;
  else if (what.kind === 'stop') account.stop();
  else if (what.kind !== 'answer') service.list.apply(what);
}

/** A verified run claims that every record that stayed in the list is in the mirror. */
async function checkComplete(account: Account, stayed: ReadonlySet<string>): Promise<void> {
  const rows = await account.query<{ transaction_id: string }>(
    'select transaction_id from custody.transactions where account_id = $1',
  );
  const mirrored = new Set(rows.map((row) => row.transaction_id));
  expect(
    [...stayed].filter((id) => !mirrored.has(id)),
    'stayed throughout a verified run and missed',
  ).toEqual([]);
}

/** And a run that verified a whole sweep by itself has met each of them. */
function checkMet(account: Account, { number }: PlayedRun, stayed: ReadonlySet<string>): void {
  const met = idsSwept(account.given(), number);
  expect(
    [...stayed].filter((id) => !met.has(id)),
    'stayed throughout a verified run and not met by it',
  ).toEqual([]);
}

async function checkAtRest(account: Account, plan: Plan, runs: Runner): Promise<void> {
  const missing = expectedMissing(account.service, await readMirror(account));
  if (runs.isCutShort('reconcile')) await runs.run('reconcile');
  let sweeps = 0;
  while (!(await runs.run('reconcile')).verified) {
    sweeps += 1;
    expect(sweeps, 'sweeps of a list at rest that were not verified').toBeLessThan(sweepsAtRest);
  }
  checkEqual(account.service, await readMirror(account));
  if (missing.awaited) {
    await runs.run('reconcile');
    await runs.run('reconcile');
  }
  const before = await versions(account);
  await runs.run('cycle');
  expect(await versions(account), 'rows after a cycle in which nothing changed').toEqual(before);
  const mirror = await readMirror(account);
  await checkReplay(account);
  checkEqual(account.service, mirror);
  checkMarks(account, mirror, runs.played, missing);
  checkHistories(account, mirror, { strict: plan.concurrency === 1, runs: runs.played });
}

function checkEqual({ list }: ModelService, { rows }: HistoryEvidence): void {
  const mirrored = list.records.map(({ id }) => {
    const row = rows.get(id);
    return row === undefined ? { transaction_id: id, absent: true } : row.fields;
  });
  expect(mirrored, 'mirrored, in the order of the list').toEqual(list.records.map(toRow));
  const marked = list.records.filter(({ id }) => rows.get(id)?.missingSince !== null).map(({ id }) => id);
  expect(marked, 'marked as missing although shown').toEqual([]);
}

/** Identity and version of every mirrored row. */
function versions(account: Account) {
  return account.query(`
    select 't' as kind, ctid::text, xmin::text from custody.transactions where account_id = $1
    union all select 'h', ctid::text, xmin::text from custody.transaction_status_history where account_id = $1
    union all select 'r', ctid::text, xmin::text from custody.transaction_revisions where account_id = $1
    order by 1, 2`);
}

/** What people read follows from the history, and no change by the service is taken for an alteration. */
async function checkReplay({ database, name, query }: Account): Promise<void> {
  expect(await replayed(database, name)).toBeNull();
  expect(
    await query(`select resource_id from sync.anomalies where account_id = $1 and kind = 'altered'`),
  ).toEqual([]);
}
