COMMENT ON TABLE "custody"."document_readings" IS 'When the list of vaults, and the whitelist, was first and last read whole: from one end to the other, with every record decoded; it may be empty. Before the first reading and after the last one nothing is known.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading had arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began. What it showed was true at some moment after that.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_at" IS 'When its answer had arrived.';
