// Transactions in progress, the oldest first.

import { lengthInWords } from '../../../../src/domain/words.ts';
import type { Transaction } from '../api/interface.ts';
import { short } from '../parts/amount.tsx';
import { AssetOn } from '../parts/assets.tsx';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, column, Table } from '../parts/table.tsx';
import { isStuck, typeInWords } from '../parts/transaction-types.ts';
import { Link, shownTime, UntrustedText } from '../parts/values.tsx';
import { transactionPath, useView, type View } from '../view/view.ts';
import { emptyWords, type Overview } from './load.ts';
import { Part, PartOnly } from './parts.tsx';

const shown = 6;

export function InProgress({ data }: { readonly data: Overview }) {
  const view = useView();
  const { open, hasMoreOpen } = data;
  const count = hasMoreOpen ? `more than ${open.length}` : String(open.length);
  const isPart = open.length > shown;
  return (
    <Part
      id="open"
      title="In progress"
      more={
        <Link to={['/transactions', { is_open: 'true' }]}>
          {isPart ? `All ${count} open transactions` : 'Open transactions'}
        </Link>
      }
    >
      <PartOnly data={data} what="these" />
      <Table
        caption={
          isPart ? `The oldest ${shown} of ${count} open transactions` : 'Open transactions, the oldest first'
        }
        isCounted={isPart}
        isLinked
        noun="transaction"
        columns={columnsOf(view)}
        rows={open.slice(0, shown)}
        empty={emptyWords(data, 'transactions', 'Nothing is in progress.')}
        source={{ path: '/v1/transactions', query: { is_open: true, sort: 'first_seen_at' } }}
      />
    </Part>
  );
}

function columnsOf(view: View): readonly Column<Transaction>[] {
  const since = (moment: string) => lengthInWords(Date.parse(view.now) - Date.parse(moment));
  return [
    {
      title: 'Type',
      isPlain: true,
      cell: (row) => (
        <Link to={transactionPath(row.transaction_id)}>{typeInWords(row.transaction_type)}</Link>
      ),
    },
    amountColumn('Amount', (row) => row.amount, short),
    { title: 'Asset', cell: (row) => <AssetOn row={{ ...row, asset_name: null }} /> },
    { title: 'Counterparty', cell: (row) => <OtherSide row={row} /> },
    column('Status', (row) => (
      <>
        <UntrustedText text={row.status} most={40} />
        <span class="soft"> for {since(row.status_since)}</span>
      </>
    )),
    column('Open for', (row) => (
      <>
        {row.is_older_than_mirror ? 'at least ' : ''}
        <time datetime={row.first_seen_at} title={`first seen ${shownTime(row.first_seen_at, view)}`}>
          {since(row.first_seen_at)}
        </time>{' '}
        {isStuck(row, view) ? <Badge word="stuck" tone="bad" /> : null}
      </>
    )),
  ];
}

/** Its name, else its address or identifier. */
function OtherSide({ row }: { readonly row: Transaction }) {
  const other = row.counterparty_name ?? row.counterparty_address ?? row.counterparty_id;
  if (other === null || other === '') return <span class="soft">not named</span>;
  return (
    <>
      <span class="soft">{row.direction === 'in' ? 'from' : 'to'}</span>{' '}
      <UntrustedText text={other} most={28} />
    </>
  );
}
