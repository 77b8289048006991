-- A transaction as known at a moment: the current row with the earlier value of every field that changed later.
CREATE FUNCTION "reporting"."transactions_at"("at" timestamptz) RETURNS TABLE (
	account_id text, transaction_id text, status text, is_open boolean, transaction_type text, direction text,
	asset_id text, asset_name text, network_id text, network_name text, amount numeric, fee numeric,
	source_type text, source_id text, source_name text, source_address text,
	destination_type text, destination_id text, destination_name text, destination_address text, destination_memo text,
	txn_hash text, blockexplorer_link text, note text, first_seen_at timestamptz, status_since timestamptz,
	missing_since timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT t.account_id, t.transaction_id, s.to_status, NOT reporting.is_settled(s.to_status) AND (w.missing_since IS NULL OR NULL),
		w.transaction_type, reporting.direction_of(w.transaction_type, w.source_type, w.destination_type),
		w.asset_id, w.asset_name, w.network_id, w.network_name, trim_scale(w.amount), trim_scale(w.fee),
		w.source_type, w.source_id, w.source_name, w.source_address,
		w.destination_type, w.destination_id, w.destination_name, w.destination_address, w.destination_memo,
		w.txn_hash, w.blockexplorer_link, w.note, t.first_seen_at, s.observed_at, w.missing_since
	FROM custody.transactions t
	CROSS JOIN LATERAL (
		SELECT h.to_status, h.observed_at FROM custody.transaction_status_history h
		WHERE h.account_id = t.account_id AND h.transaction_id = t.transaction_id AND h.observed_at <= "at"
		ORDER BY h.sequence DESC LIMIT 1
	) AS s
	-- The earlier value of a field is in the first later revision that changed it.
	LEFT JOIN LATERAL (
		SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
			SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
			FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
			WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id AND r.observed_at > "at"
			ORDER BY f.field, r.revision
		) AS e
	) AS p ON true
	CROSS JOIN LATERAL jsonb_populate_record(t, p.before) AS w
	WHERE t.first_seen_at <= "at";
END;

COMMENT ON FUNCTION "reporting"."transactions_at"(timestamptz) IS 'The transactions as known at a moment, one row each: the current rows with every later change undone.';
