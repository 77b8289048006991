// One whitelist entry: what it allows, when it was listed, what was paid to it, and its revisions.
import type { WhitelistEntry } from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Ask } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { UntrustedText } from '../parts/text.tsx';
import { addressOf, type View } from '../view/view.ts';
import { History, Listed, notThere, readHistory } from './one-document.tsx';
import { PaymentsTable } from './payments-table.tsx';

const paymentsShown = 10;

export const entryPage: Page = {
  path: '/documents/whitelist/:entry_id',
  section: 'documents',
  about: ['whitelist', 'transactions'],
  parameters: parametersOf('getWhitelistEntry', 'entry_id'),
  async show({ given: { entry_id: id = '' }, view, ask }) {
    const found = await ask.known('listWhitelist', { entry_id: id });
    if ('unknown' in found) return notThere(view, 'Whitelist entry', found.unknown.why);
    const entry = found.answer.data[0] as WhitelistEntry | undefined;
    if (entry === undefined)
      return notThere(
        view,
        'Whitelist entry',
        'The mirror never saw a whitelist entry with this identifier.',
      );
    const history = await readHistory(ask, 'whitelist_entry', id);
    return {
      title: 'Whitelist entry',
      content: (
        <>
          <section id="what">
            <h2>
              <UntrustedText text={entry.name ?? id} />
            </h2>
            <dl>
              <dt>Address</dt>
              <dd>
                <UntrustedText text={entry.address} code none="not told" />
              </dd>
              <dt>Asset</dt>
              <dd>
                <UntrustedText text={entry.asset_id} none="any: the entry names none" />
              </dd>
              <dt>Network</dt>
              <dd>
                <UntrustedText text={entry.network_id} none="any: the entry names none" />
              </dd>
              <dt>Identifier</dt>
              <dd>
                <UntrustedText text={id} code />
              </dd>
              <Listed view={view} row={entry} history={history} />
              <dt>Transactions</dt>
              <dd>
                <a href={addressOf(view, '/transactions', { destination_id: id })}>to this entry</a>
                {entry.address ? (
                  <>
                    {' · '}
                    <a href={addressOf(view, '/transactions', { destination_address: entry.address })}>
                      to its address
                    </a>
                  </>
                ) : null}
              </dd>
            </dl>
          </section>
          <section id="payments">{await payments(view, ask, id)}</section>
          <History view={view} kind="whitelist_entry" id={id} history={history} />
        </>
      ),
    };
  },
};

async function payments(view: View, ask: Ask, id: string) {
  const query = { destination_id: id, limit: paymentsShown };
  const { data, next_cursor } = await ask('listDestinationUses', query);
  return (
    <>
      <PaymentsTable
        view={view}
        caption="Latest payments to this entry"
        rows={data}
        empty="The mirror saw no payment to this entry."
        source={{ path: '/v1/destinations/uses', query }}
        next={null}
      />
      {next_cursor === null ? null : (
        <p>
          <a
            href={addressOf(view, '/documents/payments', {
              destination_id: id,
              first_seen_from: '1970-01-01T00:00:00Z',
            })}
          >
            All payments to this entry
          </a>
        </p>
      )}
    </>
  );
}
