-- The ranges as they are made at once. Those that the triggers make begin elsewhere, and count the same.
CREATE VIEW "internal"."transaction_ranges_anew" AS
SELECT t.account_id, CASE WHEN t.range = 0 THEN '-infinity' ELSE min(t.first_seen_at) END AS begins_at,
	max(t.first_seen_at) AS last_at, count(*) AS shown
FROM (
	SELECT account_id, first_seen_at, (rank() OVER (PARTITION BY account_id ORDER BY first_seen_at) - 1) / 10000 AS range
	FROM custody.transactions
	WHERE missing_since IS NULL
) AS t
GROUP BY t.account_id, t.range;

COMMENT ON VIEW "internal"."transaction_ranges_anew" IS 'Ranges of the transactions that the service shows, to fill an empty custody.transaction_ranges with.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."begins_at" IS 'The range holds those first seen from then on, up to where the next one begins. That of the first one is -infinity.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."last_at" IS 'When the last one in it was first seen.';
COMMENT ON COLUMN "internal"."transaction_ranges_anew"."shown" IS 'How many it holds, without those that the service no longer shows.';
