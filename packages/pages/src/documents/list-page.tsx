// Vaults and the whitelist, now or as known at a moment, and what changed lately.

import type { Child } from 'hono/jsx';
import { parse, stringify } from 'lossless-json';
import type * as api from '../api/ask.ts';
import type { DocumentChange, Leaves, Vault } from '../api/ask.ts';
import { counted, jsonLeaves } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { Chips, choice, type Field, Filters } from '../parts/form.tsx';
import { Badge, Facts } from '../parts/notice.tsx';
import { type Column, column, Table, type TableProps } from '../parts/table.tsx';
import { Between, Link, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { daysBefore, endOf } from '../view/moments.ts';
import { entryPath, type View, vaultPath } from '../view/view.ts';

const { cursor } = parametersOf('listVaults', 'cursor');
const shownAtOnce = 50;
const changesShown = 10;
const changedDays = 30;

export const documentsPage: Content = {
  parameters: {
    ...parametersOf('listVaults', 'at', 'vault_type', 'missing'),
    ...parametersOf('listWhitelist', 'address', 'asset_id', 'network_id'),
    vaults_cursor: cursor,
    whitelist_cursor: cursor,
  },
  async show({ params, view, ask }) {
    const { vaults, entries } = queriesOf(params);
    return {
      title: 'Vaults and whitelist',
      content: [
        <div class="chips">
          <Chips links={chips} />
          <Filters
            label="Vaults and whitelist"
            fields={params['at'] === undefined ? [...fields, missingField] : fields}
          />
        </div>,
        await latestChanges(view, ask, params),
        <Table
          id="vaults"
          isLinked
          caption="Vaults"
          noun="vault"
          columns={[...vaultColumns, ...stateColumns(params['at'])]}
          rows={await ask.known('listVaults', vaults)}
          unknown="Vaults are not known"
          empty="No vault matches."
          source={{ path: '/v1/vaults', query: vaults }}
          cursorName="vaults_cursor"
        />,
        <Table
          id="whitelist"
          isLinked
          caption="Whitelist: allowed payees"
          noun="entry"
          plural="entries"
          columns={[...entryColumns, ...stateColumns(params['at']), ...(await lastPaid(ask, params))]}
          rows={await ask.known('listWhitelist', entries)}
          unknown="The whitelist is not known"
          empty="No entry matches."
          source={{ path: '/v1/whitelist', query: entries }}
          cursorName="whitelist_cursor"
        />,
      ],
    };
  },
};

const chips = [
  ['Payees', '/documents/payments'],
  ['Not whitelisted, last 7 days', ['/documents/payments', { is_whitelisted: false }]],
  ['All changes', '/documents/changes'],
] as const;

/** At a moment, only what was listed then is shown, so nothing in it is missing. */
function queriesOf(params: api.Params) {
  const { at, missing, vault_type, address, asset_id, network_id, vaults_cursor, whitelist_cursor } = params;
  const both = { at, missing: at === undefined ? missing : undefined, limit: shownAtOnce };
  return {
    vaults: { ...both, vault_type, cursor: vaults_cursor },
    entries: { ...both, address, asset_id, network_id, cursor: whitelist_cursor },
  };
}

const fields: readonly Field[] = [
  { name: 'at', label: 'As of', kind: 'moment' },
  { name: 'vault_type', label: 'Vaults', choices: ['warm', 'cold'] },
  { name: 'address', label: 'Address on the whitelist' },
  { name: 'asset_id', label: 'Asset on the whitelist' },
  { name: 'network_id', label: 'Network on the whitelist' },
];

const listings = { false: 'listed now', true: 'removed' };
const missingField = choice('missing', 'Listed by the service', listings, 'listed or removed');

type AnyVault = api.Vault | api.VaultAt;
type AnyEntry = api.WhitelistEntry | api.WhitelistEntryAt;

const vaultColumns: readonly Column<AnyVault>[] = [
  column.of('Vault', (row) => <DocumentLink kind="vault" id={row.vault_id} name={row.name} />),
  column.text('Type', (row) => row.vault_type, { none: 'not sent', most: 40 }),
  column.text('Identifier', (row) => row.vault_id, { code: true, most: 30, visible: true }),
];

const entryColumns: readonly Column<AnyEntry>[] = [
  column.of('Entry', (row) => <DocumentLink kind="whitelist_entry" id={row.entry_id} name={row.name} />),
  column.text('Address', (row) => row.address, { code: true, most: 80, none: 'not sent', visible: true }),
  column.text('Asset', (row) => row.asset_id, { none: 'any', most: 40 }),
  column.text('Network', (row) => row.network_id, { none: 'any', most: 40 }),
];

const destinationsRead = 500;

/** When each recent payee was last paid; the API does not report it for a past moment. */
async function lastPaid(ask: api.Ask, { at }: api.Params): Promise<readonly Column<AnyEntry>[]> {
  if (at !== undefined) return [];
  const { data, next_cursor, unknown } = await ask.known('listDestinations', { limit: destinationsRead });
  if (unknown !== null) return [];
  // The latest comes first, and one entry may be paid in several assets.
  const last = new Map(data.toReversed().map((row) => [row.destination_id, row.last_used_at]));
  const none = next_cursor === null ? 'not seen' : 'long ago or never';
  const cell = ({ entry_id }: AnyEntry) => <Moment at={last.get(entry_id)} as="short" none={none} />;
  return [{ title: 'Last paid', cell }];
}

type State =
  | Pick<api.Vault, 'first_seen_at' | 'changed_at' | 'missing_since'>
  | Pick<api.VaultAt, 'observed_at' | 'revision'>;

function stateColumns(at: string | undefined): readonly Column<State>[] {
  const observed = column.of(at === undefined ? 'Last change' : 'In this state since', (row: State) => (
    <Moment at={'observed_at' in row ? row.observed_at : row.changed_at} as="short" />
  ));
  const listed = column.of('Listed', (row: State) => (
    <Listed missing_since={'missing_since' in row ? row.missing_since : null} as="short" />
  ));
  return at === undefined ? [listed, observed] : [observed];
}

async function latestChanges(view: View, ask: api.Ask, { at }: api.Params) {
  const until = at === undefined ? undefined : endOf(at, view.closed);
  const since = daysBefore(until ?? view.now, changedDays);
  const span = { observed_from: since, observed_to: until };
  const query = { ...span, is_older_than_mirror: 'false', limit: changesShown } as const;
  const found = readChanges(await ask.text('listDocumentChanges', query));
  const all = <Link to={['/documents/changes', span]}>All changes in this time</Link>;
  return (
    <ChangesTable
      id="changes"
      caption={`Changes in the ${changedDays} days before ${at === undefined ? 'now' : 'this moment'}`}
      rows={found.data}
      empty={`No change was observed in these ${changedDays} days.`}
      source={{ path: '/v1/documents/changes', query }}
      below={found.next_cursor !== null && <p>{all}</p>}
    />
  );
}

// What changed in vaults and whitelist entries, value by value, newest first. Documents of the service are
// read from the text of the JSON: their numbers stay exact.

const initial = { false: 'excluded', true: 'only these' };
const changeFields: readonly Field[] = [
  { name: 'observed_from', label: 'From', kind: 'moment' },
  { name: 'observed_to', label: 'To', kind: 'moment' },
  choice('kind', 'Kind', { vault: 'vaults', whitelist_entry: 'whitelist' }, 'vaults and whitelist'),
  { name: 'change', label: 'Change', choices: ['added', 'changed', 'removed', 'restored'] },
  choice('is_older_than_mirror', 'First seen by the initial sync', initial, 'included'),
  { name: 'document_id', label: 'Identifier' },
];

export const documentChangesPage: Content = {
  parameters: parametersOf('listDocumentChanges', ...changeFields.map(({ name }) => name), 'cursor'),
  async show({ params, ask }) {
    const query = { ...params, limit: shownAtOnce };
    const found = readChanges(await ask.text('listDocumentChanges', query));
    return {
      title: 'Changes of vaults and whitelist',
      content: [
        <Filters label="Changes" fields={changeFields} />,
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
  const [when, item, kind, change, what, seen] = changeColumns;
  const columns = isOfOne ? [when, change, what] : [item, kind, change, what, seen];
  return <Table {...table} isLinked={!isOfOne} noun="change" columns={columns} />;
}

const changeColumns = [
  column.of('When', ({ row }: ReadChange) => <Between after={row.observed_after} by={row.observed_at} />),
  column.of('Item', ({ row }: ReadChange) => <DocumentLink {...row} id={row.document_id} />),
  column.plain('Kind', ({ row }: ReadChange) => row.kind.replace('_', ' ')),
  column.plain('Change', ({ row }: ReadChange) => badgeOf(row)),
  column.plain('Before and after', whatOf),
  column.plain('Seen', ({ row }: ReadChange) => <Moment at={row.observed_at} as="short" />),
] as const;

function whatOf({ row, differences }: ReadChange) {
  if (row.change === 'removed') return ['no longer listed by the service'];
  if (row.change === 'restored' && differences.length === 0) return ['listed again, unchanged'];
  if (row.change !== 'added') return <Differences differences={differences} />;
  return [
    ...[row.vault_type, row.asset_id, row.network_id].map((text) => [
      <UntrustedText text={text} most={40} none="" visible />,
      ' ',
    ]),
    <UntrustedText text={row.address} code most={80} none="" visible />,
  ];
}

function DocumentLink({ kind, id, name }: Pick<DocumentChange, 'kind' | 'name'> & { readonly id: string }) {
  const path = kind === 'vault' ? vaultPath(id) : entryPath(id);
  return <TextLink to={path} text={name ?? id} most={80} visible />;
}

type ListedProps = Pick<Vault, 'missing_since'> & { readonly as: 'short' | 'both' };

export function Listed({ missing_since, as }: ListedProps) {
  if (missing_since === null) return <Badge word="listed" tone="good" />;
  return (
    <>
      <Badge word="removed" tone="bad" /> {as === 'both' ? 'first missing ' : ''}
      <Moment at={missing_since} as={as} />
    </>
  );
}

function badgeOf(row: DocumentChange) {
  if (row.is_older_than_mirror) return <Badge word="first read" tone="plain" />;
  const tones = { added: 'good', changed: 'note', removed: 'bad', restored: 'good' } as const;
  return <Badge word={row.change} tone={tones[row.change as keyof typeof tones] ?? 'plain'} />;
}

const mostShown = 40;

type At = { readonly path: string };

function valueList<Each extends At>(values: readonly Each[], show: (each: Each) => Child) {
  const rest = values.length - mostShown;
  const facts = values
    .slice(0, mostShown)
    .map((each) => [<UntrustedText text={each.path} none="the document" most={80} />, show(each)] as const);
  return <Facts of={[...facts, rest > 0 && ['…', `${counted(rest, 'value')} more: see the JSON`]]} />;
}

function Differences({ differences }: Pick<ReadChange, 'differences'>) {
  if (differences.length === 0) return <span class="soft">only the format of its values</span>;
  return valueList(differences, ({ before, after }) => [
    <span class="hidden">before: </span>,
    <del>{leafInWords(before)}</del>,
    [' ', <span aria-hidden="true">→</span>, ' '],
    <span class="hidden">after: </span>,
    <ins>{leafInWords(after)}</ins>,
  ]);
}

export function Members({ members }: Pick<ReadChange, 'members'>) {
  return valueList(members, ({ value }) => leafInWords(value));
}

function leafInWords(value: string | null) {
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
