// What the pages of balances share: words, cells and columns, and what each part of the page of an asset is
// made of.
import type { Balance, BalanceAt } from '../page/api.ts';
import type { PageRequest } from '../page/page.ts';
import { amountColumn, type Column } from '../parts/table.tsx';
import { Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { assetPath, useView } from '../view/view.ts';

interface Named {
  readonly asset_id: string;
  readonly asset_name: string | null;
  readonly network_id: string;
  readonly network_name: string | null;
}

/** The name of the asset, leading to its history, with its identifier and its network. */
export function AssetName({ row }: { readonly row: Named }) {
  const view = useView();
  const network = row.network_name ?? row.network_id;
  return (
    <>
      <TextLink
        to={[assetPath(row.asset_id), { at: view.query['at'] }]}
        text={row.asset_name || row.asset_id}
        most={60}
      />{' '}
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

type Figure = readonly [value: string | null, isKnown: boolean | null];

/**
 * Figures of balances, or why there is none: unknown, not listed (`isKnown` is null) and not sent are three
 * things.
 */
export function heldColumn<Row>(title: string, figureOf: (row: Row) => Figure): Column<Row> {
  const none = (row: Row) => {
    const [, isKnown] = figureOf(row);
    return isKnown === null ? 'not listed' : isKnown ? 'not sent' : 'unknown';
  };
  return amountColumn(title, (row) => figureOf(row)[0], { none });
}

/** The total of a balance, and the parts it is made of. */
export const balanceParts = [
  ['total_balance', 'Total'],
  ['available_balance', 'Available'],
  ['processing_balance', 'Processing'],
  ['staking_balance', 'Staked'],
  ['claimable_balance', 'Claimable'],
] as const;

export const partColumns = balanceParts.map(([name, title]) =>
  heldColumn<Balance | BalanceAt>(title, (row) => [row[name], row.is_known]),
);

interface SinceProps {
  readonly row: { readonly unchanged_since: string | null; readonly last_known_at: string | null };
  readonly isKnown: boolean | null;
}

/** Since when the figures are as they are; of an unknown balance, when it was last known. */
export function Since({ row, isKnown }: SinceProps) {
  if (isKnown === null) return <span class="soft">not listed</span>;
  if (isKnown) return <Moment at={row.unchanged_since} />;
  if (row.last_known_at === null) return <span class="soft">never known</span>;
  return (
    <span>
      last known <Moment at={row.last_known_at} />
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
  currency: string | null,
  worthOf: (row: Row) => RowWorth,
): readonly Column<Row>[] {
  if (currency === null) return [];
  const none = (row: Row) => {
    const { isPriced, isKnown } = worthOf(row);
    return !isPriced ? 'no price' : isKnown === null ? 'not listed' : 'unknown';
  };
  return [amountColumn(`Worth in ${currency}`, (row) => worthOf(row).value, { none, decimals: 2 })];
}

export const vaultTypes = [
  ['all', 'all vaults'],
  ['warm', 'warm vaults'],
  ['cold', 'cold vaults'],
] as const;

/** For sorting: all vaults first, then warm and cold ones. */
export function vaultOrder(type: string): number {
  return vaultTypes.findIndex(([known]) => known === type);
}

export function vaultWords(type: string): string {
  return vaultTypes.find(([known]) => known === type)?.[1] ?? type;
}

export interface AssetParts extends Pick<PageRequest, 'view' | 'ask' | 'given'> {
  readonly asset: string;
  /** What the history is of; without a beginning, the 30 days before its end. */
  readonly span: { readonly from: string | undefined; readonly to: string | undefined };
}
