COMMENT ON TABLE "custody"."former_prices" IS 'Prices replaced in or removed from custody.asset_prices. Filled by a trigger.';
COMMENT ON COLUMN "custody"."former_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."former_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."former_prices"."as_of" IS 'When the price took effect.';
COMMENT ON COLUMN "custody"."former_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."former_prices"."source" IS 'Source of the price.';
COMMENT ON COLUMN "custody"."former_prices"."known_from" IS 'When it became known.';
COMMENT ON COLUMN "custody"."former_prices"."known_until" IS 'When it was replaced or removed.';
