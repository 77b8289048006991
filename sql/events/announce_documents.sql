CREATE FUNCTION "custody"."announce_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', g.event, 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id), g.ids)
	FROM (
		SELECT CASE a.kind WHEN 'vault' THEN 'vault_change' ELSE 'whitelist_change' END AS event,
			a.account_id, count(*) AS count, max(a.run_id) AS run_id, array_agg(a.document_id ORDER BY a.change_id) AS ids
		FROM added AS a GROUP BY 1, 2
	) AS g;
	RETURN NULL;
END
$$;

COMMENT ON FUNCTION "custody"."announce_documents"() IS 'Announces vault_change and whitelist_change, at most once each per statement.';

CREATE TRIGGER "announce" AFTER INSERT ON "custody"."document_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_documents"();
