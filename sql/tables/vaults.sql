COMMENT ON TABLE "custody"."vaults" IS 'Vaults as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."vaults"."vault_type" IS 'warm or cold.';
COMMENT ON COLUMN "custody"."vaults"."name" IS 'Name of the vault, if recognised.';
COMMENT ON COLUMN "custody"."vaults"."missing_since" IS 'When the service stopped listing it; null while it lists it.';

-- PostgreSQL does not analyse small tables automatically. Without statistics the planner takes one account for hundreds, and reads
-- whole tables instead of using an index.
ALTER TABLE "custody"."vaults" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
