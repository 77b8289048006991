// The pages of a vault and of a whitelist entry: what it is, whether it is listed, its document, periods and
// revisions.
import type { Child } from 'hono/jsx';
import type { Ask, Known, Rows } from '../page/ask.ts';
import type { Rendered } from '../page/page.ts';
import { Badge, Fact, TextFact, UnknownNotice } from '../parts/notice.tsx';
import { Link, Moment, UntrustedText } from '../parts/values.tsx';
import { ChangesTable } from './changes-table.tsx';
import { Members } from './differences.tsx';
import { type ReadChanges, readChanges } from './document-text.ts';
import { Periods } from './periods.tsx';

interface Row {
  readonly name: string | null;
  readonly first_seen_at: string;
  readonly missing_since: string | null;
}

interface OneDocument<Document extends Row> {
  readonly title: 'Vault' | 'Whitelist entry';
  readonly kind: 'vault' | 'whitelist_entry';
  readonly id: string;
  readonly found: Known<Rows<Document>>;
  /** What is told of it beside what every document has. */
  facts(document: Document): Child;
  /** Links to its transactions. */
  transactions(document: Document): Child;
  /** Between its facts and its history. */
  section(document: Document): Promise<Child>;
}

const revisionsShown = 100;

export async function showDocument<Document extends Row>(
  ask: Ask,
  { title, kind, id, found, ...parts }: OneDocument<Document>,
): Promise<Rendered> {
  const row = 'answer' in found ? found.answer.data[0] : undefined;
  if (row === undefined) {
    const never = `The mirror never saw a ${title.toLowerCase()} with this identifier.`;
    const why = 'unknown' in found ? found.unknown.why : never;
    return { title, content: <UnknownNotice title="Not there" why={why} />, status: 404 };
  }
  const query = { kind, document_id: id, limit: revisionsShown };
  const history = readChanges(await ask.text('listDocumentChanges', query));
  return {
    title,
    content: (
      <>
        <section id="what">
          <h2>
            <UntrustedText text={row.name ?? id} />
          </h2>
          <dl>
            {parts.facts(row)}
            <TextFact name="Identifier" text={id} code />
            <Listed row={row} history={history} />
            <Fact name="Transactions">{parts.transactions(row)}</Fact>
          </dl>
        </section>
        {await parts.section(row)}
        <History query={query} history={history} />
      </>
    ),
  };
}

function Listed({ row, history }: { readonly row: Row; readonly history: ReadChanges }) {
  const first = history.changes.at(-1)?.row;
  return (
    <>
      <Fact name="Listed by the service">
        {row.missing_since === null ? (
          <Badge word="listed" tone="good" />
        ) : (
          <>
            <Badge word="removed" tone="bad" /> first missed <Moment at={row.missing_since} as="both" />
          </>
        )}
      </Fact>
      <Fact name="First seen">
        <Moment at={row.first_seen_at} />
        {first?.is_older_than_mirror ? (
          <span class="soft"> by the first reading: it is older than the mirror</span>
        ) : null}
      </Fact>
    </>
  );
}

interface HistoryProps {
  /** What the history answers. */
  readonly query: { readonly kind: string; readonly document_id: string; readonly limit: number };
  readonly history: ReadChanges;
}

function History({ query, history }: HistoryProps) {
  const { kind, document_id } = query;
  const latest = history.changes[0];
  return (
    <>
      <section id="periods">
        <Periods rows={history.changes.map(({ row }) => row)} />
      </section>
      <section id="revisions">
        <ChangesTable
          caption="Revisions, newest first"
          found={history}
          empty="No revision."
          source={{ path: '/v1/documents/changes', query }}
          isOfOne
          isPaged={false}
        />
        {history.next === null ? null : (
          <p>
            These are the last {revisionsShown}, and the periods are told from them.{' '}
            <Link to={['/documents/changes', { kind, document_id }]}>All revisions</Link>
          </p>
        )}
      </section>
      <section id="document">
        <h2>The record as the service sent it{latest?.row.change === 'removed' ? ' last' : ''}</h2>
        {latest === undefined ? <p class="soft">unknown</p> : <Members members={latest.members} />}
      </section>
    </>
  );
}
