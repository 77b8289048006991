-- History is append-only for every role and tool: only `account erase` deletes rows, those of one account. Its
-- setting counts only for the owner of the table, who could disable the trigger as well.
CREATE FUNCTION "custody"."refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND current_setting('custody_mirror.erasing', true) = 'on'
		AND pg_has_role((SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'USAGE') THEN
		RETURN NULL;
	END IF;
	RAISE EXCEPTION 'custody.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
		USING ERRCODE = 'restrict_violation', HINT = 'Rows of history are added and never changed or removed.';
END
$$;

COMMENT ON FUNCTION "custody"."refuse_rewriting_history"() IS 'Refuses UPDATE, DELETE and TRUNCATE on the append-only history tables; only `account erase` may delete.';

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."transaction_status_history"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."transaction_revisions"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."document_revisions"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "custody"."balance_snapshots"
	FOR EACH STATEMENT EXECUTE FUNCTION "custody"."refuse_rewriting_history"();
