// Payments, and whether the whitelist held their destination when they were made.
import type { DestinationUse } from '../api/interface.ts';
import { Badge, ListedBadge } from '../parts/notice.tsx';
import { amountColumn, type Column, Table, type TableProps, textColumn } from '../parts/table.tsx';
import { statusJudgement } from '../parts/transaction-types.ts';
import { Link, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { entryPath, transactionPath } from '../view/view.ts';

const columns: readonly Column<DestinationUse>[] = [
  { title: 'When', isPlain: true, cell: whenOf },
  { title: 'Payee', isPlain: true, cell: paidTo },
  textColumn('Address', (row) => row.destination_address, { code: true, most: 16, visible: true }),
  amountColumn('Amount', (row) => row.amount, { unitOf: (row) => row.asset_id ?? row.asset_name }),
  {
    title: 'Status',
    isPlain: true,
    cell: ({ status, missing_since }) => (
      <>
        <Badge {...statusJudgement(status)} />{' '}
        {missing_since && <Badge word="no longer listed" tone="note" />}
      </>
    ),
  },
  { title: 'Whitelisted when paid', isPlain: true, cell: whitelisted },
];

interface PaymentsProps extends Omit<TableProps<DestinationUse>, 'columns' | 'noun'> {
  /** Of one entry, which need not be named in each row. */
  readonly isOfOne?: boolean;
}

export function PaymentsTable({ isOfOne = false, ...table }: PaymentsProps) {
  const shown = isOfOne ? columns.filter(({ title }) => title !== 'Payee') : columns;
  return <Table isLinked noun="payment" columns={shown} {...table} />;
}

function whenOf({ transaction_id, is_older_than_mirror, first_seen_at }: DestinationUse) {
  return (
    <Link to={transactionPath(transaction_id)}>
      {is_older_than_mirror ? 'before ' : ''}
      <Moment at={first_seen_at} as="short" />
    </Link>
  );
}

/** The payee: the entry by its name where the payment names one. */
function paidTo({ destination_type: type, destination_id: id, destination_name: name }: DestinationUse) {
  return (
    <>
      <TextLink
        to={type === 'whitelist' && id ? entryPath(id) : null}
        text={name || id}
        none="not named"
        most={48}
        visible
      />{' '}
      {type !== 'whitelist' && <UntrustedText text={type} most={20} none="" />}
    </>
  );
}

/** Of what is not known, what the readings around it showed. */
function whitelisted(row: DestinationUse) {
  const badge = <ListedBadge isWhitelisted={row.is_whitelisted} />;
  if (row.is_whitelisted === true) return badge;
  return (
    <>
      {badge}{' '}
      <span class="soft">
        {row.whitelist_reason.replace(/^unknown: /, '')}
        {row.is_whitelisted === null && [
          reading(row.whitelisted_before, 'before', row.known_before_at),
          reading(row.whitelisted_after, 'after', row.known_after_at),
        ]}
      </span>
    </>
  );
}

function reading(isListed: boolean | null, when: string, at: string | null) {
  if (at === null || isListed === null) return null;
  return [isListed ? '. Listed' : '. Not listed', ` ${when} it, at `, <Moment at={at} />];
}
