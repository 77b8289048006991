// The runs of the jobs: what each did, and its verdict in words.
import type { Run } from '../../../../packages/client/src/generated/types/api-types.ts';
import { jobNames } from '../../../domain/jobs.ts';
import { grouped, onOneLine } from '../../../domain/words.ts';
import {
  completeness,
  jobInWords,
  type RunStatusReport,
  runEvidence,
  runInWords,
  runJudgement,
  runRemarks,
  whatVerifiedMeans,
} from '../../../status/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters, MomentField } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { Badge } from '../parts/notice.tsx';
import type { Column } from '../parts/table.tsx';
import type { View } from '../view/view.ts';
import { foundList } from './found-list.tsx';

const names = ['job', 'status', 'verified', 'started_from', 'started_to', 'cursor', 'limit'] as const;
const rowsOfPage = 50;

export const runsPage: Page = {
  path: '/mirror/runs',
  section: 'mirror',
  about: [],
  parameters: parametersOf('listRuns', ...names),
  async show({ given, view, ask }) {
    const { account: _account, ...filters } = given;
    const query = { limit: rowsOfPage, ...filters };
    const found = await ask.known('listRuns', query);
    return foundList({
      view,
      title: 'Runs',
      about: whatVerifiedMeans,
      filters: <RunFilters view={view} />,
      found,
      caption: 'Runs, the latest first',
      noun: 'run',
      columns: columnsOf(view),
      empty: 'No run matches.',
      source: { path: '/v1/runs', query },
    });
  },
};

function RunFilters({ view }: { readonly view: View }) {
  return (
    <Filters view={view} label="Runs">
      <ChoiceField view={view} name="job" label="Job" options={jobNames.map((job) => [job, job])} />
      <ChoiceField
        view={view}
        name="status"
        label="Ended"
        options={[
          ['succeeded', 'succeeded'],
          ['failed', 'failed'],
          ['abandoned', 'interrupted'],
          ['running', 'runs now'],
        ]}
      />
      <ChoiceField
        view={view}
        name="verified"
        label="Verified"
        options={[
          ['true', 'verified'],
          ['false', 'not verified'],
        ]}
      />
      <MomentField view={view} name="started_from" label="Began at or after" />
      <MomentField view={view} name="started_to" label="Began before" />
    </Filters>
  );
}

function columnsOf(view: View): readonly Column<Run>[] {
  return [
    {
      title: 'Job',
      cell: ({ job, mode, run_id }) => (
        <>
          <bdi>{onOneLine(job)}</bdi> <span class="soft">no. {run_id}</span>
          <p class="soft">
            {jobInWords(job)}
            {job === 'transactions' && mode === 'full' ? '; this time the whole list' : ''}
          </p>
        </>
      ),
    },
    { title: 'Began', cell: ({ started_at }) => <Moment view={view} at={started_at} as="both" /> },
    {
      title: 'What it did',
      cell: (run) => (
        <>
          <Badge {...runJudgement(reported(run))} />
          <p>{runInWords(reported(run))}</p>
          {run.status === 'failed' || run.status === 'abandoned'
            ? runRemarks({ lastRun: reported(run) }).map((remark) => <p>{remark}</p>)
            : null}
        </>
      ),
    },
    { title: 'Verdict', cell: (run) => <Verdict run={run} /> },
    {
      title: 'Requests',
      isNumber: true,
      cell: ({ requests, retries, rate_limited }) => (
        <>
          {grouped(requests)}
          {retries === 0 ? null : <p class="soft">{grouped(retries)} sent again</p>}
          {rate_limited === 0 ? null : <p class="soft">{grouped(rate_limited)} over the rate limit</p>}
        </>
      ),
    },
  ];
}

function Verdict({ run }: { readonly run: Run }) {
  const complete = completeness({ lastRun: reported(run) });
  if (complete === null) return <span class="soft">claims nothing</span>;
  const evidence = runEvidence(reported(run));
  return (
    <>
      <Badge {...complete} />
      {evidence === '' ? null : <p class="soft">{evidence}.</p>}
    </>
  );
}

/** A run of the API in the form that the words are made for. */
function reported(run: Run): RunStatusReport {
  return {
    runId: String(run.run_id),
    mode: run.mode,
    status: run.status,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    requests: run.requests,
    recordsRead: run.records_read,
    recordsInserted: run.records_inserted,
    recordsChanged: run.records_changed,
    statusChanges: run.status_changes,
    quarantined: run.quarantined,
    verified: run.verified,
    verdict: run.verdict as RunStatusReport['verdict'],
    errorCode: run.error_code,
    errorMessage: run.error_message,
  };
}
