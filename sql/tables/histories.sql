COMMENT ON TABLE "custody"."histories" IS 'The names of an account''s history, oldest first. The writer adds one at its first commit after the server started or was replaced, and after the tables were restored: rows may be missing since, and change_id may be given out again. docs/events.md says how followers use them.';
COMMENT ON COLUMN "custody"."histories"."ordinal" IS 'Number of the name; the last one is the current name.';
COMMENT ON COLUMN "custody"."histories"."history" IS 'The name, drawn at random.';
COMMENT ON COLUMN "custody"."histories"."began_after" IS 'The last change_id of the account when the name was drawn: rows up to it belong to the earlier names, later rows to this one.';
COMMENT ON COLUMN "custody"."histories"."began_at" IS 'When the name was drawn.';
COMMENT ON COLUMN "custody"."histories"."origin" IS 'Start of the server and file of this table at that time, by which the writer recognizes another server, a copy and a restore.';
