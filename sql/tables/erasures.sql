COMMENT ON TABLE "internal"."erasures" IS 'The accounts that `account erase` erased: who, when, and how many rows. It outlives the account.';
COMMENT ON COLUMN "internal"."erasures"."started_at" IS 'When the command first ran, by the database''s clock.';
COMMENT ON COLUMN "internal"."erasures"."finished_at" IS 'When the last row was erased. Null if it is unfinished: run the command again.';
COMMENT ON COLUMN "internal"."erasures"."erased_by" IS 'Role and host of the command, as role@host: those of the last one if it ran several times.';
COMMENT ON COLUMN "internal"."erasures"."rows_erased" IS 'Rows erased so far, in all tables.';
COMMENT ON COLUMN "internal"."erasures"."last_token" IS 'Number of the last lease of the account; a later account of that name continues from it. Null if the erasure is unfinished.';
