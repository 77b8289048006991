-- The jobs of src/domain/jobs.ts; a test compares the two.
CREATE VIEW "internal"."jobs" AS
SELECT k.job, k.resource, k.is_sweeping, k.is_promised
FROM (VALUES
	('transactions', 'transactions', true, true), ('balances', 'balances', false, true), ('vaults', 'vaults', false, false),
	('whitelist', 'whitelist', false, false), ('reconcile', 'transactions', true, true), ('maintenance', NULL, false, false)
) AS k (job, resource, is_sweeping, is_promised);

COMMENT ON VIEW "internal"."jobs" IS 'Jobs that sync.runs can name.';
COMMENT ON COLUMN "internal"."jobs"."is_sweeping" IS 'Whether it sweeps the whole list of transactions and can be verified.';
COMMENT ON COLUMN "internal"."jobs"."is_promised" IS 'Whether the viewer role is entitled to what it mirrors. A key may be refused anything else.';
