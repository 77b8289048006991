// What the mirror set aside and what it found odd, by kind, each leading to the list of its records.
import type { Child } from 'hono/jsx';
import { grouped, onOneLine } from '../../../domain/words.ts';
import { anomalyInWords, type StatusReport } from '../../../status/words.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import type { Query } from '../view/view.ts';

interface Finding {
  readonly open: number;
  readonly what: Child;
  /** The list of its records. */
  readonly to: readonly [path: string, query: Query];
  readonly seenAt: string | null;
}

export function FindingsSection({ report }: { readonly report: StatusReport }) {
  return (
    <section id="findings">
      <h2>Quarantine and anomalies</h2>
      <Table
        caption="Open findings"
        noun="kind"
        columns={columns}
        rows={findingsOf(report)}
        empty="None is open."
      />
      <p>
        <Link to="/mirror/quarantine">Records that could not be read</Link> ·{' '}
        <Link to="/mirror/anomalies">All anomalies</Link>
      </p>
    </section>
  );
}

function findingsOf({ anomalies, quarantine }: StatusReport): readonly Finding[] {
  return [
    ...quarantine
      .filter(({ open }) => open > 0)
      .map(({ resource, open, lastObservedAt }) => ({
        open,
        what: `${onOneLine(resource)} that could not be read: kept as text, with the reason`,
        to: ['/mirror/quarantine', { resource, resolved: 'false' }] as const,
        seenAt: lastObservedAt,
      })),
    ...anomalies.map(({ kind, open, lastObservedAt }) => ({
      open,
      what: (
        <>
          {anomalyInWords(kind) ?? <bdi>{onOneLine(kind)}</bdi>} <code>{onOneLine(kind)}</code>
        </>
      ),
      to: ['/mirror/anomalies', { kind, resolved: 'false' }] as const,
      seenAt: lastObservedAt,
    })),
  ];
}

const columns: readonly Column<Finding>[] = [
  { title: 'What', cell: ({ what, to }) => <Link to={to}>{what}</Link> },
  { title: 'Open', isNumber: true, cell: ({ open }) => grouped(open) },
  { title: 'Last seen', cell: ({ seenAt }) => <Moment at={seenAt} as="age" /> },
];
