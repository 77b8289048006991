// What is on its way now: open transactions, the oldest first.
import { lengthInWords } from '../../../domain/words.ts';
import type { Transaction } from '../page/api.ts';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, Table } from '../parts/table.tsx';
import { typeInWords } from '../parts/transaction-types.ts';
import { Link, shownTime, UntrustedText } from '../parts/values.tsx';
import { transactionPath, useView, type View } from '../view/view.ts';
import { isStuck } from './attention.tsx';
import { emptyWords, type Overview } from './load.ts';
import { AssetLink, OtherSide, Part, PartOnly, short } from './parts.tsx';

const shown = 8;

export function OnItsWay({ data }: { readonly data: Overview }) {
  const view = useView();
  const { open, hasMoreOpen } = data;
  const count = hasMoreOpen ? `more than ${open.length}` : String(open.length);
  const rows = open.slice(0, shown);
  return (
    <Part
      id="open"
      title="On its way now"
      more={
        <Link to={['/transactions', { is_open: 'true' }]}>
          {open.length > shown ? `All ${count} open transactions` : 'Open transactions'}
        </Link>
      }
    >
      <PartOnly data={data} what="these" />
      <Table
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
        <Link to={transactionPath(row.transaction_id)}>{typeInWords(row.transaction_type)}</Link>
      ),
    },
    amountColumn('Amount', (row) => row.amount, short),
    { title: 'Asset', cell: (row) => <AssetLink id={row.asset_id} network={row.network_id} /> },
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
