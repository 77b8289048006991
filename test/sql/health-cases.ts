// Pasts of a mirror, and what reporting.health_problems and the status say of them.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { expectedOfDaemon } from '../../src/scheduler/expected.ts';
import { isHealthy } from '../../src/status/words.ts';
import { readStatus } from '../../src/store/job-queries/status.ts';
import { type Expectation, saveExpectations } from '../../src/store/run/expectations.ts';
import { account, openStore, type Store } from '../support/store.ts';

export const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Rows of the table under "What health means". */
export const rows = new Map(
  [...read('docs/operations.md').matchAll(/^\| `([a-z-]+)` \|(.*)\|$/gm)]
    .map(([, code = '', rest = '']) => ({ code, cells: rest.split(' | ').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.length === 4)
    .map(({ code, cells: [word = '', cause = '', fix = '', alert = ''] }) => [
      code,
      { word, cause, fix, alert },
    ]),
);

export const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;

export const byDaemon = expectedOfDaemon({
  resources,
  schedule: {
    expressions: {
      transactions: '*/30 * * * * *',
      balances: '0 * * * *',
      documents: '*/15 * * * *',
      reconcile: '17 3 * * *',
      maintenance: '47 4 * * *',
      seal: null,
      verify: null,
    },
  },
});

export interface PastRun {
  readonly job: string;
  readonly ago: string;
  readonly status?: 'succeeded' | 'failed' | 'running' | 'abandoned';
  readonly verified?: boolean;
  readonly code?: string;
  readonly doubts?: readonly string[];
}

/** A run that ended so long ago. */
export async function past(store: Store, runs: readonly PastRun[]): Promise<void> {
  for (const { job, ago, status = 'succeeded', verified = false, code, doubts } of runs)
    await store.query(
      `insert into sync.runs (account_id, job, mode, status, started_at, finished_at, verified, verdict, error_code, error_message)
       values ('${account}', '${job}', 'full', '${status}', now() - interval '${ago}' - interval '1 second',
         ${status === 'running' ? 'null' : `now() - interval '${ago}'`}, ${verified},
         ${doubts === undefined ? 'null' : `'${JSON.stringify({ doubt_codes: doubts })}'`},
         ${code === undefined ? 'null' : `'${code}'`}, ${code === undefined ? 'null' : `'the service said no'`})`,
    );
}

export const healthyRuns: readonly PastRun[] = [
  { job: 'transactions', ago: '1 minute', verified: true },
  { job: 'balances', ago: '50 minutes', verified: true },
  { job: 'vaults', ago: '5 minutes', verified: true },
  { job: 'whitelist', ago: '5 minutes', verified: true },
];

export async function withRuns(runs: readonly PastRun[], expected: readonly Expectation[] | null = byDaemon) {
  const store = await openStore();
  await store.query('delete from sync.runs');
  await past(store, runs);
  if (expected !== null) await saveExpectations(store.database, store.lease, 'daemon', expected);
  return store;
}

export async function health(store: Store) {
  const status = await readStatus(store.database, account);
  const [row] = await store.query<{ health: string; problems: string; worst_problem: string | null }>(
    `select health, problems, worst_problem from reporting.sync_health where account_id = '${account}'`,
  );
  const unhealthy = status.problems.filter(({ severity }) => severity !== 'note');
  // All that tell of health agree.
  expect(Number(row?.problems)).toBe(unhealthy.length);
  expect(row?.health === 'healthy').toBe(isHealthy(status).healthy);
  expect(row?.worst_problem ?? undefined).toBe(unhealthy[0]?.problem);
  return {
    codes: status.problems.map(({ code, subject }) => `${code} ${subject}`),
    word: row?.health,
    status,
  };
}

export const except = (...jobs: readonly string[]) => healthyRuns.filter(({ job }) => !jobs.includes(job));

export const endLease = (store: Store) =>
  store.query(`update sync.leases set expires_at = now() - interval '5 minutes'`);

export const quarantined = (store: Store, resource: string) =>
  store.query(`insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
     values ('${account}', '${resource}', 'k', 'no amount', '{}', 1, now() - interval '1 hour', now())`);
