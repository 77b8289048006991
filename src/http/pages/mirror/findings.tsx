// What the mirror set aside and what it found odd, by kind, each leading to the list of its records.
import type { Child } from 'hono/jsx';
import { grouped, onOneLine } from '../../../domain/words.ts';
import { anomalyInWords, type StatusReport } from '../../../status/words.ts';
import { Moment } from '../parts/moment.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { addressOf, type View } from '../view/view.ts';

interface FindingsProps {
  readonly view: View;
  readonly report: StatusReport;
}

interface Finding {
  readonly open: number;
  readonly what: Child;
  readonly address: string;
  readonly seenAt: string | null;
}

export function FindingsSection({ view, report }: FindingsProps) {
  return (
    <section id="findings">
      <h2>Quarantine and anomalies</h2>
      <Table
        view={view}
        caption="Open findings"
        noun="kind"
        columns={columnsOf(view)}
        rows={findingsOf(view, report)}
        empty="None is open."
      />
      <p>
        <a href={addressOf(view, '/mirror/quarantine')}>Records that could not be read</a> ·{' '}
        <a href={addressOf(view, '/mirror/anomalies')}>All anomalies</a>
      </p>
    </section>
  );
}

function findingsOf(view: View, { anomalies, quarantine }: StatusReport): readonly Finding[] {
  return [
    ...quarantine
      .filter(({ open }) => open > 0)
      .map(({ resource, open, lastObservedAt }) => ({
        open,
        what: `${onOneLine(resource)} that could not be read: kept as text, with the reason`,
        address: addressOf(view, '/mirror/quarantine', { resource, resolved: 'false' }),
        seenAt: lastObservedAt,
      })),
    ...anomalies.map(({ kind, open, lastObservedAt }) => ({
      open,
      what: (
        <>
          {anomalyInWords(kind) ?? <bdi>{onOneLine(kind)}</bdi>} <code>{onOneLine(kind)}</code>
        </>
      ),
      address: addressOf(view, '/mirror/anomalies', { kind, resolved: 'false' }),
      seenAt: lastObservedAt,
    })),
  ];
}

function columnsOf(view: View): readonly Column<Finding>[] {
  return [
    { title: 'What', cell: ({ what, address }) => <a href={address}>{what}</a> },
    { title: 'Open', isNumber: true, cell: ({ open }) => grouped(open) },
    { title: 'Last seen', cell: ({ seenAt }) => <Moment view={view} at={seenAt} as="age" /> },
  ];
}
