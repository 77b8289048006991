-- Documents are compared member by member. A document that is not an object has no members, and differs as a whole under the name ''.
CREATE VIEW "reporting"."document_changes" AS
SELECT r.account_id, r.kind, r.document_id, r.revision, r.change, r.observed_after, r.observed_at,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror, next.revision IS NULL AS is_current,
	r.name, r.vault_type, r.address, r.asset_id, r.network_id,
	d.changed_fields, d.before, d.after, r.document::text AS document, r.run_id
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
LEFT JOIN custody.document_revisions former
	ON former.account_id = r.account_id AND former.kind = r.kind AND former.document_id = r.document_id AND former.revision = r.revision - 1
CROSS JOIN LATERAL (
	SELECT coalesce(string_agg(m.name, ', ' ORDER BY m.name), '') AS changed_fields,
		coalesce(jsonb_object_agg(m.name, m.value_before) FILTER (WHERE m.value_before IS NOT NULL), '{}')::text AS before,
		coalesce(jsonb_object_agg(m.name, m.value_after) FILTER (WHERE m.value_after IS NOT NULL), '{}')::text AS after
	FROM (
		SELECT coalesce(o.key, n.key) AS name, o.value AS value_before, n.value AS value_after
		FROM jsonb_each(CASE jsonb_typeof(former.document) WHEN 'object' THEN former.document
			ELSE jsonb_build_object('', former.document) END) AS o
		FULL JOIN jsonb_each(CASE jsonb_typeof(r.document) WHEN 'object' THEN r.document
			ELSE jsonb_build_object('', r.document) END) AS n ON n.key = o.key
		WHERE former.revision IS NOT NULL AND o.value IS DISTINCT FROM n.value
	) AS m
) AS d;

COMMENT ON VIEW "reporting"."document_changes" IS 'Every observed state of every vault and whitelist entry, one row each, with its differences from the previous state.';
COMMENT ON COLUMN "reporting"."document_changes"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "reporting"."document_changes"."document_id" IS 'Identifier of the vault or the whitelist entry.';
COMMENT ON COLUMN "reporting"."document_changes"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_after" IS 'When the state had certainly not begun yet: the start of the previous reading of the list. Null at the first reading.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_at" IS 'When the state was first seen; it began between observed_after and this moment.';
COMMENT ON COLUMN "reporting"."document_changes"."known_until" IS 'Start of the last reading that still showed the state; earlier than observed_at if only one reading showed it.';
COMMENT ON COLUMN "reporting"."document_changes"."valid_to" IS 'When the next state was first seen; it began between known_until and this moment. Null for the current state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_listed" IS 'Whether the service listed the vault or entry in this state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_older_than_mirror" IS 'Whether this state was shown when the list was first read, so that its beginning is unknown; false for the later states of the same document.';
COMMENT ON COLUMN "reporting"."document_changes"."name" IS 'Name recognised in the document.';
COMMENT ON COLUMN "reporting"."document_changes"."vault_type" IS 'warm or cold, if recognised; for vaults only.';
COMMENT ON COLUMN "reporting"."document_changes"."address" IS 'Wallet address, if recognised; for whitelist entries only.';
COMMENT ON COLUMN "reporting"."document_changes"."asset_id" IS 'Asset the entry is for; null if it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."network_id" IS 'Network the entry is for; null if it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."changed_fields" IS 'Names of the members that differ from the previous state, in order, such as: address, name. Empty at the first sighting, and on removal.';
COMMENT ON COLUMN "reporting"."document_changes"."before" IS 'Those members before the change, as JSON text, without the ones that were absent.';
COMMENT ON COLUMN "reporting"."document_changes"."after" IS 'Those members after the change, as JSON text, without the ones that are absent now.';
COMMENT ON COLUMN "reporting"."document_changes"."document" IS 'The whole record as JSON text; on removal, the last one seen. custody.document_revisions holds it as jsonb.';
