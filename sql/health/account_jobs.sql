-- The one definition of which jobs count for an account: what CUSTODY_RESOURCES leaves out counts nowhere in
-- reporting.health_problems, sync_health and data_freshness. Until a process has said what is expected, everything is mirrored.
CREATE VIEW "internal"."account_jobs" AS
SELECT a.account_id, a.first_seen_at, k.job, k.resource, k.is_promised, coalesce(e.started_by, 'sync') AS started_by,
	coalesce(m.is_mirrored, true) AS is_mirrored, coalesce(e.is_scheduled, k.job = k.resource, false) AS is_scheduled, e.max_age
FROM custody.accounts a
CROSS JOIN internal.jobs k
LEFT JOIN sync.expectations e ON e.account_id = a.account_id AND e.job = k.job
LEFT JOIN sync.expectations m ON m.account_id = a.account_id AND m.job = k.resource;

COMMENT ON VIEW "internal"."account_jobs" IS 'The jobs of each account, with what its processes are configured to do (sync.expectations).';
COMMENT ON COLUMN "internal"."account_jobs"."first_seen_at" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "internal"."account_jobs"."job" IS 'The name of the job.';
COMMENT ON COLUMN "internal"."account_jobs"."resource" IS 'What it mirrors; null for a job that mirrors nothing.';
COMMENT ON COLUMN "internal"."account_jobs"."is_promised" IS 'Whether the viewer role is promised what it mirrors.';
COMMENT ON COLUMN "internal"."account_jobs"."started_by" IS 'daemon or sync; sync until a process has said it.';
COMMENT ON COLUMN "internal"."account_jobs"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "internal"."account_jobs"."is_scheduled" IS 'Whether a schedule or a person starts the job.';
COMMENT ON COLUMN "internal"."account_jobs"."max_age" IS 'How long ago its last success may be; null when that is not set.';
