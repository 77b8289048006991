-- Documents are compared member by member. What is no object has no members, and differs as a whole under the name ''.
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

COMMENT ON VIEW "reporting"."document_changes" IS 'Every observed state of every vault and whitelist entry, one row each, with what it changed in the state before.';
COMMENT ON COLUMN "reporting"."document_changes"."kind" IS 'What it is: vault or whitelist_entry.';
COMMENT ON COLUMN "reporting"."document_changes"."document_id" IS 'Identifier of the vault or the whitelist entry.';
COMMENT ON COLUMN "reporting"."document_changes"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."document_changes"."change" IS 'What happened: added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_after" IS 'When the state had certainly not begun yet: the start of the reading of the list before. Null at the first reading.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_at" IS 'When the state was first seen; it began between observed_after and this.';
COMMENT ON COLUMN "reporting"."document_changes"."known_until" IS 'When the last reading began that still showed the state; earlier than observed_at when only one reading showed it.';
COMMENT ON COLUMN "reporting"."document_changes"."valid_to" IS 'When the next state was first seen; it began between known_until and this. Null while the state lasts.';
COMMENT ON COLUMN "reporting"."document_changes"."is_listed" IS 'The service listed the vault or the entry in this state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_older_than_mirror" IS 'It existed when the list was first read, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."document_changes"."is_current" IS 'The state lasts.';
COMMENT ON COLUMN "reporting"."document_changes"."name" IS 'Name that was recognised in the document of this state.';
COMMENT ON COLUMN "reporting"."document_changes"."vault_type" IS 'Warm or cold, where it was recognised; for vaults only.';
COMMENT ON COLUMN "reporting"."document_changes"."address" IS 'Wallet address that was recognised; for whitelist entries only.';
COMMENT ON COLUMN "reporting"."document_changes"."asset_id" IS 'Asset the entry is for; null when it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."network_id" IS 'Network the entry is for; null when it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."changed_fields" IS 'Names of the members of the document that differ from the state before, in order, such as: address, name. Empty at the first sighting, and at a removal.';
COMMENT ON COLUMN "reporting"."document_changes"."before" IS 'Those members before, as JSON in a text; one that was absent is left out.';
COMMENT ON COLUMN "reporting"."document_changes"."after" IS 'Those members after, as JSON in a text; one that is absent now is left out.';
COMMENT ON COLUMN "reporting"."document_changes"."document" IS 'The whole record, as JSON in a text; at a removal the last one seen. As jsonb it is in custody.document_revisions.';
COMMENT ON COLUMN "reporting"."document_changes"."run_id" IS 'The run (sync.runs) that saw it.';
