// Transactions as rows: when, what, how much, from where to where, and how it stands.
import type {
  Transaction,
  TransactionAt,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/moment.tsx';
import { Badge } from '../parts/notice.tsx';
import type { Column } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { transactionAddress } from '../view/places.ts';
import type { View } from '../view/view.ts';
import { Party, sidesOf } from './party.tsx';
import { between, directionInWords, statusJudgement, typeInWords } from './words.ts';

export type Row = Transaction | TransactionAt;

/** The address of its page; null for an identifier that is too long for an address. */
export function addressOfOne(view: View, id: string): string | null {
  return id.length > 500 ? null : transactionAddress(view, id);
}

export function columnsOf(view: View): readonly Column<Row>[] {
  return [
    { title: 'First seen', cell: (row) => <When view={view} row={row} /> },
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
          <Amount view={view} value={row.amount} /> <UntrustedText text={row.asset_id} most={24} none="" />
          <br />
          <span class="soft">
            <UntrustedText text={row.network_name ?? row.network_id} most={40} none="" />
          </span>
        </>
      ),
    },
    { title: 'From', cell: (row) => <Party view={view} side={sidesOf(row).source} /> },
    { title: 'To', cell: (row) => <Party view={view} side={sidesOf(row).destination} /> },
    { title: 'Status', cell: (row) => <Status view={view} row={row} /> },
  ];
}

function When({ view, row }: { readonly view: View; readonly row: Row }) {
  const address = addressOfOne(view, row.transaction_id);
  const name = <UntrustedText text={row.transaction_id} code most={13} />;
  return (
    <>
      {'is_older_than_mirror' in row && row.is_older_than_mirror ? (
        <span class="soft">before the mirror</span>
      ) : (
        <Moment view={view} at={row.first_seen_at} />
      )}
      <br />
      {address === null ? name : <a href={address}>{name}</a>}
    </>
  );
}

function Status({ view, row }: { readonly view: View; readonly row: Row }) {
  const until = view.query['at'] ?? view.now;
  return (
    <>
      <Badge {...statusJudgement(row.status)} />
      <br />
      <span class="soft">
        {row.missing_since !== null ? (
          <>
            no longer shown since <Moment view={view} at={row.missing_since} />
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
            since <Moment view={view} at={row.status_since} />
          </>
        )}
      </span>
    </>
  );
}
