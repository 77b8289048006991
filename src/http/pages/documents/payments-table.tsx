// Payments, and whether the whitelist held their destination when they were made.
import type { DestinationUse } from '../page/api.ts';
import { Badge, ListedBadge } from '../parts/notice.tsx';
import { amountColumn, type Column, Table, type TableProps, transactionColumn } from '../parts/table.tsx';
import { Between, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { entryPath } from '../view/view.ts';

const columns: readonly Column<DestinationUse>[] = [
  { title: 'When', cell: (row) => <When row={row} /> },
  { title: 'Paid to', cell: (row) => <Paid row={row} /> },
  amountColumn('Amount', (row) => row.amount, { unitOf: (row) => row.asset_id ?? row.asset_name }),
  {
    title: 'Status',
    cell: ({ status, missing_since }) => (
      <>
        <UntrustedText text={status} most={40} />{' '}
        {missing_since === null ? null : <Badge word="no longer shown" tone="note" />}
      </>
    ),
  },
  { title: 'On the list when paid', cell: (row) => <OnTheList row={row} /> },
  transactionColumn(80),
];

export function PaymentsTable(props: Omit<TableProps<DestinationUse>, 'columns' | 'noun'>) {
  return <Table noun="payment" columns={columns} {...props} />;
}

interface RowProps {
  readonly row: DestinationUse;
}

function When({ row }: RowProps) {
  if (!row.is_older_than_mirror) return <Between after={row.first_seen_after} by={row.first_seen_at} />;
  return (
    <>
      before <Moment at={row.first_seen_at} />
      <span class="soft"> (older than the mirror)</span>
    </>
  );
}

/** Who was paid: the entry by its name where the payment names one, and the address. */
function Paid({ row }: RowProps) {
  const { destination_type: type, destination_id: id, destination_name: name, destination_address } = row;
  return (
    <>
      <TextLink
        to={type === 'whitelist' && id ? entryPath(id) : null}
        text={name || id || destination_address}
        none="not told"
        most={80}
      />{' '}
      <span class="soft">
        {type === 'whitelist' ? 'whitelist entry' : <UntrustedText text={type} none="" />}
      </span>
      {destination_address && (name || id) ? (
        <div class="small">
          <UntrustedText text={destination_address} code most={80} />
        </div>
      ) : null}
    </>
  );
}

/** Of what is not known, what the readings around it showed. */
function OnTheList({ row }: RowProps) {
  const reason = row.whitelist_reason.replace(/^unknown: /, '');
  return (
    <>
      <ListedBadge isWhitelisted={row.is_whitelisted} />
      {row.is_whitelisted === true ? null : <div class="small">{reason}</div>}
      {row.is_whitelisted === null ? (
        <div class="small soft">
          <Reading isListed={row.whitelisted_before} at={row.known_before_at} when="before" />
          <Reading isListed={row.whitelisted_after} at={row.known_after_at} when="after" />
        </div>
      ) : null}
    </>
  );
}

interface ReadingProps {
  readonly isListed: boolean | null;
  readonly at: string | null;
  readonly when: 'before' | 'after';
}

function Reading({ isListed, at, when }: ReadingProps) {
  if (at === null || isListed === null) return null;
  return (
    <div>
      {isListed ? 'On' : 'Off'} the list {when} it, at <Moment at={at} />.
    </div>
  );
}
