// Whether the mirror is healthy; each problem with its cause, since when, what to do, and where to look.
import {
  type Judgement,
  mirroredResources,
  type ProblemInWords,
  problemsInWords,
  type StatusReport,
} from '../api/interface.ts';
import { Badge, Notice } from '../parts/notice.tsx';
import { Link, Moment } from '../parts/values.tsx';
import type { Query } from '../view/view.ts';

const severities: Readonly<Record<ProblemInWords['severity'], Judgement>> = {
  critical: { word: 'critical', tone: 'bad' },
  warning: { word: 'warning', tone: 'note' },
  note: { word: 'note', tone: 'plain' },
};

export function HealthSection({ report }: { readonly report: StatusReport }) {
  const problems = problemsInWords(report);
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const notes = problems.filter(({ severity }) => severity === 'note');
  const isHealthy = wrong.length === 0;
  return (
    <Notice id="health" tone={isHealthy ? 'good' : 'bad'} title={isHealthy ? 'Healthy' : 'Needs attention'}>
      {isHealthy ? <p class="soft">{mirroredResources(report)} is mirrored and fresh.</p> : null}
      {problems.length > 0 && <ul class="items">{[...wrong, ...notes].map(problemItem)}</ul>}
    </Notice>
  );
}

function problemItem({ problem, severity, alike, since, fix, code, subject }: ProblemInWords) {
  return (
    <li>
      <p>
        <Badge {...severities[severity]} /> {problem}
        {alike === '' ? '' : `, and ${alike}`}.{' '}
        {since && (
          <span class="soft">
            Began <Moment at={since} as="both" />.
          </span>
        )}
      </p>
      {fix && (
        <p>
          <strong>What to do:</strong> {fixesHere[code] ?? fix}.
        </p>
      )}
      {evidence(code, subject)}
    </li>
  );
}

/** What to do where these pages show what a table of the database holds. */
const fixesHere: Readonly<Record<string, string>> = {
  quarantine:
    'read the reason below; the operator of the custody service can correct the record. Until then only this record is missing from its list',
  anomaly: 'see the details below',
};

/** The list that shows what the problem is about. */
function evidence(code: string, subject: ProblemInWords['subject']) {
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
    'too-many-vanished': seen,
  };
  const [words, list, query = {}] = found[code] ?? [];
  return words && <Link to={[`/sync/${list}`, query]}>{words}</Link>;
}
