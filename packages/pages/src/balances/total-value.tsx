// The total value of all balances, where prices are known, and what the sum leaves out.

import type { Ask } from '../api/ask.ts';
import type { PortfolioValue, PortfolioValueAt } from '../api/interface.ts';
import { Money } from '../parts/amount.tsx';
import { AllocationBar, LeftOut } from '../parts/assets.tsx';

export interface KnownValue {
  /** False where nothing was read yet, then or until now: then nothing is said of prices. */
  readonly isKnown: boolean;
  readonly rows: readonly (PortfolioValue | PortfolioValueAt)[];
  /** Those that have prices, in the order of the alphabet. */
  readonly currencies: readonly string[];
}

export async function readTotalValue(ask: Ask, at: string | undefined): Promise<KnownValue> {
  const found = await ask.known('listPortfolioValue', { at, limit: 500 });
  const rows = 'answer' in found ? found.answer.data : [];
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return { isKnown: 'answer' in found, rows, currencies };
}

interface SumProps {
  readonly sum: KnownValue['rows'][number] | undefined;
  readonly currency: string | null;
  /** By which it is shared out. */
  readonly rows: Parameters<typeof AllocationBar>[0]['rows'];
}

export function TotalValue({ sum, currency, rows }: SumProps) {
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
