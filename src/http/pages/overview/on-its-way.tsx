// What is on its way now: open transactions, the oldest first.
import type { Transaction } from '../../../../packages/client/src/generated/types/api-types.ts';
import { lengthInWords } from '../../../domain/words.ts';
import { shownTime } from '../parts/moment.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { transactionAddress } from '../view/places.ts';
import type { View } from '../view/view.ts';
import { isStuck } from './attention.tsx';
import { emptyWords, type Overview, readState } from './load.ts';
import { AssetLink, More, OtherSide, Part, Short, TypeWord } from './parts.tsx';

const shown = 8;

export function OnItsWay({ view, data }: { readonly view: View; readonly data: Overview }) {
  const { open, hasMoreOpen } = data;
  const count = hasMoreOpen ? `more than ${open.length}` : String(open.length);
  const rows = open.slice(0, shown);
  return (
    <Part
      id="open"
      title="On its way now"
      more={
        <More view={view} path="/transactions" query={{ is_open: 'true' }}>
          {open.length > shown ? `All ${count} open transactions` : 'Open transactions'}
        </More>
      }
    >
      {readState(data, 'transactions') === 'in part' ? (
        <p class="left-out">The transactions were not read to their end yet: these are a part.</p>
      ) : null}
      <Table
        view={view}
        caption={
          open.length > shown
            ? `The oldest ${shown} of ${count} open transactions`
            : 'Open transactions, the oldest first'
        }
        isCounted={open.length > shown}
        noun="transaction"
        columns={columnsOf(view)}
        rows={rows}
        empty={emptyWords(data, 'transactions', 'Nothing is on its way.')}
        source={{ path: '/v1/transactions', query: { is_open: true, sort: 'first_seen_at' } }}
      />
    </Part>
  );
}

function columnsOf(view: View): readonly Column<Transaction>[] {
  return [
    {
      title: 'What',
      cell: (row) => (
        <a href={transactionAddress(view, row.transaction_id)}>
          <TypeWord type={row.transaction_type} />
        </a>
      ),
    },
    { title: 'Amount', isNumber: true, cell: (row) => <Short view={view} value={row.amount} /> },
    { title: 'Asset', cell: (row) => <AssetLink view={view} id={row.asset_id} network={row.network_id} /> },
    { title: 'Other side', cell: (row) => <OtherSide row={row} /> },
    {
      title: 'Status',
      cell: (row) => (
        <>
          <UntrustedText text={row.status} most={40} />
          <span class="soft"> for {lengthInWords(Date.parse(view.now) - Date.parse(row.status_since))}</span>
        </>
      ),
    },
    {
      title: 'Open for',
      cell: (row) => (
        <>
          {row.is_older_than_mirror ? 'at least ' : ''}
          <time datetime={row.first_seen_at} title={`first seen ${shownTime(row.first_seen_at, view)}`}>
            {lengthInWords(Date.parse(view.now) - Date.parse(row.first_seen_at))}
          </time>{' '}
          {isStuck(row, view) ? <Badge word="stuck" tone="bad" /> : null}
        </>
      ),
    },
  ];
}
