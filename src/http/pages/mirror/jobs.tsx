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
import { Moment } from '../parts/moment.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { addressOf, type View } from '../view/view.ts';

interface JobsProps {
  readonly view: View;
  readonly report: StatusReport;
}

export function JobsSection({ view, report }: JobsProps) {
  const { lastSweep } = report.transactions;
  return (
    <section id="jobs">
      <h2>Jobs</h2>
      <p class="soft">{whatVerifiedMeans}</p>
      {lastSweep === null ? null : (
        <p>
          Last sweep of all transactions <Moment view={view} at={lastSweep.finishedAt} as="both" />:{' '}
          {sweepInWords(lastSweep)}.
        </p>
      )}
      <Table
        view={view}
        caption="Jobs and their last runs"
        noun="job"
        columns={columnsOf(view)}
        rows={jobsInOrder(report)}
        empty="No job has run yet."
      />
      <p>
        <a href={addressOf(view, '/mirror/runs')}>All runs, with their verdicts</a>
      </p>
    </section>
  );
}

function columnsOf(view: View): readonly Column<JobStatus>[] {
  return [
    {
      title: 'Job',
      cell: ({ job }) => (
        <>
          <a href={addressOf(view, '/mirror/runs', { job })}>
            <bdi>{onOneLine(job)}</bdi>
          </a>
          <p class="soft">{jobInWords(job)}</p>
        </>
      ),
    },
    {
      title: 'Last success',
      cell: ({ lastSucceededAt }) => <Moment view={view} at={lastSucceededAt} as="age" none="never" />,
    },
    {
      title: 'Last run',
      cell: (job) => (
        <>
          <Badge {...runJudgement(job.lastRun)} />{' '}
          <Moment view={view} at={job.lastRun.finishedAt ?? job.lastRun.startedAt} as="age" />
          <p class="soft">{runInWords(job.lastRun)}</p>
          {runRemarks(job).map((remark) => (
            <p>{remark}</p>
          ))}
        </>
      ),
    },
    { title: 'Complete', cell: (job) => <Complete view={view} job={job} /> },
  ];
}

function Complete({ view, job }: { readonly view: View; readonly job: JobStatus }) {
  const complete = completeness(job);
  return (
    <>
      {complete === null ? null : <Badge {...complete} />}
      {job.lastVerifiedAt === null || job.lastRun.verified === true ? null : (
        <p class="soft">
          last verified <Moment view={view} at={job.lastVerifiedAt} as="age" />
        </p>
      )}
    </>
  );
}
