CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
	f.transactions, trim_scale(f.fee) AS fee, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
		count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND r.total_fee_factor <> 0 AND s.fee <> 0
	GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees that the account paid, by day, asset of the fee, asset of the transaction and type, as known now. A transaction counts if accounting_rules charge a fee for its status, on the day on which that status was first seen. For what was known earlier, see fees_daily_at.';
COMMENT ON COLUMN "reporting"."fees_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."fees_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_id" IS 'Asset in which the fee is paid: from custody.fee_rules; without a rule, the asset of the transaction is assumed. Sum fees by this column.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_id" IS 'Identifier of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_name" IS 'Name of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."fees_daily"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Transactions that cost a fee.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee" IS 'Sum of their fees, in units of fee_asset_id.';
COMMENT ON COLUMN "reporting"."fees_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- Like reporting.fees_daily, from what was known at a moment, but with the present rows of custody.fee_rules.
CREATE FUNCTION "reporting"."fees_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, fee_asset_id text, fee_asset_is_assumed boolean, asset_id text, asset_name text, network_id text,
	transaction_type text, transactions bigint, fee numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
		f.transactions, trim_scale(f.fee), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
			count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND r.total_fee_factor <> 0 AND s.fee <> 0
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."fees_daily_at"(timestamptz) IS 'fees_daily as it was known at a moment. The asset of a fee follows the present rows of custody.fee_rules.';
--> statement-breakpoint
CREATE VIEW "reporting"."flows_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount) AS in_amount,
	f.withdrawals, trim_scale(f.out_amount) AS out_amount, trim_scale(f.in_amount - f.out_amount) AS net_amount, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) FILTER (WHERE r.direction = 'in') AS deposits,
		CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
		count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
		CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
		count(s.missing_since) AS missing
	FROM internal.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND s.status = 'completed' AND r.direction IN ('in', 'out')
	GROUP BY s.asset_id, s.network_id
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."flows_daily" IS 'What came in and went out, by day and asset, as known now: completed deposits and withdrawals, on the day on which each was first seen as completed. Fees are not included: see fees_daily. A day without flows has no row. For what was reported when a day was over, see flows_daily_at and late_corrections.';
COMMENT ON COLUMN "reporting"."flows_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."flows_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."flows_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."flows_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."flows_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."flows_daily"."deposits" IS 'Deposits completed.';
COMMENT ON COLUMN "reporting"."flows_daily"."in_amount" IS 'Sum of their amounts; null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."flows_daily"."withdrawals" IS 'Withdrawals completed.';
COMMENT ON COLUMN "reporting"."flows_daily"."out_amount" IS 'Sum of their amounts, without fees; null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."flows_daily"."net_amount" IS 'in_amount - out_amount; null when one of them is null.';
COMMENT ON COLUMN "reporting"."flows_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- Like reporting.flows_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."flows_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, asset_id text, asset_name text, network_id text, deposits bigint, in_amount numeric,
	withdrawals bigint, out_amount numeric, net_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount),
		f.withdrawals, trim_scale(f.out_amount), trim_scale(f.in_amount - f.out_amount), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) FILTER (WHERE r.direction = 'in') AS deposits,
			CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
			count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
			CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.status = 'completed' AND r.direction IN ('in', 'out')
				AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.asset_id, s.network_id
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."flows_daily_at"(timestamptz) IS 'flows_daily as it was known at a moment. Compare it with flows_daily to see later corrections of a day that is over.';
--> statement-breakpoint
-- Compares the figures of a day as known when it ended with those known now. A row of settlement_history that held at the end of the day
-- and still holds is in both, and makes no difference.
CREATE VIEW "reporting"."late_corrections" AS
SELECT c.account_id, c.day, f.measure, f.transaction_type, f.asset_id, f.network_id,
	trim_scale(f.as_reported) AS as_reported, trim_scale(f.as_known_now) AS as_known_now,
	trim_scale(f.as_known_now - f.as_reported) AS difference, f.transactions, f.corrected_at, f.corrected_at - c.ends_at AS corrected_after
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.measure, s.transaction_type, m.asset_id, s.network_id,
		CASE WHEN bool_or(k.reported AND m.value IS NULL) THEN NULL ELSE coalesce(sum(m.value) FILTER (WHERE k.reported), 0) END
			AS as_reported,
		CASE WHEN bool_or(k.known_now AND m.value IS NULL) THEN NULL ELSE coalesce(sum(m.value) FILTER (WHERE k.known_now), 0) END
			AS as_known_now,
		count(DISTINCT s.transaction_id) FILTER (WHERE k.reported <> k.known_now) AS transactions,
		max(CASE WHEN k.reported THEN s.known_until ELSE s.known_from END) FILTER (WHERE k.reported <> k.known_now) AS corrected_at
	FROM reporting.settlement_history s
	LEFT JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	CROSS JOIN LATERAL (
		SELECT s.known_from < c.ends_at AND (s.known_until IS NULL OR s.known_until >= c.ends_at) AS reported,
			s.known_until IS NULL AS known_now
	) AS k
	CROSS JOIN LATERAL (
		SELECT 'in_amount' AS measure, s.asset_id, s.amount AS value WHERE s.status = 'completed' AND r.direction = 'in'
		UNION ALL
		SELECT 'out_amount', s.asset_id, s.amount WHERE s.status = 'completed' AND r.direction = 'out'
		UNION ALL
		SELECT 'fee', s.fee_asset_id, s.fee WHERE r.total_fee_factor <> 0 AND s.fee <> 0
		UNION ALL
		SELECT CASE s.status WHEN 'completed' THEN 'completed_amount' ELSE 'unsuccessful_amount' END, s.asset_id, s.amount
		UNION ALL
		SELECT s.status, s.asset_id, 1
	) AS m
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at AND (k.reported OR k.known_now)
	GROUP BY m.measure, s.transaction_type, m.asset_id, s.network_id
) AS f
WHERE c.ends_at <= now() AND f.as_reported IS DISTINCT FROM f.as_known_now;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."late_corrections" IS 'Where the figures known at the end of a day differ from those known now: one row per day, figure, type, asset and network. Every correction by the service shows here. A change of a fee rule or of the time zone changes both figures, and does not show here.';
COMMENT ON COLUMN "reporting"."late_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."late_corrections"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE), on which the transactions count.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."late_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset; for the measure fee, the asset in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_reported" IS 'The figure at the end of the day; null when an amount was unknown then.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_known_now" IS 'The figure now; null when an amount is unknown.';
COMMENT ON COLUMN "reporting"."late_corrections"."difference" IS 'as_known_now - as_reported; null when one of them is null.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions cause the difference: settlement_history shows each.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When the last of the corrections was seen.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'How long after the end of the day the last correction was seen.';
--> statement-breakpoint
-- Completed deposits and withdrawals with what they are worth. The history is read first, as in settlements, so that a day reads only its
-- own rows.
CREATE VIEW "reporting"."movement_values" AS
SELECT s.account_id, s.transaction_id, s.settled_at, r.direction, s.transaction_type, s.asset_id, s.asset_name, s.network_id,
	trim_scale(s.amount) AS amount, p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of,
	trim_scale(s.amount * p.price) AS value, t.counterparty_name, t.counterparty_address, s.missing_since
FROM internal.settlements s
JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
JOIN internal.price_currencies c ON c.account_id = s.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = s.account_id AND q.asset_id = s.asset_id AND q.currency = c.currency AND q.as_of <= s.settled_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p
CROSS JOIN LATERAL (
	SELECT nullif(CASE r.direction WHEN 'in' THEN q.source_name ELSE q.destination_name END, '') AS counterparty_name,
		nullif(CASE r.direction WHEN 'in' THEN q.source_address ELSE q.destination_address END, '') AS counterparty_address
	FROM custody.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id OFFSET 0
) AS t
WHERE s.status = 'completed' AND r.direction IN ('in', 'out') AND s.amount IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."movement_values" IS 'Completed deposits and withdrawals, valued at the latest price in custody.asset_prices when they were completed. Only those with an amount and a price have a row: one that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."movement_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."movement_values"."settled_at" IS 'When the mirror first saw it completed. Those that were completed before the mirror began are not here.';
COMMENT ON COLUMN "reporting"."movement_values"."direction" IS 'Seen from the account: in (deposit) or out (withdraw).';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_type" IS 'Kind of transaction: deposit or withdraw.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."movement_values"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."movement_values"."amount" IS 'Amount, in units of the asset, exact, without padding zeros, without fees.';
COMMENT ON COLUMN "reporting"."movement_values"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."movement_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices: the latest one when it was completed.';
COMMENT ON COLUMN "reporting"."movement_values"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."movement_values"."value" IS 'Amount times price, exact: round it as the currency requires.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_name" IS 'Name of the other side, from the transaction.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."movement_values"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
-- What an observed correction of an amount, a fee, a type or an asset did to the balances, given the status of the transaction: earlier
-- postings stay, and the difference is posted when it is seen. One row per asset that it changes.
CREATE VIEW "internal"."posted_corrections" AS
SELECT r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status,
	l.asset_id, max(l.asset_name) AS asset_name, n.network_id,
	CASE WHEN bool_or(l.inflow IS NULL) THEN NULL ELSE sum(l.inflow) END AS inflow,
	CASE WHEN bool_or(l.outflow IS NULL) THEN NULL ELSE sum(l.outflow) END AS outflow, sum(l.fee) AS fee,
	CASE WHEN bool_or(l.staked IS NULL) THEN NULL ELSE sum(l.staked) END AS staked_change,
	bool_or(l.fee_asset_is_assumed) AS fee_asset_is_assumed
FROM custody.transaction_revisions r
-- The last documented status before the correction. A status that is seen together with it is posted after it.
CROSS JOIN LATERAL (
	SELECT q.to_status, max(q.observed_after) OVER () AS observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = r.account_id AND q.transaction_id = r.transaction_id AND q.observed_at < r.observed_at
		AND reporting.is_documented_status(q.to_status)
	ORDER BY q.sequence DESC LIMIT 1
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_from = r.observed_at OFFSET 0
) AS n
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_until = r.observed_at OFFSET 0
) AS o
CROSS JOIN LATERAL (
	SELECT f.sign, f.asset_id, f.asset_name, f.amount, coalesce(f.fee, 0) AS fee, u.*,
		coalesce(fx.asset_id, fa.asset_id, f.asset_id) AS fee_asset_id, fx.asset_id IS NULL AND fa.asset_id IS NULL AS is_assumed
	FROM (VALUES (1, n.transaction_type, n.asset_id, n.asset_name, n.network_id, n.amount, n.fee),
		(-1, o.transaction_type, o.asset_id, o.asset_name, o.network_id, o.amount, o.fee)
	) AS f (sign, transaction_type, asset_id, asset_name, network_id, amount, fee)
	JOIN reporting.accounting_rules u ON u.transaction_type = f.transaction_type AND u.status = s.to_status
	LEFT JOIN custody.fee_rules fx
		ON fx.account_id = r.account_id AND fx.network_id = f.network_id AND fx.transaction_type = f.transaction_type
	LEFT JOIN custody.fee_rules fa ON fa.account_id = r.account_id AND fa.network_id = f.network_id AND fa.transaction_type IS NULL
) AS p
-- Fields that the correction did not change give no line; otherwise an amount that was never known would make another sum unknown.
CROSS JOIN LATERAL (
	SELECT p.asset_id, p.asset_name,
		CASE WHEN p.direction = 'in' AND p.total_amount_factor <> 0 THEN p.sign * p.total_amount_factor * p.amount ELSE 0 END AS inflow,
		CASE WHEN p.direction = 'out' AND p.total_amount_factor <> 0 THEN -p.sign * p.total_amount_factor * p.amount ELSE 0 END AS outflow,
		0 AS fee, CASE WHEN p.staked_amount_factor <> 0 THEN p.sign * p.staked_amount_factor * p.amount ELSE 0 END AS staked,
		NULL::boolean AS fee_asset_is_assumed
	WHERE (p.total_amount_factor <> 0 OR p.staked_amount_factor <> 0)
		AND (n.transaction_type, n.asset_id, n.amount) IS DISTINCT FROM (o.transaction_type, o.asset_id, o.amount)
	UNION ALL
	SELECT p.fee_asset_id, CASE WHEN p.fee_asset_id = p.asset_id THEN p.asset_name END, 0, 0, -p.sign * p.total_fee_factor * p.fee,
		CASE WHEN p.fee_asset_id = p.asset_id THEN p.sign * p.staked_fee_factor * p.fee ELSE 0 END, p.is_assumed
	WHERE p.total_fee_factor <> 0 AND (n.transaction_type, n.asset_id, n.network_id, n.fee)
		IS DISTINCT FROM (o.transaction_type, o.asset_id, o.network_id, o.fee)
) AS l
WHERE r.changed_fields && ARRAY['transaction_type', 'asset_id', 'network_id', 'amount', 'fee']
GROUP BY r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status, l.asset_id, n.network_id
HAVING bool_or(l.inflow IS NULL OR l.outflow IS NULL OR l.staked IS NULL)
	OR sum(l.inflow) <> 0 OR sum(l.outflow) <> 0 OR sum(l.fee) <> 0 OR sum(l.staked) <> 0;
--> statement-breakpoint
COMMENT ON VIEW "internal"."posted_corrections" IS 'What each observed correction of a transaction did to the balances: one of the two parts of reporting.postings, which explains the columns.';
COMMENT ON COLUMN "internal"."posted_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."posted_corrections"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."posted_corrections"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "internal"."posted_corrections"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "internal"."posted_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."posted_corrections"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "internal"."posted_corrections"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "internal"."posted_corrections"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "internal"."posted_corrections"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "internal"."posted_corrections"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "internal"."posted_corrections"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_corrections"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
--> statement-breakpoint
-- What each observed change of a status did to the balances, with the amount and the fee as they were known then. An undocumented
-- status leaves the balances as the last documented one left them.
CREATE VIEW "internal"."posted_statuses" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_after, h.observed_at, v.transaction_type, h.from_status, h.to_status,
	l.asset_id, l.asset_name, v.network_id,
	CASE WHEN d.direction = 'in' THEN l.total ELSE 0 END AS inflow, CASE WHEN d.direction = 'out' THEN -l.total ELSE 0 END AS outflow,
	l.fee, l.staked AS staked_change, l.fee_asset_is_assumed
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index, as in transaction_timeline.
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND c.known_from <= h.observed_at AND (c.known_until IS NULL OR c.known_until > h.observed_at) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT CASE WHEN h.from_status IS NULL OR reporting.is_documented_status(h.from_status) THEN h.from_status ELSE (
		SELECT q.to_status FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND reporting.is_documented_status(q.to_status)
		ORDER BY q.sequence DESC LIMIT 1
	) END AS status_before
) AS b
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = v.transaction_type AND before.status = b.status_before
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = v.transaction_type
	AND after.status = CASE WHEN reporting.is_documented_status(h.to_status) THEN h.to_status ELSE b.status_before END
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = v.network_id AND fx.transaction_type = v.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = v.network_id AND fa.transaction_type IS NULL
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee,
		fx.asset_id IS NULL AND fa.asset_id IS NULL AS is_assumed, coalesce(fx.asset_id, fa.asset_id, v.asset_id) AS fee_asset_id
) AS d
-- What does not move is 0 even if the amount is unknown; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * v.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * v.amount END AS staked,
		coalesce(v.fee, 0) AS fee, d.fee_asset_id IS NOT DISTINCT FROM v.asset_id AS in_same_asset
) AS m
-- A fee in another asset is a line of its own, and does not reduce the staked balance.
CROSS JOIN LATERAL (
	SELECT v.asset_id, v.asset_name, m.total, CASE WHEN m.in_same_asset THEN -d.total_fee * m.fee ELSE 0 END AS fee,
		m.staked + CASE WHEN m.in_same_asset THEN d.staked_fee * m.fee ELSE 0 END AS staked, d.is_assumed AS fee_asset_is_assumed
	UNION ALL
	SELECT d.fee_asset_id, NULL, 0, -d.total_fee * m.fee, 0, d.is_assumed
	WHERE NOT m.in_same_asset AND d.total_fee * m.fee <> 0
) AS l
-- What the first sweep found existed before; the first balances include it.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
COMMENT ON VIEW "internal"."posted_statuses" IS 'What each observed change of a status did to the balances: one of the two parts of reporting.postings, which explains the columns.';
COMMENT ON COLUMN "internal"."posted_statuses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."posted_statuses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."posted_statuses"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "internal"."posted_statuses"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "internal"."posted_statuses"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "internal"."posted_statuses"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "internal"."posted_statuses"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "internal"."posted_statuses"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "internal"."posted_statuses"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "internal"."posted_statuses"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "internal"."posted_statuses"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "internal"."posted_statuses"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
COMMENT ON COLUMN "internal"."posted_statuses"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
--> statement-breakpoint
-- What each observed change did to the balances: the lines of the reconciliation. A line never changes, except for the asset of a fee
-- when a person changes the rules.
CREATE VIEW "reporting"."postings" AS
SELECT p.account_id, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type,
	p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, trim_scale(p.inflow) AS inflow, trim_scale(p.outflow) AS outflow,
	trim_scale(p.fee) AS fee, trim_scale(p.inflow - p.outflow - p.fee) AS total_change, trim_scale(p.staked_change) AS staked_change,
	p.fee_asset_is_assumed
FROM (
	SELECT account_id, transaction_id, 'status' AS kind, sequence, NULL::integer AS revision, observed_after, observed_at,
		transaction_type, from_status, to_status, asset_id, asset_name, network_id, inflow, outflow, fee, staked_change,
		fee_asset_is_assumed
	FROM internal.posted_statuses
	UNION ALL
	SELECT account_id, transaction_id, 'correction', NULL, revision, observed_after, observed_at, transaction_type, to_status, to_status,
		asset_id, asset_name, network_id, inflow, outflow, fee, staked_change, fee_asset_is_assumed
	FROM internal.posted_corrections
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a transaction did to the total balance of an asset, by accounting_rules: one row per change and asset. Amounts and fees are those known at observed_at. A later correction is a row of its own with the difference, and earlier rows stay: the rows observed until a moment are what was known then. What existed before the mirror is not posted, because the first balances include it.';
COMMENT ON COLUMN "reporting"."postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."postings"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null when unknown.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset that moved. A fee in another asset than the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."postings"."inflow" IS 'What came into the account; negative when an incoming amount was counted and then did not arrive. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."outflow" IS 'What left the account, without the fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."fee" IS 'Fee taken from the total; 0 when the service sent none.';
COMMENT ON COLUMN "reporting"."postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null when the amount is unknown.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'True: custody.fee_rules has no rule for the fee, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
