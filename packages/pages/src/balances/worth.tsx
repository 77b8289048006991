// What all balances are worth, where prices are known, and what is not in the sum.

import type { Ask } from '../api/ask.ts';
import type { WorthAt, Worth as WorthNow } from '../api/interface.ts';
import { Worth } from '../parts/amount.tsx';
import { AllocationBar, LeftOut } from '../parts/assets.tsx';

export interface KnownWorth {
  /** False where nothing was read yet, then or until now: then nothing is said of prices. */
  readonly isKnown: boolean;
  readonly rows: readonly (WorthNow | WorthAt)[];
  /** Those that have prices, in the order of the alphabet. */
  readonly currencies: readonly string[];
}

export async function readWorth(ask: Ask, at: string | undefined): Promise<KnownWorth> {
  const found = await ask.known('listWorth', { at, limit: 500 });
  const rows = 'answer' in found ? found.answer.data : [];
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return { isKnown: 'answer' in found, rows, currencies };
}

interface SumProps {
  readonly sum: KnownWorth['rows'][number] | undefined;
  readonly currency: string | null;
  /** By which it is shared out. */
  readonly rows: Parameters<typeof AllocationBar>[0]['rows'];
}

export function WorthSum({ sum, currency, rows }: SumProps) {
  const inIt = currency === null ? '' : ` in ${currency}`;
  if (sum === undefined || currency === null)
    return <p class="soft">No prices{inIt} are known, so nothing is valued.</p>;
  return (
    <section id="worth">
      <h2>Total worth</h2>
      <p class="figure">
        <Worth value={sum.valued > 0 ? sum.total_value : null} currency={currency} />
      </p>
      <LeftOut row={sum} />
      {sum.valued > 0 && <AllocationBar rows={rows} whole={sum.total_value} currency={currency} />}
    </section>
  );
}
