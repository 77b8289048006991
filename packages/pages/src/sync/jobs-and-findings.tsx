// The jobs: their last runs as bars, whether each succeeded as often as it is expected to, what its last run
// did, and whether a sweep was verified; and the page of all runs.

import type * as api from '../api/ask.ts';
import * as words from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, column, Table, type TableProps } from '../parts/table.tsx';
import { Link, Moment, shownTime, TextLink, UntrustedBlock, UntrustedText } from '../parts/values.tsx';
import { transactionPath, useView } from '../view/view.ts';

export function jobsSection(report: api.StatusReport, runs: readonly api.Run[]) {
  const columns: readonly Column<api.JobStatus>[] = [
    column.plain('Job', ({ job }) => [
      <Link to={['/sync/runs', { job }]}>
        <bdi>{words.onOneLine(job)}</bdi>
      </Link>,
      <p class="small">{words.jobInWords(job)}</p>,
    ]),
    { title: 'Last runs', cell: ({ job }) => <Strip runs={runs.filter((run) => run.job === job)} /> },
    column.of('Last success', (job) => {
      const kept = keptBy(job, report);
      return [<Moment at={job.lastSucceededAt} as="age" none="never" />, ' ', kept && <Badge {...kept} />];
    }),
    column.of('Last run', (job) => [
      <Badge {...words.runJudgement(job.lastRun)} />,
      ' ',
      <Moment at={job.lastRun.finishedAt ?? job.lastRun.startedAt} as="age" />,
      ' ',
      <span class="small">{words.runInWords(job.lastRun)}</span>,
      words.runRemarks(job).map((remark) => <p class="small">{remark}</p>),
    ]),
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
function keptBy({ job }: api.JobStatus, { expected, problems }: api.StatusReport): api.Judgement | null {
  const isExpected = expected.some((one) => one.job === job && one.isMirrored && one.isScheduled);
  if (!isExpected || !(words.resources as readonly string[]).includes(job)) return null;
  const isLate = problems.some(({ code, subject }) => code === 'stale' && subject === job);
  return isLate ? { word: 'late', tone: 'bad' } : { word: 'on time', tone: 'good' };
}

/** An old verdict says less than a fresh one: its age is shown, and highlighted after a day. */
function Complete({ job }: { readonly job: api.JobStatus }) {
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

function Strip({ runs }: { readonly runs: readonly api.Run[] }) {
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

const ends = ['succeeded', 'failed', ['abandoned', 'interrupted'], 'running'] as const;
const runFields: readonly Field[] = [
  { name: 'job', label: 'Job', choices: words.jobNames },
  { name: 'status', label: 'Ended', choices: ends },
  choice('verified', 'Verified', { true: 'verified', false: 'not verified' }),
  { name: 'started_from', label: 'Began at or after', kind: 'moment' },
  { name: 'started_to', label: 'Began before', kind: 'moment' },
];

const runColumns: readonly Column<api.Run>[] = [
  column.of('Job', ({ job, mode, run_id }) => [
    <bdi title={words.jobInWords(job) ?? undefined}>{words.onOneLine(job)}</bdi>,
    ' ',
    <span class="soft">
      no. {run_id}
      {job === 'transactions' && mode === 'full' ? ', the whole list' : ''}
    </span>,
  ]),
  { title: 'Began', cell: ({ started_at }) => <Moment at={started_at} as="short" /> },
  column.of('What it did', (run) => [
    <Badge {...words.runJudgement(reported(run))} />,
    ' ',
    words.runInWords(reported(run)),
  ]),
  { title: 'Verdict', cell: (run) => <Verdict run={run} /> },
  column.number('Requests', ({ requests, retries, rate_limited }) => [
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
function Verdict({ run }: { readonly run: api.Run }) {
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

function reported(run: api.Run): api.ReportedRun {
  return {
    status: run.status,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    recordsRead: run.records_read,
    recordsInserted: run.records_inserted,
    recordsChanged: run.records_changed,
    quarantined: run.quarantined,
    verified: run.verified,
    verdict: run.verdict as api.ReportedRun['verdict'],
    errorCode: run.error_code,
    errorMessage: run.error_message,
  };
}

// Quarantined records and anomalies by kind, as a section of the page, and the pages that list them:
// quarantine with the text as received and the reason.

type Finding = ReturnType<typeof findingsOf>[number];

export function findingsSection(report: api.StatusReport) {
  return (
    <Table
      id="findings"
      caption="Open findings"
      noun="kind"
      columns={findingColumns}
      rows={findingsOf(report)}
      empty="No open quarantined records or anomalies."
      below={
        <p class="small">
          <Link to="/sync/quarantine">Records that could not be read</Link> ·{' '}
          <Link to="/sync/anomalies">All anomalies</Link>
        </p>
      }
    />
  );
}

function findingsOf({ anomalies, quarantine }: api.StatusReport) {
  return [
    ...quarantine
      .filter(({ open }) => open > 0)
      .map(({ resource, ...seen }) => ({
        ...seen,
        what: `${words.onOneLine(resource)} that could not be read`,
        to: ['/sync/quarantine', { resource, resolved: 'false' }] as const,
      })),
    ...anomalies.map(({ kind, ...seen }) => {
      const name = words.onOneLine(kind);
      const what = [words.anomalyInWords(kind) ?? <bdi>{name}</bdi>, ' ', <code>{name}</code>];
      return { ...seen, what, to: ['/sync/anomalies', { kind, resolved: 'false' }] as const };
    }),
  ];
}

const findingColumns: readonly Column<Finding>[] = [
  { title: 'What', cell: ({ what, to }) => <Link to={to}>{what}</Link> },
  { title: 'Open', isNumber: true, cell: ({ open }) => words.grouped(open) },
  { title: 'Last seen', cell: ({ lastObservedAt }) => <Moment at={lastObservedAt} as="age" /> },
];

const seenColumns: readonly Column<api.Anomaly | api.QuarantinedRecord>[] = [
  column.of('Seen', ({ first_observed_at, last_observed_at, occurrences }) => [
    <Moment at={first_observed_at} />,
    ' ',
    <span class="small">
      {words.counted(occurrences, 'time')}, last <Moment at={last_observed_at} as="age" />
    </span>,
  ]),
  column.of('State', ({ resolved_at: at }) => {
    if (at === null) return <Badge word="open" tone="note" />;
    return [<Badge word="resolved" tone="good" />, ' ', <Moment at={at} as="short" />];
  }),
];

function folded(id: string, summary: string, text: string) {
  return (
    <details id={id}>
      <summary>{summary}</summary>
      <UntrustedBlock text={text} />
    </details>
  );
}

const stateField = choice('resolved', 'State', { false: 'open', true: 'resolved' });

const quarantineColumns: readonly Column<api.QuarantinedRecord>[] = [
  column.of('List', ({ resource, quarantine_id: id }) => {
    return [<bdi>{resource}</bdi>, ' ', <span class="soft">no. {id}</span>];
  }),
  column.of('Reason and record', ({ reason, raw, quarantine_id }) => [
    <UntrustedText text={reason} most={500} />,
    folded(`record-${quarantine_id}`, 'Record as received', raw),
  ]),
  ...seenColumns,
];

export const quarantinePage = foundListPage({
  id: 'listQuarantine',
  title: 'Quarantine',
  about:
    'Records that could not be read are kept here as text; all others are mirrored. A record leaves quarantine when it can be read, or when the service no longer lists it.',
  fields: [{ name: 'resource', label: 'List', choices: words.resources }, stateField],
  // Few, because each may be long.
  rowsOfPage: 25,
  what: 'Records in quarantine',
  noun: 'record',
  columns: quarantineColumns,
});

const anomalyColumns: readonly Column<api.Anomaly>[] = [
  column.of('What', ({ kind }) => {
    const name = <UntrustedText text={kind} code />;
    return [words.anomalyInWords(kind), ' ', <span class="soft">{name}</span>];
  }),
  column.of('Concerns', ({ kind, resource, resource_id: id }) => {
    const to = words.isAnomalyOfTransaction(kind) && id !== '' ? transactionPath(id) : null;
    return [<bdi>{resource}</bdi>, ' ', <TextLink to={to} text={id} code none="the whole list" />];
  }),
  column.of('Details', ({ anomaly_id, details }) =>
    folded(`anomaly-${anomaly_id}`, 'Observed', JSON.stringify(details, null, 2)),
  ),
  ...seenColumns,
];

const anomalyChoices = words.anomalyKinds.map((kind) => [kind, words.anomalyInWords(kind) ?? kind] as const);

export const anomaliesPage = foundListPage({
  id: 'listAnomalies',
  title: 'Anomalies',
  about:
    'Data is mirrored as the service sends it. Anomalies in it are listed here and resolved once they are gone.',
  fields: [
    { name: 'kind', label: 'Kind', choices: anomalyChoices },
    { name: 'resource', label: 'Concerns', choices: words.resources },
    stateField,
  ],
  noun: 'anomaly',
  plural: 'anomalies',
  columns: anomalyColumns,
});

interface FoundList<Row> extends Omit<TableProps<Row>, 'rows' | 'source' | 'caption' | 'empty'> {
  readonly id: 'listRuns' | 'listQuarantine' | 'listAnomalies';
  readonly title: string;
  readonly about: string;
  readonly fields: readonly Field[];
  readonly rowsOfPage?: number;
  readonly what?: string;
}

function foundListPage<Row>(list: FoundList<Row>): Content {
  const { id, title, what = title, about, fields, rowsOfPage = 50, ...table } = list;
  return {
    parameters: parametersOf(id, ...fields.map(({ name }) => name), 'cursor', 'limit'),
    async show({ params, ask }) {
      const query = { limit: rowsOfPage, ...params };
      const found = (await ask.known(id, query)) as api.Found<Row>;
      return {
        title,
        content: [
          <p>
            <Link to="/sync">Sync</Link>
          </p>,
          <p class="soft">{about}</p>,
          <Filters label={title} fields={fields} />,
          <Table
            {...table}
            id={title.toLowerCase()}
            caption={`${what}, the latest first`}
            rows={found}
            empty={`No ${table.noun} matches.`}
            source={{ path: words.operationOf(id).path, query }}
          />,
        ],
      };
    },
  };
}
