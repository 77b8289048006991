-- Updates internal.destination_totals with every commit: adds new withdrawals, and the differences of changed ones. When a withdrawal
-- changes its type or destination, which is rare, the old and the new destination are summed up again.
CREATE FUNCTION "internal"."sum_up_destinations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
			missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id),
			count(*), count(*) FILTER (WHERE t.status = 'completed'),
			coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0),
			count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL),
			count(t.missing_since), count(*) FILTER (WHERE t.first_seen_after IS NULL), min(t.first_seen_after),
			min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
			max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
		FROM added t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
		ON CONFLICT (account_id, destination_key) DO UPDATE SET
			uses = d.uses + excluded.uses,
			completed_uses = d.completed_uses + excluded.completed_uses,
			completed_amount = d.completed_amount + excluded.completed_amount,
			unknown_amounts = d.unknown_amounts + excluded.unknown_amounts,
			missing_uses = d.missing_uses + excluded.missing_uses,
			unbounded_uses = d.unbounded_uses + excluded.unbounded_uses,
			bounded_after = least(d.bounded_after, excluded.bounded_after),
			(first_used_at, first_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.first_used_at, d.first_transaction_id),
					(excluded.first_used_at, excluded.first_transaction_id)) AS u (at, id) ORDER BY u.at, u.id COLLATE "C" LIMIT 1),
			(last_used_at, last_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.last_used_at, d.last_transaction_id),
					(excluded.last_used_at, excluded.last_transaction_id)) AS u (at, id)
				ORDER BY u.at DESC, u.id COLLATE "C" DESC LIMIT 1);
		RETURN NULL;
	END IF;
	UPDATE internal.destination_totals AS d SET
		completed_uses = d.completed_uses + c.completed_uses,
		completed_amount = d.completed_amount + c.completed_amount,
		unknown_amounts = d.unknown_amounts + c.unknown_amounts,
		missing_uses = d.missing_uses + c.missing_uses
	FROM (
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
				AS destination_key,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed'), 0) AS completed_uses,
			coalesce(sum(t.sign * t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL), 0) AS unknown_amounts,
			coalesce(sum(t.sign) FILTER (WHERE t.missing_since IS NOT NULL), 0) AS missing_uses
		FROM (SELECT 1 AS sign, n.* FROM became n UNION ALL SELECT -1, o.* FROM was o) AS t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
	) AS c
	WHERE d.account_id = c.account_id AND d.destination_key = c.destination_key
		AND (c.completed_uses <> 0 OR c.completed_amount <> 0 OR c.unknown_amounts <> 0 OR c.missing_uses <> 0);
	WITH moved AS (
		SELECT DISTINCT k.account_id, k.destination_key
		FROM was o
		JOIN became n ON n.account_id = o.account_id AND n.transaction_id = o.transaction_id
		CROSS JOIN LATERAL (VALUES
			(o.account_id, o.transaction_type,
				custody.destination_key(o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)),
			(n.account_id, n.transaction_type,
				custody.destination_key(n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id))
		) AS k (account_id, transaction_type, destination_key)
		WHERE k.transaction_type = 'withdraw' AND (o.transaction_type, o.destination_type, o.destination_id, o.destination_address,
				o.asset_id, o.network_id)
			IS DISTINCT FROM (n.transaction_type, n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id)
	), removed AS (
		DELETE FROM internal.destination_totals d USING moved m
		WHERE d.account_id = m.account_id AND d.destination_key = m.destination_key
			AND NOT EXISTS (
				SELECT FROM internal.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key
			)
	)
	INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
		missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
	SELECT s.* FROM moved m
	CROSS JOIN LATERAL (
		SELECT * FROM internal.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key OFFSET 0
	) AS s
	ON CONFLICT (account_id, destination_key) DO UPDATE SET
		uses = excluded.uses, completed_uses = excluded.completed_uses, completed_amount = excluded.completed_amount,
		unknown_amounts = excluded.unknown_amounts, missing_uses = excluded.missing_uses, unbounded_uses = excluded.unbounded_uses,
		bounded_after = excluded.bounded_after, first_used_at = excluded.first_used_at,
		first_transaction_id = excluded.first_transaction_id, last_used_at = excluded.last_used_at,
		last_transaction_id = excluded.last_transaction_id;
	RETURN NULL;
END
$$;

COMMENT ON FUNCTION "internal"."sum_up_destinations"() IS 'Keeps internal.destination_totals with every change of custody.transactions.';

CREATE TRIGGER "sum_up_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();

CREATE TRIGGER "sum_up_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
