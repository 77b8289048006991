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

COMMENT ON FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) IS 'Notifies the channel custody_events with the commit; adds the ids when they are few and short. Never fails the commit.';
