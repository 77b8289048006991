// Observed states of vaults and whitelist entries with what each changed value by value, newest first, and
// the values of a document.

import type { Child } from 'hono/jsx';
import { counted } from '../../../../src/domain/words.ts';
import type { DocumentChange } from '../api/interface.ts';
import { Badge, Fact } from '../parts/notice.tsx';
import { type Column, Table, type TableProps } from '../parts/table.tsx';
import { Between, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { entryPath, vaultPath } from '../view/view.ts';
import type { ReadChange, ReadChanges } from './document-text.ts';

interface ChangesTableProps extends Omit<TableProps<ReadChange>, 'columns' | 'rows' | 'noun'> {
  readonly found: ReadChanges;
  /** Of one document, which need not be named in each row. */
  readonly isOfOne?: boolean;
}

export function ChangesTable({ found, isOfOne = false, ...table }: ChangesTableProps) {
  const happened: readonly Column<ReadChange>[] = [
    { title: 'Change', isPlain: true, cell: ({ row }) => badgeOf(row) },
    { title: 'Before and after', isPlain: true, cell: whatOf },
  ];
  const columns: readonly Column<ReadChange>[] = isOfOne
    ? [
        { title: 'When', cell: ({ row }) => <Between after={row.observed_after} by={row.observed_at} /> },
        ...happened,
      ]
    : [
        {
          title: 'Item',
          cell: ({ row }) => <DocumentLink kind={row.kind} id={row.document_id} name={row.name} />,
        },
        { title: 'Kind', isPlain: true, cell: ({ row }) => row.kind.replace('_', ' ') },
        ...happened,
        { title: 'Seen', isPlain: true, cell: ({ row }) => <Moment at={row.observed_at} as="short" /> },
      ];
  return <Table {...table} isLinked={!isOfOne} noun="change" columns={columns} rows={found.changes} />;
}

function whatOf({ row, differences }: ReadChange) {
  if (row.change === 'removed') return <>no longer listed by the service</>;
  if (row.change === 'restored' && differences.length === 0) return <>listed again, unchanged</>;
  if (row.change !== 'added') return <Differences differences={differences} />;
  return (
    <>
      {[row.vault_type, row.asset_id, row.network_id].map((text) => (
        <>
          <UntrustedText text={text} most={40} none="" visible />{' '}
        </>
      ))}
      <UntrustedText text={row.address} code most={80} none="" visible />
    </>
  );
}

type LinkProps = Pick<DocumentChange, 'kind' | 'name'> & { readonly id: string };

/** A document by its name, as a link to its page. */
export function DocumentLink({ kind, id, name }: LinkProps) {
  const path = kind === 'vault' ? vaultPath(id) : entryPath(id);
  return <TextLink to={path} text={name ?? id} most={80} visible />;
}

function badgeOf(row: DocumentChange) {
  if (row.is_older_than_mirror) return <Badge word="first read" tone="plain" />;
  const tones = { added: 'good', changed: 'note', removed: 'bad', restored: 'good' } as const;
  return <Badge word={row.change} tone={tones[row.change as keyof typeof tones] ?? 'plain'} />;
}

const mostShown = 40;

function valueList<Each extends { readonly path: string }>(
  values: readonly Each[],
  show: (each: Each) => Child,
) {
  const rest = values.length - mostShown;
  return (
    <dl>
      {values.slice(0, mostShown).map((each) => (
        <Fact name={<UntrustedText text={each.path} none="the document" most={80} />}>{show(each)}</Fact>
      ))}
      {rest <= 0 ? null : <Fact name="…">{counted(rest, 'value')} more: see the JSON</Fact>}
    </dl>
  );
}

function Differences({ differences }: Pick<ReadChange, 'differences'>) {
  if (differences.length === 0) return <span class="soft">only the format of its values</span>;
  return valueList(differences, ({ before, after }) => (
    <>
      <span class="hidden">before: </span>
      <del>
        <Value value={before} />
      </del>{' '}
      <span aria-hidden="true">→</span> <span class="hidden">after: </span>
      <ins>
        <Value value={after} />
      </ins>
    </>
  ));
}

export function Members({ members }: Pick<ReadChange, 'members'>) {
  return valueList(members, ({ value }) => <Value value={value} />);
}

function Value({ value }: { readonly value: string | null }) {
  if (value === null) return <span class="soft">absent</span>;
  // A text without its quotes.
  const shown = value.startsWith('"') ? String(JSON.parse(value)) : value;
  return <UntrustedText text={shown} none="empty" visible />;
}
