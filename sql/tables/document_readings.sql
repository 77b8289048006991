COMMENT ON TABLE "custody"."document_readings" IS 'When the list of vaults, and the whitelist, was first and last read whole, also where it was empty: from one end to the other, with nothing in it that could not be decoded. Of what lies before the first and after the last, nobody knows.';
COMMENT ON COLUMN "custody"."document_readings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading had arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began: what it showed held at some moment since.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_at" IS 'When its answer had arrived.';
