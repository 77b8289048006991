COMMENT ON TABLE "custody"."fee_rules" IS 'Assets in which networks take their fees. You fill this table; the mirror never writes to it. The service names no asset for a fee: without a rule the reports assume the asset of the transaction, and say so. Replaced and removed rules are kept in custody.former_fee_rules.';
COMMENT ON COLUMN "custody"."fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."fee_rules"."transaction_type" IS 'Type of transaction; null for every type without its own rule on the network.';
COMMENT ON COLUMN "custody"."fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."fee_rules"."known_from" IS 'When the rule became known: when it was stated, unless you state another moment. Figures as known earlier ignore it. It takes precedence over a former rule whose time it overlaps.';
