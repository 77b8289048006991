-- History is append-only for every role and tool: no row is ever changed or deleted.
CREATE FUNCTION "custody"."refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'custody.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'Rows of history are added and never changed or removed.';
END
$$;

COMMENT ON FUNCTION "custody"."refuse_rewriting_history"() IS 'Refuses UPDATE, DELETE and TRUNCATE on the append-only history tables.';

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."transaction_status_history"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."transaction_revisions"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."document_revisions"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."balance_snapshots"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();
