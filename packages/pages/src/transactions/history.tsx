// Changes to a transaction other than its status, field by field, and the record as it was received when it
// last changed. Its numbers keep their digits, and characters that would not show are written as JSON
// escapes.

import { parse, stringify } from 'lossless-json';
import { pathSegment, type TransactionWithHistory } from '../api/interface.ts';
import { type Column, Table, textColumn } from '../parts/table.tsx';
import { Moment, UntrustedText } from '../parts/values.tsx';

type Change = ReturnType<typeof changesOf>[number];

function changesOf({ revisions }: TransactionWithHistory) {
  return revisions.flatMap(({ observed_at: at, changed_fields, before, after }) =>
    changed_fields.map((field) => ({ at, field, before: before[field], after: after[field] })),
  );
}

export function Revisions({ transaction }: { readonly transaction: TransactionWithHistory }) {
  const { transaction_id } = transaction;
  return (
    <Table
      id="changes"
      caption="Other changes"
      noun="change"
      columns={columns}
      rows={changesOf(transaction)}
      empty="Only its status has changed."
      source={{ path: `/v1/transactions/${pathSegment(transaction_id)}/revisions` }}
    />
  );
}

const columns: readonly Column<Change>[] = [
  { title: 'Seen at', cell: ({ at }) => <Moment at={at} as="short" /> },
  textColumn('Field', ({ field }) => fieldInWords(field)),
  { title: 'Before', cell: ({ before }) => <Value value={before} /> },
  { title: 'After', cell: ({ after }) => <Value value={after} /> },
];

const fields = new Map([
  ['txn_hash', 'hash'],
  ['blockexplorer_link', 'link to the explorer'],
  ['missing_since', 'no longer listed since'],
]);

function fieldInWords(field: string): string {
  return fields.get(field) ?? field.replace(/^raw\./, 'field of the record: ').replaceAll('_', ' ');
}

/** An absent value is distinguished from an empty one. */
function Value({ value }: { readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="soft">none</span>;
  if (value === '') return <span class="soft">empty</span>;
  return <UntrustedText text={typeof value === 'string' ? value : JSON.stringify(value)} most={500} />;
}

const longest = 60_000;

/** @param text what the API answers for the transaction */
export function RawRecord({ text }: { readonly text: string }) {
  const { data } = parse(text) as { readonly data: { readonly raw: unknown } };
  const record = visible(stringify(data.raw, null, 2) ?? '');
  const isCut = record.length > longest;
  return (
    <section>
      <h2>Record as received</h2>
      <p class="soft">All fields, as of the last change, in the order in which the database keeps them.</p>
      <details>
        <summary>Show the record</summary>
        <pre class="raw" dir="ltr">
          {record.slice(0, longest)}
        </pre>
        {isCut ? <p>Truncated: see the JSON of this transaction.</p> : null}
      </details>
    </section>
  );
}

/** Characters that change the direction of text or are not seen, as `\\u202e`; line breaks stay. */
function visible(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u007f-\u009f]/gu, (found) =>
    found.split('').map(escaped).join(''),
  );
}
