COMMENT ON TABLE "sync"."expectations" IS 'What the processes of an account are configured to do, one row per job: reporting.health_problems judges them by it. The daemon writes it when it takes the lease and when the configuration changes; sync writes it if no daemon has confirmed it for three days.';
COMMENT ON COLUMN "sync"."expectations"."started_by" IS 'daemon: a schedule starts the job, so a process must be running. sync: cron or a person starts custody-mirror sync.';
COMMENT ON COLUMN "sync"."expectations"."is_scheduled" IS 'Whether a schedule or a person starts the job. A job that nothing starts is not judged.';
COMMENT ON COLUMN "sync"."expectations"."max_age" IS 'Maximum age of the job''s last success; null if it is not judged, or is judged by the past runs of sync.';
COMMENT ON COLUMN "sync"."expectations"."max_verified_age" IS 'For the job reconcile: maximum age of the last verified sweep of transactions; null if it is not judged.';
COMMENT ON COLUMN "sync"."expectations"."confirmed_at" IS 'When a process last confirmed this row; about hourly while a daemon runs.';
