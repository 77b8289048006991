-- The part of the sealed history that readers see: when it was sealed, and up to which row.
CREATE VIEW "reporting"."checkpoints" AS
SELECT c.account_id, c.tree_size, c.last_change_id, c.signed_at FROM sync.seal_checkpoints c;

COMMENT ON VIEW "reporting"."checkpoints" IS 'Signed checkpoints of the sealed history. A row of a history is sealed by the first checkpoint whose last_change_id is not below its change_id.';
COMMENT ON COLUMN "reporting"."checkpoints"."last_change_id" IS 'Number (change_id) of the last of these rows.';
COMMENT ON COLUMN "reporting"."checkpoints"."signed_at" IS 'When it was signed, by the database''s clock.';
