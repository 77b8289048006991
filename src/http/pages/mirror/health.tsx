// Whether the mirror is healthy; each problem with its cause, since when, what to do, and where to look.
import { type ProblemInWords, problemsInWords } from '../../../status/health.ts';
import type { Judgement } from '../../../status/words.ts';
import { disabledResources, type StatusReport } from '../../../store/query/status.ts';
import { Moment } from '../parts/moment.tsx';
import { Badge } from '../parts/notice.tsx';
import { addressOf, type View } from '../view/view.ts';

interface HealthProps {
  readonly view: View;
  readonly report: StatusReport;
}

const severities: Readonly<Record<ProblemInWords['severity'], Judgement>> = {
  critical: { word: 'critical', tone: 'bad' },
  warning: { word: 'warning', tone: 'note' },
  note: { word: 'worth knowing', tone: 'plain' },
};

export function HealthSection({ view, report }: HealthProps) {
  const problems = problemsInWords(report);
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const notes = problems.filter(({ severity }) => severity === 'note');
  return (
    <section class={`verdict ${wrong.length === 0 ? 'good' : 'bad'}`} id="health">
      {wrong.length === 0 ? (
        <>
          <h2>Healthy</h2>
          <p class="soft">{everything(report)} is mirrored and fresh.</p>
        </>
      ) : (
        <>
          <h2>Needs attention</h2>
          <Problems view={view} problems={wrong} />
        </>
      )}
      {notes.length === 0 ? null : <Problems view={view} problems={notes} />}
    </section>
  );
}

function everything(report: StatusReport): string {
  const resourcesOff = disabledResources(report);
  return resourcesOff.length === 0 ? 'Everything' : `Everything but ${resourcesOff.join(' and ')}`;
}

function Problems({ view, problems }: { readonly view: View; readonly problems: readonly ProblemInWords[] }) {
  return (
    <ul class="problems">
      {problems.map((found) => (
        <li>
          <p>
            <Badge {...severities[found.severity]} /> {found.problem}
            {found.alike === '' ? '' : `, and ${found.alike}`}.{' '}
            {found.since === null ? null : (
              <span class="soft">
                Began <Moment view={view} at={found.since} as="both" />.
              </span>
            )}
          </p>
          {found.fix === null ? null : (
            <p>
              <strong>What to do:</strong> {fixesHere[found.code] ?? found.fix}.
            </p>
          )}
          <Evidence view={view} problem={found} />
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
function Evidence({ view, problem }: { readonly view: View; readonly problem: ProblemInWords }) {
  const { code, subject } = problem;
  switch (code) {
    case 'failing':
    case 'key-refused':
    case 'stale':
    case 'never-read':
      return <a href={addressOf(view, '/mirror/runs', { job: subject })}>Runs of this job</a>;
    case 'never-verified':
    case 'verified-long-ago':
      return (
        <a href={addressOf(view, '/mirror/runs', { verified: 'false' })}>Sweeps that were not verified</a>
      );
    case 'quarantine':
      return (
        <a href={addressOf(view, '/mirror/quarantine', { resource: subject, resolved: 'false' })}>
          The records that could not be read
        </a>
      );
    case 'anomaly':
      return (
        <a href={addressOf(view, '/mirror/anomalies', { kind: subject, resolved: 'false' })}>
          The anomalies of this kind
        </a>
      );
    case 'too-many-vanished':
    case 'clock-refused':
      return (
        <a href={addressOf(view, '/mirror/anomalies', { kind: code, resolved: 'false' })}>What was seen</a>
      );
    default:
      return null;
  }
}
