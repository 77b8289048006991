// One transaction with everything that is known of it: its current status and why, its facts, its statuses
// with their bounds, what changed, and the record as it was received.
import type { Ask, TransactionWithHistory } from '../api/ask.ts';
import { pathSegment } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Notice } from '../parts/notice.tsx';
import { Link, UntrustedText } from '../parts/values.tsx';
import { isObservedBy } from '../view/moments.ts';
import { apiAddress, useView } from '../view/view.ts';
import { Facts } from './facts.tsx';
import { CurrentStatus, RawRecord, Revisions, Timeline } from './history.tsx';
import { titleOf, valuesOf } from './rows.tsx';

export const transactionPage: Page = {
  path: '/transactions/:transaction_id',
  section: 'transactions',
  about: ['transactions'],
  parameters: parametersOf('getTransaction', 'transaction_id'),
  async show({ params, view, ask }) {
    const id = params['transaction_id'] ?? '';
    const asked = { transaction_id: id };
    const { data } = await ask.known('getTransaction', asked);
    if (data === null)
      return { title: 'Transaction not found', status: 404, content: <NotMirrored id={id} /> };
    const usual = (await ask('getUsualTimes', asked)).data;
    const json = `/v1/transactions/${pathSegment(id)}`;
    const text = await ask.text('getTransaction', asked);
    return {
      title: titleOf(data),
      content: [
        <CurrentStatus transaction={data} usual={usual} />,
        <div class="first record">
          <Timeline transaction={data} usual={usual} />
          <Facts
            transaction={data}
            use={await useOf(ask, data)}
            isFeeAssetKnown={await isFeeAssetKnown(ask, data)}
            isObservedBy={{
              before: await isObservedBy(ask, data.first_seen_after ?? data.first_seen_at),
              since: await isObservedBy(ask, data.status_since),
            }}
            values={await valuesOf(ask, [data], data.asset_id ?? undefined)}
          />
        </div>,
        <Revisions transaction={data} />,
        <RawRecord text={text} />,
        <p class="beside">
          <Link to="/transactions">All transactions</Link>
          <a href={apiAddress(view, json)}>JSON of this transaction</a>
        </p>,
      ],
    };
  },
};

async function useOf(ask: Ask, { transaction_id, transaction_type }: TransactionWithHistory) {
  if (transaction_type !== 'withdraw') return null;
  return (await ask.known('listDestinationUses', { transaction_id, limit: 1 })).data[0] ?? null;
}

/** The asset of the transaction always has a page; another asset only if it is held. */
async function isFeeAssetKnown(ask: Ask, { asset_id, fee_asset_id }: TransactionWithHistory) {
  if (fee_asset_id === null || fee_asset_id === asset_id) return true;
  return (await ask.known('listBalances', { asset_id: fee_asset_id, limit: 1 })).data.length > 0;
}

function NotMirrored({ id }: { readonly id: string }) {
  const view = useView();
  return (
    <Notice tone="note" title="No transaction with this identifier">
      <p>
        Looked for <UntrustedText text={id} code most={500} /> among the transactions of{' '}
        <UntrustedText text={view.account} />. The service never listed it, or it has not been read yet. The
        bar above shows how fresh the transactions are.
      </p>
      <p>
        <Link to={['/transactions', { search: id.slice(0, 500) }]}>Search for it</Link> in hashes, addresses
        and notes too, or <Link to="/transactions">see all transactions</Link>.
      </p>
    </Notice>
  );
}
