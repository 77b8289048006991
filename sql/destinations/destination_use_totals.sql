CREATE FUNCTION "reporting"."destination_use_totals"("account" text, "since" timestamptz, "until" timestamptz) RETURNS TABLE (
	asset_id text, asset_name text, network_id text, uses bigint, completed_uses bigint, completed_amount numeric,
	non_whitelisted_uses bigint, non_whitelisted_amount numeric, unknown_whitelist_uses bigint, unknown_whitelist_amount numeric,
	missing_uses bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT u.asset_id, max(u.asset_name), u.network_id, count(*), count(*) FILTER (WHERE u.is_completed),
		CASE WHEN NOT coalesce(bool_or(u.is_completed AND u.amount IS NULL), false)
			THEN trim_scale(coalesce(sum(u.amount) FILTER (WHERE u.is_completed), 0)) END,
		count(*) FILTER (WHERE NOT u.is_whitelisted),
		CASE WHEN NOT coalesce(bool_or(u.is_completed AND u.amount IS NULL AND NOT u.is_whitelisted), false)
			THEN trim_scale(coalesce(sum(u.amount) FILTER (WHERE u.is_completed AND NOT u.is_whitelisted), 0)) END,
		count(*) FILTER (WHERE u.is_whitelisted IS NULL),
		CASE WHEN NOT coalesce(bool_or(u.is_completed AND u.amount IS NULL AND u.is_whitelisted IS NULL), false)
			THEN trim_scale(coalesce(sum(u.amount) FILTER (WHERE u.is_completed AND u.is_whitelisted IS NULL), 0)) END,
		count(u.missing_since)
	FROM reporting.destination_uses u
	WHERE u.account_id = "account" AND u.first_seen_at >= coalesce("since", '-infinity')
		AND u.first_seen_at < coalesce("until", 'infinity')
	GROUP BY u.asset_id, u.network_id;
END;

COMMENT ON FUNCTION "reporting"."destination_use_totals"(text, timestamptz, timestamptz) IS 'The withdrawals of destination_uses first seen from one moment on and before another, summed up by asset and network; null for no bound. Amounts are of completed withdrawals, null if one of them is unknown.';
