COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to. An interval continues while its record cannot be read: custody.unreadable_balances shows when its values are unknown.';
COMMENT ON COLUMN "custody"."balances"."valid_from" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "custody"."balances"."valid_to" IS 'First later snapshot that did not show them; null while current.';
COMMENT ON COLUMN "custody"."balances"."unchanged_since" IS 'First snapshot with the same amounts, whatever their trailing zeros and the names: valid_from of this row or of an earlier one.';
COMMENT ON COLUMN "custody"."balances"."total_balance" IS 'Total balance in units of the asset, exactly as sent.';
COMMENT ON COLUMN "custody"."balances"."raw" IS 'The element as received at valid_from, with every field.';

-- Queries read a few intervals and snapshots by key. The planner overestimates their cost and would rather scan whole tables in
-- parallel.
ALTER TABLE "custody"."balances" SET (parallel_workers = 0);
