CREATE FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
	whole jsonb;
BEGIN
	-- A full queue would fail the commit, and nothing here could catch that. It fills if a listener sits in an open
	-- transaction; the server starts to warn at half full.
	IF pg_notification_queue_usage() > 0.5 THEN
		RETURN;
	END IF;
	event := event || jsonb_build_object('history', (SELECT h.history FROM custody.histories AS h
		WHERE h.account_id = event ->> 'account_id' ORDER BY h.ordinal DESC LIMIT 1));
	whole := event;
	IF cardinality(ids) <= 20 THEN
		whole := event || jsonb_build_object('ids', ids);
		IF octet_length(whole::text) > 4000 THEN
			whole := event;
		END IF;
	END IF;
	PERFORM pg_notify('custody_events', whole::text);
EXCEPTION WHEN OTHERS THEN
	-- Losing a notification is safe: listeners also poll the tables.
	RAISE LOG 'custody_events was not notified: %', SQLERRM;
END
$$;

COMMENT ON FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) IS 'Notifies the channel custody_events on commit; includes the ids if they are few and short. Never fails the commit.';
