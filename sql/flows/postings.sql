-- What each observed change of a status did to the balances: the lines that flows, fees and the reconciliation are made of.
CREATE VIEW "reporting"."postings" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_at, t.transaction_type, h.from_status, h.to_status,
	t.asset_id, t.asset_name, t.network_id,
	trim_scale(CASE WHEN d.direction = 'in' THEN m.total ELSE 0 END) AS inflow,
	trim_scale(CASE WHEN d.direction = 'out' THEN -m.total ELSE 0 END) AS outflow,
	trim_scale(-d.total_fee * m.fee) AS fee,
	trim_scale(m.total + d.total_fee * m.fee) AS total_change,
	trim_scale(m.staked + d.staked_fee * m.fee) AS staked_change,
	h.observed_after
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0), as in the timeline.
CROSS JOIN LATERAL (
	SELECT q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = t.transaction_type AND before.status = h.from_status
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = t.transaction_type AND after.status = h.to_status
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee
) AS d
-- What does not move is 0 also where the amount is not known; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * t.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * t.amount END AS staked,
		coalesce(t.fee, 0) AS fee
) AS m
-- What the first sweep found was there before; the first balances hold it already.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;

COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a status did to the total balance of its asset, by the rules of accounting_rules: one row per change. The amounts and the fee are those known today. What was there when the mirror began is not posted: the first balances hold it.';
COMMENT ON COLUMN "reporting"."postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."postings"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "reporting"."postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it came between observed_after and observed_at. Null at the first sighting, and where nothing is known.';
