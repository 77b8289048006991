-- The only definition of the effect of a transaction on the balances. Factors multiply the amount and the fee.
CREATE VIEW "reporting"."accounting_rules" AS
SELECT r.transaction_type, s.status,
	reporting.direction_of(r.transaction_type, NULL, NULL) AS direction,
	r.total_amount_factor, r.total_fee_factor, r.staked_amount_factor, r.staked_fee_factor, r.meaning
FROM (VALUES
	('deposit', ARRAY['pending'], 0, 0, 0, 0,
		'Announced: moves nothing yet.'),
	('deposit', ARRAY['processing', 'confirming'], 1, 0, 0, 0,
		'Incoming, in progress: the amount is in processing_balance, and so in the total.'),
	('deposit', ARRAY['completed'], 1, 0, 0, 0,
		'Arrived: the amount is available. The sender paid the fee.'),
	('deposit', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Did not arrive: moves nothing.'),
	('withdraw', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Outgoing, in progress: amount and fee move from available_balance to processing_balance, the total is unchanged.'),
	('withdraw', ARRAY['completed'], -1, -1, 0, 0,
		'Left: the total loses amount and fee.'),
	('withdraw', ARRAY['failed'], 0, -1, 0, 0,
		'Came back, except for the network fee.'),
	('withdraw', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Never left: moves nothing.'),
	('rebalance', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Between own vaults, in progress: the total is unchanged.'),
	('rebalance', ARRAY['completed', 'failed'], 0, -1, 0, 0,
		'Between own vaults: the total loses the network fee.'),
	('rebalance', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Did not take place: moves nothing.'),
	('stake', ARRAY['pending', 'processing', 'confirming'], 0, 0, 0, 0,
		'Being staked: amount and fee move from available_balance to processing_balance, the total is unchanged.'),
	('stake', ARRAY['completed'], 0, -1, 1, 0,
		'Staked: the amount is in staking_balance, the total loses the fee.'),
	('stake', ARRAY['failed'], 0, -1, 0, 0,
		'Was not staked: the total loses the network fee.'),
	('stake', ARRAY['rejected', 'cancelled'], 0, 0, 0, 0,
		'Was not staked: moves nothing.'),
	('unstake', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being unstaked: the amount moves from staking_balance to processing_balance, the total is unchanged.'),
	('unstake', ARRAY['completed'], 0, -1, 0, -1,
		'Unstaked: the amount less the fee is claimable.'),
	('unstake', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not unstaked: moves nothing.'),
	('claim', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Being claimed: the amount moves from claimable_balance to processing_balance, the total is unchanged.'),
	('claim', ARRAY['completed'], 0, -1, -1, 0,
		'Claimed: the amount less the fee is available.'),
	('claim', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Was not claimed: moves nothing.'),
	('change pool', ARRAY['pending', 'processing', 'confirming'], 0, 0, -1, 0,
		'Between pools: the amount moves from staking_balance to processing_balance, the total is unchanged.'),
	('change pool', ARRAY['completed'], 0, -1, 0, -1,
		'Staked elsewhere: staking_balance loses the fee.'),
	('change pool', ARRAY['rejected', 'cancelled', 'failed'], 0, 0, 0, 0,
		'Stayed where it was: moves nothing.')
) AS r (transaction_type, statuses, total_amount_factor, total_fee_factor,
	staked_amount_factor, staked_fee_factor, meaning)
CROSS JOIN LATERAL unnest(r.statuses) AS s (status);

COMMENT ON VIEW "reporting"."accounting_rules" IS 'Effect of a transaction of each type on the balances in each status: the rules behind postings, flows, fees and the reconciliation. Where the service documents no meaning, this is our interpretation. An unlisted type moves nothing. An unlisted status counts as open, and leaves the balances as the last listed status of the transaction left them. The fee is paid in the asset that custody.fee_rules names for the network and type; without a rule, in the asset of the transaction. The sender pays the fee of a deposit. A missing fee counts as 0; a missing amount makes everything it would have moved null.';
COMMENT ON COLUMN "reporting"."accounting_rules"."status" IS 'Status of the transaction.';
COMMENT ON COLUMN "reporting"."accounting_rules"."direction" IS 'in, out, internal (between the account''s own vaults) or staking.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_amount_factor" IS 'Factor of the amount in the change of the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."total_fee_factor" IS 'Factor of the fee in the change of the total balance.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_amount_factor" IS 'Factor of the amount in the change of staking_balance and claimable_balance together.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_fee_factor" IS 'Factor of the fee in the change of staking_balance and claimable_balance together. Does not apply to a fee in another asset than that of the transaction.';
COMMENT ON COLUMN "reporting"."accounting_rules"."meaning" IS 'The rule in words.';
