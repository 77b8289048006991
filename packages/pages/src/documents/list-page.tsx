// Vaults and the whitelist, now or as known at a moment, and what changed lately.
import type * as api from '../api/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { type Column, column, Table, textColumn } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { daysBefore, endOf } from '../view/moments.ts';
import type { View } from '../view/view.ts';
import { ChangesTable, DocumentLink, readChanges } from './changes.tsx';
import { Listed } from './one-document.tsx';

const { cursor } = parametersOf('listVaults', 'cursor');
const shownAtOnce = 50;
const changesShown = 10;
const changedDays = 30;

export const documentsPage: Page = {
  path: '/documents',
  section: 'documents',
  about: ['vaults', 'whitelist'],
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
          {chips.map(([word, to]) => (
            <Link isChip to={to}>
              {word}
            </Link>
          ))}
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
  { title: 'Vault', cell: (row) => <DocumentLink kind="vault" id={row.vault_id} name={row.name} /> },
  textColumn('Type', (row) => row.vault_type, { none: 'not sent', most: 40 }),
  textColumn('Identifier', (row) => row.vault_id, { code: true, most: 30, visible: true }),
];

const entryColumns: readonly Column<AnyEntry>[] = [
  column('Entry', (row) => <DocumentLink kind="whitelist_entry" id={row.entry_id} name={row.name} />),
  textColumn('Address', (row) => row.address, { code: true, most: 80, none: 'not sent', visible: true }),
  textColumn('Asset', (row) => row.asset_id, { none: 'any', most: 40 }),
  textColumn('Network', (row) => row.network_id, { none: 'any', most: 40 }),
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
  const observed: Column<State> = {
    title: at === undefined ? 'Last change' : 'In this state since',
    cell: (row) => <Moment at={'observed_at' in row ? row.observed_at : row.changed_at} as="short" />,
  };
  const cell = (row: State) => (
    <Listed missing_since={'missing_since' in row ? row.missing_since : null} as="short" />
  );
  return at === undefined ? [{ title: 'Listed', cell }, observed] : [observed];
}

async function latestChanges(view: View, ask: api.Ask, { at }: api.Params) {
  const until = at === undefined ? undefined : endOf(at, view.closed);
  const since = daysBefore(until ?? view.now, changedDays);
  const span = { observed_from: since, observed_to: until };
  const query = { ...span, is_older_than_mirror: 'false', limit: changesShown } as const;
  const found = readChanges(await ask.text('listDocumentChanges', query));
  return (
    <ChangesTable
      id="changes"
      caption={`Changes in the ${changedDays} days before ${at === undefined ? 'now' : 'this moment'}`}
      rows={found.data}
      empty={`No change was observed in these ${changedDays} days.`}
      source={{ path: '/v1/documents/changes', query }}
      below={
        found.next_cursor !== null && (
          <p>
            <Link to={['/documents/changes', span]}>All changes in this time</Link>
          </p>
        )
      }
    />
  );
}
