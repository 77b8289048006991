COMMENT ON TABLE "custody"."former_fee_rules" IS 'Rules replaced in or removed from custody.fee_rules. Filled by a trigger.';
COMMENT ON COLUMN "custody"."former_fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."former_fee_rules"."transaction_type" IS 'Type of transaction; null for every type without its own rule on the network.';
COMMENT ON COLUMN "custody"."former_fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_from" IS 'When it became known.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_until" IS 'When it was replaced or removed.';
