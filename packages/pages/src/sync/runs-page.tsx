// The runs of the jobs: what each did, and its verdict in words.

import { jobNames } from '../../../../src/domain/jobs.ts';
import { grouped, onOneLine } from '../../../../src/domain/words.ts';
import {
  completeness,
  jobInWords,
  type ReportedRun,
  type Run,
  runEvidence,
  runInWords,
  runJudgement,
  runRemarks,
  whatVerifiedMeans,
} from '../api/interface.ts';
import type { Field } from '../parts/form.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, column } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';
import { foundListPage } from './found-list.tsx';

const fields: readonly Field[] = [
  { name: 'job', label: 'Job', choices: jobNames },
  {
    name: 'status',
    label: 'Ended',
    choices: ['succeeded', 'failed', ['abandoned', 'interrupted'], 'running'],
  },
  {
    name: 'verified',
    label: 'Verified',
    choices: Object.entries({ true: 'verified', false: 'not verified' }),
  },
  { name: 'started_from', label: 'Began at or after', kind: 'moment' },
  { name: 'started_to', label: 'Began before', kind: 'moment' },
];

const columns: readonly Column<Run>[] = [
  column('Job', ({ job, mode, run_id }) => (
    <>
      <bdi title={jobInWords(job) ?? undefined}>{onOneLine(job)}</bdi>{' '}
      <span class="soft">
        no. {run_id}
        {job === 'transactions' && mode === 'full' ? ', the whole list' : ''}
      </span>
    </>
  )),
  { title: 'Began', cell: ({ started_at }) => <Moment at={started_at} as="short" /> },
  column('What it did', (run) => (
    <>
      <Badge {...runJudgement(reported(run))} /> {runInWords(reported(run))}
    </>
  )),
  { title: 'Verdict', cell: (run) => <Verdict run={run} /> },
  {
    title: 'Requests',
    isNumber: true,
    cell: ({ requests, retries, rate_limited }) => (
      <>
        <span class="soft">
          {retries === 0 ? '' : `${grouped(retries)} retried `}
          {rate_limited === 0 ? '' : `${grouped(rate_limited)} rate-limited `}
        </span>
        {grouped(requests)}
      </>
    ),
  },
];

export const runsPage = foundListPage({
  id: 'listRuns',
  title: 'Runs',
  about: whatVerifiedMeans,
  fields,
  noun: 'run',
  columns,
});

/** On one line, the rest in the tooltip; includes why a run failed. */
function Verdict({ run }: { readonly run: Run }) {
  const complete = completeness({ lastRun: reported(run) });
  const evidence = runEvidence(reported(run));
  const hasFailed = run.status === 'failed' || run.status === 'abandoned';
  const why = hasFailed ? runRemarks({ lastRun: reported(run) }).join(' ') : evidence && `${evidence}.`;
  return (
    <span title={why || undefined}>
      {complete === null ? <span class="soft">none</span> : <Badge {...complete} />}{' '}
      <span class="soft">{why}</span>
    </span>
  );
}

/** A run of the API in the form that the words are made for. */
function reported(run: Run): ReportedRun {
  return {
    status: run.status,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    recordsRead: run.records_read,
    recordsInserted: run.records_inserted,
    recordsChanged: run.records_changed,
    quarantined: run.quarantined,
    verified: run.verified,
    verdict: run.verdict as ReportedRun['verdict'],
    errorCode: run.error_code,
    errorMessage: run.error_message,
  };
}
