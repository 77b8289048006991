-- By the form of the address, because every service names networks in its own way. In hexadecimal addresses (EVM networks) case does not
-- count; a bech32 address may be all lower or all upper case; in all others, such as base58, case counts. Spaces around an address are
-- ignored.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address in the form in which its network compares it: in lower case if it is hexadecimal (0x…) or bech32, else unchanged. Null for an empty one.';
--> statement-breakpoint
-- When the clocks go back over midnight, midnight comes twice. PostgreSQL takes the second; the day begins with the first, which has
-- the offset of three hours before. It is one long expression so that PostgreSQL inlines it.
CREATE FUNCTION "reporting"."day_starts_at"("day" timestamp, "time_zone" text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN (("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC') AT TIME ZONE "time_zone" = "day"
		THEN least("day" AT TIME ZONE "time_zone",
			("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC')
		ELSE "day" AT TIME ZONE "time_zone"
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."day_starts_at"(timestamp, text) IS 'First moment of a day in a time zone: the first of two midnights if the clocks go back over midnight, or the first moment after a midnight that the clocks skip.';
--> statement-breakpoint
-- By the type; for an undocumented type, by source and destination.
CREATE FUNCTION "reporting"."direction_of"("transaction_type" text, "source_type" text, "destination_type" text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN "transaction_type" = 'deposit' THEN 'in'
		WHEN "transaction_type" = 'withdraw' THEN 'out'
		WHEN "transaction_type" = 'rebalance' THEN 'internal'
		WHEN "transaction_type" IN ('stake', 'unstake', 'claim', 'change pool') THEN 'staking'
		WHEN "source_type" = 'vault' AND "destination_type" = 'vault' THEN 'internal'
		WHEN "destination_type" = 'vault' THEN 'in'
		WHEN "source_type" = 'vault' THEN 'out'
		ELSE 'unknown'
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."direction_of"(text, text, text) IS 'Direction of a transaction seen from the account: in, out, internal, staking or unknown; by its type, else by source and destination.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_documented_status"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('pending', 'processing', 'confirming', 'completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_documented_status"(text) IS 'Whether the service documents the status. Any other status counts as open, and leaves the balances as the last documented status of the transaction left them.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_settled"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_settled"(text) IS 'Whether a status is one of the final ones: completed, rejected, cancelled, failed.';
--> statement-breakpoint
-- The jobs of src/domain/jobs.ts; a test holds them against each other.
CREATE VIEW "internal"."jobs" AS
SELECT k.job, k.resource, k.is_sweeping, k.is_promised
FROM (VALUES
	('transactions', 'transactions', true, true), ('balances', 'balances', false, true), ('vaults', 'vaults', false, false),
	('whitelist', 'whitelist', false, false), ('reconcile', 'transactions', true, true), ('maintenance', NULL, false, false)
) AS k (job, resource, is_sweeping, is_promised);
--> statement-breakpoint
COMMENT ON VIEW "internal"."jobs" IS 'The jobs that sync.runs can name.';
COMMENT ON COLUMN "internal"."jobs"."job" IS 'The name of the job.';
COMMENT ON COLUMN "internal"."jobs"."resource" IS 'What it mirrors; null for a job that mirrors nothing.';
COMMENT ON COLUMN "internal"."jobs"."is_sweeping" IS 'Whether it sweeps the whole list of transactions and can be verified.';
COMMENT ON COLUMN "internal"."jobs"."is_promised" IS 'Whether the viewer role is promised what it mirrors. A key may be refused anything else.';
--> statement-breakpoint
-- The only definition of what a transaction does to the balances. Factors multiply the amount and the fee.
CREATE VIEW "reporting"."accounting_rules" AS
SELECT r.transaction_type, s.status,
	reporting.direction_of(r.transaction_type, NULL, NULL) AS direction,
	r.total_amount_factor, r.total_fee_factor, r.staked_amount_factor, r.staked_fee_factor, r.meaning
FROM (VALUES
	('deposit', ARRAY['pending'], 0, 0, 0, 0,
		'Announced: counts nowhere yet.'),
	('deposit', ARRAY['processing', 'confirming'], 1, 0, 0, 0,
		'On its way in: the amount is in processing_balance, and so in the total.'),
	('deposit', ARRAY['completed'], 1, 0, 0, 0,
		'Arrived: the amount is available. The sender paid the fee.'),
	('deposit', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Did not arrive: moves nothing.'),
	('withdraw', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'On its way out: amount and fee move from available_balance to processing_balance, the total stays.'),
	('withdraw', ARRAY['completed'], -1, -1, 0, 0,
		'Left: amount and fee are gone.'),
	('withdraw', ARRAY['failed'], 0, -1, 0, 0,
		'Came back, but for the network fee.'),
	('withdraw', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Never left: moves nothing.'),
	('rebalance', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'On its way between own vaults: the total stays.'),
	('rebalance', ARRAY['completed', 'failed'], 0, -1, 0, 0,
		'Between own vaults: the total loses the network fee.'),
	('rebalance', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Did not take place: moves nothing.'),
	('stake', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Being staked: amount and fee move from available_balance to processing_balance, the total stays.'),
	('stake', ARRAY['completed'], 0, -1, 1, 0,
		'Staked: the amount is in staking_balance, the total loses the fee.'),
	('stake', ARRAY['failed'], 0, -1, 0, 0,
		'Was not staked; the network fee is gone.'),
	('stake', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Was not staked: moves nothing.'),
	('unstake', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being unstaked: the amount moves from staking_balance to processing_balance, the total stays.'),
	('unstake', ARRAY['completed'], 0, -1, 0, -1,
		'Unstaked: the amount less the fee is claimable.'),
	('unstake', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not unstaked: moves nothing.'),
	('claim', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being claimed: the amount moves from claimable_balance to processing_balance, the total stays.'),
	('claim', ARRAY['completed'], 0, -1, -1, 0,
		'Claimed: the amount less the fee is available.'),
	('claim', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not claimed: moves nothing.'),
	('change pool', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Between pools: the amount moves from staking_balance to processing_balance, the total stays.'),
	('change pool', ARRAY['completed'], 0, -1, 0, -1,
		'Staked elsewhere: staking_balance loses the fee.'),
	('change pool', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Stayed where it was: moves nothing.')
) AS r (transaction_type, statuses, total_amount_factor, total_fee_factor,
	staked_amount_factor, staked_fee_factor, meaning)
CROSS JOIN LATERAL unnest(r.statuses) AS s (status);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."accounting_rules" IS 'What a transaction of each type does to the balances in each status: the rules behind postings, flows, fees and the reconciliation. Where the service documents no meaning, this is our interpretation. A type that is not listed moves nothing. A status that is not listed counts as open, and leaves the balances as the last listed status of the transaction left them. The fee is paid in the asset that custody.fee_rules names for the network and type; without a rule, in the asset of the transaction. The sender pays the fee of a deposit. A missing fee counts as 0; a missing amount makes null whatever it would have moved.';
COMMENT ON COLUMN "reporting"."accounting_rules"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."accounting_rules"."status" IS 'Status of the transaction.';
COMMENT ON COLUMN "reporting"."accounting_rules"."direction" IS 'Seen from the account: in, out, internal (between own vaults) or staking.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_amount_factor" IS 'Times the amount: what the status does to the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_fee_factor" IS 'Times the fee: what the status does to the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_amount_factor" IS 'Times the amount: what the status does to staking_balance and claimable_balance together.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_fee_factor" IS 'Times the fee: what the status does to staking_balance and claimable_balance together.';
COMMENT ON COLUMN "reporting"."accounting_rules"."meaning" IS 'The rule in words.';
--> statement-breakpoint
-- Days and months in the account's time zone. Reports start from them and look up the facts of each day by index, so that a filter on
-- the day reads only the rows of that day.
CREATE VIEW "reporting"."calendar" AS
SELECT a.account_id, d.local::date AS day, date_trunc('month', d.local)::date AS month,
	reporting.day_starts_at(d.local, a.time_zone) AS starts_at,
	reporting.day_starts_at(d.local + interval '1 day', a.time_zone) AS ends_at,
	a.time_zone
FROM custody.accounts a
CROSS JOIN LATERAL generate_series(
	date_trunc('day', a.first_seen_at AT TIME ZONE a.time_zone),
	date_trunc('day', now() AT TIME ZONE a.time_zone),
	interval '1 day'
) AS d (local);
--> statement-breakpoint
COMMENT ON VIEW "reporting"."calendar" IS 'Calendar days of each account, from the day the mirror began until today, in the time zone of the account.';
COMMENT ON COLUMN "reporting"."calendar"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."calendar"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."calendar"."month" IS 'First day of the calendar month in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."calendar"."starts_at" IS 'First moment of the day. A day on which the clocks change does not have 24 hours.';
COMMENT ON COLUMN "reporting"."calendar"."ends_at" IS 'First moment of the next day.';
COMMENT ON COLUMN "reporting"."calendar"."time_zone" IS 'Time zone of the account, from SCHEDULE_TIMEZONE.';
