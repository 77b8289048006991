COMMENT ON TABLE "drizzle"."__drizzle_migrations" IS 'Migrations applied to this database.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."id" IS 'Number of the row.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."hash" IS 'Digest of the migration''s text.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."created_at" IS 'When the migration was created, in milliseconds since 1970; its identity.';
