// Prices of a prepared past. The mirror itself never writes prices: this is for an account that is wholly
// made up.
import { sql } from 'drizzle-orm';
import { assetPrices } from '../../../../drizzle/asset-prices.ts';
import { type Instant, instantToIso } from '../../../../src/domain/instant.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import { type Lease, writeFenced } from '../../../../src/store/run/leases.ts';
import { columnsOf, rowsOf } from '../../../../src/store/values/bulk-rows.ts';

export interface PreparedPrice {
  readonly assetId: string;
  readonly at: Instant;
  /** Decimal text. */
  readonly price: string;
}

/** @param kind the currency of the prices, and where they come from */
export async function writePreparedPrices(
  database: Database,
  lease: Lease,
  kind: { readonly currency: string; readonly source: string },
  prices: readonly PreparedPrice[],
): Promise<void> {
  const { names, rows } = rowsOf(assetPrices, {
    ...columnsOf(prices, ['assetId', 'price']),
    asOf: prices.map(({ at }) => instantToIso(at)),
    knownFrom: prices.map(({ at }) => instantToIso(at)),
  });
  await writeFenced(
    database,
    lease,
    'prepared-prices.write',
    () => sql`
      insert into ${assetPrices} (account_id, currency, source, ${names})
      select ${lease.account}, ${kind.currency}, ${kind.source}, r.* from ${rows} as r`,
  );
}
