// What the pages of a vault and of a whitelist entry have in common: whether it is listed, its document, periods and revisions.
import type { DocumentChange } from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Ask } from '../page/ask.ts';
import type { Rendered } from '../page/page.ts';
import { Moment } from '../parts/moment.tsx';
import { Badge, UnknownNotice } from '../parts/notice.tsx';
import { addressOf, type View } from '../view/view.ts';
import { ChangesTable } from './changes-table.tsx';
import { Members } from './differences.tsx';
import { type ReadChanges, readChanges } from './document-text.ts';
import { Periods } from './periods.tsx';

type Kind = 'vault' | 'whitelist_entry';

const revisionsShown = 100;

export async function readHistory(ask: Ask, kind: Kind, id: string): Promise<ReadChanges> {
  return readChanges(await ask.text('listDocumentChanges', historyQuery(kind, id)));
}

function historyQuery(kind: Kind, id: string) {
  return { kind, document_id: id, limit: revisionsShown } as const;
}

export function notThere(view: View, title: string, why: string): Rendered {
  return { title, content: <UnknownNotice view={view} title="Not there" why={why} />, status: 404 };
}

interface Times {
  readonly first_seen_at: string;
  readonly missing_since: string | null;
}

/** Rows of the list of facts. */
export function Listed({
  view,
  row,
  history,
}: {
  readonly view: View;
  readonly row: Times;
  readonly history: ReadChanges;
}) {
  const first: DocumentChange | undefined = history.changes.at(-1)?.row;
  return (
    <>
      <dt>Listed by the service</dt>
      <dd>
        {row.missing_since === null ? (
          <Badge word="listed" tone="good" />
        ) : (
          <>
            <Badge word="removed" tone="bad" /> first missed{' '}
            <Moment view={view} at={row.missing_since} as="both" />
          </>
        )}
      </dd>
      <dt>First seen</dt>
      <dd>
        <Moment view={view} at={row.first_seen_at} />
        {first?.is_older_than_mirror ? (
          <span class="soft"> by the first reading: it is older than the mirror</span>
        ) : null}
      </dd>
    </>
  );
}

interface HistoryProps {
  readonly view: View;
  readonly kind: Kind;
  readonly id: string;
  readonly history: ReadChanges;
}

export function History({ view, kind, id, history }: HistoryProps) {
  const latest = history.changes[0];
  return (
    <>
      <section id="periods">
        <Periods view={view} rows={history.changes.map(({ row }) => row)} />
      </section>
      <section id="revisions">
        <ChangesTable
          view={view}
          caption="Revisions, newest first"
          found={history}
          empty="No revision."
          source={{ path: '/v1/documents/changes', query: historyQuery(kind, id) }}
          isOfOne
          isPaged={false}
        />
        {history.next === null ? null : (
          <p>
            These are the last {revisionsShown}, and the periods are told from them.{' '}
            <a href={addressOf(view, '/documents/changes', { kind, document_id: id })}>All revisions</a>
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
