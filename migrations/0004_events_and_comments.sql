-- What the columns and tables of 0003 mean, what is known of databases that were there before, and the notifications.
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started.';
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'When the first sweep of transactions had ended: what was first seen later is new, what was first seen before may be of any age. Null until then; never moved.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null at the first sighting and where nothing is known.';
COMMENT ON COLUMN "custody"."transaction_status_history"."change_id" IS 'Number that grows with every row in the order of commits of the account: whoever has read up to it reads on from there and misses nothing. Numbers may be skipped.';
COMMENT ON COLUMN "custody"."transaction_revisions"."change_id" IS 'Number that grows with every row in the order of commits of the account: whoever has read up to it reads on from there and misses nothing. Numbers may be skipped.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."document_revisions"."name" IS 'Name that was recognised in the document of this revision. Like the next four, null where none was and in revisions recorded before this column existed.';
COMMENT ON COLUMN "custody"."document_revisions"."vault_type" IS 'Vault type that was recognised in the document of this revision; of vaults only.';
COMMENT ON COLUMN "custody"."document_revisions"."address" IS 'Address that was recognised in the document of this revision; of whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."asset_id" IS 'Asset that was recognised in the document of this revision; of whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."network_id" IS 'Network that was recognised in the document of this revision; of whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."change_id" IS 'Number that grows with every row in the order of commits of the account: whoever has read up to it reads on from there and misses nothing. Numbers may be skipped.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."asset_prices" IS 'Prices of assets, for reports that value them. Filled by whoever keeps the database; the mirror never writes here.';
COMMENT ON COLUMN "custody"."asset_prices"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."asset_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."asset_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."asset_prices"."as_of" IS 'From when on the price holds, until the next one of the same asset and currency.';
COMMENT ON COLUMN "custody"."asset_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."asset_prices"."source" IS 'Where the price comes from, in words of whoever entered it.';
--> statement-breakpoint
COMMENT ON COLUMN "sync"."runs"."open_transactions_read" IS 'Whether the run read every transaction that was open when it began. Null for other jobs and for runs recorded before this column existed.';
--> statement-breakpoint
-- Runs are removed after a while. Where the first sweep is no longer there, a later one stands for it.
UPDATE "custody"."accounts" AS a SET "transactions_since" = (
	SELECT min(r.finished_at) FROM "sync"."runs" AS r
	WHERE r.account_id = a.account_id AND r.job IN ('transactions', 'reconcile') AND r.mode = 'full' AND r.status = 'succeeded'
);
--> statement-breakpoint
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
COMMENT ON FUNCTION "custody"."announce"("event" jsonb, "ids" text[]) IS 'Notifies the channel custody_events with the commit; adds ids where they are few and short. Never fails the commit.';
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
COMMENT ON FUNCTION "custody"."announce_statuses"() IS 'Announces transaction_new and status_change, once each for a statement.';
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
COMMENT ON FUNCTION "custody"."announce_balances"() IS 'Announces balance_change for a snapshot that brought changes.';
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
COMMENT ON FUNCTION "custody"."announce_documents"() IS 'Announces vault_change and whitelist_change, once each for a statement.';
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."transaction_status_history"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_statuses"();
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."balance_snapshots"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_balances"();
--> statement-breakpoint
CREATE TRIGGER "announce" AFTER INSERT ON "custody"."document_revisions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "custody"."announce_documents"();
