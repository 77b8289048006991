-- The one definition of which jobs count for an account: reporting.health_problems, sync_health and data_freshness ignore what
-- CUSTODY_RESOURCES leaves out. Until a process has recorded its expectations, everything is mirrored.
CREATE VIEW "internal"."account_jobs" AS
SELECT a.account_id, a.first_seen_at, k.job, k.resource, k.is_promised, coalesce(e.started_by, 'sync') AS started_by,
	coalesce(m.is_mirrored, true) AS is_mirrored, coalesce(e.is_scheduled, k.job = k.resource, false) AS is_scheduled, e.max_age
FROM custody.accounts a
CROSS JOIN internal.jobs k
LEFT JOIN sync.expectations e ON e.account_id = a.account_id AND e.job = k.job
LEFT JOIN sync.expectations m ON m.account_id = a.account_id AND m.job = k.resource;

COMMENT ON VIEW "internal"."account_jobs" IS 'The jobs of each account, as its processes are configured (sync.expectations).';
COMMENT ON COLUMN "internal"."account_jobs"."first_seen_at" IS 'When the account was first mirrored.';
COMMENT ON COLUMN "internal"."account_jobs"."is_promised" IS 'Whether the viewer role is entitled to what it mirrors.';
COMMENT ON COLUMN "internal"."account_jobs"."started_by" IS 'daemon or sync; sync until a process has recorded it.';
COMMENT ON COLUMN "internal"."account_jobs"."is_scheduled" IS 'Whether a schedule or a person starts the job.';
COMMENT ON COLUMN "internal"."account_jobs"."max_age" IS 'Maximum age of its last success; null if none is set.';
