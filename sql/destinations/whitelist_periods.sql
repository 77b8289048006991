-- Each listed state of an entry, with its proven bounds: it had not begun at `possible_after`; it was seen from `listed_from` to the
-- last whole reading before the next change; it had ended at `possible_until`. If the next state is listed for the same asset and
-- network (and, for the address, has the same address), the listing did not end in between.
CREATE VIEW "internal"."whitelist_periods" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.address, r.asset_id, r.network_id,
	r.observed_after AS possible_after, r.observed_at AS listed_from,
	CASE WHEN s.same_entry THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS entry_until,
	CASE WHEN s.same_address THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS address_until,
	next.observed_at AS possible_until
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
CROSS JOIN LATERAL (
	SELECT next.change <> 'removed' AND next.asset_id IS NOT DISTINCT FROM r.asset_id
		AND next.network_id IS NOT DISTINCT FROM r.network_id AS same_entry
) AS e
CROSS JOIN LATERAL (
	SELECT e.same_entry, e.same_entry
		AND reporting.address_key(next.address) IS NOT DISTINCT FROM reporting.address_key(r.address) AS same_address
) AS s
WHERE r.kind = 'whitelist_entry' AND r.change <> 'removed';

COMMENT ON VIEW "internal"."whitelist_periods" IS 'When the whitelist held an entry, as far as its readings prove it: one row per listed state.';
COMMENT ON COLUMN "internal"."whitelist_periods"."revision" IS 'Number of the state within the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "internal"."whitelist_periods"."asset_id" IS 'Asset the entry is for; null or empty if it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."network_id" IS 'Network the entry is for; null or empty if it names none.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_after" IS 'When the state had certainly not begun yet; null if unknown.';
COMMENT ON COLUMN "internal"."whitelist_periods"."listed_from" IS 'When the state was first seen.';
COMMENT ON COLUMN "internal"."whitelist_periods"."entry_until" IS 'Until when the entry was certainly listed for its asset and network; earlier than listed_from, or null, if no later reading shows it.';
COMMENT ON COLUMN "internal"."whitelist_periods"."address_until" IS 'The same for its address.';
COMMENT ON COLUMN "internal"."whitelist_periods"."possible_until" IS 'When the state had certainly ended; null for the current state.';
