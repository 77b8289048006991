// Transactions as rows: when, what, how much, from where to where, and how it stands.
import type { Transaction, TransactionAt } from '../page/api.ts';
import { Badge } from '../parts/notice.tsx';
import type { Column } from '../parts/table.tsx';
import { Amount, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { transactionPath, useView } from '../view/view.ts';
import { Party, sideOf } from './party.tsx';
import { between, directionInWords, statusJudgement, typeInWords } from './words.ts';

export type Row = Transaction | TransactionAt;

/** Whether an address can hold the identifier. */
export function isAddressable(id: string): boolean {
  return id.length <= 500;
}

export const columns: readonly Column<Row>[] = [
  { title: 'First seen', cell: (row) => <When row={row} /> },
  {
    title: 'What',
    cell: (row) => (
      <>
        {typeInWords(row.transaction_type)}
        <br />
        <span class="soft">{directionInWords(row.direction)}</span>
      </>
    ),
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (row) => (
      <>
        <Amount value={row.amount} /> <UntrustedText text={row.asset_id} most={24} none="" />
        <br />
        <span class="soft">
          <UntrustedText text={row.network_name ?? row.network_id} most={40} none="" />
        </span>
      </>
    ),
  },
  { title: 'From', cell: (row) => <Party side={sideOf(row, 'source')} /> },
  { title: 'To', cell: (row) => <Party side={sideOf(row, 'destination')} /> },
  { title: 'Status', cell: (row) => <Status row={row} /> },
];

function When({ row }: { readonly row: Row }) {
  return (
    <>
      {'is_older_than_mirror' in row && row.is_older_than_mirror ? (
        <span class="soft">before the mirror</span>
      ) : (
        <Moment at={row.first_seen_at} />
      )}
      <br />
      <TextLink
        to={isAddressable(row.transaction_id) ? transactionPath(row.transaction_id) : null}
        text={row.transaction_id}
        code
        most={13}
      />
    </>
  );
}

function Status({ row }: { readonly row: Row }) {
  const view = useView();
  const until = view.query['at'] ?? view.now;
  return (
    <>
      <Badge {...statusJudgement(row.status)} />
      <br />
      <span class="soft">
        {row.missing_since !== null ? (
          <>
            no longer shown since <Moment at={row.missing_since} />
          </>
        ) : row.is_open ? (
          <>
            open for {'is_older_than_mirror' in row && row.is_older_than_mirror ? 'at least ' : ''}
            {between(row.first_seen_at, until)}
          </>
        ) : 'settled_at' in row && row.settled_at === null ? (
          'settled before the mirror'
        ) : (
          <>
            since <Moment at={row.status_since} />
          </>
        )}
      </span>
    </>
  );
}
