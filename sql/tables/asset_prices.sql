COMMENT ON TABLE "custody"."asset_prices" IS 'Prices of assets, for reports that value them. You fill this table; the mirror never writes to it. Replaced and removed prices are kept in custody.former_prices.';
COMMENT ON COLUMN "custody"."asset_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."asset_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."asset_prices"."as_of" IS 'When the price takes effect, until the next one of the same asset and currency.';
COMMENT ON COLUMN "custody"."asset_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."asset_prices"."source" IS 'Source of the price, in your words.';
COMMENT ON COLUMN "custody"."asset_prices"."known_from" IS 'When the price became known: when it was stated, unless you state another moment. Figures as known earlier ignore it.';
