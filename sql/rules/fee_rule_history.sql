-- Every rule with the period in which it was known. If two periods overlap, because an earlier known_from was stated, the rule stated
-- last counts: it has the later known_until, or none.
CREATE VIEW "internal"."fee_rule_history" AS
SELECT account_id, network_id, transaction_type, asset_id, known_from, NULL::timestamptz AS known_until
FROM custody.fee_rules
UNION ALL
SELECT account_id, network_id, transaction_type, asset_id, known_from, known_until FROM custody.former_fee_rules;

COMMENT ON VIEW "internal"."fee_rule_history" IS 'The rules of custody.fee_rules as they were known: current and former ones.';
COMMENT ON COLUMN "internal"."fee_rule_history"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "internal"."fee_rule_history"."transaction_type" IS 'Type of transaction; null for every type without its own rule on the network.';
COMMENT ON COLUMN "internal"."fee_rule_history"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_from" IS 'When the rule became known.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_until" IS 'When it was replaced or removed; null for a current rule.';
