// Vaults and the whitelist, now or as known at a moment, and what changed lately.
import type {
  Vault,
  VaultAt,
  WhitelistEntry,
  WhitelistEntryAt,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Given } from '../../api/answer/parameters.ts';
import type { Ask, Known } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters, MomentField, TextField } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { Badge, UnknownNotice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { entryAddress, vaultAddress } from '../view/places.ts';
import { addressOf, type Query, type View } from '../view/view.ts';
import { ChangesTable } from './changes-table.tsx';
import { readChanges } from './document-text.ts';

const { cursor } = parametersOf('listVaults', 'cursor');
const shownAtOnce = 50;
const changesShown = 10;
const changedDays = 30;
const dayMs = 86_400_000;

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
  async show({ given, view, ask }) {
    const { vaults, entries } = queriesOf(given);
    return {
      title: 'Vaults and whitelist',
      content: (
        <>
          <DocumentFilters view={view} />
          <p class="jumps">
            <a href={addressOf(view, '/documents/payments')}>Who was paid</a>{' '}
            <a href={addressOf(view, '/documents/payments', { is_whitelisted: false })}>
              Paid off the list, last 7 days
            </a>{' '}
            <a href={addressOf(view, '/documents/changes')}>All changes</a>
          </p>
          {await latestChanges(view, ask, given)}
          <Vaults view={view} query={vaults} found={await ask.known('listVaults', vaults)} />
          <Entries view={view} query={entries} found={await ask.known('listWhitelist', entries)} />
        </>
      ),
    };
  },
};

/** With a moment, only what was listed then is shown: there is nothing missing among it. */
function queriesOf(given: Given): { readonly vaults: Query; readonly entries: Query } {
  const { at, missing, vault_type, address, asset_id, network_id, vaults_cursor, whitelist_cursor } = given;
  const both = { at, missing: at === undefined ? missing : undefined, limit: shownAtOnce };
  return {
    vaults: { ...both, vault_type, cursor: vaults_cursor },
    entries: { ...both, address, asset_id, network_id, cursor: whitelist_cursor },
  };
}

function DocumentFilters({ view }: { readonly view: View }) {
  return (
    <Filters view={view} label="Vaults and whitelist">
      <MomentField view={view} name="at" label="As of" />
      <ChoiceField
        view={view}
        name="vault_type"
        label="Vaults"
        options={[
          ['warm', 'warm'],
          ['cold', 'cold'],
        ]}
      />
      <TextField view={view} name="address" label="Address on the whitelist" />
      <TextField view={view} name="asset_id" label="Asset on the whitelist" />
      <TextField view={view} name="network_id" label="Network on the whitelist" />
      {view.query['at'] === undefined ? (
        <ChoiceField
          view={view}
          name="missing"
          label="Listed by the service"
          any="listed or removed"
          options={[
            ['false', 'listed now'],
            ['true', 'removed'],
          ]}
        />
      ) : null}
    </Filters>
  );
}

interface ListProps<Answer> {
  readonly view: View;
  readonly query: Query;
  readonly found: Known<Answer>;
}

function Vaults({ view, query, found }: ListProps<{ data: unknown[]; next_cursor: string | null }>) {
  if ('unknown' in found)
    return <UnknownNotice view={view} title="Vaults are not known" why={found.unknown.why} />;
  const columns: readonly Column<Vault | VaultAt>[] = [
    {
      title: 'Vault',
      cell: (row) => (
        <a href={vaultAddress(view, row.vault_id)}>
          <UntrustedText text={row.name ?? row.vault_id} most={80} />
        </a>
      ),
    },
    { title: 'Type', cell: (row) => <UntrustedText text={row.vault_type} none="not told" most={40} /> },
    { title: 'Identifier', cell: (row) => <UntrustedText text={row.vault_id} code most={80} /> },
    ...stateColumns<Vault | VaultAt>(view),
  ];
  return (
    <section id="vaults">
      <Table
        view={view}
        caption="Vaults"
        noun="vault"
        columns={columns}
        rows={found.answer.data as (Vault | VaultAt)[]}
        empty="No vault matches."
        source={{ path: '/v1/vaults', query }}
        next={found.answer.next_cursor}
        cursorName="vaults_cursor"
      />
    </section>
  );
}

type Entry = WhitelistEntry | WhitelistEntryAt;

function Entries({ view, query, found }: ListProps<{ data: unknown[]; next_cursor: string | null }>) {
  if ('unknown' in found)
    return <UnknownNotice view={view} title="The whitelist is not known" why={found.unknown.why} />;
  const columns: readonly Column<Entry>[] = [
    {
      title: 'Entry',
      cell: (row) => (
        <a href={entryAddress(view, row.entry_id)}>
          <UntrustedText text={row.name ?? row.entry_id} most={80} />
        </a>
      ),
    },
    { title: 'Address', cell: (row) => <UntrustedText text={row.address} code most={80} none="not told" /> },
    { title: 'Asset', cell: (row) => <UntrustedText text={row.asset_id} none="any" most={40} /> },
    { title: 'Network', cell: (row) => <UntrustedText text={row.network_id} none="any" most={40} /> },
    ...stateColumns<Entry>(view),
  ];
  return (
    <section id="whitelist">
      <Table
        view={view}
        caption="Whitelist: who may be paid"
        noun="entry"
        plural="entries"
        columns={columns}
        rows={found.answer.data as Entry[]}
        empty="No entry matches."
        source={{ path: '/v1/whitelist', query }}
        next={found.answer.next_cursor}
        cursorName="whitelist_cursor"
      />
    </section>
  );
}

type State =
  | Pick<Vault, 'first_seen_at' | 'changed_at' | 'missing_since'>
  | Pick<VaultAt, 'observed_at' | 'revision'>;

function stateColumns<Row extends State>(view: View): readonly Column<Row>[] {
  if (view.query['at'] !== undefined)
    return [{ title: 'In this state since', cell: (row) => <Moment view={view} at={observedOf(row)} /> }];
  return [
    {
      title: 'Listed',
      cell: (row) =>
        'missing_since' in row && row.missing_since !== null ? (
          <>
            <Badge word="removed" tone="bad" /> <Moment view={view} at={row.missing_since} />
          </>
        ) : (
          <Badge word="listed" tone="good" />
        ),
    },
    { title: 'Last change', cell: (row) => <Moment view={view} at={observedOf(row)} /> },
  ];
}

function observedOf(row: State): string {
  return 'observed_at' in row ? row.observed_at : row.changed_at;
}

async function latestChanges(view: View, ask: Ask, { at }: Given) {
  const since = new Date(Date.parse(at ?? view.now) - changedDays * dayMs).toISOString();
  const query = {
    observed_from: since,
    observed_to: at,
    is_older_than_mirror: 'false',
    limit: changesShown,
  } as const;
  const found = readChanges(await ask.text('listDocumentChanges', query));
  return (
    <section id="changes">
      <ChangesTable
        view={view}
        caption={`What changed in the ${changedDays} days before ${at === undefined ? 'now' : 'this moment'}`}
        found={found}
        empty={`The mirror saw no change in these ${changedDays} days.`}
        source={{ path: '/v1/documents/changes', query }}
        isPaged={false}
      />
      {found.next === null ? null : (
        <p>
          <a href={addressOf(view, '/documents/changes', { observed_from: since, observed_to: at })}>
            All changes of this time
          </a>
        </p>
      )}
    </section>
  );
}
