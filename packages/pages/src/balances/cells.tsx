// What the pages of balances share: words and columns, and what each part of the page of an asset is made of.
import type { BalanceAt } from '../api/interface.ts';
import type { PageRequest } from '../page/page.ts';
import { amountColumn, type Column } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';

/**
 * Figures of balances, or why there is none: unknown, not listed (`isKnown` is null) and not sent are three
 * things.
 */
export function heldColumn<Row>(
  title: string,
  figureOf: (row: Row) => readonly [value: string | null, isKnown: boolean | null],
  decimals: number,
): Column<Row> {
  const none = (row: Row) => {
    const [, isKnown] = figureOf(row);
    return isKnown === null ? 'not listed' : isKnown ? 'not sent' : 'unknown';
  };
  return amountColumn(title, (row) => figureOf(row)[0], { none, decimals });
}

/** The total of a balance, and the parts it is made of: the figure, its title, and its word in changes. */
export const balanceParts = [
  ['total_balance', 'Total', 'total'],
  ['available_balance', 'Available', 'available'],
  ['processing_balance', 'Processing', 'processing'],
  ['staking_balance', 'Staked', 'staking'],
  ['claimable_balance', 'Claimable', 'claimable'],
] as const;

export type BalancePart = (typeof balanceParts)[number];

/** A balance, or several of an asset together. */
export interface Known extends Pick<BalanceAt, 'unchanged_since' | 'last_known_at'> {
  /** Null where it is not listed. */
  readonly is_known: boolean | null;
}

/** Since when the figures are as they are; of an unknown balance, when it was last known. */
export const sinceColumn: Column<Known> = {
  title: 'Unchanged since',
  cell({ is_known, unchanged_since, last_known_at }) {
    if (is_known === null) return <span class="soft">not listed</span>;
    if (is_known) return <Moment at={unchanged_since} as="short" />;
    if (last_known_at === null) return <span class="soft">never known</span>;
    return (
      <span>
        last known <Moment at={last_known_at} as="short" />
      </span>
    );
  },
};

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

export interface AssetParts extends Pick<PageRequest, 'view' | 'ask' | 'params'> {
  readonly asset: string;
  /** What the history is of; without a beginning, the 30 days before its end. */
  readonly span: { readonly from: string | undefined; readonly to: string | undefined };
}
