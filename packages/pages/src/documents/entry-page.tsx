// One whitelist entry: what it allows, when it was listed, what was paid to it, and its revisions.

import type { Ask, Known, Rows } from '../api/ask.ts';
import type { WhitelistEntry } from '../api/interface.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { TextFact } from '../parts/notice.tsx';
import { Link } from '../parts/values.tsx';
import { showDocument } from './one-document.tsx';
import { PaymentsTable } from './payments-table.tsx';

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
      found: (await ask.known('listWhitelist', { entry_id: id })) as Known<Rows<WhitelistEntry>>,
      facts: ({ address, asset_id, network_id }) => (
        <>
          <TextFact name="Address" text={address} code none="not sent" visible />
          <TextFact name="Asset" text={asset_id} none="any" />
          <TextFact name="Network" text={network_id} none="any" />
        </>
      ),
      transactions: ({ address }) => (
        <>
          <Link to={['/transactions', { destination_id: id }]}>to this entry</Link>
          {address ? ' · ' : ''}
          {address && <Link to={['/transactions', { destination_address: address }]}>to its address</Link>}
        </>
      ),
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
