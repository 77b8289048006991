// What changed in a transaction beside its status, field by field, as before and after.
import type { TransactionWithHistory } from '../../../../packages/client/src/generated/types/api-types.ts';
import { type Column, Table, textColumn } from '../parts/table.tsx';
import { Moment, UntrustedText } from '../parts/values.tsx';

interface Change {
  readonly at: string;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export function Revisions({
  transaction: { transaction_id, revisions },
}: {
  readonly transaction: TransactionWithHistory;
}) {
  const changes = revisions.flatMap(({ observed_at: at, changed_fields, before, after }) =>
    changed_fields.map((field) => ({ at, field, before: before[field], after: after[field] })),
  );
  return (
    <section>
      <h2>What changed beside the status</h2>
      <Table
        caption="Changes, field by field"
        noun="change"
        columns={columns}
        rows={changes}
        empty="Nothing else was seen to change."
        source={{ path: `/v1/transactions/${encodeURIComponent(transaction_id)}/revisions` }}
      />
    </section>
  );
}

const columns: readonly Column<Change>[] = [
  { title: 'Seen at', cell: ({ at }) => <Moment at={at} /> },
  textColumn('Field', ({ field }) => fieldInWords(field)),
  { title: 'Before', cell: ({ before }) => <Value value={before} /> },
  { title: 'After', cell: ({ after }) => <Value value={after} /> },
];

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
