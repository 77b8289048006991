// The pages of a vault and of a whitelist entry: what it is, whether it is listed, its document, periods and
// revisions.
import type { Child } from 'hono/jsx';
import { type Ask, type DocumentChange, type Found, isNamedByTransactions, type Vault } from '../api/ask.ts';
import type { Rendered } from '../page/page.ts';
import { Badge, Fact, TextFact, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Between, Link, Moment, UntrustedText } from '../parts/values.tsx';
import { ChangesTable, Members, readChanges } from './changes.tsx';

type Row = Pick<Vault, 'name' | 'first_seen_at' | 'missing_since'>;

interface OneDocument<Document extends Row> {
  readonly title: 'Vault' | 'Whitelist entry';
  readonly kind: 'vault' | 'whitelist_entry';
  readonly id: string;
  readonly found: Found<Document>;
  facts(document: Document): Child;
  transactions(document: Document): Child;
  section(document: Document): Promise<Child>;
}

const revisionsShown = 100;
const older = <span class="soft"> by the initial sync: it existed before</span>;

export async function showDocument<Document extends Row>(
  ask: Ask,
  { title, kind, id, found, ...parts }: OneDocument<Document>,
): Promise<Rendered> {
  const [row] = found.data;
  if (row === undefined) {
    const never = `No ${title.toLowerCase()} with this identifier has been observed.`;
    return { title, ...(await notThere(ask, id, found.unknown?.why ?? never)) };
  }
  const query = { kind, document_id: id, limit: revisionsShown };
  const history = readChanges(await ask.text('listDocumentChanges', query));
  const [latest] = history.data;
  return {
    title,
    content: [
      <section id="what">
        <h2>
          <UntrustedText text={row.name ?? id} visible />
        </h2>
        <dl>
          {parts.facts(row)}
          <TextFact name="Identifier" text={id} code visible />
          <Fact name="Listed by the service">
            <Listed missing_since={row.missing_since} as="both" />
          </Fact>
          <Fact name="First seen">
            <Moment at={row.first_seen_at} />
            {history.data.at(-1)?.row.is_older_than_mirror && older}
          </Fact>
          <Fact name="Transactions">{parts.transactions(row)}</Fact>
        </dl>
      </section>,
      await parts.section(row),
      <Table
        id="periods"
        caption="When it was listed"
        noun="period"
        columns={periodColumns}
        rows={periodsOf(history.data.map(({ row }) => row))}
        empty="It has never been listed."
      />,
      <ChangesTable
        id="revisions"
        caption="Revisions, newest first"
        rows={history.data}
        empty="No revision."
        source={{ path: '/v1/documents/changes', query }}
        isOfOne
        below={
          history.next_cursor !== null && (
            <p>
              These are the last {revisionsShown}; the periods are based on them.{' '}
              <Link to={['/documents/changes', { kind, document_id: id }]}>All revisions</Link>
            </p>
          )
        }
      />,
      <section id="document">
        <h2>The record as the service sent it{latest?.row.change === 'removed' ? ' last' : ''}</h2>
        {latest === undefined ? <p class="soft">unknown</p> : <Members members={latest.members} />}
      </section>,
    ],
  };
}

async function notThere(ask: Ask, id: string, why: string): Promise<Omit<Rendered, 'title'>> {
  const isNamed = await isNamedByTransactions(ask, { vault: id });
  const content = [
    <UnknownNotice title="Not found" why={why} />,
    isNamed && (
      <p>
        Transactions name it: <Link to={['/transactions', { vault: id }]}>from it and to it</Link>.
      </p>
    ),
  ];
  return { content, status: isNamed ? 200 : 404 };
}

type ListedProps = Pick<Row, 'missing_since'> & { readonly as: 'short' | 'both' };

export function Listed({ missing_since, as }: ListedProps) {
  if (missing_since === null) return <Badge word="listed" tone="good" />;
  return (
    <>
      <Badge word="removed" tone="bad" /> {as === 'both' ? 'first missing ' : ''}
      <Moment at={missing_since} as={as} />
    </>
  );
}

/** States that follow each other without a removal: the first and the last; each end has its bounds. */
type Period = Readonly<Record<'first' | 'last', DocumentChange>>;

function periodsOf(rows: readonly DocumentChange[]): readonly Period[] {
  const periods: Period[] = [];
  for (const row of rows.filter(({ is_listed }) => is_listed)) {
    const later = periods.at(-1);
    if (later?.first.revision === row.revision + 1) periods.splice(-1, 1, { ...later, first: row });
    else periods.push({ first: row, last: row });
  }
  return periods;
}

const periodColumns: readonly Column<Period>[] = [
  { title: 'From', cell: ({ first }) => from(first) },
  column('Until', ({ last: { known_until, valid_to } }) =>
    valid_to === null ? 'still listed' : <Between after={known_until} by={valid_to} />,
  ),
  { title: 'Last read with it', cell: ({ last }) => <Moment at={last.known_until} /> },
];

function from({ is_older_than_mirror, observed_after, observed_at }: DocumentChange) {
  if (!is_older_than_mirror) return <Between after={observed_after} by={observed_at} />;
  return ['before ', <Moment at={observed_at} />, ', the initial sync'];
}
