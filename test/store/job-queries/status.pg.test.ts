import { expect, test } from 'vitest';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { readOpenTransactionIds } from '../../../src/store/job-queries/mirrored.ts';
import { readStatus } from '../../../src/store/job-queries/status.ts';
import { reportAnomaly, resolveAnomaly } from '../../../src/store/run/anomalies.ts';
import {
  clearPosition,
  forgetFact,
  readFacts,
  readPosition,
  saveFact,
} from '../../../src/store/run/learned.ts';
import { finishRun, startRun } from '../../../src/store/run/runs.ts';
import { testDatabase } from '../../support/database.ts';
import {
  account,
  item,
  noRequests,
  open,
  openStore,
  page,
  transaction,
  undecodable,
} from '../../support/store.ts';

test('an account that was never mirrored has an empty report', async () => {
  const database = open((await testDatabase()).url);
  expect(await readStatus(database, 'nobody')).toEqual({
    account: 'nobody',
    baseUrl: null,
    readAt: expect.stringMatching(/^\d{4}-.*Z$/),
    problems: [expect.objectContaining({ code: 'nothing-mirrored', since: null })],
    expected: [],
    transactions: { total: null, missing: 0, open: [], lastSweep: null },
    balances: [],
    vaults: { present: null, missing: 0, changedAt: null },
    whitelist: { present: null, missing: 0, changedAt: null },
    jobs: [],
    anomalies: [],
    quarantine: [],
    lease: null,
    sealed: null,
    learned: [],
  });
});

test('the report shows what is mirrored, how the jobs went and what is open', async () => {
  const { database, lease, run } = await openStore();
  const records = [
    transaction({ id: 'a' }),
    transaction({ id: 'b', status: 'completed' }),
    transaction({ id: 'c', status: 'strange' }),
  ];
  await commitTransactionPages(database, lease, run, {
    pages: [page([...records.map(item), undecodable('q')], 0)],
    tally: { requests: 2, retries: 0, rateLimited: 0 },
    position: null,
  });
  const end = { status: 'succeeded', verified: true, verdict: null, tally: noRequests } as const;
  await finishRun(database, lease, run, end);
  const failed = await startRun(database, lease, { job: 'transactions', mode: 'incremental' });
  await finishRun(database, lease, failed, {
    ...end,
    status: 'failed',
    verified: false,
    errorCode: 'TIMEOUT',
  });
  await saveFact(database, lease, { fact: 'page-size', value: '50', evidence: 'asked for 200' });
  const report = await readStatus(database, account);
  expect(report).toMatchObject({
    baseUrl: 'https://custody.example',
    transactions: {
      total: 3,
      missing: 0,
      open: [
        { status: 'pending', count: 1 },
        { status: 'strange', count: 1 },
      ],
    },
    jobs: [
      {
        job: 'transactions',
        lastRun: { runId: failed.runId, status: 'failed', verified: false, errorCode: 'TIMEOUT' },
      },
    ],
    anomalies: [{ kind: 'unknown-value', open: 1 }],
    quarantine: [{ resource: 'transactions', open: 1 }],
    lease: { holder: 'test' },
    learned: [{ fact: 'page-size', value: '50', evidence: 'asked for 200' }],
  });
  expect(report.jobs[0]?.lastSucceededAt).toBe(report.jobs[0]?.lastVerifiedAt);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  expect(await readOpenTransactionIds(database, account)).toEqual(['a', 'c']);
});

test('the last sweep that ended is shown with what it met; an increment and a failure after it change nothing', async () => {
  const { database, lease, run } = await openStore();
  const lastSweep = async () => (await readStatus(database, account)).transactions.lastSweep;
  const end = { status: 'succeeded', verified: false, tally: noRequests } as const;
  // Without figures, and with a doubt of another version.
  await finishRun(database, lease, run, {
    ...end,
    verdict: { end: 'confirmed', doubts: ['in words'], doubt_codes: ['count-short', 'unknown-here'] },
  });
  expect(await lastSweep()).toMatchObject({
    job: 'transactions',
    verified: false,
    coverage: null,
    doubts: ['count-short'],
    notCovered: ['records that the list holds and the sweep did not read'],
  });

  const reconcile = await startRun(database, lease, { job: 'reconcile', mode: 'full' });
  const figures = { met: 3_905, list_length: 5_000, list_shown: null, resumed: 1 };
  const doubts = { doubts: ['in words'], doubt_codes: ['end-unsteady'] };
  await finishRun(database, lease, reconcile, { ...end, verdict: { ...figures, ...doubts } });
  const told = await lastSweep();
  expect(told).toMatchObject({
    job: 'reconcile',
    verified: false,
    coverage: { met: 3_905, listLength: 5_000, listShown: null, isResumed: true },
    doubts: ['end-unsteady'],
  });

  const increment = await startRun(database, lease, { job: 'transactions', mode: 'incremental' });
  await finishRun(database, lease, increment, { ...end, verified: null, verdict: null });
  const failed = await startRun(database, lease, { job: 'reconcile', mode: 'full' });
  await finishRun(database, lease, failed, { ...end, status: 'failed', verified: null, verdict: null });
  const balances = await startRun(database, lease, { job: 'balances', mode: 'full' });
  await finishRun(database, lease, balances, { ...end, verified: true, verdict: null });
  expect(await lastSweep()).toEqual(told);
});

test('facts, positions and anomalies come and go', async () => {
  const { database, lease, query } = await openStore();
  await saveFact(database, lease, { fact: 'order', value: 'newest-first', evidence: 'one' });
  await saveFact(database, lease, { fact: 'order', value: 'oldest-first', evidence: 'two' });
  expect(await readFacts(database, account)).toEqual(new Map([['order', 'oldest-first']]));
  await forgetFact(database, lease, 'order');
  expect(await readFacts(database, account)).toEqual(new Map());
  await clearPosition(database, lease, 'transactions');
  expect(await readPosition(database, account, 'transactions')).toBeNull();
  const long = { kind: 'missing', resource: 'transactions', resourceId: 'x'.repeat(5000) } as const;
  await reportAnomaly(database, lease, { ...long, details: { n: 1 } });
  await reportAnomaly(database, lease, { ...long, details: { n: 2 } });
  expect(await query('select details, occurrences, resolved_at from sync.anomalies')).toEqual([
    { details: { n: 2 }, occurrences: '2', resolved_at: null },
  ]);
  await resolveAnomaly(database, lease, long);
  expect((await readStatus(database, account)).anomalies).toEqual([]);
});
