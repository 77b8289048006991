CREATE FUNCTION "custody"."announce_balances"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', 'balance_change', 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id,
			'vault_type', g.vault_type, 'snapshot_at', g.snapshot_at, 'changed', g.changed), NULL)
	FROM (
		SELECT a.account_id, a.vault_type, count(*) AS count, max(a.run_id) AS run_id,
			to_char(max(a.snapshot_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS snapshot_at,
			sum(a.changed_count) AS changed
		FROM added AS a WHERE a.changed_count > 0 GROUP BY a.account_id, a.vault_type
	) AS g;
	RETURN NULL;
END
$$;

COMMENT ON FUNCTION "custody"."announce_balances"() IS 'Announces balance_change for a snapshot with changes.';

CREATE TRIGGER "announce" AFTER INSERT ON "custody"."balance_snapshots"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_balances"();
