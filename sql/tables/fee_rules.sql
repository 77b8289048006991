COMMENT ON TABLE "custody"."fee_rules" IS 'In which asset a network takes its fees. You fill this table; the mirror never writes to it. The service names no asset of a fee: without a rule the reports assume the asset of the transaction, and say so. What is replaced or removed here is kept in custody.former_fee_rules.';
COMMENT ON COLUMN "custody"."fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."fee_rules"."transaction_type" IS 'Kind of transaction; null for every kind without a rule of its own on the network.';
COMMENT ON COLUMN "custody"."fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."fee_rules"."known_from" IS 'Since when the rule is known: when it was stated, unless you state another moment. Figures as they were known earlier do not follow it. Where its time overlaps that of a former rule, this one counts.';
