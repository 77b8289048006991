// Transactions as rows: when, what, how much, from where to where, and how it stands. A side is a vault, a
// destination of the whitelist, or an address outside.
import type { Transaction, TransactionAt } from '../page/api.ts';
import { Amount } from '../parts/amount.tsx';
import { Badge } from '../parts/notice.tsx';
import type { Column } from '../parts/table.tsx';
import { typeInWords } from '../parts/transaction-types.ts';
import { Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { endOf } from '../view/days.ts';
import { entryPath, transactionPath, useView, vaultPath } from '../view/view.ts';
import { between, directionInWords, statusJudgement } from './words.ts';

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
  const until = endOf(view.query['at'] ?? view.now, view.closed);
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

export type SideName = 'source' | 'destination';
type Part = 'type' | 'id' | 'name' | 'address';
type Side = Readonly<Record<Part, string | null>>;

export function sideOf(row: Readonly<Record<`${SideName}_${Part}`, string | null>>, side: SideName): Side {
  return {
    type: row[`${side}_type`],
    id: row[`${side}_id`],
    name: row[`${side}_name`],
    address: row[`${side}_address`],
  };
}

/** The page of a vault or an entry of the whitelist; other sides have none. */
export function pathOfSide({ type, id }: Pick<Side, 'type' | 'id'>): string | null {
  if (id && type === 'vault') return vaultPath(id);
  return id && type === 'whitelist' ? entryPath(id) : null;
}

/** The name, or what else tells the side apart, and below it of which kind it is. */
function Party({ side }: { readonly side: Side }) {
  const name = side.name || side.id;
  return (
    <>
      {name ? (
        <TextLink to={pathOfSide(side)} text={name} most={60} />
      ) : (
        <UntrustedText text={side.address} code most={24} none="unknown" />
      )}
      <br />
      <span class="soft">
        <UntrustedText text={side.type} most={40} none="" />
      </span>
    </>
  );
}
