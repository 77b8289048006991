COMMENT ON TABLE "custody"."former_prices" IS 'Prices that were replaced in custody.asset_prices or removed from it. A trigger fills this table.';
COMMENT ON COLUMN "custody"."former_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."former_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."former_prices"."as_of" IS 'From when on the price held.';
COMMENT ON COLUMN "custody"."former_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."former_prices"."source" IS 'Where the price came from.';
COMMENT ON COLUMN "custody"."former_prices"."known_from" IS 'Since when it was known.';
COMMENT ON COLUMN "custody"."former_prices"."known_until" IS 'When it was replaced or removed.';
