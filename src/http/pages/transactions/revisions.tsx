// What changed in a transaction beside its status, field by field, as before and after.
import type { TransactionWithHistory } from '../../../../packages/client/src/generated/types/api-types.ts';
import { Moment } from '../parts/moment.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import type { View } from '../view/view.ts';

interface Change {
  readonly at: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function Revisions({
  view,
  transaction: { transaction_id, revisions },
}: {
  readonly view: View;
  readonly transaction: TransactionWithHistory;
}) {
  const changes = revisions.flatMap(({ observed_at: at, changed_fields, before, after }) =>
    changed_fields.map((field) => ({ at, field, before: before[field], after: after[field] })),
  );
  return (
    <section>
      <h2>What changed beside the status</h2>
      <Table
        view={view}
        caption="Changes, field by field"
        noun="change"
        columns={columnsOf(view)}
        rows={changes}
        empty="Nothing else was seen to change."
        source={{ path: `/v1/transactions/${encodeURIComponent(transaction_id)}/revisions` }}
      />
    </section>
  );
}

function columnsOf(view: View): readonly Column<Change>[] {
  return [
    {
      title: 'Seen at',
      cell: ({ at }) => <Moment view={view} at={at} />,
    },
    { title: 'Field', cell: ({ field }) => <UntrustedText text={fieldInWords(field)} /> },
    { title: 'Before', cell: ({ before }) => <Value value={before} /> },
    { title: 'After', cell: ({ after }) => <Value value={after} /> },
  ];
}

const fields = new Map([
  ['txn_hash', 'hash'],
  ['blockexplorer_link', 'link to the explorer'],
  ['missing_since', 'no longer shown since'],
]);

function fieldInWords(field: string): string {
  return fields.get(field) ?? field.replace(/^raw\./, 'field of the record: ').replaceAll('_', ' ');
}

/** A value that was absent is told from an empty one. */
function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">none</span>;
  if (value === '') return <span class="soft">empty</span>;
  return <UntrustedText text={typeof value === 'string' ? value : JSON.stringify(value)} most={500} />;
}
