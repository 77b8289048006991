// What the pages of balances share: words and columns, the total value where prices are known, and the data
// of each part of an asset's page.
import type { Ask, BalanceAt, PortfolioValue, PortfolioValueAt } from '../api/ask.ts';
import type { PageRequest } from '../page/page.ts';
import { AllocationBar, currenciesOf, LeftOut, type Valued } from '../parts/drawings.tsx';
import { type Column, column } from '../parts/table.tsx';
import { Moment, Money } from '../parts/values.tsx';

/** Figures of balances, or why there is none: unknown, not listed (`isKnown` is null) or not sent. */
export function heldColumn<Row>(
  title: string,
  figureOf: (row: Row) => readonly [value: string | null, isKnown: boolean | null],
  decimals: number,
): Column<Row> {
  const none = (row: Row) => {
    const [, isKnown] = figureOf(row);
    return isKnown === null ? 'not listed' : isKnown ? 'not sent' : 'unknown';
  };
  return column.amount(title, (row) => figureOf(row)[0], { none, decimals });
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

export function vaultWords(type: string): string {
  return vaultTypes.find(([known]) => known === type)?.[1] ?? type;
}

export interface AssetParts extends Pick<PageRequest, 'view' | 'ask' | 'params'> {
  readonly asset: string;
  /** The subject of the history; without a beginning, the 30 days before its end. */
  readonly span: { readonly from: string | undefined; readonly to: string | undefined };
}

export interface KnownValue {
  /** False if nothing had been read by then, or until now: then prices are not mentioned. */
  readonly isKnown: boolean;
  readonly rows: readonly (PortfolioValue | PortfolioValueAt)[];
  readonly currencies: readonly string[];
}

export async function readTotalValue(ask: Ask, at: string | undefined): Promise<KnownValue> {
  const { data: rows, unknown } = await ask.known('listPortfolioValue', { at, limit: 500 });
  return { isKnown: unknown === null, rows, currencies: currenciesOf(rows) };
}

type Sum = KnownValue['rows'][number] | undefined;

export function totalValue(sum: Sum, currency: string | null, rows: readonly Valued[]) {
  const inIt = currency === null ? '' : ` in ${currency}`;
  if (sum === undefined || currency === null)
    return <p class="soft">No prices{inIt} are known, so nothing is valued.</p>;
  return (
    <section id="value" class="valued">
      <h2>Total value</h2>
      <p class="figure">
        <Money value={sum.valued > 0 ? sum.total_value : null} currency={currency} />
      </p>
      <LeftOut row={sum} />
      {sum.valued > 0 && <AllocationBar rows={rows} whole={sum.total_value} currency={currency} />}
    </section>
  );
}
