-- What the maintenance job takes away, said where it is missed.
COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, also when nothing had changed. A time without a row was not observed; or, where old snapshots are thinned (THIN_SNAPSHOTS_AFTER_DAYS), it showed the same as the row before.';
COMMENT ON VIEW "reporting"."balance_snapshots" IS 'Every complete observation of the balances as full rows, but for old ones where they are thinned. It is large: always name a time, and an asset or vault type where you can. A moment without rows was not observed, which is not zero.';
COMMENT ON COLUMN "sync"."runs"."verdict" IS 'What that rests on, or why it cannot be claimed; of the maintenance job, how many rows it removed.';
COMMENT ON TABLE "sync"."positions" IS 'Where an interrupted job resumes, and how far the maintenance has come. Of the others, a job that ended has no row.';
COMMENT ON COLUMN "sync"."quarantine"."resolved_at" IS 'When the record could be read again, or was no longer listed; null while it cannot. The row stays.';
COMMENT ON COLUMN "sync"."anomalies"."resolved_at" IS 'When it was no longer so; null while it is. The row is removed 90 days later.';

COMMENT ON COLUMN "sync"."runs"."job" IS 'transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance.';
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'unknown-value, duplicate-id, balance-parts-differ, terminal-status-left, alternating-content, vanished or too-many-vanished. docs/data.md says what each means.';
