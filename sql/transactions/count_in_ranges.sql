-- Updates custody.transaction_ranges with every commit. A transaction counts in the last range that begins no later than it was first
-- seen. So that this never changes, a new range begins only behind all that were ever counted.
CREATE FUNCTION "internal"."count_in_ranges"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	accounts text[];
	moments timestamptz[];
	counts bigint[];
BEGIN
	-- A page has one moment, whatever number of transactions is on it.
	IF TG_OP = 'INSERT' THEN
		SELECT array_agg(c.account_id), array_agg(c.first_seen_at), array_agg(c.shown) INTO accounts, moments, counts
		FROM (SELECT account_id, first_seen_at, count(*) AS shown FROM added WHERE missing_since IS NULL GROUP BY 1, 2) AS c;
	ELSE
		SELECT array_agg(c.account_id), array_agg(c.first_seen_at), array_agg(c.shown) INTO accounts, moments, counts
		FROM (
			SELECT account_id, first_seen_at, sum(sign) AS shown
			FROM (
				SELECT 1 AS sign, account_id, first_seen_at FROM became WHERE missing_since IS NULL
				UNION ALL SELECT -1, account_id, first_seen_at FROM was WHERE missing_since IS NULL
			) AS both_sides
			GROUP BY 1, 2
			HAVING sum(sign) <> 0
		) AS c;
	END IF;
	IF accounts IS NULL THEN
		RETURN NULL;
	END IF;
	WITH counted AS (
		SELECT * FROM unnest(accounts, moments, counts) AS c (account_id, moment, shown)
	), last_range AS MATERIALIZED (
		SELECT a.account_id, coalesce(l.last_at, '-infinity') AS last_at, coalesce(l.shown, 0) AS shown
		FROM (SELECT DISTINCT c.account_id FROM counted c) AS a
		LEFT JOIN LATERAL (
			SELECT r.last_at, r.shown FROM custody.transaction_ranges r
			WHERE r.account_id = a.account_id ORDER BY r.begins_at DESC LIMIT 1
		) AS l ON true
	), filled AS (
		SELECT c.*, CASE WHEN c.moment > l.last_at THEN (l.shown + sum(c.shown) OVER behind - c.shown)::bigint / 10000 END AS full_ranges
		FROM counted c JOIN last_range l ON l.account_id = c.account_id
		WINDOW behind AS (PARTITION BY c.account_id, c.moment > l.last_at ORDER BY c.moment)
	), placed AS (
		SELECT f.account_id, f.moment, f.shown, CASE WHEN f.full_ranges > 0 THEN min(f.moment) OVER (PARTITION BY f.account_id, f.full_ranges)
			ELSE coalesce((
				SELECT r.begins_at FROM custody.transaction_ranges r
				WHERE r.account_id = f.account_id AND r.begins_at <= f.moment ORDER BY r.begins_at DESC LIMIT 1
			), '-infinity') END AS begins_at
		FROM filled f
	)
	INSERT INTO custody.transaction_ranges AS r (account_id, begins_at, last_at, shown)
	SELECT p.account_id, p.begins_at, max(p.moment), sum(p.shown) FROM placed p GROUP BY 1, 2
	ON CONFLICT (account_id, begins_at) DO UPDATE
		SET last_at = greatest(r.last_at, excluded.last_at), shown = r.shown + excluded.shown;
	RETURN NULL;
END
$$;

COMMENT ON FUNCTION "internal"."count_in_ranges"() IS 'Keeps custody.transaction_ranges with every change of custody.transactions.';

CREATE TRIGGER "count_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "internal"."count_in_ranges"();

CREATE TRIGGER "count_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."count_in_ranges"();
