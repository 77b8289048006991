-- Every rule with the span in which it was known. Where the spans of two overlap, because somebody stated an earlier known_from, the one
-- that was stated last counts: it has the later known_until, or none.
CREATE VIEW "internal"."fee_rule_history" AS
SELECT account_id, network_id, transaction_type, asset_id, known_from, NULL::timestamptz AS known_until
FROM custody.fee_rules
UNION ALL
SELECT account_id, network_id, transaction_type, asset_id, known_from, known_until FROM custody.former_fee_rules;

COMMENT ON VIEW "internal"."fee_rule_history" IS 'The rules of custody.fee_rules as they were known: present and former ones.';
COMMENT ON COLUMN "internal"."fee_rule_history"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "internal"."fee_rule_history"."transaction_type" IS 'Kind of transaction; null for every kind without a rule of its own on the network.';
COMMENT ON COLUMN "internal"."fee_rule_history"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_from" IS 'Since when it is known.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_until" IS 'Until when it was known; null for a present rule.';
