CREATE FUNCTION "custody"."announce_revisions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', 'transaction_revision', 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id), g.ids)
	FROM (
		SELECT a.account_id, count(*) AS count, max(a.run_id) AS run_id, array_agg(a.transaction_id ORDER BY a.change_id) AS ids
		FROM added AS a GROUP BY 1
	) AS g;
	RETURN NULL;
END
$$;

COMMENT ON FUNCTION "custody"."announce_revisions"() IS 'Announces transaction_revision, at most once per statement.';

CREATE TRIGGER "announce" AFTER INSERT ON "custody"."transaction_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_revisions"();
