-- The effect of an observed correction of an amount, a fee, a type or an asset on the balances, given the status of the transaction:
-- earlier postings stay, and the difference is posted when it is seen. One row per asset that it changes.
CREATE VIEW "internal"."posted_corrections" AS
SELECT r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status,
	l.asset_id, max(l.asset_name) AS asset_name, n.network_id,
	CASE WHEN bool_or(l.inflow IS NULL) THEN NULL ELSE sum(l.inflow) END AS inflow,
	CASE WHEN bool_or(l.outflow IS NULL) THEN NULL ELSE sum(l.outflow) END AS outflow, sum(l.fee) AS fee,
	CASE WHEN bool_or(l.staked IS NULL) THEN NULL ELSE sum(l.staked) END AS staked_change,
	CASE WHEN sum(l.fee) <> 0 THEN bool_or(l.fee_asset_is_assumed) END AS fee_asset_is_assumed
FROM custody.transaction_revisions r
-- The last documented status before the correction. A status seen in the same answer is posted after it.
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
		coalesce(fr.asset_id, f.asset_id) AS fee_asset_id, fr.asset_id IS NULL AS is_assumed
	FROM (VALUES (1, n.transaction_type, n.asset_id, n.asset_name, n.network_id, n.amount, n.fee),
		(-1, o.transaction_type, o.asset_id, o.asset_name, o.network_id, o.amount, o.fee)
	) AS f (sign, transaction_type, asset_id, asset_name, network_id, amount, fee)
	JOIN reporting.accounting_rules u ON u.transaction_type = f.transaction_type AND u.status = s.to_status
	LEFT JOIN LATERAL (
		SELECT q.asset_id FROM internal.fee_rule_history q
		WHERE q.account_id = r.account_id AND q.network_id = f.network_id AND (q.transaction_type = f.transaction_type OR q.transaction_type IS NULL)
			AND q.known_from <= r.observed_at AND (q.known_until IS NULL OR q.known_until > r.observed_at)
		ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
	) AS fr ON true
) AS p
CROSS JOIN LATERAL (SELECT p.fee_asset_id IS NOT DISTINCT FROM p.asset_id AS in_same_asset) AS m
-- Fields that the correction did not change produce no line; otherwise an amount that was never known would make another sum unknown.
CROSS JOIN LATERAL (
	SELECT p.asset_id, p.asset_name,
		CASE WHEN p.direction = 'in' AND p.total_amount_factor <> 0 THEN p.sign * p.total_amount_factor * p.amount ELSE 0 END AS inflow,
		CASE WHEN p.direction = 'out' AND p.total_amount_factor <> 0 THEN -p.sign * p.total_amount_factor * p.amount ELSE 0 END AS outflow,
		0 AS fee, CASE WHEN p.staked_amount_factor <> 0 THEN p.sign * p.staked_amount_factor * p.amount ELSE 0 END AS staked,
		NULL::boolean AS fee_asset_is_assumed
	WHERE (p.total_amount_factor <> 0 OR p.staked_amount_factor <> 0)
		AND (n.transaction_type, n.asset_id, n.amount) IS DISTINCT FROM (o.transaction_type, o.asset_id, o.amount)
	UNION ALL
	SELECT p.fee_asset_id, CASE WHEN m.in_same_asset THEN p.asset_name END, 0, 0, -p.sign * p.total_fee_factor * p.fee,
		CASE WHEN m.in_same_asset THEN p.sign * p.staked_fee_factor * p.fee ELSE 0 END, p.is_assumed
	WHERE p.total_fee_factor <> 0 AND (n.transaction_type, n.asset_id, n.network_id, n.fee)
		IS DISTINCT FROM (o.transaction_type, o.asset_id, o.network_id, o.fee)
) AS l
WHERE r.changed_fields && ARRAY['transaction_type', 'asset_id', 'network_id', 'amount', 'fee']
GROUP BY r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status, l.asset_id, n.network_id
HAVING bool_or(l.inflow IS NULL OR l.outflow IS NULL OR l.staked IS NULL)
	OR sum(l.inflow) <> 0 OR sum(l.outflow) <> 0 OR sum(l.fee) <> 0 OR sum(l.staked) <> 0;

COMMENT ON VIEW "internal"."posted_corrections" IS 'Effect of each observed correction of a transaction on the balances: one of the two parts of reporting.postings, which explains the columns.';
COMMENT ON COLUMN "internal"."posted_corrections"."revision" IS 'Number of the correction among the revisions of the transaction; null for a change of status.';
