// Quarantined records and anomalies by kind, as a section of the page, and the pages that list them:
// quarantine with the text as received and the reason.
import type { Child } from 'hono/jsx';
import type { Anomaly, Found, QuarantinedRecord, StatusReport } from '../api/ask.ts';
import * as words from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, column, Table, type TableProps } from '../parts/table.tsx';
import { Link, Moment, TextLink, UntrustedBlock, UntrustedText } from '../parts/values.tsx';
import { type Query, transactionPath } from '../view/view.ts';

interface Finding {
  readonly what: Child;
  readonly to: readonly [path: string, query: Query];
  readonly open: number;
  readonly lastObservedAt: string | null;
}

export function FindingsSection({ report }: { readonly report: StatusReport }) {
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

function findingsOf({ anomalies, quarantine }: StatusReport): readonly Finding[] {
  return [
    ...quarantine
      .filter(({ open }) => open > 0)
      .map(({ resource, ...seen }) => ({
        ...seen,
        what: `${words.onOneLine(resource)} that could not be read`,
        to: ['/sync/quarantine', { resource, resolved: 'false' }] as const,
      })),
    ...anomalies.map(({ kind, ...seen }) => ({
      ...seen,
      what: (
        <>
          {words.anomalyInWords(kind) ?? <bdi>{words.onOneLine(kind)}</bdi>}{' '}
          <code>{words.onOneLine(kind)}</code>
        </>
      ),
      to: ['/sync/anomalies', { kind, resolved: 'false' }] as const,
    })),
  ];
}

const findingColumns: readonly Column<Finding>[] = [
  { title: 'What', cell: ({ what, to }) => <Link to={to}>{what}</Link> },
  { title: 'Open', isNumber: true, cell: ({ open }) => words.grouped(open) },
  { title: 'Last seen', cell: ({ lastObservedAt }) => <Moment at={lastObservedAt} as="age" /> },
];

const seenColumns: readonly Column<Anomaly | QuarantinedRecord>[] = [
  column('Seen', ({ first_observed_at, last_observed_at, occurrences }) => [
    <Moment at={first_observed_at} />,
    ' ',
    <span class="small">
      {words.counted(occurrences, 'time')}, last <Moment at={last_observed_at} as="age" />
    </span>,
  ]),
  column('State', ({ resolved_at: at }) =>
    at === null
      ? [<Badge word="open" tone="note" />]
      : [<Badge word="resolved" tone="good" />, ' ', <Moment at={at} as="short" />],
  ),
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

const quarantineColumns: readonly Column<QuarantinedRecord>[] = [
  column('List', ({ resource, quarantine_id }) => [
    <bdi>{resource}</bdi>,
    ' ',
    <span class="soft">no. {quarantine_id}</span>,
  ]),
  column('Reason and record', ({ reason, raw, quarantine_id }) => [
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

const anomalyColumns: readonly Column<Anomaly>[] = [
  column('What', ({ kind }) => [
    words.anomalyInWords(kind),
    ' ',
    <span class="soft">
      <UntrustedText text={kind} code />
    </span>,
  ]),
  column('Concerns', ({ kind, resource, resource_id }) => [
    <bdi>{resource}</bdi>,
    ' ',
    <TextLink
      to={words.isAnomalyOfTransaction(kind) && resource_id !== '' ? transactionPath(resource_id) : null}
      text={resource_id}
      code
      none="the whole list"
    />,
  ]),
  column('Details', ({ anomaly_id, details }) =>
    folded(`anomaly-${anomaly_id}`, 'Observed', JSON.stringify(details, null, 2)),
  ),
  ...seenColumns,
];

export const anomaliesPage = foundListPage({
  id: 'listAnomalies',
  title: 'Anomalies',
  about:
    'Data is mirrored as the service sends it. Anomalies in it are listed here and resolved once they are gone.',
  fields: [
    {
      name: 'kind',
      label: 'Kind',
      choices: words.anomalyKinds.map((kind) => [kind, words.anomalyInWords(kind) ?? kind] as const),
    },
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

export function foundListPage<Row>(list: FoundList<Row>): Page {
  const { id, title, what = title, about, fields, rowsOfPage = 50, ...table } = list;
  return {
    path: `/sync/${title.toLowerCase()}`,
    section: 'sync',
    about: [],
    parameters: parametersOf(id, ...fields.map(({ name }) => name), 'cursor', 'limit'),
    async show({ params, ask }) {
      const query = { limit: rowsOfPage, ...params };
      const found = (await ask.known(id, query)) as Found<Row>;
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
