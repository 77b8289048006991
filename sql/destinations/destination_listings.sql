-- For each withdrawal: when the whitelist certainly held its destination, and when it certainly did not; at all other times it is
-- unknown. An entry counts for the asset and the network that it names. Whether it matches is unknown (fits is null) if the
-- transaction names none, or if two addresses differ only in case, in a form that may be case-sensitive.
-- The planner looks entries up by index for each row.
CREATE VIEW "internal"."destination_listings" AS
SELECT t.account_id, t.transaction_id, r.first_read_at, r.last_read_after,
	coalesce(w.listed, '{}') AS listed,
	coalesce(
		CASE WHEN r.first_read_at <= r.last_read_after THEN tstzmultirange(tstzrange(r.first_read_at, r.last_read_after, '[]')) END
			- coalesce(w.possible, '{}'),
		'{}') AS unlisted,
	coalesce(w.elsewhere, '{}') AS possible_elsewhere, coalesce(w.unclear, '{}') AS listed_unclear,
	CASE WHEN w.listed_now THEN true WHEN w.maybe_now OR r.first_read_at IS NULL THEN NULL ELSE false END AS listed_now
FROM custody.transactions t
LEFT JOIN custody.document_readings r ON r.account_id = t.account_id AND r.kind = 'whitelist_entry'
CROSS JOIN LATERAL (
	SELECT range_agg(s.certain) FILTER (WHERE f.fits) AS listed,
		range_agg(s.possible) FILTER (WHERE f.fits IS NOT FALSE) AS possible,
		range_agg(s.possible) FILTER (WHERE NOT f.fits) AS elsewhere,
		range_agg(s.certain) FILTER (WHERE f.fits IS NULL) AS unclear,
		bool_or(f.fits AND p.possible_until IS NULL) AS listed_now,
		bool_or(f.fits IS NULL AND p.possible_until IS NULL) AS maybe_now
	FROM (
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.entry_until AS listed_until, e.possible_until, true AS same_key
		FROM internal.whitelist_periods e
		WHERE e.account_id = t.account_id AND e.entry_id = t.destination_id AND t.destination_type = 'whitelist'
		UNION ALL
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.address_until, e.possible_until,
			reporting.address_key(e.address) = reporting.address_key(t.destination_address)
		FROM internal.whitelist_periods e
		WHERE e.account_id = t.account_id AND lower(e.address) = lower(t.destination_address)
			AND btrim(t.destination_address) <> ''
	) AS p
	CROSS JOIN LATERAL (
		SELECT (coalesce(p.asset_id, '') = '' OR p.asset_id = nullif(t.asset_id, ''))
			AND (coalesce(p.network_id, '') = '' OR p.network_id = nullif(t.network_id, '')) AND nullif(p.same_key, false) AS fits
	) AS f
	CROSS JOIN LATERAL (
		SELECT CASE WHEN p.listed_from <= p.listed_until THEN tstzrange(p.listed_from, p.listed_until, '[]') END AS certain,
			CASE WHEN p.possible_after >= p.possible_until THEN NULL ELSE tstzrange(p.possible_after, p.possible_until, '()') END AS possible
	) AS s
) AS w
WHERE t.transaction_type = 'withdraw';

COMMENT ON VIEW "internal"."destination_listings" IS 'Each withdrawal, with the periods in which the whitelist certainly held its destination for its asset, and those in which it certainly did not.';
COMMENT ON COLUMN "internal"."destination_listings"."first_read_at" IS 'When the whitelist was first read whole; null if it never was.';
COMMENT ON COLUMN "internal"."destination_listings"."last_read_after" IS 'When the last whole reading of the whitelist began.';
COMMENT ON COLUMN "internal"."destination_listings"."listed" IS 'Periods in which the whitelist certainly held the entry or the address for this asset and network.';
COMMENT ON COLUMN "internal"."destination_listings"."unlisted" IS 'Periods in which it certainly held neither.';
COMMENT ON COLUMN "internal"."destination_listings"."possible_elsewhere" IS 'Periods in which it may have held either for another asset or network.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_unclear" IS 'Periods in which it held either, but not certainly for the asset and network of the transaction.';
COMMENT ON COLUMN "internal"."destination_listings"."listed_now" IS 'Whether the last reading showed it; null if unknown.';
