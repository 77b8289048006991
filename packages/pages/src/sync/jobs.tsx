// The jobs: their last runs as bars, whether each succeeded as often as it is expected to, what its last run
// did, and whether a sweep was verified; and the page of all runs.
import type { JobStatus, Judgement, ReportedRun, Run, StatusReport } from '../api/ask.ts';
import * as words from '../api/words.ts';
import { choice, type Field } from '../parts/form.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, column, numberColumn, plainColumn, Table } from '../parts/table.tsx';
import { Link, Moment, shownTime } from '../parts/values.tsx';
import { useView } from '../view/view.ts';
import { foundListPage } from './findings.tsx';

interface JobsProps {
  readonly report: StatusReport;
  readonly runs: readonly Run[];
}

export function JobsSection({ report, runs }: JobsProps) {
  const columns: readonly Column<JobStatus>[] = [
    plainColumn('Job', ({ job }) => [
      <Link to={['/sync/runs', { job }]}>
        <bdi>{words.onOneLine(job)}</bdi>
      </Link>,
      <p class="small">{words.jobInWords(job)}</p>,
    ]),
    { title: 'Last runs', cell: ({ job }) => <Strip runs={runs.filter((run) => run.job === job)} /> },
    column('Last success', (job) => {
      const kept = keptBy(job, report);
      return [<Moment at={job.lastSucceededAt} as="age" none="never" />, ' ', kept && <Badge {...kept} />];
    }),
    { title: 'Last run', cell: (job) => <LastRun job={job} /> },
    { title: 'Complete', cell: (job) => <Complete job={job} /> },
  ];
  return (
    <Table
      id="jobs"
      caption="Jobs and their last runs"
      noun="job"
      columns={columns}
      rows={words.jobsInOrder(report)}
      empty="No job has run yet."
      below={
        <p class="small">
          {words.whatVerifiedMeans} <Link to="/sync/runs">All runs, with their verdicts</Link>
        </p>
      }
    />
  );
}

/** Whether the job succeeded as often as it is expected to; null for one of which nothing is expected. */
function keptBy({ job }: JobStatus, { expected, problems }: StatusReport): Judgement | null {
  const isExpected = expected.some((one) => one.job === job && one.isMirrored && one.isScheduled);
  if (!isExpected || !(words.resources as readonly string[]).includes(job)) return null;
  const isLate = problems.some(({ code, subject }) => code === 'stale' && subject === job);
  return isLate ? { word: 'late', tone: 'bad' } : { word: 'on time', tone: 'good' };
}

function LastRun({ job }: { readonly job: JobStatus }) {
  const { lastRun: run } = job;
  return (
    <>
      <Badge {...words.runJudgement(run)} /> <Moment at={run.finishedAt ?? run.startedAt} as="age" />{' '}
      <span class="small">{words.runInWords(run)}</span>
      {words.runRemarks(job).map((remark) => (
        <p class="small">{remark}</p>
      ))}
    </>
  );
}

/** An old verdict says less than a fresh one: its age is shown, and highlighted after a day. */
function Complete({ job }: { readonly job: JobStatus }) {
  const { now } = useView();
  const complete = words.completeness(job);
  const { lastVerifiedAt: at } = job;
  const hours = at === null ? 0 : (Date.parse(now) - Date.parse(at)) / 3_600_000;
  const age = ['last verified ', <Moment at={at} as="age" />];
  const isFresh = at === null || (job.lastRun.verified === true && hours < 1);
  return (
    <>
      {complete && <Badge {...complete} />}{' '}
      {isFresh ? null : hours < 24 ? <span class="soft">{age}</span> : <strong class="note">{age}</strong>}
    </>
  );
}

/** Height and colour of a run: failures stand out by both. */
const bars: Readonly<Record<string, readonly [height: number, color: string]>> = {
  succeeded: [8, 'good'],
  'not verified': [13, 'note'],
  interrupted: [13, 'note'],
  failed: [20, 'bad'],
  running: [4, 'grey-500'],
};

function Strip({ runs }: { readonly runs: readonly Run[] }) {
  const view = useView();
  if (runs.length === 0) return <span class="soft">–</span>;
  const said = runs.map(({ status, verified }) =>
    status === 'succeeded' && verified === false ? 'not verified' : words.runJudgement({ status }).word,
  );
  const counts = [...new Set(said)].map((word) => `${said.filter((each) => each === word).length} ${word}`);
  const label = `${words.counted(runs.length, 'run')}: ${counts.join(', ')}`;
  return (
    <svg width="192" height="20" viewBox="0 0 192 20" role="img" aria-label={label}>
      {runs.map((run, index) => {
        const [height, color] = bars[said[index] ?? ''] ?? [4, 'grey-500'];
        return (
          <rect x={188 - index * 4} y={20 - height} width="3" height={height} fill={`var(--${color})`}>
            <title>{`${shownTime(run.started_at, view)} ${said[index]}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const runFields: readonly Field[] = [
  { name: 'job', label: 'Job', choices: words.jobNames },
  {
    name: 'status',
    label: 'Ended',
    choices: ['succeeded', 'failed', ['abandoned', 'interrupted'], 'running'],
  },
  choice('verified', 'Verified', { true: 'verified', false: 'not verified' }),
  { name: 'started_from', label: 'Began at or after', kind: 'moment' },
  { name: 'started_to', label: 'Began before', kind: 'moment' },
];

const runColumns: readonly Column<Run>[] = [
  column('Job', ({ job, mode, run_id }) => [
    <bdi title={words.jobInWords(job) ?? undefined}>{words.onOneLine(job)}</bdi>,
    ' ',
    <span class="soft">
      no. {run_id}
      {job === 'transactions' && mode === 'full' ? ', the whole list' : ''}
    </span>,
  ]),
  { title: 'Began', cell: ({ started_at }) => <Moment at={started_at} as="short" /> },
  column('What it did', (run) => [
    <Badge {...words.runJudgement(reported(run))} />,
    ' ',
    words.runInWords(reported(run)),
  ]),
  { title: 'Verdict', cell: (run) => <Verdict run={run} /> },
  numberColumn('Requests', ({ requests, retries, rate_limited }) => [
    <span class="soft">
      {retries === 0 ? '' : `${words.grouped(retries)} retried `}
      {rate_limited === 0 ? '' : `${words.grouped(rate_limited)} rate-limited `}
    </span>,
    words.grouped(requests),
  ]),
];

export const runsPage = foundListPage({
  id: 'listRuns',
  title: 'Runs',
  about: words.whatVerifiedMeans,
  fields: runFields,
  noun: 'run',
  columns: runColumns,
});

/** On one line, the rest in the tooltip; includes why a run failed. */
function Verdict({ run }: { readonly run: Run }) {
  const complete = words.completeness({ lastRun: reported(run) });
  const evidence = words.runEvidence(reported(run));
  const hasFailed = run.status === 'failed' || run.status === 'abandoned';
  const why = hasFailed ? words.runRemarks({ lastRun: reported(run) }).join(' ') : evidence && `${evidence}.`;
  return (
    <span title={why || undefined}>
      {complete === null ? <span class="soft">none</span> : <Badge {...complete} />}{' '}
      <span class="soft">{why}</span>
    </span>
  );
}

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
