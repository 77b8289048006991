COMMENT ON TABLE "custody"."document_readings" IS 'First and last whole reading of the vaults and of the whitelist: from one end of the list to the other, with every record decoded; it may be empty. Nothing is known before the first reading and after the last.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began. What it showed was true at some later moment.';
