-- By the form of the address, since the identifiers of networks are the service's own: what is written in hexadecimal digits, as on
-- EVM networks, is the same in either case; bech32 is written in one case throughout, and is the same in the other; everything else,
-- base58 above all, tells its letters' cases apart. Spaces around it are no part of it.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address as its network compares it: in lower case where it is written in hexadecimal digits (0x…) or in bech32, else as it is. Null where there is none.';
--> statement-breakpoint
-- Where the clocks go back over midnight it comes twice, and the database takes the second; the day begins with the first, which
-- is found with the offset of three hours before. Spelled out, so that it is inlined.
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
COMMENT ON FUNCTION "reporting"."day_starts_at"(timestamp, text) IS 'First moment of a day in a time zone: the first midnight where the clocks go back over it, the first moment after a midnight that is skipped.';
--> statement-breakpoint
-- By the type; for a type that nobody documented, by where it came from and went to.
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
COMMENT ON FUNCTION "reporting"."direction_of"(text, text, text) IS 'Direction of a transaction seen from the account: in, out, internal, staking or unknown; by its type, else by where it came from and went to.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_documented_status"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('pending', 'processing', 'confirming', 'completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_documented_status"(text) IS 'Whether a status is one of those that the service documents. Any other is treated as open, and leaves the balances as the last documented status of the transaction left them.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_settled"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_settled"(text) IS 'Whether a status is one of the final ones: completed, rejected, cancelled, failed.';
--> statement-breakpoint
-- The one place that says what a transaction does to the balances. Factors multiply the amount and the fee.
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
COMMENT ON VIEW "reporting"."accounting_rules" IS 'What a transaction of each type does to the balances in each status: the rules behind postings, flows, fees and the reconciliation. Where the service leaves a meaning open, this is the reading taken. A type that is not listed moves nothing. A status that is not listed is taken for open, and leaves the balances as the last listed one of the transaction left them. The fee is paid in the asset that custody.fee_rules names for the network and type, else it is taken to be paid in that of the transaction; the fee of a deposit is the sender''s. A fee that the service does not tell counts as none; an amount that it does not tell makes null whatever it would have moved.';
COMMENT ON COLUMN "reporting"."accounting_rules"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."accounting_rules"."status" IS 'Status of the transaction.';
COMMENT ON COLUMN "reporting"."accounting_rules"."direction" IS 'Seen from the account: in, out, internal (between own vaults) or staking.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_amount_factor" IS 'Times the amount: what the status does to the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_fee_factor" IS 'Times the fee: what the status does to the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_amount_factor" IS 'Times the amount: what the status does to staking_balance and claimable_balance together.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_fee_factor" IS 'Times the fee: what the status does to staking_balance and claimable_balance together.';
COMMENT ON COLUMN "reporting"."accounting_rules"."meaning" IS 'The rule in words.';
--> statement-breakpoint
-- Days and months in the account's time zone. They are made first and the facts looked up for each, by index: a filter on the
-- day then reads that day's rows and no others.
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
COMMENT ON COLUMN "reporting"."calendar"."starts_at" IS 'First moment of the day. On a day on which the clocks change it is not 24 hours before the next.';
COMMENT ON COLUMN "reporting"."calendar"."ends_at" IS 'First moment of the next day.';
COMMENT ON COLUMN "reporting"."calendar"."time_zone" IS 'Time zone of the account, from SCHEDULE_TIMEZONE.';
