// Whether the mirror is healthy and what to do, who writes, the requests to the service and their rate, and
// what was learned of it.
import type * as api from '../api/ask.ts';
import * as words from '../api/words.ts';
import { Badge, List, Notice } from '../parts/notice.tsx';
import { type Column, column, Table, textColumn } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import type { Query } from '../view/view.ts';

const tones = { critical: 'bad', warning: 'note', note: 'plain' } as const;

export function HealthSection({ report }: { readonly report: api.StatusReport }) {
  const problems = words.problemsInWords(report);
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const notes = problems.filter(({ severity }) => severity === 'note');
  const isHealthy = wrong.length === 0;
  return (
    <Notice id="health" tone={isHealthy ? 'good' : 'bad'} title={isHealthy ? 'Healthy' : 'Needs attention'}>
      {isHealthy ? <p class="soft">{words.mirroredResources(report)} is mirrored and fresh.</p> : null}
      {problems.length > 0 && <List class="items" items={[...wrong, ...notes].map(problemItem)} />}
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
  const runs = ['Runs of this job', 'runs', { job: subject }] as const;
  const sweeps = ['Unverified sweeps', 'runs', { verified: 'false' }] as const;
  const seen = ['Details', 'anomalies', { kind: code, resolved: 'false' }] as const;
  const open = { resource: subject, resolved: 'false' };
  const found: Readonly<Record<string, readonly [words: string, list: string, query: Query]>> = {
    failing: runs,
    'key-refused': runs,
    stale: runs,
    'never-read': runs,
    'never-verified': sweeps,
    'verified-long-ago': sweeps,
    quarantine: ['The records that could not be read', 'quarantine', open],
    anomaly: ['The anomalies of this kind', 'anomalies', { kind: subject, resolved: 'false' }],
    'too-many-missing': seen,
  };
  const [words, list, query = {}] = found[code] ?? [];
  return words && <Link to={[`/sync/${list}`, query]}>{words}</Link>;
}

interface SectionProps {
  readonly report: api.StatusReport;
}

const roles: Readonly<Record<api.ProcessState['role'], string>> = {
  writer: 'This process is the writer.',
  standby: 'This process is on standby and takes over when the writer stops.',
  reader: 'This process only serves the pages and the API.',
  starting: 'This process is starting.',
  stopping: 'This process is stopping.',
};

const lostInWords = 'This process lost its lease and will take it again automatically.';

export function WriterSection({
  report: { lease },
  process,
}: SectionProps & { readonly process: api.ProcessState | null }) {
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
      {process === null ? null : (
        <p class="soft">{process.role === 'standby' && isOwn ? lostInWords : roles[process.role]}</p>
      )}
    </section>
  );
}

/** How far the history is sealed and verified; nothing if it is not sealed. */
export function SealedSection({ report }: SectionProps) {
  const lines = words.sealedInWords(report);
  if (lines.length === 0) return null;
  return (
    <section id="sealed">
      <h2>Sealed history</h2>
      {lines.map((line) => (
        <p>{line}</p>
      ))}
    </section>
  );
}

const learnedColumn = column('Learned', ({ updatedAt }: { readonly updatedAt: string | null }) => (
  <Moment at={updatedAt} as="age" />
));

const rateColumns: readonly Column<api.LearnedRate>[] = [
  textColumn('Endpoint', ({ endpoint }) => endpoint),
  { title: 'Requests per second', isNumber: true, cell: ({ perSecond }) => perSecond },
  learnedColumn,
];

const factColumns: readonly Column<api.StatusReport['learned'][number]>[] = [
  textColumn('Fact', ({ fact }) => fact, { code: true }),
  textColumn('Value', ({ value }) => value),
  textColumn('Evidence', ({ evidence }) => evidence, { most: 500 }),
  learnedColumn,
];

export function RequestsSection({ report, figures }: SectionProps & { readonly figures: api.Health | null }) {
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
      {rates.length === 0 ? null : (
        <Table caption="Learned rates" noun="endpoint" columns={rateColumns} rows={rates} />
      )}
    </section>
  );
}

export function LearnedSection({ report }: SectionProps) {
  return (
    <Table
      id="learned"
      caption="Learned about the service: undocumented facts, from its answers"
      noun="fact"
      columns={factColumns}
      rows={words.learnedInWords(report)}
      empty="Nothing has been learned about the service yet."
      source={{ path: '/v1/facts' }}
    />
  );
}
