// Whether the mirror is healthy; each problem with its cause, since when, what to do, and where to look.
import { mirroredResources, type ProblemInWords, problemsInWords } from '../../../status/health.ts';
import type { Judgement, StatusReport } from '../../../status/words.ts';
import { Badge, Notice } from '../parts/notice.tsx';
import { Link, Moment } from '../parts/values.tsx';

const severities: Readonly<Record<ProblemInWords['severity'], Judgement>> = {
  critical: { word: 'critical', tone: 'bad' },
  warning: { word: 'warning', tone: 'note' },
  note: { word: 'worth knowing', tone: 'plain' },
};

export function HealthSection({ report }: { readonly report: StatusReport }) {
  const problems = problemsInWords(report);
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const notes = problems.filter(({ severity }) => severity === 'note');
  const isHealthy = wrong.length === 0;
  return (
    <Notice id="health" tone={isHealthy ? 'good' : 'bad'} title={isHealthy ? 'Healthy' : 'Needs attention'}>
      {isHealthy ? <p class="soft">{mirroredResources(report)} is mirrored and fresh.</p> : null}
      <Problems problems={[...wrong, ...notes]} />
    </Notice>
  );
}

function Problems({ problems }: { readonly problems: readonly ProblemInWords[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="problems">
      {problems.map((found) => (
        <li>
          <p>
            <Badge {...severities[found.severity]} /> {found.problem}
            {found.alike === '' ? '' : `, and ${found.alike}`}.{' '}
            {found.since === null ? null : (
              <span class="soft">
                Began <Moment at={found.since} as="both" />.
              </span>
            )}
          </p>
          {found.fix === null ? null : (
            <p>
              <strong>What to do:</strong> {fixesHere[found.code] ?? found.fix}.
            </p>
          )}
          <Evidence problem={found} />
        </li>
      ))}
    </ul>
  );
}

/** What to do where these pages show what a table of the database holds. */
const fixesHere: Readonly<Record<string, string>> = {
  quarantine:
    'read the reason below; who runs the custody service can correct the record. Until it can be read it is missing from its list, and no other record is',
  anomaly: 'look at what was seen, below',
};

/** Where the page shows what the problem is about. */
function Evidence({ problem }: { readonly problem: ProblemInWords }) {
  const { code, subject } = problem;
  switch (code) {
    case 'failing':
    case 'key-refused':
    case 'stale':
    case 'never-read':
      return <Link to={['/mirror/runs', { job: subject }]}>Runs of this job</Link>;
    case 'never-verified':
    case 'verified-long-ago':
      return <Link to={['/mirror/runs', { verified: 'false' }]}>Sweeps that were not verified</Link>;
    case 'quarantine':
      return (
        <Link to={['/mirror/quarantine', { resource: subject, resolved: 'false' }]}>
          The records that could not be read
        </Link>
      );
    case 'anomaly':
      return (
        <Link to={['/mirror/anomalies', { kind: subject, resolved: 'false' }]}>
          The anomalies of this kind
        </Link>
      );
    case 'too-many-vanished':
    case 'clock-refused':
      return <Link to={['/mirror/anomalies', { kind: code, resolved: 'false' }]}>What was seen</Link>;
    default:
      return null;
  }
}
