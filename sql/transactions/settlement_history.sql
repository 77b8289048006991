CREATE VIEW "reporting"."settlement_history" AS
SELECT s.account_id, s.transaction_id, s.status, s.settled_at, s.known_from, s.known_until, s.transaction_type, s.asset_id, s.asset_name,
	s.network_id, trim_scale(s.amount) AS amount, trim_scale(s.fee) AS fee, s.fee_asset_id, s.fee_asset_is_assumed, s.missing_since,
	CASE WHEN s.known_until = s.span_until THEN 'answer' WHEN s.known_until IS NOT NULL THEN 'fee rule' END AS until_reason
FROM internal.known_settlements s;

COMMENT ON VIEW "reporting"."settlement_history" IS 'What was known about each settled transaction, and when: the rows behind flows_daily_at, fees_daily_at, transaction_outcomes_daily_at and late_corrections. A row without known_until holds now.';
COMMENT ON COLUMN "reporting"."settlement_history"."status" IS 'The settled status: completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."settlement_history"."settled_at" IS 'When the mirror first saw it in this status. It counts on that day.';
COMMENT ON COLUMN "reporting"."settlement_history"."amount" IS 'Amount as known then, exact. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee" IS 'Fee as known then, in units of fee_asset_id. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."missing_since" IS 'As known then: when the service stopped showing it; null while it showed it.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_id" IS 'Asset in which the fee is paid: from the rules in custody.fee_rules known then; without a rule, assumed to be the asset of the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."until_reason" IS 'Why it ended at known_until: answer (the service showed something else) or fee rule (somebody stated another); null if it still holds.';
