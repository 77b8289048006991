-- The effect of each observed change of status on the balances, with the amount and the fee as known then. An undocumented status
-- leaves the balances as the last documented one left them.
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
-- The rule known when the change was seen, so that a line never changes.
LEFT JOIN LATERAL (
	SELECT q.asset_id FROM internal.fee_rule_history q
	WHERE q.account_id = h.account_id AND q.network_id = v.network_id AND (q.transaction_type = v.transaction_type OR q.transaction_type IS NULL)
		AND q.known_from <= h.observed_at AND (q.known_until IS NULL OR q.known_until > h.observed_at)
	ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
) AS fr ON true
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee,
		fr.asset_id IS NULL AS is_assumed, coalesce(fr.asset_id, v.asset_id) AS fee_asset_id
) AS d
-- A factor of 0 gives 0 even if the amount is unknown; any other factor then gives unknown.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * v.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * v.amount END AS staked,
		coalesce(v.fee, 0) AS fee, d.fee_asset_id IS NOT DISTINCT FROM v.asset_id AS in_same_asset
) AS m
-- A fee in another asset has its own line, and does not reduce the staked balance.
CROSS JOIN LATERAL (
	SELECT v.asset_id, v.asset_name, m.total, CASE WHEN m.in_same_asset THEN -d.total_fee * m.fee ELSE 0 END AS fee,
		m.staked + CASE WHEN m.in_same_asset THEN d.staked_fee * m.fee ELSE 0 END AS staked, d.is_assumed AS fee_asset_is_assumed
	UNION ALL
	SELECT d.fee_asset_id, NULL, 0, -d.total_fee * m.fee, 0, d.is_assumed
	WHERE NOT m.in_same_asset AND d.total_fee * m.fee <> 0
) AS l
-- Transactions found by the first sweep are older; the first balances include them.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;

COMMENT ON VIEW "internal"."posted_statuses" IS 'Effect of each observed change of status on the balances: one of the two parts of reporting.postings, which explains the columns.';
COMMENT ON COLUMN "internal"."posted_statuses"."sequence" IS 'Number of the observed status within the transaction, from 1 (first sighting). Null for a correction.';
