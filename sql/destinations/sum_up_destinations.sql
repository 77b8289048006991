-- Updates internal.destination_totals with every commit: adds new withdrawals, and the differences of changed ones. A withdrawal that
-- changes its type or destination leaves one sum and enters another; the first, the last and the earliest bound of the rest are found by
-- index, however many withdrawals a destination has.
CREATE FUNCTION "internal"."sum_up_destinations"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	-- Transactions whose type or destination changed, by account and identifier; null if none did.
	moved_accounts text[];
	moved_ids text[];
BEGIN
	-- `account rename` renames the sums as well.
	IF TG_OP = 'UPDATE' AND current_setting('custody_mirror.renaming', true) = 'on' THEN
		RETURN NULL;
	END IF;
	IF TG_OP = 'UPDATE' THEN
		SELECT array_agg(o.account_id), array_agg(o.transaction_id) INTO moved_accounts, moved_ids
		FROM was o
		JOIN became n ON n.account_id = o.account_id AND n.transaction_id = o.transaction_id
		WHERE (o.transaction_type, o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)
			IS DISTINCT FROM (n.transaction_type, n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id);
		UPDATE internal.destination_totals AS d SET
			uses = d.uses + c.uses,
			completed_uses = d.completed_uses + c.completed_uses,
			completed_amount = d.completed_amount + c.completed_amount,
			unknown_amounts = d.unknown_amounts + c.unknown_amounts,
			missing_uses = d.missing_uses + c.missing_uses,
			unbounded_uses = d.unbounded_uses + c.unbounded_uses
		FROM (
			SELECT t.account_id,
				custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
					AS destination_key,
				sum(t.sign) AS uses,
				coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed'), 0) AS completed_uses,
				coalesce(sum(t.sign * t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
				coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL), 0) AS unknown_amounts,
				coalesce(sum(t.sign) FILTER (WHERE t.missing_since IS NOT NULL), 0) AS missing_uses,
				coalesce(sum(t.sign) FILTER (WHERE t.first_seen_after IS NULL), 0) AS unbounded_uses
			FROM (
				SELECT -1 AS sign, o.* FROM was o
				UNION ALL
				SELECT 1, n.* FROM became n
				WHERE moved_ids IS NULL OR (n.account_id, n.transaction_id) NOT IN (SELECT * FROM unnest(moved_accounts, moved_ids))
			) AS t
			WHERE t.transaction_type = 'withdraw'
			GROUP BY 1, 2
		) AS c
		WHERE d.account_id = c.account_id AND d.destination_key = c.destination_key
			AND (c.uses <> 0 OR c.completed_uses <> 0 OR c.completed_amount <> 0 OR c.unknown_amounts <> 0 OR c.missing_uses <> 0);
		IF moved_ids IS NULL THEN
			RETURN NULL;
		END IF;
		DELETE FROM internal.destination_totals d USING was o
		WHERE d.account_id = o.account_id AND d.uses = 0 AND d.destination_key = custody.destination_key(
			o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id);
		UPDATE internal.destination_totals AS d SET
			first_used_at = f.first_seen_at, first_transaction_id = f.transaction_id,
			last_used_at = l.first_seen_at, last_transaction_id = l.transaction_id,
			bounded_after = b.bounded_after
		FROM (
			SELECT DISTINCT o.account_id,
				custody.destination_key(o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)
					AS destination_key
			FROM unnest(moved_accounts, moved_ids) AS m (account_id, transaction_id)
			JOIN was o ON o.account_id = m.account_id AND o.transaction_id = m.transaction_id
			WHERE o.transaction_type = 'withdraw'
		) AS k
		CROSS JOIN LATERAL (
			SELECT t.first_seen_at, t.transaction_id FROM custody.transactions t
			WHERE t.transaction_type = 'withdraw' AND t.account_id = k.account_id AND custody.destination_key(
				t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
			ORDER BY t.first_seen_at, t.transaction_id COLLATE "C" LIMIT 1
		) AS f
		CROSS JOIN LATERAL (
			SELECT t.first_seen_at, t.transaction_id FROM custody.transactions t
			WHERE t.transaction_type = 'withdraw' AND t.account_id = k.account_id AND custody.destination_key(
				t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
			ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC LIMIT 1
		) AS l
		CROSS JOIN LATERAL (
			SELECT min(t.first_seen_after) AS bounded_after FROM custody.transactions t
			WHERE t.transaction_type = 'withdraw' AND t.account_id = k.account_id AND custody.destination_key(
				t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
		) AS b
		WHERE d.account_id = k.account_id AND d.destination_key = k.destination_key;
	END IF;
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
	FROM became t
	WHERE t.transaction_type = 'withdraw'
		AND (moved_ids IS NULL OR (t.account_id, t.transaction_id) IN (SELECT * FROM unnest(moved_accounts, moved_ids)))
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
END
$$;

COMMENT ON FUNCTION "internal"."sum_up_destinations"() IS 'Updates internal.destination_totals on every change of custody.transactions.';

CREATE TRIGGER "sum_up_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();

CREATE TRIGGER "sum_up_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
