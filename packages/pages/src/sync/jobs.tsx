// The jobs: their last runs as bars, whether each succeeded as often as it is expected to, what its last run
// did, and whether a sweep was verified.

import { resources } from '../../../../src/domain/jobs.ts';
import { counted, onOneLine } from '../../../../src/domain/words.ts';
import {
  completeness,
  type JobStatus,
  type Judgement,
  jobInWords,
  jobsInOrder,
  type Run,
  runInWords,
  runJudgement,
  runRemarks,
  type StatusReport,
  whatVerifiedMeans,
} from '../api/interface.ts';
import { Badge } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Link, Moment, shownTime } from '../parts/values.tsx';
import { useView } from '../view/view.ts';

interface JobsProps {
  readonly report: StatusReport;
  /** The last runs of each job, the latest first; empty while they are not known. */
  readonly runs: readonly Run[];
}

export function JobsSection({ report, runs }: JobsProps) {
  const columns: readonly Column<JobStatus>[] = [
    {
      title: 'Job',
      isPlain: true,
      cell: ({ job }) => (
        <>
          <Link to={['/sync/runs', { job }]}>
            <bdi>{onOneLine(job)}</bdi>
          </Link>
          <p class="small">{jobInWords(job)}</p>
        </>
      ),
    },
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
      rows={jobsInOrder(report)}
      empty="No job has run yet."
      below={
        <p class="small">
          {whatVerifiedMeans} <Link to="/sync/runs">All runs, with their verdicts</Link>
        </p>
      }
    />
  );
}

/** Whether the job succeeded as often as it is expected to; null for one of which nothing is expected. */
function keptBy({ job }: JobStatus, { expected, problems }: StatusReport): Judgement | null {
  const isExpected = expected.some((one) => one.job === job && one.isMirrored && one.isScheduled);
  if (!isExpected || !(resources as readonly string[]).includes(job)) return null;
  const isLate = problems.some(({ code, subject }) => code === 'stale' && subject === job);
  return isLate ? { word: 'late', tone: 'bad' } : { word: 'on time', tone: 'good' };
}

function LastRun({ job }: { readonly job: JobStatus }) {
  const { lastRun: run } = job;
  return (
    <>
      <Badge {...runJudgement(run)} /> <Moment at={run.finishedAt ?? run.startedAt} as="age" />{' '}
      <span class="small">{runInWords(run)}</span>
      {runRemarks(job).map((remark) => (
        <p class="small">{remark}</p>
      ))}
    </>
  );
}

/** An old verdict says less than a fresh one: its age is shown, and highlighted after a day. */
function Complete({ job }: { readonly job: JobStatus }) {
  const { now } = useView();
  const complete = completeness(job);
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

/** How high and in which colour a run is drawn: what is wrong stands out by both. */
const bars: Readonly<Record<string, readonly [height: number, color: string]>> = {
  succeeded: [8, 'good'],
  'not verified': [13, 'note'],
  interrupted: [13, 'note'],
  failed: [20, 'bad'],
  running: [4, 'grey-500'],
};

/** The last runs as bars, the latest at the right. */
function Strip({ runs }: { readonly runs: readonly Run[] }) {
  const view = useView();
  if (runs.length === 0) return <span class="soft">–</span>;
  const said = runs.map(({ status, verified }) =>
    status === 'succeeded' && verified === false ? 'not verified' : runJudgement({ status }).word,
  );
  const counts = [...new Set(said)].map((word) => `${said.filter((each) => each === word).length} ${word}`);
  const label = `${counted(runs.length, 'run')}: ${counts.join(', ')}`;
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
