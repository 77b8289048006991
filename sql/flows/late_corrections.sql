-- Compares the figures of a day as known when it ended with those known now, transaction by transaction: a transaction is a cause of the
-- difference if its contribution differs. The asset of a fee also depends on the rules known then: a period of answers has a row for
-- each.
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
		-- Contribution of each transaction to the figure at the end of the day and now, and why they differ.
		SELECT e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id,
			coalesce(sum(e.value) FILTER (WHERE NOT e.is_late), 0) AS value_then, sum(e.value) AS value_now,
			coalesce(sum(e.unknown) FILTER (WHERE NOT e.is_late), 0) AS unknown_then, sum(e.unknown) AS unknown_now,
			max(e.at) AS changed_at, bool_or(e.is_late AND e.is_answer) AS by_answer, bool_or(e.is_late AND NOT e.is_answer) AS by_rule
		FROM (
			-- A period of knowledge adds its value when it begins and subtracts it when it ends: if a moment adds as much as it subtracts,
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
				VALUES (1, m.known_from, m.known_from = s.span_from), (-1, m.known_until, m.known_until IS NOT DISTINCT FROM s.span_until)
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
-- The value of the last balances of a day: balances stay, but a price may be stated, replaced or removed later.
SELECT c.account_id, c.day, 'portfolio_value', NULL, NULL, NULL, trim_scale(f.as_reported), trim_scale(f.as_known_now),
	trim_scale(f.as_known_now - f.as_reported), 0, f.corrected_at, f.corrected_at - c.ends_at, 'price', f.currency, f.vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.currency, v.vault_type, coalesce(sum(b.total_balance * w.price), 0) AS as_reported,
		coalesce(sum(b.total_balance * n.price), 0) AS as_known_now,
		-- From when the current price counts: it was stated then, or a later one that counted before was replaced or removed.
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

COMMENT ON VIEW "reporting"."late_corrections" IS 'Figures of a day that differ now from those known at its end: one row per day, figure, type, asset and network; for the value, per day, currency and vault type. Shows every later correction, by the service, a fee rule or a price, with its reason.';
COMMENT ON COLUMN "reporting"."late_corrections"."day" IS 'Calendar day in the account''s time zone (SCHEDULE_TIMEZONE) on which the transactions count.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; portfolio_value for total_value of portfolio_value_daily.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset, null for the value; for the measure fee, the asset in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_reported" IS 'The figure at the end of the day; null if an amount was unknown then.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_known_now" IS 'The figure now; null if an amount is unknown.';
COMMENT ON COLUMN "reporting"."late_corrections"."difference" IS 'as_known_now - as_reported; null if either is null.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions contribute differently to the figure now than at the end of the day: settlement_history shows each. 0 for the value.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When the contribution of one of these transactions was last seen to change; for the value, when one of its prices last changed.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'Time from the end of the day to corrected_at.';
COMMENT ON COLUMN "reporting"."late_corrections"."reason" IS 'Cause of the difference: answer (the service showed something else later), fee rule (custody.fee_rules was changed), price (custody.asset_prices was changed); several are separated by commas.';
COMMENT ON COLUMN "reporting"."late_corrections"."currency" IS 'For the value: currency of the prices; else null.';
COMMENT ON COLUMN "reporting"."late_corrections"."vault_type" IS 'For the value: all, warm or cold; else null.';
