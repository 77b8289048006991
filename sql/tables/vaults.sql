COMMENT ON TABLE "custody"."vaults" IS 'Vaults as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."vaults"."vault_id" IS 'Identifier of the vault.';
COMMENT ON COLUMN "custody"."vaults"."vault_type" IS 'Type of the vault: warm or cold.';
COMMENT ON COLUMN "custody"."vaults"."name" IS 'Name of the vault, where one was recognised.';
COMMENT ON COLUMN "custody"."vaults"."document" IS 'The whole record as received; its fields are not documented.';
COMMENT ON COLUMN "custody"."vaults"."first_seen_at" IS 'When the mirror first saw the vault.';
COMMENT ON COLUMN "custody"."vaults"."missing_since" IS 'Since when the service no longer lists the vault; null while it does.';

-- PostgreSQL does not analyse a table of few rows by itself. Without statistics the planner takes one account for hundreds, and reads
-- whole tables where an index would do.
ALTER TABLE "custody"."vaults" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
