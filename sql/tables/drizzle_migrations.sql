COMMENT ON TABLE "drizzle"."__drizzle_migrations" IS 'Migrations that were applied to this database, by the tool that applies them.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."id" IS 'Number of the row.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."hash" IS 'Digest of the migration''s text.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."created_at" IS 'Time of the migration''s making, in milliseconds since 1970, by which it is recognised.';
