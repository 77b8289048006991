COMMENT ON TABLE "sync"."expectations" IS 'What the processes of an account are configured to do, one row per job, so that reporting.health_problems can judge whether it is done. Written by the daemon when it takes the lease and whenever the configuration changed; by sync where no daemon has said so within three days.';
COMMENT ON COLUMN "sync"."expectations"."account_id" IS 'The account.';
COMMENT ON COLUMN "sync"."expectations"."job" IS 'The job, as in sync.runs.';
COMMENT ON COLUMN "sync"."expectations"."started_by" IS 'daemon: a schedule starts the job, and a process has to run. sync: somebody starts custody-mirror sync, by cron or by hand.';
COMMENT ON COLUMN "sync"."expectations"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "sync"."expectations"."is_scheduled" IS 'Whether something starts the job at all. What nothing starts is not judged.';
COMMENT ON COLUMN "sync"."expectations"."max_age" IS 'How long ago the last success of the job may be; null where its age is not judged, or where what sync did so far tells it.';
COMMENT ON COLUMN "sync"."expectations"."max_verified_age" IS 'For the job reconcile: how long ago the last verified sweep of transactions may be; null where that is not judged.';
COMMENT ON COLUMN "sync"."expectations"."confirmed_at" IS 'When a process last said so. Renewed about once an hour while a daemon works.';
