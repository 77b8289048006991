-- A withdrawal was made between two readings of the transactions. It counts as whitelisted, or not, if that is certain for all that time.
CREATE VIEW "reporting"."destination_uses" AS
SELECT t.account_id, t.transaction_id, t.first_seen_after, t.first_seen_at, t.status, t.status = 'completed' AS is_completed,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount, w.is_whitelisted,
	CASE
		WHEN w.is_whitelisted THEN 'listed'
		WHEN NOT w.is_whitelisted AND l.possible_elsewhere && u.used THEN 'listed for another asset or network'
		WHEN NOT w.is_whitelisted THEN 'not listed'
		WHEN l.first_read_at IS NULL AND d.error_code = 'ERR-02' THEN 'unknown: the key may not read the whitelist'
		WHEN l.first_read_at IS NULL THEN 'unknown: the whitelist was never read'
		WHEN l.listed_unclear @> u.used THEN 'unknown: asset, network or address are given in another form'
		WHEN t.first_seen_after IS NULL OR t.first_seen_after < l.first_read_at
			THEN 'unknown: before the whitelist was first read'
		WHEN t.first_seen_at > l.last_read_after THEN 'unknown: the whitelist was not read since'
		ELSE 'unknown: the whitelist changed between two readings'
	END AS whitelist_reason,
	l.listed @> k.before_at AS whitelisted_before, k.before_at AS known_before_at,
	l.listed @> k.after_at AS whitelisted_after, k.after_at AS known_after_at,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.accounts a
LEFT JOIN LATERAL (
	SELECT r.error_code FROM sync.runs r
	WHERE r.account_id = a.account_id AND r.job = 'whitelist' AND r.status <> 'running'
	ORDER BY r.started_at DESC LIMIT 1
) AS d ON true
JOIN custody.transactions t ON t.account_id = a.account_id AND t.transaction_type = 'withdraw'
CROSS JOIN LATERAL (
	SELECT l.* FROM internal.destination_listings l
	WHERE l.account_id = t.account_id AND l.transaction_id = t.transaction_id OFFSET 0
) AS l
CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN l.listed @> u.used THEN true WHEN l.unlisted @> u.used THEN false END AS is_whitelisted
) AS w
CROSS JOIN LATERAL (
	SELECT CASE WHEN t.first_seen_after IS NOT NULL
			THEN upper((l.listed + l.unlisted) * tstzmultirange(tstzrange(NULL, t.first_seen_after, '[]'))) END AS before_at,
		lower((l.listed + l.unlisted) * tstzmultirange(tstzrange(t.first_seen_at, NULL, '[]'))) AS after_at
) AS k;

COMMENT ON VIEW "reporting"."destination_uses" IS 'Withdrawals, one row each, and whether their destination was whitelisted when they were made, as far as the readings of both lists prove it.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_completed" IS 'Whether the status is completed.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_id" IS 'Identifier of the destination; of the whitelist entry if destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destination_uses"."amount" IS 'Amount in units of the asset: exact, without padding zeros. Null if the service sent none.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_whitelisted" IS 'Whether the whitelist held the entry or the address at every moment at which the withdrawal can have been made, for this asset and network if the entry names them. Null if unknown: see whitelist_reason. Never count null as true.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelist_reason" IS 'Reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why. The first that applies, in the order of docs/data.md.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_before" IS 'Whether it was whitelisted at known_before_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_before_at" IS 'The last moment before the withdrawal for which that is certain; null if there is none.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_after" IS 'Whether it was whitelisted at known_after_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_after_at" IS 'The first moment after the withdrawal for which that is certain; null if there is none yet.';
