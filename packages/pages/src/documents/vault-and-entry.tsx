// One vault: what it holds as far as that is known. One whitelist entry: what it allows, and its payments.
import type { Ask, Balance, BalanceAt, Found, Vault, WhitelistEntry } from '../api/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { TextFact, UnknownNotice } from '../parts/notice.tsx';
import { amountColumn, type Column, column, Table, textColumn } from '../parts/table.tsx';
import { Link, Moment, TextLink } from '../parts/values.tsx';
import { assetPath } from '../view/view.ts';
import { showDocument } from './one-document.tsx';
import { PaymentsTable } from './payments.tsx';

export const vaultPage: Page = {
  path: '/documents/vaults/:vault_id',
  section: 'documents',
  about: ['vaults', 'balances'],
  parameters: parametersOf('getVault', 'vault_id'),
  async show({ params: { vault_id: id = '' }, ask }) {
    return await showDocument(ask, {
      title: 'Vault',
      kind: 'vault',
      id,
      found: (await ask.known('listVaults', { vault_id: id })) as Found<Vault>,
      facts: ({ vault_type }) => <TextFact name="Type" text={vault_type} none="not sent" />,
      transactions: () => [
        <Link to={['/transactions', { source_id: id }]}>from it</Link>,
        ' ·',
        ' ',
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

const balanceColumns: readonly Column<Balance | BalanceAt>[] = [
  column('Asset', ({ asset_id, asset_name }) => (
    <TextLink to={assetPath(asset_id)} text={asset_name ?? asset_id} most={80} />
  )),
  textColumn('Network', (row) => row.network_name ?? row.network_id, { most: 80 }),
  amountColumn('Total', (row) => row.total_balance, { unitOf: (row) => row.asset_id }),
  { title: 'Unchanged since', cell: (row) => <Moment at={row.unchanged_since} as="short" /> },
];

/** The service reports balances by vault type: those of a vault are known only if it is alone in its type. */
async function holdings(ask: Ask, { vault_type, missing_since }: Vault) {
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

export const entryPage: Page = {
  path: '/documents/whitelist/:entry_id',
  section: 'documents',
  about: ['whitelist', 'transactions'],
  parameters: parametersOf('getWhitelistEntry', 'entry_id'),
  async show({ params: { entry_id: id = '' }, ask }) {
    return await showDocument(ask, {
      title: 'Whitelist entry',
      kind: 'whitelist_entry',
      id,
      found: (await ask.known('listWhitelist', { entry_id: id })) as Found<WhitelistEntry>,
      facts: ({ address, asset_id, network_id }) => [
        <TextFact name="Address" text={address} code none="not sent" visible />,
        <TextFact name="Asset" text={asset_id} none="any" />,
        <TextFact name="Network" text={network_id} none="any" />,
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

async function payments(ask: Ask, id: string) {
  const query = { destination_id: id, limit: paymentsShown };
  const all = { destination_id: id, first_seen_from: '1970-01-01T00:00:00Z' };
  const { data, next_cursor } = await ask('listDestinationUses', query);
  return (
    <PaymentsTable
      id="payments"
      isOfOne
      caption="Latest payments to this entry"
      rows={data}
      empty="No payment to this entry has been observed."
      source={{ path: '/v1/destinations/uses', query }}
      below={
        next_cursor !== null && (
          <p>
            <Link to={['/documents/payments', all]}>All payments to this entry</Link>
          </p>
        )
      }
    />
  );
}
