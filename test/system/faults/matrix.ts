// One cell of the fault matrix: one kind of fault at one place, first a few times, then always, then at a
// rate, while the world goes on. Whatever comes of the runs meanwhile, the histories stay honest, requests
// bounded and failures explained. In the end the mirror equals the world within a few runs: under a fault
// that repetition gets over, while it goes on at its rate; else when it is over.
import { isDeepStrictEqual } from 'node:util';
import { expect, test, vi } from 'vitest';
import {
  type FaultKind,
  type FaultRule,
  faultKinds,
} from '../../../packages/sandbox/src/faults/fault-kinds.ts';
import type { Sandbox } from '../../../packages/sandbox/src/sandbox.ts';
import type { JobOutcome } from '../../../src/sync/run/run-job.ts';
import { sampled } from '../../support/form.ts';
import { mirrored, truth } from '../../support/truth.ts';
import { type Chronicle, chronicleOf, expectHonestHistory } from './history.ts';
import type { Place } from './places.ts';
import type { Cell, Rig } from './rig.ts';

/**
 * Kinds that a client cannot tell from the truth, kinds that no repetition gets over, and those that only
 * take time.
 */
const quiet: readonly FaultKind[] = ['falseempty', 'repeatpage', 'limitignored', 'slow'];
const final: readonly FaultKind[] = ['err02', 'redirect', 'redirectother', 'huge'];
/** One of each way to fail; the others of the same way are not tried without end. */
const endless: readonly FaultKind[] = ['err01', 'err03', 'http500', 'reset', 'badjson', 'stall'];
const waiting: readonly FaultKind[] = ['stall', 'stallbody'];
/** Kinds that no record can be to blame for. */
const ofTheEndpoint: readonly FaultKind[] = [
  'err02',
  'err03',
  'err03-date',
  'err03-bare',
  'redirect',
  'redirectother',
];

/**
 * More than any run here needs, even one that looks for an unreadable record on every page; far from a spin.
 */
const maxRequests = 600;
/** Runs within which the mirror must equal the world in the end. */
const maxRuns = 4;
const clientBodyBytes = 60_000;

/**
 * A test of each fault at each place.
 *
 * @param every the sample of `npm test`, spread over both if it shares no factor with the number of kinds
 */
export function testCells(rig: Rig, places: readonly Place[], every: number): void {
  vi.setConfig({ maxConcurrency: 12 });
  // Poison is a matter of records: test/sync/pages/unreadable-record.pg.test.ts.
  const kinds = faultKinds.filter((kind) => kind !== 'poison');
  const cells = places.flatMap((place) => kinds.map((kind) => ({ name: place.name, place, kind })));
  test.concurrent.each(sampled(cells, { every }))(
    '$name, $kind: requests are bounded, a failure is explained, and the mirror equals the world in the end',
    ({ place, kind }) => playCell(rig, place, kind),
  );
}

async function playCell(rig: Rig, place: Place, kind: FaultKind): Promise<void> {
  const cell = await rig.open(`${place.name} ${kind}`.replace(/[^a-z0-9]+/g, '-'), {
    sandbox: place.sandbox,
    env: waiting.includes(kind) ? { CUSTODY_TIMEOUT_MS: '400', CUSTODY_RETRIES: '3' } : {},
    client: { maxBodyBytes: clientBodyBytes },
  });
  try {
    await play(cell, place, kind);
  } finally {
    await cell.close();
  }
}

async function play(cell: Cell, place: Place, kind: FaultKind): Promise<void> {
  const { sandbox, context } = cell;
  const chronicle = chronicleOf(sandbox);
  if (place.increments) {
    context.facts.learn({ fact: 'transactions_grow_at', value: 'head', evidence: 'told by the test' });
    // Open ones that no first page shows: when they are settled, only their ids tell.
    for (let added = 0; added < 8; added += 1)
      sandbox.world.insertTransaction('tail', { status: 'confirming' });
    chronicle.note();
  }
  const run = async (stage: string) => {
    sandbox.requests.reset();
    const outcome = await place.job(context);
    expect(sandbox.requests.total, `requests, ${stage}`).toBeLessThan(maxRequests);
    if (outcome.status === 'failed') await expectExplained(cell, place, outcome, stage);
    else expect(outcome.status, stage).toBe('succeeded');
    return outcome;
  };
  const struckBefore = () => sandbox.faults.counts()[kind] ?? 0;
  const under = async (stage: string, more: Partial<FaultRule>) => {
    evolve(sandbox, chronicle);
    sandbox.faults.set([ruleFor(kind, place, more)]);
    const before = struckBefore();
    const outcome = await run(stage);
    return { outcome, struck: struckBefore() - before };
  };

  const passes = !quiet.includes(kind) && !final.includes(kind);
  // An increment needs a mirror to begin with; what looks like an answer is told from one by what is known.
  if (!passes || place.increments) expect(await run('before')).toMatchObject({ status: 'succeeded' });
  const few = await under('a few times', { times: 2 });
  expect(few.struck, 'a few times').toBeGreaterThan(0);
  if (!final.includes(kind)) expect(few.outcome, 'a few times').toMatchObject({ status: 'succeeded' });
  if (!passes || endless.includes(kind)) {
    const always = await under('always', {});
    expect(always.struck, 'always').toBeGreaterThan(0);
    if (!quiet.includes(kind)) {
      const status = survives(kind, place) ? 'succeeded' : 'failed';
      expect(always.outcome, 'always').toMatchObject({ status });
      expect(always.outcome.verified, 'always').not.toBe(true);
    }
  }
  evolve(sandbox, chronicle);
  sandbox.faults.set([ruleFor(kind, place, { rate: 0.25 })]);
  if (!passes) {
    await run('at a rate');
    sandbox.faults.clear();
    evolve(sandbox, chronicle);
  }
  await expectConvergence(cell, place, run);
  // Histories only grow: what was wrong in them at any time still is.
  await expectHonestHistory(cell, chronicle);
}

/** Whether a run succeeds while every request at the place fails. A refused key always stops it. */
function survives(kind: FaultKind, { blocked }: Place): boolean {
  if (kind === 'err02' || blocked === 'fails') return false;
  return blocked === 'goes on' || !ofTheEndpoint.includes(kind);
}

async function expectExplained(cell: Cell, { told }: Place, outcome: JobOutcome, stage: string) {
  expect(outcome.errorMessage, stage).toMatch(told);
  const [row] = await cell.query(
    `select status, error_code, error_message, verified from sync.runs where account_id = $1 order by run_id desc limit 1`,
  );
  expect(row, stage).toEqual({
    status: 'failed',
    error_code: outcome.errorCode,
    error_message: outcome.errorMessage,
    verified: null,
  });
  expect(outcome.errorCode, stage).toMatch(/^[A-Z]+(-[A-Z0-9]+)*$/);
  expect(outcome.errorCode, outcome.errorMessage ?? stage).not.toBe('UNEXPECTED');
}

async function expectConvergence(cell: Cell, place: Place, run: (stage: string) => Promise<JobOutcome>) {
  const wanted = truth(cell.sandbox)[place.table];
  for (let after = 1; ; after += 1) {
    const outcome = await run(`in the end, run ${after}`);
    const found = (await mirrored(cell, cell.account))[place.table];
    const settled = outcome.status === 'succeeded' && outcome.verified !== false;
    if (after < maxRuns && (!settled || !isDeepStrictEqual(found, wanted))) continue;
    expect(found).toEqual(wanted);
    expect(outcome, 'the last run').toMatchObject({ status: 'succeeded', doubts: [] });
    break;
  }
  const left = await cell.query(
    `select 'run' as what from sync.runs where account_id = $1 and status = 'running'
     union all select job from sync.positions where account_id = $1
     union all select record_key from sync.quarantine where account_id = $1 and resolved_at is null`,
  );
  expect(left).toEqual([]);
}

function ruleFor(kind: FaultKind, place: Place, more: Partial<FaultRule>): FaultRule {
  return {
    kind,
    when: place.struck,
    retryAfter: 0,
    delayMs: 20,
    bytes: 4 * clientBodyBytes,
    ...more,
  };
}

/** New records, statuses that move and settle, and names that change: something new in every table. */
function evolve({ world }: Sandbox, chronicle: Chronicle): void {
  const open = [...world.transactions()].filter(({ status }) =>
    ['pending', 'processing', 'confirming'].includes(status),
  );
  for (const [index, { transactionId, status }] of open.slice(0, 3).entries())
    world.alterTransaction(transactionId, {
      status: index === 0 || status === 'confirming' ? 'completed' : 'confirming',
      note: `moved by ${open.length}`,
    });
  for (let added = 0; added < 2; added += 1) world.insertTransaction('head', { status: 'pending' });
  const suffix = world.transactionCount();
  for (const type of ['warm', 'cold'] as const)
    for (const vault of world.vaults(type).slice(-2))
      world.renameVault(vault.vaultId, `${vault.name.slice(0, 20)} ${suffix}`);
  for (const entry of world.whitelist().slice(-2))
    world.alterWhitelistEntry(entry.whitelistId, { name: `entry ${suffix}` });
  chronicle.note();
}
