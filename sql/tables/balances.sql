COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to. An interval goes on while its record cannot be read: custody.unreadable_balances says when its values are unknown.';
COMMENT ON COLUMN "custody"."balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."balances"."valid_from" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "custody"."balances"."valid_to" IS 'First later snapshot that did not show them; null while current.';
COMMENT ON COLUMN "custody"."balances"."unchanged_since" IS 'First snapshot with the same amounts, whatever their spelling and the names: valid_from of this row or of an earlier one.';
COMMENT ON COLUMN "custody"."balances"."network_name" IS 'Name of the network.';
COMMENT ON COLUMN "custody"."balances"."total_balance" IS 'Total balance, in units of the asset, exactly as sent.';
COMMENT ON COLUMN "custody"."balances"."raw" IS 'The element as received at valid_from, with every field.';

-- What is asked of intervals and snapshots is a few of them by key. The planner takes that for so dear that it would rather read whole tables
-- with several processes.
ALTER TABLE "custody"."balances" SET (parallel_workers = 0);
