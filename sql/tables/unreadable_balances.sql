COMMENT ON TABLE "custody"."unreadable_balances" IS 'When a balance was unknown, as intervals of snapshots: its record could not be read, or it was not shown while another record could not be identified. A row holds from valid_from until before valid_to. The raw records are in sync.quarantine.';
COMMENT ON COLUMN "custody"."unreadable_balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."unreadable_balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."unreadable_balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_from" IS 'First snapshot that did not show the value of the balance.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_to" IS 'First later snapshot that showed it, or showed that the balance does not exist; null while it is unknown.';
