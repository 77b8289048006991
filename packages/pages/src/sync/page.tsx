// Whether the mirror is healthy and what to do, its jobs, the writer, requests, and what was learned. While
// the status cannot be read, the last one is shown as old, with the time since when it is unknown.
import type * as api from '../api/ask.ts';
import * as words from '../api/words.ts';
import type { Content, Rendered } from '../page/page.ts';
import { Badge, List, Notice } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { type Query, useView, ViewProvider } from '../view/view.ts';
import { findingsSection, jobsSection } from './jobs-and-findings.tsx';

export const syncPage: Content = {
  parameters: {},
  async show({ ask, status }) {
    const { data: figures } = await ask.known('getHealth');
    const seen = await status();
    const runs = [];
    for (const { job } of seen.known?.report.jobs ?? [])
      runs.push(...(await ask.cached('listRuns', { job, limit: runsShown })).data);
    return rendered({ seen, figures, runs });
  },
  showOffline: (seen) => rendered({ seen, figures: null, runs: [] }),
};

const runsShown = 48;

function rendered(known: ReportProps): Rendered {
  const status = known.seen.fault === null ? 200 : 503;
  return { title: 'Sync', content: <SyncReport {...known} />, status };
}

export interface ReportProps {
  readonly seen: api.CachedStatus;
  readonly figures: api.Health | null;
  readonly runs: readonly api.Run[];
}

export function SyncReport(props: ReportProps) {
  const view = useView();
  const { known, fault, process, processAccount } = props.seen;
  const state = known && <State {...props} report={known.report} />;
  // Ages count by the clock of the database, which wrote the moments.
  return (
    <ViewProvider value={{ ...view, now: known?.now ?? view.now }}>
      {fault && <FaultNotice fault={fault} readAt={known?.report.readAt ?? null} />}
      {process === null && (
        <Notice tone="plain" title="Another process mirrors this account">
          <p>
            This process mirrors <bdi>{words.onOneLine(processAccount)}</bdi>. The data below is what the
            database holds for <bdi>{words.onOneLine(view.account)}</bdi>.
          </p>
        </Notice>
      )}
      {process?.ready === false && (
        <Notice tone="note" title="This process is not ready">
          <List items={process.reasons.map(words.onOneLine)} />
        </Notice>
      )}
      {fault === null && known && healthSection(known.report)}
      {fault === null ? state : state && <div class="old items">{state}</div>}
    </ViewProvider>
  );
}

function State({ seen, figures, runs, report }: ReportProps & { readonly report: api.StatusReport }) {
  const { now } = useView();
  /** How far the history is sealed and verified; nothing if it is not sealed. */
  const sealed = words.sealedInWords(report);
  return (
    <>
      <div class="tiles" id="mirrored">
        {words.mirroredInWords(report, now).map((mirrored) => (
          <section>
            <h2>{mirrored.resource}</h2>
            <div class="figure">{words.countInWords(mirrored)}</div>
            {mirrored.remarks.map((remark) => (
              <p class="soft">{remark}</p>
            ))}
          </section>
        ))}
      </div>
      {jobsSection(report, runs)}
      {findingsSection(report)}
      {writerSection(report, seen.process)}
      {sealed.length > 0 && (
        <section id="sealed">
          <h2>Sealed history</h2>
          {sealed.map((line) => (
            <p>{line}</p>
          ))}
        </section>
      )}
      {requestsSection(report, figures)}
      <Table
        id="learned"
        caption="Learned about the service: undocumented facts, from its answers"
        noun="fact"
        columns={factColumns}
        rows={words.learnedInWords(report)}
        empty="Nothing has been learned about the service yet."
        source={{ path: '/v1/facts' }}
      />
      <p class="soft">
        Read from <bdi>{report.baseUrl === null ? 'no address yet' : words.onOneLine(report.baseUrl)}</bdi>.
        Status of <Moment at={report.readAt} as="both" />, also <Link to="/status.json">as JSON</Link>.
      </p>
    </>
  );
}

function FaultNotice({ fault, readAt }: { readonly fault: api.StatusFault; readonly readAt: string | null }) {
  const { now } = useView();
  const since = readAt && [' since ', <Moment at={readAt} />];
  return (
    <Notice id="fault" tone="bad" title={['Unknown', since, ': the status cannot be read']}>
      <p>
        {words.onOneLine(fault.message)} <span class="soft">({fault.code})</span>
      </p>
      <p class="soft">
        {readAt === null
          ? 'The state is unknown until the database answers.'
          : `Below is the last known state, from ${words.agoInWords(readAt, now)}.`}
      </p>
    </Notice>
  );
}

// Whether the mirror is healthy and what to do, who writes, the requests to the service and their rate, and
// what was learned of it.

const tones = { critical: 'bad', warning: 'note', note: 'plain' } as const;

function healthSection(report: api.StatusReport) {
  const problems = words.problemsInWords(report);
  const isHealthy = problems.every(({ severity }) => severity === 'note');
  return (
    <Notice id="health" tone={isHealthy ? 'good' : 'bad'} title={isHealthy ? 'Healthy' : 'Needs attention'}>
      {isHealthy && <p class="soft">{words.mirroredResources(report)} is mirrored and fresh.</p>}
      {problems.length > 0 && <List class="items" items={problems.map(problemItem)} />}
    </Notice>
  );
}

function problemItem({ problem, severity, alike, since, fix, code, subject }: api.ProblemInWords) {
  return [
    <p>
      <Badge word={severity} tone={tones[severity]} /> {problem}
      {alike === '' ? '' : `, and ${alike}`}.{' '}
      {since && (
        <span class="soft">
          Began <Moment at={since} as="both" />.
        </span>
      )}
    </p>,
    fix && (
      <p>
        <strong>What to do:</strong> {fixesHere[code] ?? fix}.
      </p>
    ),
    evidence(code, subject),
  ];
}

/** Fixes for these pages, which show what the fix would look up in a table. */
const fixesHere: Readonly<Record<string, string>> = {
  quarantine:
    'read the reason below; the operator of the custody service can correct the record. Until then only this record is missing from its list',
  anomaly: 'see the details below',
};

function evidence(code: string, subject: api.ProblemInWords['subject']) {
  const link = (words: string, list: string, query: Query) => (
    <Link to={[`/sync/${list}`, query]}>{words}</Link>
  );
  const resolved = 'false';
  if (['failing', 'key-refused', 'stale', 'never-read'].includes(code))
    return link('Runs of this job', 'runs', { job: subject });
  if (['never-verified', 'verified-long-ago'].includes(code))
    return link('Unverified sweeps', 'runs', { verified: 'false' });
  if (code === 'quarantine')
    return link('The records that could not be read', 'quarantine', { resource: subject, resolved });
  if (code === 'anomaly') return link('The anomalies of this kind', 'anomalies', { kind: subject, resolved });
  return code === 'too-many-missing' && link('Details', 'anomalies', { kind: code, resolved });
}

const roles: Readonly<Record<api.ProcessState['role'], string>> = {
  writer: 'This process is the writer.',
  standby: 'This process is on standby and takes over when the writer stops.',
  reader: 'This process only serves the pages and the API.',
  starting: 'This process is starting.',
  stopping: 'This process is stopping.',
};

const lostLease = 'This process lost its lease and will take it again automatically.';

function writerSection({ lease }: api.StatusReport, process: api.ProcessState | null) {
  const isOwn = lease !== null && process !== null && lease.holder === process.holder;
  return (
    <section id="writer">
      <h2>Writer</h2>
      {lease === null ? (
        <p>None: nothing is mirrored until a process starts.</p>
      ) : (
        <p>
          <code>
            <bdi>{words.onOneLine(lease.holder)}</bdi>
          </code>{' '}
          <span class="soft">
            since <Moment at={lease.acquiredAt} as="both" />; its lease lasts until{' '}
            <Moment at={lease.expiresAt} /> unless it is renewed
          </span>
        </p>
      )}
      {process && <p class="soft">{process.role === 'standby' && isOwn ? lostLease : roles[process.role]}</p>}
    </section>
  );
}

const learnedColumn = column.of('Learned', ({ updatedAt }: { readonly updatedAt: string | null }) => (
  <Moment at={updatedAt} as="age" />
));

const rateColumns: readonly Column<api.LearnedRate>[] = [
  column.text('Endpoint', ({ endpoint }) => endpoint),
  column.number('Requests per second', ({ perSecond }) => perSecond),
  learnedColumn,
];

const factColumns: readonly Column<api.StatusReport['learned'][number]>[] = [
  column.text('Fact', ({ fact }) => fact, { code: true }),
  column.text('Value', ({ value }) => value),
  column.text('Evidence', ({ evidence }) => evidence, { most: 500 }),
  learnedColumn,
];

function requestsSection(report: api.StatusReport, figures: api.Health | null) {
  const rates = words.learnedRates(report);
  return (
    <section id="requests">
      <h2>Requests to the service</h2>
      {figures === null ? (
        <p class="soft">The number of requests is not known at present.</p>
      ) : (
        <p>
          In the last 24 hours: {words.counted(figures.requests_24h, 'request')} in{' '}
          {words.counted(figures.runs_24h, 'run')}, {words.grouped(figures.failed_runs_24h)} of which failed.
          The service rate-limited {words.counted(figures.rate_limited_24h, 'request')}.
        </p>
      )}
      {rates.length > 0 && (
        <Table caption="Learned rates" noun="endpoint" columns={rateColumns} rows={rates} />
      )}
    </section>
  );
}
