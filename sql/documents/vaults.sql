-- Vaults for reports, with the number of their observed states.
CREATE VIEW "reporting"."vaults" AS
SELECT v.account_id, v.vault_id, v.name, v.vault_type, v.first_seen_at, v.changed_at,
	(SELECT count(*) FROM custody.document_revisions r
		WHERE r.account_id = v.account_id AND r.kind = 'vault' AND r.document_id = v.vault_id) AS revisions,
	v.missing_since IS NULL AS is_listed, v.missing_since
FROM custody.vaults v;

COMMENT ON VIEW "reporting"."vaults" IS 'Vaults, one row each.';
COMMENT ON COLUMN "reporting"."vaults"."name" IS 'Current name.';
COMMENT ON COLUMN "reporting"."vaults"."vault_type" IS 'warm or cold.';
COMMENT ON COLUMN "reporting"."vaults"."changed_at" IS 'When its record last changed, or it was last removed or restored.';
COMMENT ON COLUMN "reporting"."vaults"."revisions" IS 'Number of observed states of its record.';
COMMENT ON COLUMN "reporting"."vaults"."is_listed" IS 'Whether the service lists it.';
