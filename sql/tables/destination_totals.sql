COMMENT ON TABLE "internal"."destination_totals" IS 'Withdrawals summed up by destination and asset, so that reporting.destinations need not read them all. Triggers of custody.transactions update it; internal.destination_sums computes the expected content.';
COMMENT ON COLUMN "internal"."destination_totals"."completed_amount" IS 'Sum of the known amounts of the completed ones, in units of the asset.';
COMMENT ON COLUMN "internal"."destination_totals"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."first_transaction_id" IS 'The first of them; the lowest identifier if several were first seen at the same moment.';
COMMENT ON COLUMN "internal"."destination_totals"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."last_transaction_id" IS 'The last of them; the highest identifier if several were first seen at the same moment.';
