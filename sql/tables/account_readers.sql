COMMENT ON TABLE "internal"."account_readers" IS 'The accounts of each role that reads some accounts (grant --account). The views in its schemas read this table.';
COMMENT ON COLUMN "internal"."account_readers"."reader" IS 'Name of the role.';
