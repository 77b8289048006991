COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, also when nothing had changed. A time without a row was not observed; or, where old snapshots are thinned (THIN_SNAPSHOTS_AFTER_DAYS), it showed the same as the row before.';
COMMENT ON COLUMN "custody"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balance_snapshots"."vault_type" IS 'What was observed: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the observation was made; one value for the three vault types of one tick.';
COMMENT ON COLUMN "custody"."balance_snapshots"."source_timestamp" IS 'Time the service put on the answer.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asset_count" IS 'How many balances the snapshot holds.';
COMMENT ON COLUMN "custody"."balance_snapshots"."changed_count" IS 'How many balances began, changed or ended with this snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."quarantined_count" IS 'How many records of the answer could not be read and are in sync.quarantine instead.';
COMMENT ON COLUMN "custody"."balance_snapshots"."run_id" IS 'The run (sync.runs) that observed this. Runs are removed after a while, so it may no longer be there.';
