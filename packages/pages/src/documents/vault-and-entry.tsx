// One vault: what it holds as far as that is known. One whitelist entry: what it allows, and its payments.

import type { Child } from 'hono/jsx';
import * as api from '../api/ask.ts';
import { type Content, parametersOf, type Rendered } from '../page/page.ts';
import { type Fact, Facts, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Between, Link, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { assetPath } from '../view/view.ts';
import { ChangesTable, Listed, Members, readChanges } from './list-page.tsx';
import { PaymentsTable } from './payments.tsx';

export const vaultPage: Content = {
  parameters: parametersOf('getVault', 'vault_id'),
  async show({ params: { vault_id: id = '' }, ask }) {
    return await showDocument(ask, {
      title: 'Vault',
      kind: 'vault',
      id,
      found: (await ask.known('listVaults', { vault_id: id })) as api.Found<api.Vault>,
      facts: ({ vault_type }) => [['Type', <UntrustedText text={vault_type} none="not sent" />]],
      transactions: () => [
        <Link to={['/transactions', { source_id: id }]}>from it</Link>,
        ' · ',
        <Link to={['/transactions', { destination_id: id }]}>to it</Link>,
      ],
      section: async (vault) => (
        <section id="holds">
          <h2>Balances</h2>
          {await holdings(ask, vault)}
        </section>
      ),
    });
  },
};

const shownBalances = 50;

const balanceColumns: readonly Column<api.Balance | api.BalanceAt>[] = [
  column.of('Asset', ({ asset_id: id, asset_name: name }) => (
    <TextLink to={assetPath(id)} text={name ?? id} most={80} />
  )),
  column.text('Network', (row) => row.network_name ?? row.network_id, { most: 80 }),
  column.amount('Total', (row) => row.total_balance, { unitOf: (row) => row.asset_id }),
  { title: 'Unchanged since', cell: (row) => <Moment at={row.unchanged_since} as="short" /> },
];

/** The service reports balances by vault type: those of a vault are known only if it is alone in its type. */
async function holdings(ask: api.Ask, { vault_type, missing_since }: api.Vault) {
  const type = vault_type?.toLowerCase();
  if (type !== 'warm' && type !== 'cold')
    return (
      <p>Not known: the service reports balances for warm and for cold vaults, and this vault is neither.</p>
    );
  if (missing_since !== null) return <p>Not known: the service no longer lists this vault.</p>;
  const listed = await ask('listVaults', { vault_type: type, missing: 'false', limit: 2 });
  const isOnly = listed.data.length === 1 && listed.next_cursor === null;
  const query = { vault_type: type, limit: shownBalances } as const;
  const { data, next_cursor, unknown } = await ask.known('listBalances', query);
  if (unknown !== null) return <UnknownNotice title="Balances are not known" why={unknown.why} />;
  return [
    <p>
      {isOnly
        ? `This is the only ${type} vault, so these are its balances.`
        : `The service reports balances by type of vault, not for each vault. These are the balances of all ${type} vaults together; how much this one holds is not known.`}{' '}
      <Link to={['/balances', { vault_type: type }]}>Balances of {type} vaults</Link>
    </p>,
    <Table
      caption={isOnly ? 'Balances' : `Balances of all ${type} vaults`}
      noun="balance"
      columns={balanceColumns}
      rows={data}
      empty="The last observation lists no balances."
      source={{ path: '/v1/balances', query }}
      below={next_cursor !== null && <p>The first {shownBalances}; Balances shows all.</p>}
    />,
  ];
}

const paymentsShown = 10;

export const entryPage: Content = {
  parameters: parametersOf('getWhitelistEntry', 'entry_id'),
  async show({ params: { entry_id: id = '' }, ask }) {
    return await showDocument(ask, {
      title: 'Whitelist entry',
      kind: 'whitelist_entry',
      id,
      found: (await ask.known('listWhitelist', { entry_id: id })) as api.Found<api.WhitelistEntry>,
      facts: ({ address, asset_id, network_id }) => [
        ['Address', <UntrustedText text={address} code none="not sent" visible />],
        ['Asset', <UntrustedText text={asset_id} none="any" />],
        ['Network', <UntrustedText text={network_id} none="any" />],
      ],
      transactions: ({ address }) => [
        <Link to={['/transactions', { destination_id: id }]}>to this entry</Link>,
        address ? ' · ' : '',
        address && <Link to={['/transactions', { destination_address: address }]}>to its address</Link>,
      ],
      section: async () => await payments(ask, id),
    });
  },
};

async function payments(ask: api.Ask, id: string) {
  const query = { destination_id: id, limit: paymentsShown };
  const all = { destination_id: id, first_seen_from: '1970-01-01T00:00:00Z' };
  const link = <Link to={['/documents/payments', all]}>All payments to this entry</Link>;
  const { data, next_cursor } = await ask('listDestinationUses', query);
  return (
    <PaymentsTable
      id="payments"
      isOfOne
      caption="Latest payments to this entry"
      rows={data}
      empty="No payment to this entry has been observed."
      source={{ path: '/v1/destinations/uses', query }}
      below={next_cursor !== null && <p>{link}</p>}
    />
  );
}

// The pages of a vault and of a whitelist entry: what it is, whether it is listed, its document, periods and
// revisions.

type Row = Pick<api.Vault, 'name' | 'first_seen_at' | 'missing_since'>;

interface OneDocument<Document extends Row> {
  readonly title: 'Vault' | 'Whitelist entry';
  readonly kind: 'vault' | 'whitelist_entry';
  readonly id: string;
  readonly found: api.Found<Document>;
  facts(document: Document): readonly Fact[];
  transactions(document: Document): Child;
  section(document: Document): Promise<Child>;
}

const revisionsShown = 100;
const older = <span class="soft"> by the initial sync: it existed before</span>;

async function showDocument<Document extends Row>(
  ask: api.Ask,
  { title, kind, id, found, ...parts }: OneDocument<Document>,
): Promise<Rendered> {
  const [row] = found.data;
  if (row === undefined) {
    const isNamed = await api.isNamedByTransactions(ask, { vault: id });
    const never = `No ${title.toLowerCase()} with this identifier has been observed.`;
    const link = <Link to={['/transactions', { vault: id }]}>from it and to it</Link>;
    const content = [
      <UnknownNotice title="Not found" why={found.unknown?.why ?? never} />,
      isNamed && <p>Transactions name it: {link}.</p>,
    ];
    return { title, content, status: isNamed ? 200 : 404 };
  }
  const query = { kind, document_id: id, limit: revisionsShown };
  const history = readChanges(await ask.text('listDocumentChanges', query));
  const [latest] = history.data;
  const isOlder = history.data.at(-1)?.row.is_older_than_mirror;
  return {
    title,
    content: [
      <section id="what">
        <h2>
          <UntrustedText text={row.name ?? id} visible />
        </h2>
        <Facts
          of={[
            ...parts.facts(row),
            ['Identifier', <UntrustedText text={id} code visible />],
            ['Listed by the service', <Listed missing_since={row.missing_since} as="both" />],
            ['First seen', <Moment at={row.first_seen_at} />, isOlder && older],
            ['Transactions', parts.transactions(row)],
          ]}
        />
      </section>,
      await parts.section(row),
      <Table
        id="periods"
        caption="When it was listed"
        noun="period"
        columns={periodColumns}
        rows={periodsOf(history.data.map(({ row }) => row))}
        empty="It has never been listed."
      />,
      <ChangesTable
        id="revisions"
        caption="Revisions, newest first"
        rows={history.data}
        empty="No revision."
        source={{ path: '/v1/documents/changes', query }}
        isOfOne
        below={
          history.next_cursor !== null && (
            <p>
              These are the last {revisionsShown}; the periods are based on them.{' '}
              <Link to={['/documents/changes', { kind, document_id: id }]}>All revisions</Link>
            </p>
          )
        }
      />,
      <section id="document">
        <h2>The record as the service sent it{latest?.row.change === 'removed' ? ' last' : ''}</h2>
        {latest === undefined ? <p class="soft">unknown</p> : <Members members={latest.members} />}
      </section>,
    ],
  };
}

/** States that follow each other without a removal: the first and the last; each end has its bounds. */
type Period = Readonly<Record<'first' | 'last', api.DocumentChange>>;

function periodsOf(rows: readonly api.DocumentChange[]): readonly Period[] {
  const periods: Period[] = [];
  for (const row of rows.filter(({ is_listed }) => is_listed)) {
    const later = periods.at(-1);
    if (later?.first.revision === row.revision + 1) periods.splice(-1, 1, { ...later, first: row });
    else periods.push({ first: row, last: row });
  }
  return periods;
}

const periodColumns: readonly Column<Period>[] = [
  { title: 'From', cell: ({ first }) => from(first) },
  column.of('Until', ({ last: { known_until, valid_to } }) =>
    valid_to === null ? 'still listed' : <Between after={known_until} by={valid_to} />,
  ),
  { title: 'Last read with it', cell: ({ last }) => <Moment at={last.known_until} /> },
];

function from({ is_older_than_mirror, observed_after, observed_at }: api.DocumentChange) {
  if (!is_older_than_mirror) return <Between after={observed_after} by={observed_at} />;
  return ['before ', <Moment at={observed_at} />, ', the initial sync'];
}
