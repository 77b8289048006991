-- What is made again below keeps its grants and the options that were set on it.
CREATE TABLE "drizzle"."kept_access" AS
WITH o AS (
	SELECT 'TABLE' AS kind, oid, format('%s.%I', relnamespace::regnamespace, relname) AS name, relacl AS acl,
		relowner AS owner, reloptions AS options
	FROM pg_catalog.pg_class WHERE relkind = 'v' AND relnamespace::regnamespace::text IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
	UNION ALL
	SELECT 'FUNCTION', oid, format('%s.%I', pronamespace::regnamespace, proname), proacl, proowner, NULL
	FROM pg_catalog.pg_proc WHERE pronamespace::regnamespace::text IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
)
SELECT kind, oid, name, NULL AS "option", format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name) AS statement
FROM o WHERE kind = 'FUNCTION' AND acl IS NOT NULL
UNION ALL
SELECT kind, oid, name, NULL, format('GRANT %s%s ON %s %s TO %s%s', a.privilege_type, part.columns, kind,
	name, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
	CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
FROM o CROSS JOIN LATERAL (
	SELECT o.acl, ''
	UNION ALL
	SELECT attacl, format(' (%I)', attname) FROM pg_catalog.pg_attribute
	WHERE kind = 'TABLE' AND attrelid = o.oid
) AS part (acl, columns) CROSS JOIN LATERAL aclexplode(part.acl) AS a
WHERE a.grantee <> owner
UNION ALL
SELECT kind, oid, name, option_name, format('ALTER VIEW %s SET (%I = %L)', name, option_name, option_value)
FROM o CROSS JOIN LATERAL pg_options_to_table(options);
--> statement-breakpoint
DROP FUNCTION reporting.balance_values_daily_at(timestamp with time zone);
--> statement-breakpoint
DROP FUNCTION reporting.worth_daily_at(timestamp with time zone);
--> statement-breakpoint
DROP VIEW reporting.balance_values, reporting.balance_values_daily, reporting.late_corrections, reporting.movement_values, reporting.price_currencies, reporting.worth_daily;
--> statement-breakpoint
DROP FUNCTION reporting.price_before(text,text,text,timestamp with time zone);
--> statement-breakpoint
DROP VIEW internal.price_currencies;
--> statement-breakpoint
-- The currencies that have prices: one lookup by index for each asset and currency, instead of reading every price.
CREATE VIEW "internal"."present_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT DISTINCT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "internal"."present_currencies" IS 'The currencies in which an account has prices in custody.asset_prices.';
COMMENT ON COLUMN "internal"."present_currencies"."currency" IS 'Currency of the prices.';
--> statement-breakpoint
-- As internal.present_currencies, with the currencies in which prices were replaced or removed.
CREATE VIEW "reporting"."price_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.former_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.former_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT account_id, currency FROM internal.present_currencies
UNION
SELECT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."price_currencies" IS 'The currencies in which an account has or had prices in custody.asset_prices.';
COMMENT ON COLUMN "reporting"."price_currencies"."currency" IS 'Currency of the prices.';
--> statement-breakpoint
-- The one rule by which prices are chosen: the last one before a moment, and none of the future, as it was known at another. Where the
-- spans of two overlap, because somebody stated an earlier known_from, the one that was stated last counts: it has the later known_until,
-- or none. What is known now needs no former price: without that condition each of them would be looked through. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION "reporting"."price_known"("account" text, "asset" text, "in_currency" text, "before" timestamptz, "as_known_at" timestamptz)
RETURNS TABLE (price numeric, as_of timestamptz, known_until timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT trim_scale(k.price), k.as_of, k.known_until FROM (
		(
			SELECT q.price, q.as_of, NULL::timestamptz AS known_until FROM custody.asset_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now()) AND (q.known_from IS NULL OR q.known_from <= "as_known_at")
			ORDER BY q.as_of DESC LIMIT 1
		)
		UNION ALL
		(
			SELECT q.price, q.as_of, q.known_until FROM custody.former_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now())
				AND "as_known_at" < now() AND q.known_from <= "as_known_at" AND q.known_until > "as_known_at"
			ORDER BY q.as_of DESC, q.known_until DESC LIMIT 1
		)
	) AS k
	ORDER BY k.as_of DESC, k.known_until DESC NULLS FIRST LIMIT 1;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."price_known"(text, text, text, timestamptz, timestamptz) IS 'The last price of an asset in a currency before a moment, as it was known at another moment: from custody.asset_prices and custody.former_prices, with the moment at which it was replaced or removed. No row where none was known. The prices known now: give ''infinity'' as the other moment. The end of a day takes the last price before the day ends: give the day''s ends_at of reporting.calendar.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, 'infinity', 'infinity') AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values" IS 'The balances last observed, valued at the latest price in custody.asset_prices. Only assets that have a price have a row: an asset that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."balance_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values"."age" IS 'How long ago the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
--> statement-breakpoint
-- Like reporting.balance_values_daily, from the observations and the prices that were known at a moment.
CREATE FUNCTION "reporting"."balance_values_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, asset_id text, asset_name text, network_id text, network_name text, total_balance numeric,
	currency text, price numeric, price_as_of timestamptz, total_value numeric, observed_at timestamptz, age interval, is_known boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
		m.currency, p.price, p.as_of, trim_scale(b.total_balance * p.price), l.snapshot_at,
		least(c.ends_at, "as_known_at", now()) - l.snapshot_at, b.is_known
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	CROSS JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balance_values_daily_at"(timestamptz) IS 'balance_values_daily as it was known at a moment: by the balances that were observed and the prices of custody.asset_prices that were known until then, with what was seen or stated exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''.';
--> statement-breakpoint
CREATE VIEW "reporting"."worth_daily" AS
SELECT b.account_id, b.day, b.vault_type, c.currency,
	trim_scale(coalesce(sum(b.total_balance * p.price), 0)) AS total_value,
	count(b.total_balance * p.price) AS valued,
	count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0) AS without_price,
	count(*) FILTER (WHERE b.total_balance IS NULL) AS unknown,
	min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL) AS oldest_price_as_of, max(b.observed_at) AS observed_at
FROM reporting.balances_daily b
JOIN internal.present_currencies c ON c.account_id = b.account_id
LEFT JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p ON true
GROUP BY b.account_id, b.day, b.vault_type, c.currency;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."worth_daily" IS 'What the balances last observed of each day were worth together, at the last prices before the day ended (today: until now) in custody.asset_prices: one row for each type of vaults and currency. A day without observations, or on which nothing was listed, has no row: its worth is unknown.';
COMMENT ON COLUMN "reporting"."worth_daily"."currency" IS 'Currency of the prices, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."worth_daily"."total_value" IS 'Sum of total balance times price, exact: round it as the currency requires. What has no price, and what is unknown, is not in it: see without_price and unknown.';
COMMENT ON COLUMN "reporting"."worth_daily"."valued" IS 'Balances in the sum, one for each asset and network; those of zero too.';
COMMENT ON COLUMN "reporting"."worth_daily"."without_price" IS 'Balances that are not zero and had no price in the currency.';
COMMENT ON COLUMN "reporting"."worth_daily"."unknown" IS 'Balances that could not be read.';
COMMENT ON COLUMN "reporting"."worth_daily"."oldest_price_as_of" IS 'The oldest of the prices; null when the sum is of nothing.';
COMMENT ON COLUMN "reporting"."worth_daily"."observed_at" IS 'When the observation of these figures was made.';
--> statement-breakpoint
-- Like reporting.worth_daily, from the observations and the prices that were known at a moment.
CREATE FUNCTION "reporting"."worth_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, currency text, total_value numeric, valued bigint, without_price bigint, unknown bigint,
	oldest_price_as_of timestamptz, observed_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, m.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)),
		count(b.total_balance * p.price), count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0),
		count(*) FILTER (WHERE b.total_balance IS NULL), min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL), l.snapshot_at
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p ON true
	GROUP BY c.account_id, c.day, v.vault_type, m.currency, l.snapshot_at;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."worth_daily_at"(timestamptz) IS 'worth_daily as it was known at a moment: by the balances that were observed and the prices of custody.asset_prices that were known until then, with what was seen or stated exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''. A currency of which no price was known then has a row in which nothing is valued.';
--> statement-breakpoint
-- Compares the figures of a day as known when it ended with those known now, transaction by transaction: one counts among the causes of a
-- difference if what it gives to the figure differs. The asset of a fee also depends on the rules that were known: a span of answers has
-- a row for each.
CREATE VIEW "reporting"."late_corrections" AS
SELECT c.account_id, c.day, f.measure, f.transaction_type, f.asset_id, f.network_id,
	trim_scale(f.as_reported) AS as_reported, trim_scale(f.as_known_now) AS as_known_now,
	trim_scale(f.as_known_now - f.as_reported) AS difference, f.transactions, f.corrected_at, f.corrected_at - c.ends_at AS corrected_after,
	f.reason, NULL::text AS currency, NULL::text AS vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT t.measure, t.transaction_type, t.asset_id, t.network_id,
		CASE WHEN sum(t.unknown_then) = 0 THEN sum(t.value_then) END AS as_reported,
		CASE WHEN sum(t.unknown_now) = 0 THEN sum(t.value_now) END AS as_known_now,
		count(*) FILTER (WHERE d.differs) AS transactions, max(t.changed_at) FILTER (WHERE d.differs) AS corrected_at,
		concat_ws(', ', CASE WHEN bool_or(d.differs AND t.by_answer) THEN 'answer' END,
			CASE WHEN bool_or(d.differs AND t.by_rule) THEN 'fee rule' END) AS reason
	FROM (
		-- What each transaction gave to the figure at the end of the day and gives now, and how it came to differ.
		SELECT e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id,
			coalesce(sum(e.value) FILTER (WHERE NOT e.is_late), 0) AS value_then, sum(e.value) AS value_now,
			coalesce(sum(e.unknown) FILTER (WHERE NOT e.is_late), 0) AS unknown_then, sum(e.unknown) AS unknown_now,
			max(e.at) AS changed_at, bool_or(e.is_late AND e.is_answer) AS by_answer, bool_or(e.is_late AND NOT e.is_answer) AS by_rule
		FROM (
			-- A span of knowledge gives its value when it begins and takes it back when it ends: where a moment gives as much as it takes,
			-- something else was corrected.
			SELECT s.transaction_id, m.measure, s.transaction_type, m.asset_id, s.network_id, b.at, b.at >= c.ends_at AS is_late,
				sum(b.sign * coalesce(m.value, 0)) AS value, coalesce(sum(b.sign) FILTER (WHERE m.value IS NULL), 0) AS unknown,
				bool_or(b.is_answer) AS is_answer
			FROM internal.known_settlements s
			LEFT JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
			CROSS JOIN LATERAL (
				SELECT g.measure, s.asset_id, g.value, s.span_from AS known_from, s.span_until AS known_until
				FROM (
					SELECT 'in_amount' AS measure, s.amount AS value WHERE s.status = 'completed' AND r.direction = 'in'
					UNION ALL
					SELECT 'out_amount', s.amount WHERE s.status = 'completed' AND r.direction = 'out'
					UNION ALL
					SELECT CASE s.status WHEN 'completed' THEN 'completed_amount' ELSE 'unsuccessful_amount' END, s.amount
					UNION ALL
					SELECT s.status, 1
				) AS g
				WHERE s.known_from = s.span_from
				UNION ALL
				SELECT 'fee', s.fee_asset_id, s.fee, s.known_from, s.known_until WHERE r.total_fee_factor <> 0 AND s.fee <> 0
			) AS m
			CROSS JOIN LATERAL (
				VALUES (1, m.known_from, m.known_from = s.span_from), (-1, m.known_until, m.known_until = s.span_until)
			) AS b (sign, at, is_answer)
			WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at AND b.at IS NOT NULL
			GROUP BY s.transaction_id, m.measure, s.transaction_type, m.asset_id, s.network_id, b.at
			HAVING sum(b.sign * coalesce(m.value, 0)) <> 0 OR sum(b.sign) FILTER (WHERE m.value IS NULL) <> 0
		) AS e
		GROUP BY e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id
	) AS t
	CROSS JOIN LATERAL (
		SELECT (t.unknown_then, t.value_then) IS DISTINCT FROM (t.unknown_now, t.value_now) AS differs
	) AS d
	GROUP BY t.measure, t.transaction_type, t.asset_id, t.network_id
) AS f
WHERE c.ends_at <= now() AND f.as_reported IS DISTINCT FROM f.as_known_now
UNION ALL
-- What the last balances of a day were worth: balances stay, but a price may be stated, replaced or removed later.
SELECT c.account_id, c.day, 'worth', NULL, NULL, NULL, trim_scale(f.as_reported), trim_scale(f.as_known_now),
	trim_scale(f.as_known_now - f.as_reported), 0, f.corrected_at, f.corrected_at - c.ends_at, 'price', f.currency, f.vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.currency, v.vault_type, coalesce(sum(b.total_balance * w.price), 0) AS as_reported,
		coalesce(sum(b.total_balance * n.price), 0) AS as_known_now,
		-- Since then the present price counts: it was stated then, or a later one that counted before it was replaced or removed.
		max(CASE WHEN b.total_balance * w.price IS DISTINCT FROM b.total_balance * n.price THEN greatest(n.known_from, (
			SELECT max(q.known_until) FROM custody.former_prices q
			WHERE q.account_id = c.account_id AND q.asset_id = b.asset_id AND q.currency = m.currency
				AND q.as_of >= coalesce(n.as_of, '-infinity') AND q.as_of < c.ends_at
		)) END) AS corrected_at
	FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, c.ends_at - interval '1 microsecond') AS w ON true
	LEFT JOIN LATERAL (
		SELECT q.price, q.as_of, q.known_from FROM custody.asset_prices q
		WHERE q.account_id = c.account_id AND q.asset_id = b.asset_id AND q.currency = m.currency AND q.as_of < c.ends_at
		ORDER BY q.as_of DESC LIMIT 1
	) AS n ON true
	GROUP BY m.currency, v.vault_type
) AS f
WHERE c.ends_at <= now() AND f.as_reported <> f.as_known_now;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."late_corrections" IS 'Where the figures known at the end of a day differ from those known now: one row per day, figure, type, asset and network; of the worth, per day, currency and type of vaults. Every later correction shows here, by the service, by a rule for fees or by a price, with its reason.';
COMMENT ON COLUMN "reporting"."late_corrections"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE), on which the transactions count.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; worth for total_value of worth_daily.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset, null for the worth; for the measure fee, the asset in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_reported" IS 'The figure at the end of the day; null when an amount was unknown then.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_known_now" IS 'The figure now; null when an amount is unknown.';
COMMENT ON COLUMN "reporting"."late_corrections"."difference" IS 'as_known_now - as_reported; null when one of them is null.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions give something else to the figure now than at the end of the day: settlement_history shows each. 0 for the worth.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When what one of these transactions gives to the figure was last seen to change; of the worth, when a price of it was last changed.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'How long after the end of the day that was.';
COMMENT ON COLUMN "reporting"."late_corrections"."reason" IS 'What made the difference: answer (the service showed something else later), fee rule (a person changed custody.fee_rules), price (a person changed custody.asset_prices); more than one are separated by commas.';
COMMENT ON COLUMN "reporting"."late_corrections"."currency" IS 'Of the worth: currency of the prices; else null.';
COMMENT ON COLUMN "reporting"."late_corrections"."vault_type" IS 'Of the worth: which vaults, all, warm or cold; else null.';
--> statement-breakpoint
-- Completed deposits and withdrawals with what they are worth. The history is read first, as in settlements, so that a day reads only its
-- own rows. The other side is looked up for rows that are shown alone: not for a sum, and after a limit.
CREATE VIEW "reporting"."movement_values" AS
SELECT s.account_id, s.transaction_id, s.settled_at, r.direction, s.transaction_type, s.asset_id, s.asset_name, s.network_id,
	trim_scale(s.amount) AS amount, p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of,
	trim_scale(s.amount * p.price) AS value,
	(SELECT q.counterparty_name FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	(SELECT q.counterparty_address FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	s.missing_since
FROM internal.settlements s
JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
JOIN internal.present_currencies c ON c.account_id = s.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = s.account_id AND q.asset_id = s.asset_id AND q.currency = c.currency AND q.as_of <= s.settled_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p
WHERE s.status = 'completed' AND r.direction IN ('in', 'out') AND s.amount IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."movement_values" IS 'Completed deposits and withdrawals, valued at the latest price in custody.asset_prices when they were completed. Only those with an amount and a price have a row: one that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."movement_values"."settled_at" IS 'When the mirror first saw it completed. Those that were completed before the mirror began are not here.';
COMMENT ON COLUMN "reporting"."movement_values"."direction" IS 'Seen from the account: in (deposit) or out (withdraw).';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_type" IS 'Kind of transaction: deposit or withdraw.';
COMMENT ON COLUMN "reporting"."movement_values"."amount" IS 'Amount, in units of the asset, exact, without padding zeros, without fees.';
COMMENT ON COLUMN "reporting"."movement_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices: the latest one when it was completed.';
COMMENT ON COLUMN "reporting"."movement_values"."value" IS 'Amount times price, exact: round it as the currency requires.';
COMMENT ON COLUMN "reporting"."movement_values"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values_daily" IS 'The last observed balances of each day, valued at the last price before the day ended (today: until now) in custody.asset_prices. Only assets that had a price have a row.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."age" IS 'How long before the end of the day (today: before now) the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
COMMENT ON COLUMN "internal"."present_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balance_values_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."late_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."late_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."late_corrections"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."movement_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."movement_values"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."movement_values"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."movement_values"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."price_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."worth_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."worth_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."worth_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
--> statement-breakpoint
DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k.statement FROM drizzle.kept_access k
		WHERE CASE
			WHEN k."option" IS NOT NULL THEN k."option" NOT IN (
				SELECT p.option_name FROM pg_catalog.pg_class c CROSS JOIN LATERAL pg_options_to_table(c.reloptions) p
				WHERE c.oid = to_regclass(k.name))
			WHEN k.kind = 'TABLE' THEN NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = k.oid)
			ELSE NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid = k.oid) END
		ORDER BY k.statement LIKE 'REVOKE %' DESC
	LOOP
		BEGIN
			EXECUTE kept.statement;
		EXCEPTION WHEN undefined_table OR undefined_column OR undefined_function THEN
		END;
	END LOOP;
	DROP TABLE drizzle.kept_access;
END
$$;
