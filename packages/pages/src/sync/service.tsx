// Who writes, what is asked of the service and how fast, and what was learned of it.

import { counted, grouped, onOneLine } from '../../../../src/domain/words.ts';
import {
  type Health as Figures,
  type LearnedRate,
  learnedInWords,
  learnedRates,
  type ProcessState,
  type StatusReport,
  sealedInWords,
} from '../api/interface.ts';
import { type Column, column, Table, textColumn } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';

interface SectionProps {
  readonly report: StatusReport;
}

const roles: Readonly<Record<ProcessState['role'], string>> = {
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
}: SectionProps & { readonly process: ProcessState | null }) {
  const isOwn = lease !== null && process !== null && lease.holder === process.holder;
  return (
    <section id="writer">
      <h2>Writer</h2>
      {lease === null ? (
        <p>None: nothing is mirrored until a process starts.</p>
      ) : (
        <p>
          <code>
            <bdi>{onOneLine(lease.holder)}</bdi>
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
  const words = sealedInWords(report);
  if (words.length === 0) return null;
  return (
    <section id="sealed">
      <h2>Sealed history</h2>
      {words.map((line) => (
        <p>{line}</p>
      ))}
    </section>
  );
}

const learnedColumn = column('Learned', ({ updatedAt }: { readonly updatedAt: string | null }) => (
  <Moment at={updatedAt} as="age" />
));

const rateColumns: readonly Column<LearnedRate>[] = [
  textColumn('Endpoint', ({ endpoint }) => endpoint),
  { title: 'Requests per second', isNumber: true, cell: ({ perSecond }) => perSecond },
  learnedColumn,
];

const factColumns: readonly Column<StatusReport['learned'][number]>[] = [
  textColumn('Fact', ({ fact }) => fact, { code: true }),
  textColumn('Value', ({ value }) => value),
  textColumn('Evidence', ({ evidence }) => evidence, { most: 500 }),
  learnedColumn,
];

export function RequestsSection({ report, figures }: SectionProps & { readonly figures: Figures | null }) {
  const rates = learnedRates(report);
  return (
    <section id="requests">
      <h2>Requests to the service</h2>
      {figures === null ? (
        <p class="soft">The number of requests is not known at present.</p>
      ) : (
        <p>
          In the last 24 hours: {counted(figures.requests_24h, 'request')} in{' '}
          {counted(figures.runs_24h, 'run')}, {grouped(figures.failed_runs_24h)} of which failed. The service
          rate-limited {counted(figures.rate_limited_24h, 'request')}.
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
      rows={learnedInWords(report)}
      empty="Nothing has been learned about the service yet."
      source={{ path: '/v1/facts' }}
    />
  );
}
