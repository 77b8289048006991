COMMENT ON TABLE "custody"."transaction_ranges" IS 'How many transactions the service shows, by when they were first seen: ranges of some ten thousand, in the order of custody.transactions. It serves pages in the middle of a long list. Triggers of custody.transactions update it; internal.transaction_ranges_anew makes it again.';
COMMENT ON COLUMN "custody"."transaction_ranges"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_ranges"."begins_at" IS 'The range holds those first seen from then on, up to where the next one begins. That of the first one is -infinity.';
COMMENT ON COLUMN "custody"."transaction_ranges"."last_at" IS 'When the last one that was ever counted in it was first seen.';
COMMENT ON COLUMN "custody"."transaction_ranges"."shown" IS 'How many it holds, without those that the service no longer shows.';
