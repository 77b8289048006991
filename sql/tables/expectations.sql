COMMENT ON TABLE "sync"."expectations" IS 'What the processes of an account are configured to do, one row per job, so that reporting.health_problems can judge whether they do it. The daemon writes it when it takes the lease and when the configuration changed; sync writes it when no daemon has confirmed it for three days.';
COMMENT ON COLUMN "sync"."expectations"."account_id" IS 'The account.';
COMMENT ON COLUMN "sync"."expectations"."job" IS 'The job, as in sync.runs.';
COMMENT ON COLUMN "sync"."expectations"."started_by" IS 'daemon: a schedule starts the job, and a process has to run. sync: somebody starts custody-mirror sync, by cron or by hand.';
COMMENT ON COLUMN "sync"."expectations"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "sync"."expectations"."is_scheduled" IS 'Whether a schedule or a person starts the job. A job that nothing starts is not judged.';
COMMENT ON COLUMN "sync"."expectations"."max_age" IS 'How long ago the last success of the job may be; null when it is not judged, or is judged by the past runs of sync.';
COMMENT ON COLUMN "sync"."expectations"."max_verified_age" IS 'For the job reconcile: how long ago the last verified sweep of transactions may be; null when that is not judged.';
COMMENT ON COLUMN "sync"."expectations"."confirmed_at" IS 'When a process last confirmed this row; about once an hour while a daemon works.';
