-- The jobs of src/domain/jobs.ts; a test holds them against each other.
CREATE VIEW "internal"."jobs" AS
SELECT k.job, k.resource, k.is_sweeping
FROM (VALUES
	('transactions', 'transactions', true), ('balances', 'balances', false), ('vaults', 'vaults', false),
	('whitelist', 'whitelist', false), ('reconcile', 'transactions', true), ('maintenance', NULL, false)
) AS k (job, resource, is_sweeping);

COMMENT ON VIEW "internal"."jobs" IS 'The jobs that sync.runs can name.';
COMMENT ON COLUMN "internal"."jobs"."job" IS 'The name of the job.';
COMMENT ON COLUMN "internal"."jobs"."resource" IS 'What it mirrors; null for a job that mirrors nothing.';
COMMENT ON COLUMN "internal"."jobs"."is_sweeping" IS 'Whether it sweeps the whole list of transactions and can be verified.';
