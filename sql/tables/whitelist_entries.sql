COMMENT ON TABLE "custody"."whitelist_entries" IS 'Entries of the whitelist as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."whitelist_entries"."name" IS 'Name of the entry, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."address" IS 'Wallet address, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."asset_id" IS 'Identifier of the asset, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."network_id" IS 'Identifier of the network, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."document" IS 'The whole record as received; its fields are not documented.';
COMMENT ON COLUMN "custody"."whitelist_entries"."first_seen_at" IS 'When the mirror first saw the entry.';
COMMENT ON COLUMN "custody"."whitelist_entries"."missing_since" IS 'Since when the service no longer lists the entry; null while it does.';
