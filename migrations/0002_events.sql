CREATE FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
	whole jsonb := event;
BEGIN
	-- A queue that is full would fail the commit, and nothing here could catch that. It fills where a listener sits in an
	-- open transaction; half full is when the server begins to warn.
	IF pg_notification_queue_usage() > 0.5 THEN
		RETURN;
	END IF;
	IF cardinality(ids) <= 20 THEN
		whole := event || jsonb_build_object('ids', ids);
		IF octet_length(whole::text) > 4000 THEN
			whole := event;
		END IF;
	END IF;
	PERFORM pg_notify('custody_events', whole::text);
EXCEPTION WHEN OTHERS THEN
	-- The row is what counts: whoever waits for notifications looks at the tables from time to time as well.
	RAISE LOG 'custody_events was not notified: %', SQLERRM;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) IS 'Notifies the channel custody_events with the commit; adds the ids when they are few and short. Never fails the commit.';
--> statement-breakpoint
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
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_balances"() IS 'Announces balance_change for a snapshot with changes.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."balance_snapshots"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_balances"();
--> statement-breakpoint
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
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_documents"() IS 'Announces vault_change and whitelist_change, at most once each per statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."document_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_documents"();
--> statement-breakpoint
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
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_revisions"() IS 'Announces transaction_revision, at most once per statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."transaction_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_revisions"();
--> statement-breakpoint
CREATE FUNCTION "custody"."announce_statuses"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "custody"."announce"(
		jsonb_build_object('event', g.event, 'account_id', g.account_id, 'count', g.count, 'run_id', g.run_id), g.ids)
	FROM (
		SELECT CASE WHEN a.sequence = 1 THEN 'transaction_new' ELSE 'status_change' END AS event,
			a.account_id, count(*) AS count, max(a.run_id) AS run_id, array_agg(a.transaction_id ORDER BY a.change_id) AS ids
		FROM added AS a GROUP BY 1, 2
	) AS g;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "custody"."announce_statuses"() IS 'Announces transaction_new and status_change, at most once each per statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."transaction_status_history"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_statuses"();
