COMMENT ON TABLE "drizzle"."__drizzle_migrations" IS 'Migrations that were applied to this database.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."id" IS 'Number of the row.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."hash" IS 'Digest of the migration''s text.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."created_at" IS 'When the migration was made, in milliseconds since 1970. This identifies it.';
