// What the pages of balances share: words and columns, and what each part of the page of an asset is made of.
import type { Balance, BalanceAt } from '../page/api.ts';
import type { PageRequest } from '../page/page.ts';
import { amountColumn, type Column, moneyColumn } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';

type Figure = readonly [value: string | null, isKnown: boolean | null];

/**
 * Figures of balances, or why there is none: unknown, not listed (`isKnown` is null) and not sent are three
 * things.
 */
export function heldColumn<Row>(
  title: string,
  figureOf: (row: Row) => Figure,
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

export function partColumns(decimals: number): readonly Column<Balance | BalanceAt>[] {
  return balanceParts.map(([name, title]) =>
    heldColumn(title, (row: Balance | BalanceAt) => [row[name], row.is_known], decimals),
  );
}

interface SinceRow {
  readonly unchanged_since: string | null;
  readonly last_known_at: string | null;
}

/** Since when the figures are as they are; of an unknown balance, when it was last known. */
export function sinceColumn<Row extends SinceRow>(isKnownOf: (row: Row) => boolean | null): Column<Row> {
  const cell = (row: Row) => {
    const isKnown = isKnownOf(row);
    if (isKnown === null) return <span class="soft">not listed</span>;
    if (isKnown) return <Moment at={row.unchanged_since} as="short" />;
    if (row.last_known_at === null) return <span class="soft">never known</span>;
    return (
      <span>
        last known <Moment at={row.last_known_at} as="short" />
      </span>
    );
  };
  return { title: 'Unchanged since', cell };
}

interface RowWorth {
  readonly value: string | null;
  readonly isPriced: boolean;
  /** Whether the balance is known; null where it is not listed. */
  readonly isKnown: boolean | null;
}

export function worthColumn<Row>(currency: string, worthOf: (row: Row) => RowWorth): Column<Row> {
  const none = (row: Row) => {
    const { isPriced, isKnown } = worthOf(row);
    return !isPriced ? 'no price' : isKnown === null ? 'not listed' : 'unknown';
  };
  return moneyColumn(`Worth in ${currency}`, currency, (row) => worthOf(row).value, { none });
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
