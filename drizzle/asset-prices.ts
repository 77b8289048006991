// Prices of assets, for reports that value balances and movements. People fill this table: the custody
// service shows no prices, and the mirror neither writes nor removes them. What they replace or remove is
// kept, so that days that are over stay as they were.
import { sql } from 'drizzle-orm';
import { check, primaryKey, text } from 'drizzle-orm/pg-core';
import { ofAccount } from './accounts.ts';
import { amount, custody, moment } from './schemas.ts';

export const assetPrices = custody.table(
  'asset_prices',
  {
    accountId: ofAccount().default('default'),
    assetId: text('asset_id').notNull(),
    currency: text('currency').notNull(),
    asOf: moment('as_of').notNull(),
    price: amount('price').notNull(),
    source: text('source'),
    knownFrom: moment('known_from').notNull().default(sql`now()`),
  },
  (table) => [
    primaryKey({
      name: 'asset_prices_pkey',
      columns: [table.accountId, table.assetId, table.currency, table.asOf],
    }),
    // A price times any amount is a numeric and a double. NaN counts as larger than every number.
    check(
      'asset_prices_price_bounded',
      sql`${table.price} >= 0 and ${table.price} < 1e100 and scale(${table.price}) <= 100`,
    ),
  ],
);

export const formerPrices = custody.table(
  'former_prices',
  {
    accountId: ofAccount(),
    assetId: text('asset_id').notNull(),
    currency: text('currency').notNull(),
    asOf: moment('as_of').notNull(),
    price: amount('price').notNull(),
    source: text('source'),
    knownFrom: moment('known_from').notNull(),
    knownUntil: moment('known_until').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'former_prices_pkey',
      columns: [table.accountId, table.assetId, table.currency, table.asOf, table.knownUntil],
    }),
  ],
);
