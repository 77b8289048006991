// The jobs: when each last succeeded, what its last run did, and whether a sweep was verified.
import { sweepInWords } from '../../../domain/coverage.ts';
import { onOneLine } from '../../../domain/words.ts';
import {
  completeness,
  type JobStatus,
  jobInWords,
  jobsInOrder,
  runInWords,
  runJudgement,
  runRemarks,
  type StatusReport,
  whatVerifiedMeans,
} from '../../../status/words.ts';
import { Badge } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';

export function JobsSection({ report }: { readonly report: StatusReport }) {
  const { lastSweep } = report.transactions;
  return (
    <section id="jobs">
      <h2>Jobs</h2>
      <p class="soft">{whatVerifiedMeans}</p>
      {lastSweep === null ? null : (
        <p>
          Last sweep of all transactions <Moment at={lastSweep.finishedAt} as="both" />:{' '}
          {sweepInWords(lastSweep)}.
        </p>
      )}
      <Table
        caption="Jobs and their last runs"
        noun="job"
        columns={columns}
        rows={jobsInOrder(report)}
        empty="No job has run yet."
      />
      <p>
        <Link to="/mirror/runs">All runs, with their verdicts</Link>
      </p>
    </section>
  );
}

const columns: readonly Column<JobStatus>[] = [
  {
    title: 'Job',
    cell: ({ job }) => (
      <>
        <Link to={['/mirror/runs', { job }]}>
          <bdi>{onOneLine(job)}</bdi>
        </Link>
        <p class="soft">{jobInWords(job)}</p>
      </>
    ),
  },
  {
    title: 'Last success',
    cell: ({ lastSucceededAt }) => <Moment at={lastSucceededAt} as="age" none="never" />,
  },
  {
    title: 'Last run',
    cell: (job) => (
      <>
        <Badge {...runJudgement(job.lastRun)} />{' '}
        <Moment at={job.lastRun.finishedAt ?? job.lastRun.startedAt} as="age" />
        <p class="soft">{runInWords(job.lastRun)}</p>
        {runRemarks(job).map((remark) => (
          <p>{remark}</p>
        ))}
      </>
    ),
  },
  { title: 'Complete', cell: (job) => <Complete job={job} /> },
];

function Complete({ job }: { readonly job: JobStatus }) {
  const complete = completeness(job);
  return (
    <>
      {complete === null ? null : <Badge {...complete} />}
      {job.lastVerifiedAt === null || job.lastRun.verified === true ? null : (
        <p class="soft">
          last verified <Moment at={job.lastVerifiedAt} as="age" />
        </p>
      )}
    </>
  );
}
