COMMENT ON TABLE "internal"."destination_totals" IS 'Withdrawals summed up by destination and asset, so that reporting.destinations need not read them all. Triggers of custody.transactions update it; internal.destination_sums shows what it must hold.';
COMMENT ON COLUMN "internal"."destination_totals"."completed_amount" IS 'Sum of the known amounts of those completed, in units of the asset.';
COMMENT ON COLUMN "internal"."destination_totals"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "internal"."destination_totals"."unbounded_uses" IS 'How many of them have no lower bound: they may have been made at any time before they were first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."bounded_after" IS 'The earliest lower bound of the others; null when there is none.';
COMMENT ON COLUMN "internal"."destination_totals"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "internal"."destination_totals"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
