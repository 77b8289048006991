COMMENT ON TABLE "custody"."asset_prices" IS 'Prices of assets, for reports that value them. You fill this table; the mirror never writes to it. What is replaced or removed here is kept in custody.former_prices.';
COMMENT ON COLUMN "custody"."asset_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."asset_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."asset_prices"."as_of" IS 'From when on the price holds, until the next one of the same asset and currency.';
COMMENT ON COLUMN "custody"."asset_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."asset_prices"."source" IS 'Where the price comes from, in your words.';
COMMENT ON COLUMN "custody"."asset_prices"."known_from" IS 'Since when the price is known: when it was stated, unless you state another moment. Figures as they were known earlier do not follow it.';
