COMMENT ON TABLE "custody"."document_readings" IS 'First and last whole reading of the vaults and of the whitelist: from end to end, with every record decoded (none if the list was empty). Nothing is known about the time before the first reading and after the last.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began. What it showed was true at some later moment.';
