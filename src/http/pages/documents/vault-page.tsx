// One vault: what it is, what it holds as far as that is known, when it was listed, and its revisions.
import type { Vault } from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Ask } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/moment.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { assetAddress } from '../view/places.ts';
import { addressOf, type View } from '../view/view.ts';
import { History, Listed, notThere, readHistory } from './one-document.tsx';

export const vaultPage: Page = {
  path: '/documents/vaults/:vault_id',
  section: 'documents',
  about: ['vaults', 'balances'],
  parameters: parametersOf('getVault', 'vault_id'),
  async show({ given: { vault_id: id = '' }, view, ask }) {
    const found = await ask.known('listVaults', { vault_id: id });
    if ('unknown' in found) return notThere(view, 'Vault', found.unknown.why);
    const vault = found.answer.data[0] as Vault | undefined;
    if (vault === undefined)
      return notThere(view, 'Vault', 'The mirror never saw a vault with this identifier.');
    const history = await readHistory(ask, 'vault', id);
    return {
      title: 'Vault',
      content: (
        <>
          <section id="what">
            <h2>
              <UntrustedText text={vault.name ?? id} />
            </h2>
            <dl>
              <dt>Type</dt>
              <dd>
                <UntrustedText text={vault.vault_type} none="not told" />
              </dd>
              <dt>Identifier</dt>
              <dd>
                <UntrustedText text={id} code />
              </dd>
              <Listed view={view} row={vault} history={history} />
              <dt>Transactions</dt>
              <dd>
                <a href={addressOf(view, '/transactions', { source_id: id })}>out of it</a>
                {' · '}
                <a href={addressOf(view, '/transactions', { destination_id: id })}>into it</a>
              </dd>
            </dl>
          </section>
          <section id="holds">
            <h2>What it holds</h2>
            {await holdings(view, ask, vault)}
          </section>
          <History view={view} kind="vault" id={id} history={history} />
        </>
      ),
    };
  },
};

const shownBalances = 50;

/** The service tells balances by type of vault, and so of a vault only where it is the only one of its type. */
async function holdings(view: View, ask: Ask, { vault_type, missing_since }: Vault) {
  const type = vault_type?.toLowerCase();
  if (type !== 'warm' && type !== 'cold')
    return (
      <p>Not known: the service tells balances of warm and of cold vaults, and this vault is neither.</p>
    );
  if (missing_since !== null) return <p>Not known: the service no longer lists this vault.</p>;
  const listed = await ask('listVaults', { vault_type: type, missing: 'false', limit: 2 });
  const isOnly = listed.data.length === 1 && listed.next_cursor === null;
  const query = { vault_type: type, limit: shownBalances } as const;
  const found = await ask.known('listBalances', query);
  if ('unknown' in found)
    return <UnknownNotice view={view} title="Balances are not known" why={found.unknown.why} />;
  return (
    <>
      <p>
        {isOnly
          ? `It is the only ${type} vault, so it holds what the service tells of ${type} vaults.`
          : `The service tells balances by type of vault, not of each. All ${type} vaults together hold this; how much of it lies in this one is not known.`}{' '}
        <a href={addressOf(view, '/balances', { vault_type: type })}>Balances of {type} vaults</a>
      </p>
      <Table
        view={view}
        caption={isOnly ? 'Balances' : `Balances of all ${type} vaults`}
        noun="balance"
        columns={[
          {
            title: 'Asset',
            cell: ({ asset_id, asset_name }) => (
              <a href={assetAddress(view, asset_id)}>
                <UntrustedText text={asset_name ?? asset_id} most={80} />
              </a>
            ),
          },
          {
            title: 'Network',
            cell: (row) => <UntrustedText text={row.network_name ?? row.network_id} most={80} />,
          },
          {
            title: 'Total',
            isNumber: true,
            cell: (row) => <Amount view={view} value={row.total_balance} unit={row.asset_id} />,
          },
          { title: 'Unchanged since', cell: (row) => <Moment view={view} at={row.unchanged_since} /> },
        ]}
        rows={found.answer.data}
        empty="Nothing: the last observation lists no balance."
        source={{ path: '/v1/balances', query }}
      />
      {found.answer.next_cursor === null ? null : (
        <p>These are the first {shownBalances}; the page of balances shows all.</p>
      )}
    </>
  );
}
