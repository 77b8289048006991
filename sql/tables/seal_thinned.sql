COMMENT ON TABLE "sync"."seal_thinned" IS 'Sealed rows of custody.balance_snapshots that were thinned since (THIN_SNAPSHOTS_AFTER_DAYS). Their hashes stay in the tree, and that they were thinned is sealed itself.';
COMMENT ON COLUMN "sync"."seal_thinned"."change_id" IS 'Number that the row had.';
COMMENT ON COLUMN "sync"."seal_thinned"."thinning_id" IS 'Number of what was thinned together, drawn as that of a change: it is sealed as one entry.';
COMMENT ON COLUMN "sync"."seal_thinned"."thinned_at" IS 'When it was thinned.';
