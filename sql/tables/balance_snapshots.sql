COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, even if nothing had changed. Nothing was observed at a time without a row.';
COMMENT ON COLUMN "custody"."balance_snapshots"."vault_type" IS 'Vaults observed: all, warm or cold.';
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the run of the observation began; the same for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."source_timestamp" IS 'Timestamp of the answer, set by the service.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asset_count" IS 'Number of balances in the snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."changed_count" IS 'Number of balances that began, changed or ended with this snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."quarantined_count" IS 'Number of unreadable records in the answer. They are in sync.quarantine instead.';
COMMENT ON COLUMN "custody"."balance_snapshots"."unidentified_count" IS 'Number of records that could not even be identified. A balance missing from this snapshot may be one of them, so no interval of balances ends with it.';

-- See custody.balances.
ALTER TABLE "custody"."balance_snapshots" SET (parallel_workers = 0);
