CREATE VIEW "internal"."whitelist_periods" AS
SELECT account_id, 'entry' AS kind, entry_id AS value,
	range_agg(tstzrange(CASE WHEN is_older_than_mirror THEN NULL ELSE valid_from END, valid_to)) AS listed
FROM reporting.whitelist_history WHERE is_listed
GROUP BY account_id, entry_id
UNION ALL
SELECT account_id, 'address', address,
	range_agg(tstzrange(CASE WHEN is_older_than_mirror THEN NULL ELSE valid_from END, valid_to))
FROM reporting.whitelist_history WHERE is_listed AND address <> ''
GROUP BY account_id, address;

COMMENT ON VIEW "internal"."whitelist_periods" IS 'When the whitelist held an entry, and when an address. What was there at the first observation counts as listed since ever.';
COMMENT ON COLUMN "internal"."whitelist_periods"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."whitelist_periods"."kind" IS 'What was listed: entry or address.';
COMMENT ON COLUMN "internal"."whitelist_periods"."value" IS 'Identifier of the entry, or the address.';
COMMENT ON COLUMN "internal"."whitelist_periods"."listed" IS 'The spans of time in which it was listed, as observed.';
