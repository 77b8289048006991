// Prices of a prepared past. The mirror itself never writes prices: this is for an account that is made up as
// a whole.
import { sql } from 'drizzle-orm';
import { assetPrices } from '../../../../drizzle/asset-prices.ts';
import { type Instant, instantToIso } from '../../../../src/domain/instant.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import { type Lease, withFence } from '../../../../src/store/run/leases.ts';
import { columnsOf, selectRows } from '../../../../src/store/values/bulk-rows.ts';

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
  await withFence(database, lease, 'write-prepared-prices', (tx) =>
    tx.run('prepared-prices.write', (db) =>
      db.insert(assetPrices).select(
        selectRows(assetPrices, {
          accountId: sql`${lease.account}`,
          ...columnsOf(prices, ['assetId', 'price']),
          currency: sql`${kind.currency}`,
          asOf: prices.map(({ at }) => instantToIso(at)),
          source: sql`${kind.source}`,
          knownFrom: prices.map(({ at }) => instantToIso(at)),
        }),
      ),
    ),
  );
}
