// Cells and columns that tables of balances share.
import type { Balance, BalanceAt } from '../../../../packages/client/src/generated/types/api-types.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/moment.tsx';
import type { Column } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { assetAddress } from '../view/places.ts';
import type { View } from '../view/view.ts';

interface Named {
  readonly asset_id: string;
  readonly asset_name: string | null;
  readonly network_id: string;
  readonly network_name: string | null;
}

/** The name of the asset, leading to its history, with its identifier and its network. */
export function AssetName({ view, row }: { readonly view: View; readonly row: Named }) {
  const network = row.network_name ?? row.network_id;
  return (
    <>
      <a href={assetAddress(view, row.asset_id, { at: view.query['at'] })}>
        <UntrustedText text={row.asset_name || row.asset_id} most={60} />
      </a>{' '}
      <span class="soft">
        {row.asset_name === null || row.asset_name === row.asset_id ? null : (
          <>
            <UntrustedText text={row.asset_id} most={40} />{' '}
          </>
        )}
        {network === '' ? null : (
          <>
            on <UntrustedText text={network} most={40} />
          </>
        )}
      </span>
    </>
  );
}

interface HeldProps {
  readonly view: View;
  readonly value: string | null;
  /** False: the record could not be read; null: the service listed no such balance. */
  readonly isKnown: boolean | null;
}

/** A figure of a balance, or why there is none: unknown, not listed and not sent are three things. */
export function Held({ view, value, isKnown }: HeldProps) {
  const none = isKnown === null ? 'not listed' : isKnown ? 'not sent' : 'unknown';
  return <Amount view={view} value={value} none={none} />;
}

const parts = [
  ['Total', 'total_balance'],
  ['Available', 'available_balance'],
  ['Processing', 'processing_balance'],
  ['Staked', 'staking_balance'],
  ['Claimable', 'claimable_balance'],
] as const;

/** The total of a balance, and the parts it is made of. */
export function partColumns(view: View): readonly Column<Balance | BalanceAt>[] {
  return parts.map(([title, name]) => ({
    title,
    isNumber: true,
    cell: (row) => <Held view={view} value={row[name]} isKnown={row.is_known} />,
  }));
}

interface SinceProps {
  readonly view: View;
  readonly row: { readonly unchanged_since: string | null; readonly last_known_at: string | null };
  readonly isKnown: boolean | null;
}

/** Since when the figures are as they are; of an unknown balance, when it was last known. */
export function Since({ view, row, isKnown }: SinceProps) {
  if (isKnown === null) return <span class="soft">not listed</span>;
  if (isKnown) return <Moment view={view} at={row.unchanged_since} />;
  if (row.last_known_at === null) return <span class="soft">never known</span>;
  return (
    <span>
      last known <Moment view={view} at={row.last_known_at} />
    </span>
  );
}

interface RowWorth {
  readonly value: string | null;
  readonly isPriced: boolean;
  /** Whether the balance is known; null where it is not listed. */
  readonly isKnown: boolean | null;
}

/** What each row is worth; without a currency there is no such column. */
export function worthColumn<Row>(
  view: View,
  currency: string | null,
  worthOf: (row: Row) => RowWorth,
): readonly Column<Row>[] {
  if (currency === null) return [];
  const cell = (row: Row) => {
    const { value, isPriced, isKnown } = worthOf(row);
    const none = !isPriced ? 'no price' : isKnown === null ? 'not listed' : 'unknown';
    return <Amount view={view} value={value} none={none} decimals={2} />;
  };
  return [{ title: `Worth in ${currency}`, isNumber: true, cell }];
}
