COMMENT ON TABLE "custody"."former_fee_rules" IS 'Rules that were replaced in custody.fee_rules or removed from it. A trigger fills this table.';
COMMENT ON COLUMN "custody"."former_fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."former_fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."former_fee_rules"."transaction_type" IS 'Kind of transaction; null for every kind without a rule of its own on the network.';
COMMENT ON COLUMN "custody"."former_fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_from" IS 'Since when it was known.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_until" IS 'When it was replaced or removed.';
