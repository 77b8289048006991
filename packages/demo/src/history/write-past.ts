// Writes readings of the demo's past into the mirror, in their order, by the commits of the store. A run
// claims what it saw: every list in one answer, and every transaction that had changed.
import type { RequestTally } from '../../../../src/domain/endpoint.ts';
import type { Instant } from '../../../../src/domain/instant.ts';
import type { JobName, RunMode } from '../../../../src/domain/jobs.ts';
import type { Page } from '../../../../src/domain/page.ts';
import { commitVaults, commitWhitelist } from '../../../../src/store/commit/documents/commit-documents.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import type { Lease } from '../../../../src/store/run/leases.ts';
import type { Run } from '../../../../src/store/run/runs.ts';
import { newEvidence, verdictToJson } from '../../../../src/sync/walk/verdict.ts';
import { commitPreparedSnapshots } from '../backfill/prepared-balances.ts';
import { type PreparedRun, writePreparedRuns } from '../backfill/prepared-runs.ts';
import { commitPreparedTransactions } from '../backfill/prepared-transactions.ts';
import type { SandboxObservation } from './sandbox-observer.ts';

/** A moment at which the service did not answer. */
export interface Failure {
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
  readonly failure: { readonly code: string; readonly message: string };
}

export async function writePast(
  database: Database,
  lease: Lease,
  past: readonly (SandboxObservation | Failure)[],
): Promise<void> {
  const planned = past.flatMap((moment) => ('failure' in moment ? failedRuns(moment) : runsOf(moment)));
  const runs = await writePreparedRuns(database, lease, planned);
  const runOf = (job: JobName, startedAt: Instant): Run => {
    const run = runs.find((known) => known.job === job && known.startedAt === startedAt);
    if (run === undefined) throw new Error(`no run of ${job} was written`);
    return run;
  };
  const readings = past.filter((moment) => 'balances' in moment);
  await commitPreparedSnapshots(
    database,
    lease,
    readings.map((reading) => ({
      run: runOf('balances', reading.balancesAt),
      snapshotAt: reading.balancesAt,
      lists: reading.balances,
    })),
  );
  await commitPreparedTransactions(
    database,
    lease,
    readings.map(({ startedAt, transactions: pages }) => ({ run: runOf('transactions', startedAt), pages })),
  );
  for (const reading of readings)
    await writeDocuments(database, lease, reading, (job) => runOf(job, reading.balancesAt));
}

async function writeDocuments(
  database: Database,
  lease: Lease,
  { documents }: SandboxObservation,
  runOf: (job: JobName) => Run,
): Promise<void> {
  if (documents === null) return;
  const { vaults, whitelist } = documents;
  await commitVaults(database, lease, runOf('vaults'), listing(vaults));
  await commitWhitelist(database, lease, runOf('whitelist'), listing([whitelist]));
}

function listing<Document>(pages: readonly Page<Document>[]) {
  const items = pages.flatMap((page) => page.items);
  return {
    items,
    observation: {
      beganAt: Math.min(...pages.map(({ beganAt }) => beganAt)),
      arrivedAt: Math.max(...pages.map(({ arrivedAt }) => arrivedAt)),
    },
    listIsComplete: isReadable(pages),
    tally: tallyOf(pages),
  };
}

function tallyOf(pages: readonly unknown[]): RequestTally {
  return { requests: pages.length, retries: 0, rateLimited: 0 };
}

function isReadable(pages: readonly Page<unknown>[]): boolean {
  return pages.every((page) => page.items.every(({ kind }) => kind === 'record'));
}

function runsOf(reading: SandboxObservation): readonly PreparedRun[] {
  const { transactions, balances, documents, startedAt, balancesAt, finishedAt } = reading;
  const increment = runOfJob(
    'transactions',
    'incremental',
    { startedAt, finishedAt: balancesAt },
    transactions,
  );
  const times = { startedAt: balancesAt, finishedAt };
  return [
    { ...increment, openTransactionsRead: true },
    wholeRun('balances', times, Object.values(balances)),
    ...(documents === null
      ? []
      : [wholeRun('vaults', times, documents.vaults), wholeRun('whitelist', times, [documents.whitelist])]),
  ];
}

function failedRuns({ failure, ...times }: Failure): readonly PreparedRun[] {
  return (['transactions', 'balances'] as const).map((job) => ({
    ...runOfJob(job, job === 'balances' ? 'full' : 'incremental', times, []),
    requests: 1,
    failure,
  }));
}

interface Times {
  readonly startedAt: Instant;
  readonly finishedAt: Instant;
}

/** A run that read each of its lists in one answer. */
function wholeRun(job: JobName, times: Times, pages: readonly Page<unknown>[]): PreparedRun {
  const run = runOfJob(job, 'full', times, pages);
  const verified = isReadable(pages);
  const evidence = { ...newEvidence(), pages: pages.length, records: run.recordsRead };
  const verdict = verdictToJson({
    verified,
    end: 'whole',
    evidence,
    doubts: verified ? [] : ['undecodable'],
    length: null,
  });
  return { ...run, verified, verdict };
}

function runOfJob(
  job: JobName,
  mode: RunMode,
  { startedAt, finishedAt }: Times,
  pages: readonly Page<unknown>[],
): PreparedRun {
  return {
    job,
    mode,
    startedAt,
    finishedAt,
    requests: pages.length,
    // Commits of transactions and documents count what they read by themselves.
    recordsRead: job === 'balances' ? pages.reduce((sum, { items }) => sum + items.length, 0) : 0,
    verified: null,
    verdict: null,
    openTransactionsRead: null,
    failure: null,
  };
}
