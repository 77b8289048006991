CREATE VIEW "reporting"."whitelist_history" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.change, r.observed_after AS valid_after, r.observed_at AS valid_from,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.name, r.address, r.asset_id, r.network_id,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror,
	next.revision IS NULL AS is_current
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
WHERE r.kind = 'whitelist_entry';

COMMENT ON VIEW "reporting"."whitelist_history" IS 'Every observed state of every whitelist entry, one row each: who could be paid, and when.';
COMMENT ON COLUMN "reporting"."whitelist_history"."revision" IS 'Number of the state within the entry; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_after" IS 'When the state had certainly not begun yet: the start of the previous reading of the whitelist. Null at the first reading.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_from" IS 'When the state was first seen; it began between valid_after and this moment.';
COMMENT ON COLUMN "reporting"."whitelist_history"."known_until" IS 'Start of the last reading that still showed the state; earlier than valid_from if only one reading showed it.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_to" IS 'When the next state was first seen; it began between known_until and this moment. Null for the current state.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_listed" IS 'Whether the entry was on the whitelist in this state.';
COMMENT ON COLUMN "reporting"."whitelist_history"."name" IS 'Name of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."asset_id" IS 'Asset the entry is for; null if it names none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."network_id" IS 'Network the entry is for; null if it names none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_older_than_mirror" IS 'Whether this state was shown when the whitelist was first read, so that its beginning is unknown; false for the later states of the same entry.';
