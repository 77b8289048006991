COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, even when nothing had changed. At a time without a row nothing was observed.';
COMMENT ON COLUMN "custody"."balance_snapshots"."vault_type" IS 'What was observed: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the run of the observation began; one value for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asked_at" IS 'When the first request of the observation began.';
COMMENT ON COLUMN "custody"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."source_timestamp" IS 'Time that the service put on the answer.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asset_count" IS 'How many balances the snapshot holds.';
COMMENT ON COLUMN "custody"."balance_snapshots"."changed_count" IS 'How many balances began, changed or ended with this snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."quarantined_count" IS 'How many records of the answer could not be read. They are in sync.quarantine instead.';
COMMENT ON COLUMN "custody"."balance_snapshots"."unidentified_count" IS 'How many records could not even be identified. A balance that this snapshot does not show may be one of them, so that no interval of balances ends with it.';

-- See custody.balances.
ALTER TABLE "custody"."balance_snapshots" SET (parallel_workers = 0);
