COMMENT ON TABLE "custody"."whitelist_entries" IS 'Entries of the whitelist as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."whitelist_entries"."name" IS 'Name of the entry, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."address" IS 'Wallet address, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."asset_id" IS 'Identifier of the asset, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."network_id" IS 'Identifier of the network, if recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."missing_since" IS 'When the service stopped listing it; null while it lists it.';
