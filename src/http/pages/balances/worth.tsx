// What all balances are worth, where prices are known, and what is not in the sum.
import { balanceVaultTypes } from '../../../domain/balance.ts';
import { counted } from '../../../domain/words.ts';
import type { Worth, WorthAt } from '../page/api.ts';
import type { Ask } from '../page/ask.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/values.tsx';

export interface KnownWorth {
  /** False where nothing was read yet, then or until now: then nothing is said of prices. */
  readonly isKnown: boolean;
  readonly rows: readonly (Worth | WorthAt)[];
  /** Those that have prices, in the order of the alphabet. */
  readonly currencies: readonly string[];
}

export async function readWorth(ask: Ask, at: string | undefined): Promise<KnownWorth> {
  const found = await ask.known('listWorth', { at, limit: 500 });
  const rows = 'answer' in found ? found.answer.data : [];
  return {
    isKnown: 'answer' in found,
    rows,
    currencies: [...new Set(rows.map(({ currency }) => currency))].sort(),
  };
}

/** The currency that the reader chose, or the first one; null where no price is known. */
export function currencyOf({ currencies }: KnownWorth, chosen: string | undefined): string | null {
  return chosen ?? currencies[0] ?? null;
}

interface TilesProps {
  readonly worth: KnownWorth;
  readonly currency: string | null;
  /** Only this one; all three without it. */
  readonly vaultType: string | undefined;
}

export function WorthTiles({ worth, currency, vaultType }: TilesProps) {
  const shown = balanceVaultTypes.flatMap((type) =>
    worth.rows.filter(
      (row) => row.vault_type === type && row.currency === currency && (vaultType ?? type) === type,
    ),
  );
  if (shown.length === 0)
    return (
      <p class="soft">
        {currency === null
          ? 'No prices are known, so nothing is valued.'
          : `No prices in ${currency} are known, so nothing is valued.`}
      </p>
    );
  return (
    <div class="tiles" id="worth">
      {shown.map((row) => (
        <section>
          <h2>{{ all: 'All vaults', warm: 'Warm', cold: 'Cold' }[row.vault_type] ?? row.vault_type}</h2>
          <p class="figure">
            <Amount value={row.valued > 0 ? row.total_value : null} unit={row.currency} decimals={2} />
          </p>
          <Missing row={row} />
        </section>
      ))}
    </div>
  );
}

/** What the sum does not hold: it is never taken for nothing. */
function Missing({ row }: { readonly row: Worth | WorthAt }) {
  const missing = [
    row.without_price === 0 ? null : `${counted(row.without_price, 'balance')} without a price`,
    row.unknown === 0 ? null : `${counted(row.unknown, 'unknown balance')}`,
  ].filter((text) => text !== null);
  return (
    <p class="soft">
      {counted(row.valued, 'balance')} at prices
      {row.oldest_price_as_of === null ? null : (
        <>
          {' '}
          of <Moment at={row.oldest_price_as_of} /> or later
        </>
      )}
      {missing.length === 0 ? null : <strong class="note">, without {missing.join(' and ')}</strong>}
    </p>
  );
}
