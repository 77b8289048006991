// What changed in vaults and whitelist entries, value by value, newest first. Documents of the service are
// read from the text of the JSON: their numbers stay exact.
import type { Child } from 'hono/jsx';
import { parse, stringify } from 'lossless-json';
import type { DocumentChange, Leaves } from '../api/ask.ts';
import { counted, jsonLeaves } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { Badge, Fact } from '../parts/notice.tsx';
import { type Column, column, Table, type TableProps } from '../parts/table.tsx';
import { Between, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { entryPath, vaultPath } from '../view/view.ts';

const shownAtOnce = 50;

const fields: readonly Field[] = [
  { name: 'observed_from', label: 'From', kind: 'moment' },
  { name: 'observed_to', label: 'To', kind: 'moment' },
  choice('kind', 'Kind', { vault: 'vaults', whitelist_entry: 'whitelist' }, 'vaults and whitelist'),
  { name: 'change', label: 'Change', choices: ['added', 'changed', 'removed', 'restored'] },
  choice(
    'is_older_than_mirror',
    'First seen by the initial sync',
    { false: 'excluded', true: 'only these' },
    'included',
  ),
  { name: 'document_id', label: 'Identifier' },
];

export const documentChangesPage: Page = {
  path: '/documents/changes',
  section: 'documents',
  about: ['vaults', 'whitelist'],
  parameters: parametersOf('listDocumentChanges', ...fields.map(({ name }) => name), 'cursor'),
  async show({ params, ask }) {
    const query = { ...params, limit: shownAtOnce };
    const found = readChanges(await ask.text('listDocumentChanges', query));
    return {
      title: 'Changes of vaults and whitelist',
      content: [
        <Filters label="Changes" fields={fields} />,
        <ChangesTable
          caption="Changes, newest first"
          rows={found}
          empty="No such change was observed. The bar above shows what has been read."
          source={{ path: '/v1/documents/changes', query }}
        />,
      ],
    };
  },
};

interface ChangesTableProps extends Omit<TableProps<ReadChange>, 'columns' | 'noun'> {
  readonly isOfOne?: boolean;
}

export function ChangesTable({ isOfOne = false, ...table }: ChangesTableProps) {
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
        column('Item', ({ row }) => <DocumentLink kind={row.kind} id={row.document_id} name={row.name} />),
        { title: 'Kind', isPlain: true, cell: ({ row }) => row.kind.replace('_', ' ') },
        ...happened,
        { title: 'Seen', isPlain: true, cell: ({ row }) => <Moment at={row.observed_at} as="short" /> },
      ];
  return <Table {...table} isLinked={!isOfOne} noun="change" columns={columns} />;
}

function whatOf({ row, differences }: ReadChange) {
  if (row.change === 'removed') return ['no longer listed by the service'];
  if (row.change === 'restored' && differences.length === 0) return ['listed again, unchanged'];
  if (row.change !== 'added') return <Differences differences={differences} />;
  return [
    [row.vault_type, row.asset_id, row.network_id].map((text) => (
      <>
        <UntrustedText text={text} most={40} none="" visible />{' '}
      </>
    )),
    <UntrustedText text={row.address} code most={80} none="" visible />,
  ];
}

type LinkProps = Pick<DocumentChange, 'kind' | 'name'> & { readonly id: string };

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
  return valueList(differences, ({ before, after }) => [
    <span class="hidden">before: </span>,
    <del>
      <Value value={before} />
    </del>,
    ' ',
    <span aria-hidden="true">→</span>,
    ' ',
    <span class="hidden">after: </span>,
    <ins>
      <Value value={after} />
    </ins>,
  ]);
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

type ReadChange = ReturnType<typeof readChanges>['data'][number];

export function readChanges(json: string) {
  const exact = parse(json) as { readonly data: readonly Readonly<Record<string, unknown>>[] };
  const plain = JSON.parse(json) as { data: DocumentChange[]; next_cursor: string | null };
  return {
    data: plain.data.map((row, index) => {
      const { before = {}, after = {}, document = {} } = exact.data[index] ?? {};
      return { row, differences: differencesOf(before, after), members: membersOf(document) };
    }),
    next_cursor: plain.next_cursor,
  };
}

function leavesOf(value: unknown) {
  return jsonLeaves(stringify(value) ?? 'null', new Set());
}

/** The values of a document: the path to each, and its JSON text. */
function membersOf(document: unknown) {
  return [...leavesOf(document)]
    .map(([path, value]) => ({ path, value }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Values before and after; null where one was absent. */
function differencesOf(before: unknown, after: unknown) {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  const shownAt = (leaves: Leaves, path: string) =>
    path === '' && leaves.get(path) === '{}' ? null : (leaves.get(path) ?? null);
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .map((path) => ({ path, before: shownAt(was, path), after: shownAt(is, path) }))
    .filter((each) => each.before !== each.after);
}
