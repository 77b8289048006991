-- What is made again below keeps its grants and the options that were set on it.
CREATE TABLE "drizzle"."kept_access" AS
WITH o AS (
	SELECT 'TABLE' AS kind, oid, format('%s.%I', relnamespace::regnamespace, relname) AS name, relacl AS acl,
		relowner AS owner, reloptions AS options
	FROM pg_catalog.pg_class WHERE relkind = 'v' AND relnamespace::regnamespace::text IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
	UNION ALL
	SELECT 'FUNCTION', oid, format('%s.%I', pronamespace::regnamespace, proname), proacl, proowner, NULL
	FROM pg_catalog.pg_proc WHERE pronamespace::regnamespace::text IN ('custody', 'reporting', 'sync', 'internal', 'drizzle')
)
SELECT kind, oid, name, NULL AS "option", format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name) AS statement
FROM o WHERE kind = 'FUNCTION' AND acl IS NOT NULL
UNION ALL
SELECT kind, oid, name, NULL, format('GRANT %s%s ON %s %s TO %s%s', a.privilege_type, part.columns, kind,
	name, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
	CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END)
FROM o CROSS JOIN LATERAL (
	SELECT o.acl, ''
	UNION ALL
	SELECT attacl, format(' (%I)', attname) FROM pg_catalog.pg_attribute
	WHERE kind = 'TABLE' AND attrelid = o.oid
) AS part (acl, columns) CROSS JOIN LATERAL aclexplode(part.acl) AS a
WHERE a.grantee <> owner
UNION ALL
SELECT kind, oid, name, option_name, format('ALTER VIEW %s SET (%I = %L)', name, option_name, option_value)
FROM o CROSS JOIN LATERAL pg_options_to_table(options);
--> statement-breakpoint
DROP TRIGGER sum_up_added ON custody.transactions;
--> statement-breakpoint
DROP VIEW reporting.balance_values, reporting.balance_values_daily, reporting.document_changes, reporting.movement_values, reporting.worth_daily, internal.price_currencies;
--> statement-breakpoint
CREATE TABLE "custody"."former_time_zones" (
	"account_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	CONSTRAINT "former_time_zones_pkey" PRIMARY KEY("account_id","valid_from")
);
--> statement-breakpoint
CREATE TABLE "custody"."former_prices" (
	"account_id" text NOT NULL,
	"asset_id" text NOT NULL,
	"currency" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"price" numeric NOT NULL,
	"source" text,
	"known_from" timestamp with time zone NOT NULL,
	"known_until" timestamp with time zone NOT NULL,
	CONSTRAINT "former_prices_pkey" PRIMARY KEY("account_id","asset_id","currency","as_of","known_until")
);
--> statement-breakpoint
CREATE TABLE "custody"."former_fee_rules" (
	"account_id" text NOT NULL,
	"fee_rule_id" bigint NOT NULL,
	"network_id" text NOT NULL,
	"transaction_type" text,
	"asset_id" text NOT NULL,
	"known_from" timestamp with time zone NOT NULL,
	"known_until" timestamp with time zone NOT NULL,
	CONSTRAINT "former_fee_rules_pkey" PRIMARY KEY("account_id","fee_rule_id","known_until")
);
--> statement-breakpoint
ALTER TABLE "custody"."asset_prices" ADD COLUMN "known_from" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "custody"."fee_rules" ADD COLUMN "known_from" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "custody"."former_time_zones" ADD CONSTRAINT "former_time_zones_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."former_prices" ADD CONSTRAINT "former_prices_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."former_fee_rules" ADD CONSTRAINT "former_fee_rules_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "transaction_revisions_filters_idx" ON "custody"."transaction_revisions" USING btree ("account_id","transaction_id") WHERE "custody"."transaction_revisions"."changed_fields" && array['status','transaction_type','asset_id','network_id','source_id','source_address','destination_id','destination_address','source_type','destination_type'];
--> statement-breakpoint
CREATE INDEX "transactions_destination_after_idx" ON "custody"."transactions" USING btree ("account_id",custody.destination_key("destination_type", "destination_id", "destination_address", "asset_id", "network_id"),"first_seen_after") WHERE "custody"."transactions"."transaction_type" = 'withdraw' and "custody"."transactions"."first_seen_after" is not null;
--> statement-breakpoint
CREATE INDEX "transactions_earlier_statuses_idx" ON "custody"."transactions" USING gist (tstzrange(least("first_seen_at", "status_changed_at"), "status_changed_at")) WHERE "custody"."transactions"."first_seen_at" < "custody"."transactions"."status_changed_at";
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_changes" IS 'Every change of a balance between two observations, one row each, including assets that appear or are no longer shown. Other zeros in the spelling are no change, nor is a balance that could not be read for a time and is the same afterwards. Figures before are null where the asset is first observed or appears, figures after where it disappears; total_change counts what appears or disappears whole.';
--> statement-breakpoint
-- The currencies that have prices: one lookup by index for each asset and currency, instead of reading every price.
CREATE VIEW "internal"."present_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.asset_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.asset_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT DISTINCT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "internal"."present_currencies" IS 'The currencies in which an account has prices in custody.asset_prices.';
COMMENT ON COLUMN "internal"."present_currencies"."currency" IS 'Currency of the prices.';
--> statement-breakpoint
-- As internal.present_currencies, with the currencies in which prices were replaced or removed.
CREATE VIEW "reporting"."price_currencies" AS
WITH RECURSIVE priced AS (
	(SELECT account_id, asset_id, currency FROM custody.former_prices ORDER BY account_id, asset_id, currency LIMIT 1)
	UNION ALL
	SELECT n.account_id, n.asset_id, n.currency FROM priced c CROSS JOIN LATERAL (
		SELECT q.account_id, q.asset_id, q.currency FROM custody.former_prices q
		WHERE (q.account_id, q.asset_id, q.currency) > (c.account_id, c.asset_id, c.currency)
		ORDER BY q.account_id, q.asset_id, q.currency LIMIT 1
	) AS n
)
SELECT account_id, currency FROM internal.present_currencies
UNION
SELECT account_id, currency FROM priced;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."price_currencies" IS 'The currencies in which an account has or had prices in custody.asset_prices.';
COMMENT ON COLUMN "reporting"."price_currencies"."currency" IS 'Currency of the prices.';
--> statement-breakpoint
-- The one rule by which prices are chosen: the last one before a moment, and none of the future, as it was known at another. Where the
-- spans of two overlap, because somebody stated an earlier known_from, the one that was stated last counts: it has the later known_until,
-- or none. What is known now needs no former price: without that condition each of them would be looked through. PostgreSQL inlines it.
CREATE FUNCTION "reporting"."price_known"("account" text, "asset" text, "in_currency" text, "before" timestamptz, "as_known_at" timestamptz)
RETURNS TABLE (price numeric, as_of timestamptz, known_until timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT trim_scale(k.price), k.as_of, k.known_until FROM (
		(
			SELECT q.price, q.as_of, NULL::timestamptz AS known_until FROM custody.asset_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now()) AND (q.known_from IS NULL OR q.known_from <= "as_known_at")
			ORDER BY q.as_of DESC LIMIT 1
		)
		UNION ALL
		(
			SELECT q.price, q.as_of, q.known_until FROM custody.former_prices q
			WHERE q.account_id = "account" AND q.asset_id = "asset" AND q.currency = "in_currency"
				AND q.as_of < "before" AND q.as_of <= least("as_known_at", now())
				AND "as_known_at" < now() AND q.known_from <= "as_known_at" AND q.known_until > "as_known_at"
			ORDER BY q.as_of DESC, q.known_until DESC LIMIT 1
		)
	) AS k
	ORDER BY k.as_of DESC, k.known_until DESC NULLS FIRST LIMIT 1;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."price_known"(text, text, text, timestamptz, timestamptz) IS 'The last price of an asset in a currency before a moment, as it was known at another moment: from custody.asset_prices and custody.former_prices, with the moment at which it was replaced or removed. No row where none was known. The prices known now: give ''infinity'' as the other moment. The end of a day takes the last price before the day ends: give the day''s ends_at of reporting.calendar.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_share" IS 'Share of the cold vaults: 0 to 1, rounded to 6 places.';
--> statement-breakpoint
-- Updates internal.destination_totals with every commit: adds new withdrawals, and the differences of changed ones. One that changes its
-- type or destination leaves one sum and enters another; the first, the last and the earliest bound of what is left are found by index,
-- so that it does not matter how many withdrawals a destination has.
CREATE OR REPLACE FUNCTION "internal"."sum_up_destinations"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	-- What changed its type or destination, by account and identifier; null when nothing did.
	moved_accounts text[];
	moved_ids text[];
BEGIN
	IF TG_OP = 'UPDATE' THEN
		SELECT array_agg(o.account_id), array_agg(o.transaction_id) INTO moved_accounts, moved_ids
		FROM was o
		JOIN became n ON n.account_id = o.account_id AND n.transaction_id = o.transaction_id
		WHERE (o.transaction_type, o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)
			IS DISTINCT FROM (n.transaction_type, n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id);
		UPDATE internal.destination_totals AS d SET
			uses = d.uses + c.uses,
			completed_uses = d.completed_uses + c.completed_uses,
			completed_amount = d.completed_amount + c.completed_amount,
			unknown_amounts = d.unknown_amounts + c.unknown_amounts,
			missing_uses = d.missing_uses + c.missing_uses,
			unbounded_uses = d.unbounded_uses + c.unbounded_uses
		FROM (
			SELECT t.account_id,
				custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
					AS destination_key,
				sum(t.sign) AS uses,
				coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed'), 0) AS completed_uses,
				coalesce(sum(t.sign * t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
				coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL), 0) AS unknown_amounts,
				coalesce(sum(t.sign) FILTER (WHERE t.missing_since IS NOT NULL), 0) AS missing_uses,
				coalesce(sum(t.sign) FILTER (WHERE t.first_seen_after IS NULL), 0) AS unbounded_uses
			FROM (
				SELECT -1 AS sign, o.* FROM was o
				UNION ALL
				SELECT 1, n.* FROM became n
				WHERE moved_ids IS NULL OR (n.account_id, n.transaction_id) NOT IN (SELECT * FROM unnest(moved_accounts, moved_ids))
			) AS t
			WHERE t.transaction_type = 'withdraw'
			GROUP BY 1, 2
		) AS c
		WHERE d.account_id = c.account_id AND d.destination_key = c.destination_key
			AND (c.uses <> 0 OR c.completed_uses <> 0 OR c.completed_amount <> 0 OR c.unknown_amounts <> 0 OR c.missing_uses <> 0);
		IF moved_ids IS NULL THEN
			RETURN NULL;
		END IF;
		DELETE FROM internal.destination_totals d USING was o
		WHERE d.account_id = o.account_id AND d.uses = 0 AND d.destination_key = custody.destination_key(
			o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id);
		UPDATE internal.destination_totals AS d SET
			first_used_at = f.first_seen_at, first_transaction_id = f.transaction_id,
			last_used_at = l.first_seen_at, last_transaction_id = l.transaction_id,
			bounded_after = b.bounded_after
		FROM (
			SELECT DISTINCT o.account_id,
				custody.destination_key(o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)
					AS destination_key
			FROM unnest(moved_accounts, moved_ids) AS m (account_id, transaction_id)
			JOIN was o ON o.account_id = m.account_id AND o.transaction_id = m.transaction_id
			WHERE o.transaction_type = 'withdraw'
		) AS k
		CROSS JOIN LATERAL (
			SELECT t.first_seen_at, t.transaction_id FROM custody.transactions t
			WHERE t.transaction_type = 'withdraw' AND t.account_id = k.account_id AND custody.destination_key(
				t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
			ORDER BY t.first_seen_at, t.transaction_id COLLATE "C" LIMIT 1
		) AS f
		CROSS JOIN LATERAL (
			SELECT t.first_seen_at, t.transaction_id FROM custody.transactions t
			WHERE t.transaction_type = 'withdraw' AND t.account_id = k.account_id AND custody.destination_key(
				t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
			ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC LIMIT 1
		) AS l
		CROSS JOIN LATERAL (
			SELECT min(t.first_seen_after) AS bounded_after FROM custody.transactions t
			WHERE t.transaction_type = 'withdraw' AND t.account_id = k.account_id AND custody.destination_key(
				t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = k.destination_key
		) AS b
		WHERE d.account_id = k.account_id AND d.destination_key = k.destination_key;
	END IF;
	INSERT INTO internal.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
		missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
	SELECT t.account_id,
		custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id),
		count(*), count(*) FILTER (WHERE t.status = 'completed'),
		coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0),
		count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL),
		count(t.missing_since), count(*) FILTER (WHERE t.first_seen_after IS NULL), min(t.first_seen_after),
		min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
		max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
	FROM became t
	WHERE t.transaction_type = 'withdraw'
		AND (moved_ids IS NULL OR (t.account_id, t.transaction_id) IN (SELECT * FROM unnest(moved_accounts, moved_ids)))
	GROUP BY 1, 2
	ON CONFLICT (account_id, destination_key) DO UPDATE SET
		uses = d.uses + excluded.uses,
		completed_uses = d.completed_uses + excluded.completed_uses,
		completed_amount = d.completed_amount + excluded.completed_amount,
		unknown_amounts = d.unknown_amounts + excluded.unknown_amounts,
		missing_uses = d.missing_uses + excluded.missing_uses,
		unbounded_uses = d.unbounded_uses + excluded.unbounded_uses,
		bounded_after = least(d.bounded_after, excluded.bounded_after),
		(first_used_at, first_transaction_id) = (
			SELECT u.at, u.id FROM (VALUES (d.first_used_at, d.first_transaction_id),
				(excluded.first_used_at, excluded.first_transaction_id)) AS u (at, id) ORDER BY u.at, u.id COLLATE "C" LIMIT 1),
		(last_used_at, last_transaction_id) = (
			SELECT u.at, u.id FROM (VALUES (d.last_used_at, d.last_transaction_id),
				(excluded.last_used_at, excluded.last_transaction_id)) AS u (at, id)
			ORDER BY u.at DESC, u.id COLLATE "C" DESC LIMIT 1);
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "sum_up_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "internal"."sum_up_destinations"();
--> statement-breakpoint
-- Documents are compared member by member. What is no object has no members, and differs as a whole under the name ''.
CREATE VIEW "reporting"."document_changes" AS
SELECT r.account_id, r.kind, r.document_id, r.revision, r.change, r.observed_after, r.observed_at,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror, next.revision IS NULL AS is_current,
	r.name, r.vault_type, r.address, r.asset_id, r.network_id,
	d.changed_fields, d.before, d.after, r.document::text AS document, r.run_id
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
LEFT JOIN custody.document_revisions former
	ON former.account_id = r.account_id AND former.kind = r.kind AND former.document_id = r.document_id AND former.revision = r.revision - 1
CROSS JOIN LATERAL (
	SELECT coalesce(string_agg(m.name, ', ' ORDER BY m.name), '') AS changed_fields,
		coalesce(jsonb_object_agg(m.name, m.value_before) FILTER (WHERE m.value_before IS NOT NULL), '{}')::text AS before,
		coalesce(jsonb_object_agg(m.name, m.value_after) FILTER (WHERE m.value_after IS NOT NULL), '{}')::text AS after
	FROM (
		SELECT coalesce(o.key, n.key) AS name, o.value AS value_before, n.value AS value_after
		FROM jsonb_each(CASE jsonb_typeof(former.document) WHEN 'object' THEN former.document
			ELSE jsonb_build_object('', former.document) END) AS o
		FULL JOIN jsonb_each(CASE jsonb_typeof(r.document) WHEN 'object' THEN r.document
			ELSE jsonb_build_object('', r.document) END) AS n ON n.key = o.key
		WHERE former.revision IS NOT NULL AND o.value IS DISTINCT FROM n.value
	) AS m
) AS d;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."document_changes" IS 'Every observed state of every vault and whitelist entry, one row each, with what it changed in the state before.';
COMMENT ON COLUMN "reporting"."document_changes"."kind" IS 'What it is: vault or whitelist_entry.';
COMMENT ON COLUMN "reporting"."document_changes"."document_id" IS 'Identifier of the vault or the whitelist entry.';
COMMENT ON COLUMN "reporting"."document_changes"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."document_changes"."change" IS 'What happened: added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_after" IS 'When the state had certainly not begun yet: the start of the reading of the list before. Null at the first reading.';
COMMENT ON COLUMN "reporting"."document_changes"."observed_at" IS 'When the state was first seen; it began between observed_after and this.';
COMMENT ON COLUMN "reporting"."document_changes"."known_until" IS 'When the last reading began that still showed the state; earlier than observed_at when only one reading showed it.';
COMMENT ON COLUMN "reporting"."document_changes"."valid_to" IS 'When the next state was first seen; it began between known_until and this. Null while the state lasts.';
COMMENT ON COLUMN "reporting"."document_changes"."is_listed" IS 'The service listed the vault or the entry in this state.';
COMMENT ON COLUMN "reporting"."document_changes"."is_older_than_mirror" IS 'It existed when the list was first read, so that its beginning is unknown.';
COMMENT ON COLUMN "reporting"."document_changes"."is_current" IS 'The state lasts.';
COMMENT ON COLUMN "reporting"."document_changes"."name" IS 'Name that was recognised in the document of this state.';
COMMENT ON COLUMN "reporting"."document_changes"."vault_type" IS 'Warm or cold, where it was recognised; for vaults only.';
COMMENT ON COLUMN "reporting"."document_changes"."address" IS 'Wallet address that was recognised; for whitelist entries only.';
COMMENT ON COLUMN "reporting"."document_changes"."asset_id" IS 'Asset the entry is for; null when it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."network_id" IS 'Network the entry is for; null when it names none, and for vaults.';
COMMENT ON COLUMN "reporting"."document_changes"."changed_fields" IS 'Names of the members of the document that differ from the state before, in order, such as: address, name. Empty at the first sighting, and at a removal.';
COMMENT ON COLUMN "reporting"."document_changes"."before" IS 'Those members before, as JSON in a text; one that was absent is left out.';
COMMENT ON COLUMN "reporting"."document_changes"."after" IS 'Those members after, as JSON in a text; one that is absent now is left out.';
COMMENT ON COLUMN "reporting"."document_changes"."document" IS 'The whole record, as JSON in a text; at a removal the last one seen. As jsonb it is in custody.document_revisions.';
COMMENT ON COLUMN "reporting"."document_changes"."run_id" IS 'The run (sync.runs) that saw it.';
COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address in the form in which its network compares it: without spaces around it, in lower case if it is hexadecimal (0x…) or bech32 (all in one case, and 1 followed by at least 38 of its characters), else unchanged. Null for an empty one.';
COMMENT ON FUNCTION "reporting"."direction_of"(text, text, text) IS 'Direction of a transaction seen from the account: in, out, internal, staking or unknown; by its type. For an undocumented type by the ends: from vault to vault internal, to a vault in, from a vault out, else unknown.';
--> statement-breakpoint
-- Every rule with the span in which it was known. Where the spans of two overlap, because somebody stated an earlier known_from, the one
-- that was stated last counts: it has the later known_until, or none.
CREATE VIEW "internal"."fee_rule_history" AS
SELECT account_id, network_id, transaction_type, asset_id, coalesce(known_from, '-infinity') AS known_from, NULL::timestamptz AS known_until
FROM custody.fee_rules
UNION ALL
SELECT account_id, network_id, transaction_type, asset_id, known_from, known_until FROM custody.former_fee_rules;
--> statement-breakpoint
COMMENT ON VIEW "internal"."fee_rule_history" IS 'The rules of custody.fee_rules as they were known: present and former ones.';
COMMENT ON COLUMN "internal"."fee_rule_history"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "internal"."fee_rule_history"."transaction_type" IS 'Kind of transaction; null for every kind without a rule of its own on the network.';
COMMENT ON COLUMN "internal"."fee_rule_history"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_from" IS 'Since when it is known.';
COMMENT ON COLUMN "internal"."fee_rule_history"."known_until" IS 'Until when it was known; null for a present rule.';
--> statement-breakpoint
-- What people state, rules for fees and prices, has a history: figures of a day that is over follow what was known then. The argument of
-- the trigger names the table of what is replaced or removed; it has the columns of the other, and known_until. The function writes for
-- people who may write the table that they fill alone. A row that was added in the same transaction was never known, and one that stays
-- the same stays.
CREATE FUNCTION "internal"."keep_former"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at timestamptz := now();
BEGIN
	IF TG_OP = 'INSERT' THEN
		NEW.known_from := coalesce(NEW.known_from, now());
		RETURN NEW;
	END IF;
	IF TG_OP = 'TRUNCATE' THEN
		EXECUTE format('DELETE FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
		RETURN NULL;
	END IF;
	IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
		RETURN NEW;
	END IF;
	-- Another transaction stated it after this one began.
	IF OLD.known_from > at AND OLD.known_from < clock_timestamp() THEN
		at := clock_timestamp();
	END IF;
	IF OLD.known_from IS NULL OR OLD.known_from < at THEN
		EXECUTE format('INSERT INTO custody.%1$I SELECT (jsonb_populate_record(NULL::custody.%1$I, $1)).* ON CONFLICT DO NOTHING', TG_ARGV[0])
			USING to_jsonb(OLD) || jsonb_build_object('known_from', coalesce(OLD.known_from, '-infinity'), 'known_until', at);
	END IF;
	IF TG_OP = 'UPDATE' AND NEW.known_from IS NOT DISTINCT FROM OLD.known_from THEN
		NEW.known_from := at;
	END IF;
	RETURN CASE TG_OP WHEN 'UPDATE' THEN NEW ELSE OLD END;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."keep_former"() IS 'Says since when a row of custody.fee_rules or custody.asset_prices is known, and keeps what is replaced or removed in custody.former_fee_rules and custody.former_prices.';
--> statement-breakpoint
CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."fee_rules"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former"('former_fee_rules');
--> statement-breakpoint
CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."fee_rules"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();
--> statement-breakpoint
CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."asset_prices"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former"('former_prices');
--> statement-breakpoint
CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."asset_prices"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();
--> statement-breakpoint
-- Whoever sets the time zone of an account, the days that are over keep theirs.
CREATE FUNCTION "internal"."keep_former_time_zone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Fails for a name that PostgreSQL does not know, with which every report would fail.
	PERFORM now() AT TIME ZONE NEW.time_zone;
	IF TG_OP = 'UPDATE' AND NEW.time_zone <> OLD.time_zone THEN
		INSERT INTO custody.former_time_zones (account_id, valid_from, valid_to, time_zone)
		SELECT NEW.account_id, coalesce(max(f.valid_to), '-infinity'), greatest(clock_timestamp(), max(f.valid_to) + interval '1 microsecond'),
			OLD.time_zone
		FROM custody.former_time_zones f WHERE f.account_id = NEW.account_id;
	END IF;
	RETURN NEW;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "internal"."keep_former_time_zone"() IS 'Refuses an unknown time zone, and keeps the one that another replaces in custody.former_time_zones.';
--> statement-breakpoint
CREATE TRIGGER "keep_former_time_zone" BEFORE INSERT OR UPDATE OF "time_zone" ON "custody"."accounts"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former_time_zone"();
--> statement-breakpoint
-- Every time zone of an account with the span in which it held: the former ones, and the one that is set.
CREATE VIEW "internal"."time_zones" AS
SELECT account_id, valid_from, valid_to, time_zone FROM custody.former_time_zones
UNION ALL
SELECT a.account_id, coalesce((SELECT max(f.valid_to) FROM custody.former_time_zones f WHERE f.account_id = a.account_id), '-infinity'),
	'infinity', a.time_zone
FROM custody.accounts a;
--> statement-breakpoint
COMMENT ON VIEW "internal"."time_zones" IS 'The time zones of each account: reporting.calendar makes days of them.';
COMMENT ON COLUMN "internal"."time_zones"."valid_from" IS 'Since when it held; -infinity for the first.';
COMMENT ON COLUMN "internal"."time_zones"."valid_to" IS 'Until when it held; infinity for the one that is set.';
COMMENT ON COLUMN "internal"."time_zones"."time_zone" IS 'Name of the zone.';
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started. It holds from the moment it is set; custody.former_time_zones keeps those before.';
COMMENT ON TABLE "custody"."asset_prices" IS 'Prices of assets, for reports that value them. You fill this table; the mirror never writes to it. What is replaced or removed here is kept in custody.former_prices.';
COMMENT ON COLUMN "custody"."asset_prices"."known_from" IS 'Since when the price is known: when it was stated, unless you state another moment; null for all times. Figures as they were known earlier do not follow it.';
COMMENT ON TABLE "custody"."fee_rules" IS 'In which asset a network takes its fees. You fill this table; the mirror never writes to it. The service names no asset of a fee: without a rule the reports assume the asset of the transaction, and say so. What is replaced or removed here is kept in custody.former_fee_rules.';
COMMENT ON COLUMN "custody"."fee_rules"."known_from" IS 'Since when the rule is known: when it was stated, unless you state another moment; null for all times. Figures as they were known earlier do not follow it. Where its time overlaps that of a former rule, this one counts.';
COMMENT ON TABLE "custody"."former_fee_rules" IS 'Rules that were replaced in custody.fee_rules or removed from it. A trigger fills this table.';
COMMENT ON COLUMN "custody"."former_fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."former_fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."former_fee_rules"."transaction_type" IS 'Kind of transaction; null for every kind without a rule of its own on the network.';
COMMENT ON COLUMN "custody"."former_fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_from" IS 'Since when it was known; -infinity where it was known for all times.';
COMMENT ON COLUMN "custody"."former_fee_rules"."known_until" IS 'When it was replaced or removed.';
COMMENT ON TABLE "custody"."former_prices" IS 'Prices that were replaced in custody.asset_prices or removed from it. A trigger fills this table.';
COMMENT ON COLUMN "custody"."former_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."former_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."former_prices"."as_of" IS 'From when on the price held.';
COMMENT ON COLUMN "custody"."former_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."former_prices"."source" IS 'Where the price came from.';
COMMENT ON COLUMN "custody"."former_prices"."known_from" IS 'Since when it was known; -infinity where it was known for all times.';
COMMENT ON COLUMN "custody"."former_prices"."known_until" IS 'When it was replaced or removed.';
COMMENT ON TABLE "custody"."former_time_zones" IS 'Time zones that accounts had before the present one, which is in custody.accounts. A trigger fills this table.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_from" IS 'Since when it held; -infinity for the first.';
COMMENT ON COLUMN "custody"."former_time_zones"."valid_to" IS 'Until when it held: from then on the next one did.';
COMMENT ON COLUMN "custody"."former_time_zones"."time_zone" IS 'Name of the zone (IANA).';
COMMENT ON COLUMN "reporting"."transactions"."vault_id" IS 'The own vault: where it arrives if it comes from elsewhere, else the vault it leaves, whatever its type says. From the transaction itself, so that it is set even when vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."settled_at" IS 'When the mirror saw its present status begin, if that is final: of one that was completed and then failed, when it failed. Null while open, and when it had that status before the mirror began. The daily reports count it when it was first seen in that status: see settlement_history.';
COMMENT ON COLUMN "reporting"."transactions"."age" IS 'While open, the time since it was first seen; then from first_seen_at to settled_at. Null when it is settled and settled_at is null, and for those that vanished while open.';
COMMENT ON COLUMN "reporting"."transactions"."changed_at" IS 'When the answer that last changed anything of it had arrived. That it vanished is not such a change: see missing_since.';
COMMENT ON FUNCTION "reporting"."balances_at"(timestamptz) IS 'The balances as they were known at a moment: those of the last observation that was answered by then. If another observation was under way (from its asked_at on, until its answered_at), the balances that it found changed are unknown, like those that could not be read: is_known is false, the figures are null, and last_known_at and next_known_at name the two observations (snapshot_at) around the moment. A great age means that nothing was observed for long.';
--> statement-breakpoint
-- The one definition of which jobs count for an account: what CUSTODY_RESOURCES leaves out counts nowhere in
-- reporting.health_problems, sync_health and data_freshness. Until a process has said what is expected, everything is mirrored.
CREATE VIEW "internal"."account_jobs" AS
SELECT a.account_id, a.first_seen_at, k.job, k.resource, k.is_promised, coalesce(e.started_by, 'sync') AS started_by,
	coalesce(m.is_mirrored, true) AS is_mirrored, coalesce(e.is_scheduled, k.job = k.resource, false) AS is_scheduled, e.max_age
FROM custody.accounts a
CROSS JOIN internal.jobs k
LEFT JOIN sync.expectations e ON e.account_id = a.account_id AND e.job = k.job
LEFT JOIN sync.expectations m ON m.account_id = a.account_id AND m.job = k.resource;
--> statement-breakpoint
COMMENT ON VIEW "internal"."account_jobs" IS 'The jobs of each account, with what its processes are configured to do (sync.expectations).';
COMMENT ON COLUMN "internal"."account_jobs"."first_seen_at" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "internal"."account_jobs"."job" IS 'The name of the job.';
COMMENT ON COLUMN "internal"."account_jobs"."resource" IS 'What it mirrors; null for a job that mirrors nothing.';
COMMENT ON COLUMN "internal"."account_jobs"."is_promised" IS 'Whether the viewer role is promised what it mirrors.';
COMMENT ON COLUMN "internal"."account_jobs"."started_by" IS 'daemon or sync; sync until a process has said it.';
COMMENT ON COLUMN "internal"."account_jobs"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "internal"."account_jobs"."is_scheduled" IS 'Whether a schedule or a person starts the job.';
COMMENT ON COLUMN "internal"."account_jobs"."max_age" IS 'How long ago its last success may be; null when that is not set.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."data_freshness" AS
-- For each outcome of a job only its last run counts, which is one step into an index. An end more than five minutes in the future is ignored:
-- a clock was wrong.
SELECT a.account_id, r.resource, s.at AS last_success_at, CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END AS lag,
	round(extract(epoch FROM CASE WHEN s.at > now() THEN interval '0' ELSE now() - s.at END)) AS lag_seconds,
	v.at AS last_verified_at, f.at AS last_failure_at, f.error_code AS last_failure_code, f.error_message AS last_failure_message,
	-- Per job, so that successful increments do not hide sweeps that fail.
	r.is_mirrored AND EXISTS (
		SELECT FROM unnest(r.jobs) AS j (job)
		LEFT JOIN LATERAL (
			SELECT u.run_id FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
				AND u.finished_at <= now() + interval '5 minutes'
			ORDER BY u.finished_at DESC LIMIT 1
		) AS g ON true
		WHERE EXISTS (
			SELECT FROM sync.runs u
			WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' AND u.run_id > coalesce(g.run_id, 0)
		)
	) AS is_failing,
	(SELECT count(*) FROM sync.anomalies n
		WHERE n.account_id = a.account_id AND n.resource = r.resource AND n.resolved_at IS NULL) AS open_anomalies,
	(SELECT count(*) FROM sync.quarantine q
		WHERE q.account_id = a.account_id AND q.resource = r.resource AND q.resolved_at IS NULL) AS quarantined_records,
	CASE r.resource WHEN 'transactions' THEN a.transactions_since END AS complete_since,
	r.is_mirrored
FROM custody.accounts a
CROSS JOIN LATERAL (
	SELECT k.resource, array_agg(k.job) AS jobs, bool_and(k.is_mirrored) AS is_mirrored FROM internal.account_jobs k
	WHERE k.account_id = a.account_id AND k.resource IS NOT NULL GROUP BY k.resource
) AS r
-- Per job, so that each is one lookup by index.
LEFT JOIN LATERAL (
	SELECT max(l.finished_at) AS at FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.finished_at FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS l
) AS s ON true
LEFT JOIN LATERAL (
	SELECT max(u.finished_at) AS at FROM sync.runs u
	WHERE u.account_id = a.account_id AND u.job = ANY (r.jobs) AND u.verified
		AND u.finished_at <= now() + interval '5 minutes'
) AS v ON true
LEFT JOIN LATERAL (
	SELECT l.finished_at AS at, l.error_code, l.error_message FROM unnest(r.jobs) AS j (job) CROSS JOIN LATERAL (
		SELECT u.run_id, u.finished_at, u.error_code, u.error_message FROM sync.runs u
		WHERE u.account_id = a.account_id AND u.job = j.job AND u.status = 'failed' ORDER BY u.finished_at DESC LIMIT 1
	) AS l
	ORDER BY l.run_id DESC LIMIT 1
) AS f ON true;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."data_freshness"."is_failing" IS 'Whether the last run of a job of this resource failed and none has succeeded since; false for a resource that is left out. For transactions also true when sweeps (reconcile) fail while increments succeed.';
--> statement-breakpoint
-- The one definition of health: one row for each problem, or for what is only worth knowing (severity note), worst first by rank.
-- An account without a row of severity critical or warning is healthy. The command status, the page, the metrics, the alert rules
-- and reporting.sync_health all read this view; docs/operations.md says what each code means and what to do.
-- For each outcome of a job only its last run counts, which is one step into an index. An end more than five minutes in the future is ignored:
-- a clock was wrong.
CREATE OR REPLACE VIEW "reporting"."health_problems" AS
WITH jobs AS (
	SELECT e.account_id, e.first_seen_at, e.job, e.resource, e.is_promised, e.started_by, s.at AS last_success_at,
		f.at AS failing_since, f.error_code, f.error_message, f.error_code IN ('ERR-02', 'HTTP-401') AS is_key_refused,
		-- No setting says how often sync runs: three times the median of its past intervals, at least 26 hours, and at most the age
		-- that a verified sweep may have. The median, because one outage does not change it.
		CASE WHEN e.started_by = 'daemon' THEN e.max_age
			ELSE least(interval '8 days', greatest(interval '26 hours', 3 * g.gap)) END AS max_age
	FROM internal.account_jobs e
	LEFT JOIN LATERAL (
		SELECT u.finished_at AS at, u.run_id FROM sync.runs u
		WHERE u.account_id = e.account_id AND u.job = e.job AND u.status = 'succeeded'
			AND u.finished_at <= now() + interval '5 minutes'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS s ON true
	LEFT JOIN LATERAL (
		SELECT first.at, u.error_code, u.error_message FROM sync.runs u
		CROSS JOIN LATERAL (
			SELECT least(b.finished_at, now()) AS at FROM sync.runs b
			WHERE b.account_id = e.account_id AND b.job = e.job AND b.status = 'failed' AND b.run_id > coalesce(s.run_id, 0)
			ORDER BY b.finished_at LIMIT 1
		) AS first
		WHERE u.account_id = e.account_id AND u.job = e.job AND u.status = 'failed' AND u.run_id > coalesce(s.run_id, 0)
		ORDER BY u.finished_at DESC LIMIT 1
	) AS f ON true
	LEFT JOIN LATERAL (
		SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY t.gap) AS gap FROM (
			SELECT u.started_at - lag(u.started_at) OVER (ORDER BY u.started_at) AS gap FROM (
				SELECT r.started_at FROM sync.runs r
				WHERE r.account_id = e.account_id AND r.job = e.job AND r.status = 'succeeded'
				ORDER BY r.finished_at DESC LIMIT 10
			) AS u
		) AS t
	) AS g ON e.started_by = 'sync'
	WHERE e.is_mirrored AND e.is_scheduled
), account AS (
	SELECT a.account_id, a.first_seen_at, l.holder,
		coalesce((SELECT max(x.started_by) FROM sync.expectations x WHERE x.account_id = a.account_id), 'sync') AS started_by,
		-- A released lease ends at -infinity.
		(SELECT nullif(l2.expires_at, '-infinity') FROM sync.leases l2 WHERE l2.account_id = a.account_id) AS lease_ended_at,
		(SELECT k.is_mirrored FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.job = 'transactions')
			AS mirrors_transactions,
		CASE WHEN EXISTS (SELECT FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			THEN (SELECT x.max_verified_age FROM sync.expectations x WHERE x.account_id = a.account_id AND x.job = 'reconcile')
			ELSE interval '8 days' END AS max_verified_age,
		(SELECT max(j.last_success_at) FROM jobs j WHERE j.account_id = a.account_id AND j.resource IS NOT NULL) AS last_success_at,
		(SELECT max(u.finished_at) FROM internal.jobs k JOIN sync.runs u ON u.job = k.job
			WHERE k.is_sweeping AND u.account_id = a.account_id AND u.verified
				AND u.finished_at <= now() + interval '5 minutes') AS last_verified_at,
		t.at AS transactions_read_at
	FROM custody.accounts a
	LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now()
	LEFT JOIN LATERAL (
		SELECT min(u.at) AS at FROM internal.jobs k CROSS JOIN LATERAL (
			SELECT r.finished_at AS at FROM sync.runs r
			WHERE r.account_id = a.account_id AND r.job = k.job AND r.status = 'succeeded' ORDER BY r.finished_at LIMIT 1
		) AS u WHERE k.is_sweeping
	) AS t ON true
), problems (account_id, rank, code, severity, subject, since, problem, fix) AS (
	SELECT c.account_id, 10, 'nothing-mirrored', 'critical', 'account', c.first_seen_at, 'Nothing was mirrored yet',
		'start custody-mirror run, or run custody-mirror sync once'
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NULL
UNION ALL
	SELECT c.account_id, 45, 'starting', 'critical', 'account', c.first_seen_at,
		'No reading has been completed yet: what is there is a part',
		format('wait for the first to end; if it stays so, see the log of %s, which holds the lease', c.holder)
	FROM account c WHERE c.last_success_at IS NULL AND c.holder IS NOT NULL
UNION ALL
	SELECT c.account_id, 20, 'stopped', 'critical', 'account', coalesce(c.lease_ended_at, c.last_success_at),
		'No process writes: nothing is mirrored until one does', 'start custody-mirror run'
	FROM account c WHERE c.holder IS NULL AND c.started_by = 'daemon' AND c.last_success_at IS NOT NULL
UNION ALL
	SELECT j.account_id, CASE WHEN j.is_key_refused THEN 30 ELSE 40 END,
		CASE WHEN j.is_key_refused THEN 'key-refused' ELSE 'failing' END,
		CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.failing_since,
		format('The last run of %s failed: %s%s', j.job, rtrim(coalesce(j.error_message, 'no reason was recorded'), '. '),
			CASE WHEN position(coalesce(j.error_code, 'UNEXPECTED') IN coalesce(j.error_message, '')) = 0
				THEN format(' (%s)', coalesce(j.error_code, 'UNEXPECTED')) ELSE '' END),
		CASE
			WHEN j.is_key_refused AND j.is_promised THEN 'check CUSTODY_API_KEY and that the key has the viewer role'
			WHEN j.is_key_refused
				THEN format('check CUSTODY_API_KEY and that its role reaches %1$s, or leave %1$s out of CUSTODY_RESOURCES', j.job)
			ELSE CASE j.error_code
			WHEN 'ERR-03' THEN 'set CUSTODY_RATE_LIMIT to what the service allows, if it stays so'
			WHEN 'TIMEOUT' THEN 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS'
			WHEN 'NETWORK' THEN 'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor tells how far it gets)'
			WHEN 'CERTIFICATE' THEN 'check CUSTODY_BASE_URL; for a certificate authority of your own, name its file in NODE_EXTRA_CA_CERTS'
			WHEN 'BAD-BODY' THEN 'check that CUSTODY_BASE_URL is the address of the service itself'
			ELSE 'the next run tries again; custody-mirror doctor checks what it needs' END END
	FROM jobs j WHERE j.failing_since IS NOT NULL
UNION ALL
	SELECT j.account_id, 50, 'never-read', 'warning', j.job, j.first_seen_at, format('No run of %s has succeeded yet', j.job),
		'its first run is still to end: wait for it, and see the log if it stays so'
	FROM jobs j JOIN account c ON c.account_id = j.account_id AND c.last_success_at IS NOT NULL
	WHERE j.job = j.resource AND j.last_success_at IS NULL AND j.failing_since IS NULL
UNION ALL
	SELECT j.account_id, 60, 'stale', CASE WHEN j.job = 'transactions' THEN 'critical' ELSE 'warning' END, j.job, j.last_success_at,
		format('No run of %s has succeeded for more than %s', j.job, CASE
			WHEN j.max_age < interval '2 hours' THEN round(extract(epoch FROM j.max_age) / 60) || ' minutes'
			WHEN j.max_age < interval '2 days' THEN round(extract(epoch FROM j.max_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM j.max_age) / 86400) || ' days' END),
		CASE WHEN c.holder IS NOT NULL THEN format('see the log of %s, which holds the lease', c.holder)
			WHEN j.started_by = 'daemon' THEN 'start custody-mirror run' ELSE 'run custody-mirror sync, or start custody-mirror run' END
	FROM jobs j JOIN account c ON c.account_id = j.account_id
	WHERE j.last_success_at < now() - j.max_age
UNION ALL
	SELECT c.account_id, 70, 'never-verified', 'warning', 'transactions', c.transactions_read_at,
		'No sweep of transactions has ever been verified: some may be missing from the mirror',
		CASE WHEN c.holder IS NULL THEN 'run custody-mirror sync --full, or start custody-mirror run, which tries again'
			ELSE format('the process %s tries again', c.holder) END
		|| CASE
			WHEN d.codes ?| ARRAY['order-settled', 'order-unsettled']
				THEN '; if it stays so, ask the operator of the service for a list that keeps its order'
			WHEN d.codes ? 'empty-once'
				THEN '; an empty account is believed an hour later, or at once by custody-mirror sync --empty while no other process runs'
			WHEN d.codes ? 'offset-ignored'
				THEN '; if it stays so, ask the operator of the service why GET /transactions ignores the offset'
			WHEN d.codes ?| ARRAY['end-cut', 'overlap-too-short', 'short-settled']
				THEN '; if it stays so, set CUSTODY_PAGE_SIZE to another number and ask the operator of the service how far GET /transactions can be paged'
			ELSE '' END
	FROM account c
	LEFT JOIN LATERAL (
		SELECT u.verdict->'doubt_codes' AS codes FROM internal.jobs k JOIN sync.runs u ON u.job = k.job
		WHERE k.is_sweeping AND u.account_id = c.account_id AND u.mode = 'full' AND u.status = 'succeeded'
		ORDER BY u.finished_at DESC LIMIT 1
	) AS d ON c.last_verified_at IS NULL AND c.transactions_read_at IS NOT NULL
	WHERE c.mirrors_transactions AND c.last_verified_at IS NULL AND c.transactions_read_at IS NOT NULL
UNION ALL
	SELECT c.account_id, 80, 'verified-long-ago', 'warning', 'transactions', c.last_verified_at,
		format('No sweep of transactions has been verified for more than %s', CASE
			WHEN c.max_verified_age < interval '2 days' THEN round(extract(epoch FROM c.max_verified_age) / 3600) || ' hours'
			ELSE round(extract(epoch FROM c.max_verified_age) / 86400) || ' days' END),
		'run custody-mirror sync --full, and see what sync.runs.verdict says of the last sweeps'
	FROM account c WHERE c.mirrors_transactions AND c.last_verified_at < now() - c.max_verified_age
UNION ALL
	SELECT q.account_id, 90, 'quarantine', 'warning', q.resource, min(q.first_observed_at),
		format('%s %s of %s could not be read', count(*), CASE count(*) WHEN 1 THEN 'record' ELSE 'records' END, q.resource),
		'sync.quarantine holds the text and the reason'
	FROM sync.quarantine q WHERE q.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs k WHERE k.account_id = q.account_id AND k.job = q.resource AND NOT k.is_mirrored)
	GROUP BY q.account_id, q.resource
UNION ALL
	SELECT n.account_id, coalesce(k.rank, 100), coalesce(k.kind, 'anomaly'), CASE WHEN k.kind IS NULL THEN 'note' ELSE 'critical' END,
		CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END, min(n.first_observed_at),
		coalesce(k.problem, format('%s open %s of kind %s', count(*), CASE count(*) WHEN 1 THEN 'anomaly' ELSE 'anomalies' END, n.kind)),
		coalesce(k.fix, 'sync.anomalies tells the records; it does not make the mirror unhealthy')
	FROM sync.anomalies n
	-- The anomalies that concern the mirror itself; all others concern the service, and are only notes.
	LEFT JOIN (VALUES
		('too-many-vanished', 25,
			'More than 5 % of the transactions (and more than three), or all of them, would have to be marked as vanished at once, so none was',
			'check that CUSTODY_BASE_URL and the key still belong to this account'),
		('clock-refused', 28, 'Answers are refused: what is mirrored is of a later time than the database tells, so its clock stood wrong',
			'compare the clock of the database with another one; sync.anomalies tells until when answers are refused')
	) AS k (kind, rank, problem, fix) ON k.kind = n.kind
	WHERE n.resolved_at IS NULL AND NOT EXISTS (
		SELECT FROM internal.account_jobs j WHERE j.account_id = n.account_id AND j.job = n.resource AND NOT j.is_mirrored)
	GROUP BY n.account_id, n.kind, k.kind, k.rank, k.problem, k.fix, CASE WHEN k.kind IS NULL THEN n.kind ELSE n.resource END
)
SELECT p.account_id, p.rank, p.code, p.severity, p.subject, p.since, p.problem, p.fix FROM problems p;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."health_problems"."severity" IS 'critical (nothing-mirrored, starting, stopped, too-many-vanished, clock-refused, and key-refused, failing or stale of the job transactions) or warning: the mirror is not healthy. note (anomaly): worth knowing, but the mirror is healthy.';
COMMENT ON COLUMN "reporting"."health_problems"."since" IS 'Since when; null if unknown. nothing-mirrored, starting and never-read: when the account was first seen. stopped: when its lease ended, or the last success where the process gave the lease back. key-refused and failing: the first failure since the last success. stale: the last success. never-verified: the end of the first sweep. verified-long-ago: the last verified one. Others: when the oldest record was first observed.';
--> statement-breakpoint
-- Health in short, from the worst row of reporting.health_problems.
CREATE OR REPLACE VIEW "reporting"."sync_health" AS
SELECT a.account_id,
	CASE p.code
		WHEN 'nothing-mirrored' THEN 'nothing mirrored yet'
		WHEN 'stopped' THEN 'stopped'
		WHEN 'key-refused' THEN 'failing'
		WHEN 'failing' THEN 'failing'
		WHEN 'starting' THEN 'starting'
		WHEN 'never-read' THEN 'starting'
		WHEN 'stale' THEN 'stale'
		WHEN 'never-verified' THEN 'never verified'
		WHEN 'verified-long-ago' THEN 'verified too long ago'
		WHEN 'too-many-vanished' THEN 'attention'
		WHEN 'clock-refused' THEN 'attention'
		WHEN 'quarantine' THEN 'attention'
		ELSE 'healthy'
	END AS health,
	l.holder AS writer, l.expires_at AS writer_lease_until, f.last_success_at, f.lag, f.last_verified_sweep_at,
	n.failing AS failing_resources, n.stale AS stale_resources, f.anomalies AS open_anomalies, f.quarantined AS quarantined_records,
	d.runs AS runs_24h, d.failed AS failed_runs_24h, d.requests AS requests_24h, d.rate_limited AS rate_limited_24h,
	d.status_changes AS status_changes_24h,
	a.transactions_since AS complete_since, a.first_seen_at AS mirrored_since, a.time_zone,
	n.problems, p.problem AS worst_problem, p.fix AS worst_problem_fix, p.since AS worst_problem_since
FROM custody.accounts a
CROSS JOIN LATERAL (
	SELECT max(q.last_success_at) AS last_success_at, max(q.lag) AS lag,
		max(q.last_verified_at) FILTER (WHERE q.resource = 'transactions') AS last_verified_sweep_at,
		sum(q.open_anomalies)::bigint AS anomalies, sum(q.quarantined_records)::bigint AS quarantined
	FROM reporting.data_freshness q WHERE q.account_id = a.account_id AND q.is_mirrored
) AS f
CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE h.severity <> 'note') AS problems,
		count(*) FILTER (WHERE h.code IN ('failing', 'key-refused')) AS failing, count(*) FILTER (WHERE h.code = 'stale') AS stale,
		(array_agg(h.code ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS code,
		(array_agg(h.problem ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS problem,
		(array_agg(h.fix ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS fix,
		(array_agg(h.since ORDER BY h.rank, h.subject) FILTER (WHERE h.severity <> 'note'))[1] AS since
	FROM reporting.health_problems h WHERE h.account_id = a.account_id
) AS n
CROSS JOIN LATERAL (SELECT n.code, n.problem, n.fix, n.since) AS p
LEFT JOIN sync.leases l ON l.account_id = a.account_id AND l.expires_at > now()
CROSS JOIN LATERAL (
	SELECT count(*) AS runs, count(*) FILTER (WHERE u.status = 'failed') AS failed,
		coalesce(sum(u.requests), 0)::bigint AS requests, coalesce(sum(u.rate_limited), 0)::bigint AS rate_limited,
		coalesce(sum(u.status_changes), 0)::bigint AS status_changes
	FROM sync.runs u
	WHERE u.account_id = a.account_id
		AND u.job IN (SELECT k.job FROM internal.account_jobs k WHERE k.account_id = a.account_id AND k.is_mirrored)
		AND u.started_at > now() - interval '24 hours'
) AS d;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."sync_health"."lag" IS 'The longest time since a success among the resources that are mirrored.';
COMMENT ON COLUMN "reporting"."sync_health"."runs_24h" IS 'Runs of the last 24 hours, but for those of resources that CUSTODY_RESOURCES leaves out by now.';
COMMENT ON COLUMN "reporting"."accounting_rules"."staked_fee_factor" IS 'Times the fee: what the status does to staking_balance and claimable_balance together. Not for a fee in another asset than that of the transaction.';
--> statement-breakpoint
-- Days and months of the account. Reports start from them and look up the facts of each day by index, so that a filter on the day reads
-- only the rows of that day. A day begins when the clock of the account, in the zone set then, first shows its date: so a change of the
-- zone moves no beginning that is past, and the days meet without gap and overlap.
CREATE OR REPLACE VIEW "reporting"."calendar" AS
SELECT a.account_id, d.local::date AS day, date_trunc('month', d.local)::date AS month, s.at AS starts_at, e.at AS ends_at,
	(SELECT u.zone FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until) WHERE u.since < e.at AND u.until >= e.at) AS time_zone
FROM custody.accounts a
-- The zones in arrays, which are read once; and the last dates that the clock had shown when the mirror began, and until now.
CROSS JOIN LATERAL (
	SELECT array_agg(t.time_zone) AS zones, array_agg(t.valid_from) AS since, array_agg(t.valid_to) AS until,
		max(date_trunc('day', least(a.first_seen_at, t.valid_to) AT TIME ZONE t.time_zone))
			FILTER (WHERE t.valid_from <= a.first_seen_at) AS first,
		max(date_trunc('day', least(now(), t.valid_to) AT TIME ZONE t.time_zone))
			FILTER (WHERE t.valid_from <= now()) AS last
	FROM internal.time_zones t WHERE t.account_id = a.account_id
) AS z
CROSS JOIN LATERAL generate_series(z.first, z.last, interval '1 day') AS d (local)
CROSS JOIN LATERAL (
	SELECT min(greatest(reporting.day_starts_at(d.local, u.zone), u.since)) AS at
	FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until)
	WHERE u.until = 'infinity' OR reporting.day_starts_at(d.local, u.zone) <= u.until
) AS s
CROSS JOIN LATERAL (
	SELECT min(greatest(reporting.day_starts_at(d.local + interval '1 day', u.zone), u.since)) AS at
	FROM unnest(z.zones, z.since, z.until) AS u (zone, since, until)
	WHERE u.until = 'infinity' OR reporting.day_starts_at(d.local + interval '1 day', u.zone) <= u.until
) AS e;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."calendar" IS 'Calendar days of each account, from the day the mirror began until today, in the time zone that was set then. A change of the zone moves no day that is over; the day of the change is longer or shorter, and one that the change skips is empty.';
COMMENT ON COLUMN "reporting"."calendar"."starts_at" IS 'First moment of the day. A day on which the clocks or the time zone change does not have 24 hours.';
COMMENT ON COLUMN "reporting"."calendar"."time_zone" IS 'Time zone of the account at the end of the day, from SCHEDULE_TIMEZONE.';
--> statement-breakpoint
-- internal.settlements as known at every moment: a span begins when the status was left and entered again, when a counted field was
-- corrected, and when the transaction vanished or came back. It has one row for each rule of the fee that was known within it.
CREATE VIEW "internal"."known_settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, f.known_from, f.known_until,
	k.span_from, k.span_until, v.transaction_type, v.asset_id, v.asset_name, v.network_id, v.amount, v.fee,
	coalesce(f.asset_id, v.asset_id) AS fee_asset_id, f.asset_id IS NULL AS fee_asset_is_assumed, v.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
CROSS JOIN LATERAL (
	SELECT q.observed_at AS known_from, next.observed_at AS known_until
	FROM custody.transaction_status_history q
	LEFT JOIN custody.transaction_status_history next
		ON next.account_id = q.account_id AND next.transaction_id = q.transaction_id AND next.sequence = q.sequence + 1
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence >= h.sequence
		AND q.to_status = h.to_status OFFSET 0
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND (s.known_until IS NULL OR c.known_from < s.known_until) AND (c.known_until IS NULL OR c.known_until > s.known_from) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT greatest(s.known_from, v.known_from) AS span_from, least(s.known_until, v.known_until) AS span_until
) AS k
CROSS JOIN LATERAL (
	SELECT e.at AS known_from, lead(e.at, 1, k.span_until) OVER (ORDER BY e.at) AS known_until, e.asset_id
	FROM (
		SELECT c.at, r.asset_id, lag(r.asset_id) OVER (ORDER BY c.at) AS asset_before
		FROM (
			SELECT k.span_from AS at
			UNION
			SELECT m.at FROM internal.fee_rule_history q CROSS JOIN LATERAL (VALUES (q.known_from), (q.known_until)) AS m (at)
			WHERE q.account_id = h.account_id AND q.network_id = v.network_id
				AND m.at > k.span_from AND (k.span_until IS NULL OR m.at < k.span_until)
		) AS c
		LEFT JOIN LATERAL (
			SELECT q.asset_id FROM internal.fee_rule_history q
			WHERE q.account_id = h.account_id AND q.network_id = v.network_id AND (q.transaction_type = v.transaction_type OR q.transaction_type IS NULL)
				AND q.known_from <= c.at AND (q.known_until IS NULL OR q.known_until > c.at)
			ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
		) AS r ON true
	) AS e
	WHERE e.at = k.span_from OR e.asset_id IS DISTINCT FROM e.asset_before
) AS f
WHERE reporting.is_settled(h.to_status) AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "internal"."known_settlements" IS 'What was known about each settled transaction, and when: the rows of reporting.settlement_history, which explains the columns.';
COMMENT ON COLUMN "internal"."known_settlements"."status" IS 'The final status.';
COMMENT ON COLUMN "internal"."known_settlements"."settled_at" IS 'When the mirror first saw the transaction in this status.';
COMMENT ON COLUMN "internal"."known_settlements"."known_from" IS 'From when this was known.';
COMMENT ON COLUMN "internal"."known_settlements"."known_until" IS 'Until when this was known; null for what is known now.';
COMMENT ON COLUMN "internal"."known_settlements"."span_from" IS 'The answer with which known_from began, whatever rules were known since.';
COMMENT ON COLUMN "internal"."known_settlements"."span_until" IS 'The answer with which it ended; null while it lasts.';
COMMENT ON COLUMN "internal"."known_settlements"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "internal"."known_settlements"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "internal"."known_settlements"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "internal"."known_settlements"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "internal"."known_settlements"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "internal"."known_settlements"."fee_asset_id" IS 'Asset in which the fee is paid, by the rule that was known.';
COMMENT ON COLUMN "internal"."known_settlements"."fee_asset_is_assumed" IS 'True: there was no rule for it, and the asset of the transaction is assumed.';
COMMENT ON COLUMN "internal"."known_settlements"."missing_since" IS 'Since when the service no longer showed it; null while it showed it.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."settlement_history" AS
SELECT s.account_id, s.transaction_id, s.status, s.settled_at, s.known_from, s.known_until, s.transaction_type, s.asset_id, s.asset_name,
	s.network_id, trim_scale(s.amount) AS amount, trim_scale(s.fee) AS fee, s.fee_asset_id, s.fee_asset_is_assumed, s.missing_since,
	CASE WHEN s.known_until = s.span_until THEN 'answer' WHEN s.known_until IS NOT NULL THEN 'fee rule' END AS until_reason
FROM internal.known_settlements s;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_id" IS 'Asset in which the fee is paid: from the rules in custody.fee_rules that were known then; without a rule, the asset of the transaction is assumed.';
COMMENT ON COLUMN "reporting"."settlement_history"."until_reason" IS 'What was known else from known_until on: answer (the service showed something else) or fee rule (a person stated another); null for what is known now.';
COMMENT ON COLUMN "reporting"."status_durations"."median" IS 'Median of the stays, interpolated where it lies between two.';
COMMENT ON COLUMN "reporting"."status_durations"."p95" IS '95th percentile of the stays, interpolated likewise.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."unsuccessful_share" IS 'Share of those rejected, cancelled or failed: 0 to 1, rounded to 6 places.';
COMMENT ON FUNCTION "reporting"."transaction_outcomes_daily_at"(timestamptz) IS 'transaction_outcomes_daily as it was known at a moment, with what was seen exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_current b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, 'infinity', 'infinity') AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values" IS 'The balances last observed, valued at the latest price in custody.asset_prices. Only assets that have a price have a row: an asset that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."balance_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values"."age" IS 'How long ago the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
--> statement-breakpoint
-- Like reporting.balance_values_daily, from the observations and the prices that were known at a moment.
CREATE FUNCTION "reporting"."balance_values_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, asset_id text, asset_name text, network_id text, network_name text, total_balance numeric,
	currency text, price numeric, price_as_of timestamptz, total_value numeric, observed_at timestamptz, age interval, is_known boolean
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
		m.currency, p.price, p.as_of, trim_scale(b.total_balance * p.price), l.snapshot_at,
		least(c.ends_at, "as_known_at", now()) - l.snapshot_at, b.is_known
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	CROSS JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."balance_values_daily_at"(timestamptz) IS 'balance_values_daily as it was known at a moment: by the balances that were observed and the prices of custody.asset_prices that were known until then, with what was seen or stated exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age,
	b.is_known, b.last_known_at, b.next_known_at, l.asked_at, l.answered_at, c.ends_at
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
-- An observation counts when it was answered: everything that it shows had happened by the end of the day.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b;
--> statement-breakpoint
COMMENT ON COLUMN "reporting"."balances_daily"."ends_at" IS 'First moment of the next day.';
--> statement-breakpoint
CREATE VIEW "reporting"."worth_daily" AS
SELECT b.account_id, b.day, b.vault_type, c.currency,
	trim_scale(coalesce(sum(b.total_balance * p.price), 0)) AS total_value,
	count(b.total_balance * p.price) AS valued,
	count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0) AS without_price,
	count(*) FILTER (WHERE b.total_balance IS NULL) AS unknown,
	min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL) AS oldest_price_as_of, max(b.observed_at) AS observed_at
FROM reporting.balances_daily b
JOIN internal.present_currencies c ON c.account_id = b.account_id
LEFT JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p ON true
GROUP BY b.account_id, b.day, b.vault_type, c.currency;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."worth_daily" IS 'What the balances last observed of each day were worth together, at the last prices before the day ended (today: until now) in custody.asset_prices: one row for each type of vaults and currency. A day without observations, or on which nothing was listed, has no row: its worth is unknown.';
COMMENT ON COLUMN "reporting"."worth_daily"."currency" IS 'Currency of the prices, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."worth_daily"."total_value" IS 'Sum of total balance times price, exact: round it as the currency requires. What has no price, and what is unknown, is not in it: see without_price and unknown.';
COMMENT ON COLUMN "reporting"."worth_daily"."valued" IS 'Balances in the sum, one for each asset and network; those of zero too.';
COMMENT ON COLUMN "reporting"."worth_daily"."without_price" IS 'Balances that are not zero and had no price in the currency.';
COMMENT ON COLUMN "reporting"."worth_daily"."unknown" IS 'Balances that could not be read.';
COMMENT ON COLUMN "reporting"."worth_daily"."oldest_price_as_of" IS 'The oldest of the prices; null when the sum is of nothing.';
COMMENT ON COLUMN "reporting"."worth_daily"."observed_at" IS 'When the observation of these figures was made.';
--> statement-breakpoint
-- Like reporting.worth_daily, from the observations and the prices that were known at a moment.
CREATE FUNCTION "reporting"."worth_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, vault_type text, currency text, total_value numeric, valued bigint, without_price bigint, unknown bigint,
	oldest_price_as_of timestamptz, observed_at timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, v.vault_type, m.currency, trim_scale(coalesce(sum(b.total_balance * p.price), 0)),
		count(b.total_balance * p.price), count(*) FILTER (WHERE p.price IS NULL AND b.total_balance <> 0),
		count(*) FILTER (WHERE b.total_balance IS NULL), min(p.as_of) FILTER (WHERE b.total_balance IS NOT NULL), l.snapshot_at
	FROM reporting.calendar c
	CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
			AND s.answered_at <= "as_known_at"
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, "as_known_at") AS p ON true
	GROUP BY c.account_id, c.day, v.vault_type, m.currency, l.snapshot_at;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."worth_daily_at"(timestamptz) IS 'worth_daily as it was known at a moment: by the balances that were observed and the prices of custody.asset_prices that were known until then, with what was seen or stated exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''. A currency of which no price was known then has a row in which nothing is valued.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelist_reason" IS 'The reason for is_whitelisted: listed; not listed; listed for another asset or network; or unknown, and why: the first that applies, in the order of docs/data.md.';
COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees that the account paid, by day, asset of the fee, asset of the transaction and type, as known now. A transaction counts if accounting_rules charge a fee for its status, on the day on which that status was first seen. A fee that is null or 0 counts for nothing. For what was known earlier, see fees_daily_at.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Transactions with a fee other than 0.';
COMMENT ON FUNCTION "reporting"."fees_daily_at"(timestamptz) IS 'fees_daily as it was known at a moment, with what was seen exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''. The asset of a fee follows the rules of custody.fee_rules that were known then.';
COMMENT ON FUNCTION "reporting"."flows_daily_at"(timestamptz) IS 'flows_daily as it was known at a moment, with what was seen exactly then. For a day as it was closed, give the last microsecond before its end: ends_at of calendar less interval ''1 microsecond''. Compare it with flows_daily to see later corrections of a day that is over.';
--> statement-breakpoint
-- Compares the figures of a day as known when it ended with those known now, transaction by transaction: one counts among the causes of a
-- difference if what it gives to the figure differs. The asset of a fee also depends on the rules that were known: a span of answers has
-- a row for each.
CREATE OR REPLACE VIEW "reporting"."late_corrections" AS
SELECT c.account_id, c.day, f.measure, f.transaction_type, f.asset_id, f.network_id,
	trim_scale(f.as_reported) AS as_reported, trim_scale(f.as_known_now) AS as_known_now,
	trim_scale(f.as_known_now - f.as_reported) AS difference, f.transactions, f.corrected_at, f.corrected_at - c.ends_at AS corrected_after,
	f.reason, NULL::text AS currency, NULL::text AS vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT t.measure, t.transaction_type, t.asset_id, t.network_id,
		CASE WHEN sum(t.unknown_then) = 0 THEN sum(t.value_then) END AS as_reported,
		CASE WHEN sum(t.unknown_now) = 0 THEN sum(t.value_now) END AS as_known_now,
		count(*) FILTER (WHERE d.differs) AS transactions, max(t.changed_at) FILTER (WHERE d.differs) AS corrected_at,
		concat_ws(', ', CASE WHEN bool_or(d.differs AND t.by_answer) THEN 'answer' END,
			CASE WHEN bool_or(d.differs AND t.by_rule) THEN 'fee rule' END) AS reason
	FROM (
		-- What each transaction gave to the figure at the end of the day and gives now, and how it came to differ.
		SELECT e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id,
			coalesce(sum(e.value) FILTER (WHERE NOT e.is_late), 0) AS value_then, sum(e.value) AS value_now,
			coalesce(sum(e.unknown) FILTER (WHERE NOT e.is_late), 0) AS unknown_then, sum(e.unknown) AS unknown_now,
			max(e.at) AS changed_at, bool_or(e.is_late AND e.is_answer) AS by_answer, bool_or(e.is_late AND NOT e.is_answer) AS by_rule
		FROM (
			-- A span of knowledge gives its value when it begins and takes it back when it ends: where a moment gives as much as it takes,
			-- something else was corrected.
			SELECT s.transaction_id, m.measure, s.transaction_type, m.asset_id, s.network_id, b.at, b.at >= c.ends_at AS is_late,
				sum(b.sign * coalesce(m.value, 0)) AS value, coalesce(sum(b.sign) FILTER (WHERE m.value IS NULL), 0) AS unknown,
				bool_or(b.is_answer) AS is_answer
			FROM internal.known_settlements s
			LEFT JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
			CROSS JOIN LATERAL (
				SELECT g.measure, s.asset_id, g.value, s.span_from AS known_from, s.span_until AS known_until
				FROM (
					SELECT 'in_amount' AS measure, s.amount AS value WHERE s.status = 'completed' AND r.direction = 'in'
					UNION ALL
					SELECT 'out_amount', s.amount WHERE s.status = 'completed' AND r.direction = 'out'
					UNION ALL
					SELECT CASE s.status WHEN 'completed' THEN 'completed_amount' ELSE 'unsuccessful_amount' END, s.amount
					UNION ALL
					SELECT s.status, 1
				) AS g
				WHERE s.known_from = s.span_from
				UNION ALL
				SELECT 'fee', s.fee_asset_id, s.fee, s.known_from, s.known_until WHERE r.total_fee_factor <> 0 AND s.fee <> 0
			) AS m
			CROSS JOIN LATERAL (
				VALUES (1, m.known_from, m.known_from = s.span_from), (-1, m.known_until, m.known_until IS NOT DISTINCT FROM s.span_until)
			) AS b (sign, at, is_answer)
			WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at AND b.at IS NOT NULL
			GROUP BY s.transaction_id, m.measure, s.transaction_type, m.asset_id, s.network_id, b.at
			HAVING sum(b.sign * coalesce(m.value, 0)) <> 0 OR sum(b.sign) FILTER (WHERE m.value IS NULL) <> 0
		) AS e
		GROUP BY e.transaction_id, e.measure, e.transaction_type, e.asset_id, e.network_id
	) AS t
	CROSS JOIN LATERAL (
		SELECT (t.unknown_then, t.value_then) IS DISTINCT FROM (t.unknown_now, t.value_now) AS differs
	) AS d
	GROUP BY t.measure, t.transaction_type, t.asset_id, t.network_id
) AS f
WHERE c.ends_at <= now() AND f.as_reported IS DISTINCT FROM f.as_known_now
UNION ALL
-- What the last balances of a day were worth: balances stay, but a price may be stated, replaced or removed later.
SELECT c.account_id, c.day, 'worth', NULL, NULL, NULL, trim_scale(f.as_reported), trim_scale(f.as_known_now),
	trim_scale(f.as_known_now - f.as_reported), 0, f.corrected_at, f.corrected_at - c.ends_at, 'price', f.currency, f.vault_type
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.currency, v.vault_type, coalesce(sum(b.total_balance * w.price), 0) AS as_reported,
		coalesce(sum(b.total_balance * n.price), 0) AS as_known_now,
		-- Since then the present price counts: it was stated then, or a later one that counted before it was replaced or removed.
		max(CASE WHEN b.total_balance * w.price IS DISTINCT FROM b.total_balance * n.price THEN greatest(n.known_from, (
			SELECT max(q.known_until) FROM custody.former_prices q
			WHERE q.account_id = c.account_id AND q.asset_id = b.asset_id AND q.currency = m.currency
				AND q.as_of >= coalesce(n.as_of, '-infinity') AND q.as_of < c.ends_at
		)) END) AS corrected_at
	FROM (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
		ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
	) AS l
	CROSS JOIN LATERAL reporting.balances_shown(c.account_id, v.vault_type, l.snapshot_at) AS b
	JOIN reporting.price_currencies m ON m.account_id = c.account_id
	LEFT JOIN LATERAL reporting.price_known(c.account_id, b.asset_id, m.currency, c.ends_at, c.ends_at - interval '1 microsecond') AS w ON true
	LEFT JOIN LATERAL (
		SELECT q.price, q.as_of, q.known_from FROM custody.asset_prices q
		WHERE q.account_id = c.account_id AND q.asset_id = b.asset_id AND q.currency = m.currency AND q.as_of < c.ends_at
		ORDER BY q.as_of DESC LIMIT 1
	) AS n ON true
	GROUP BY m.currency, v.vault_type
) AS f
WHERE c.ends_at <= now() AND f.as_reported <> f.as_known_now;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."late_corrections" IS 'Where the figures known at the end of a day differ from those known now: one row per day, figure, type, asset and network; of the worth, per day, currency and type of vaults. Every later correction shows here, by the service, by a rule for fees or by a price, with its reason.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, completed_amount and unsuccessful_amount of transaction_outcomes_daily, or its number of completed, rejected, cancelled or failed; worth for total_value of worth_daily.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset, null for the worth; for the measure fee, the asset in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions give something else to the figure now than at the end of the day: settlement_history shows each. 0 for the worth.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When what one of these transactions gives to the figure was last seen to change; of the worth, when a price of it was last changed.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'How long after the end of the day that was.';
COMMENT ON COLUMN "reporting"."late_corrections"."reason" IS 'What made the difference: answer (the service showed something else later), fee rule (a person changed custody.fee_rules), price (a person changed custody.asset_prices); more than one are separated by commas.';
COMMENT ON COLUMN "reporting"."late_corrections"."currency" IS 'Of the worth: currency of the prices; else null.';
COMMENT ON COLUMN "reporting"."late_corrections"."vault_type" IS 'Of the worth: which vaults, all, warm or cold; else null.';
--> statement-breakpoint
-- Completed deposits and withdrawals with what they are worth. The history is read first, as in settlements, so that a day reads only its
-- own rows. The other side is looked up for rows that are shown alone: not for a sum, and after a limit.
CREATE VIEW "reporting"."movement_values" AS
SELECT s.account_id, s.transaction_id, s.settled_at, r.direction, s.transaction_type, s.asset_id, s.asset_name, s.network_id,
	trim_scale(s.amount) AS amount, p.currency, trim_scale(p.price) AS price, p.as_of AS price_as_of,
	trim_scale(s.amount * p.price) AS value,
	(SELECT q.counterparty_name FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	(SELECT q.counterparty_address FROM reporting.transactions q WHERE q.account_id = s.account_id AND q.transaction_id = s.transaction_id),
	s.missing_since
FROM internal.settlements s
JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
JOIN internal.present_currencies c ON c.account_id = s.account_id
CROSS JOIN LATERAL (
	SELECT q.currency, q.price, q.as_of FROM custody.asset_prices q
	WHERE q.account_id = s.account_id AND q.asset_id = s.asset_id AND q.currency = c.currency AND q.as_of <= s.settled_at
	ORDER BY q.as_of DESC LIMIT 1
) AS p
WHERE s.status = 'completed' AND r.direction IN ('in', 'out') AND s.amount IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."movement_values" IS 'Completed deposits and withdrawals, valued at the latest price in custody.asset_prices when they were completed. Only those with an amount and a price have a row: one that is missing here is not worthless.';
COMMENT ON COLUMN "reporting"."movement_values"."settled_at" IS 'When the mirror first saw it completed. Those that were completed before the mirror began are not here.';
COMMENT ON COLUMN "reporting"."movement_values"."direction" IS 'Seen from the account: in (deposit) or out (withdraw).';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_type" IS 'Kind of transaction: deposit or withdraw.';
COMMENT ON COLUMN "reporting"."movement_values"."amount" IS 'Amount, in units of the asset, exact, without padding zeros, without fees.';
COMMENT ON COLUMN "reporting"."movement_values"."price" IS 'Price of one unit of the asset, from custody.asset_prices: the latest one when it was completed.';
COMMENT ON COLUMN "reporting"."movement_values"."value" IS 'Amount times price, exact: round it as the currency requires.';
COMMENT ON COLUMN "reporting"."movement_values"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
-- What an observed correction of an amount, a fee, a type or an asset did to the balances, given the status of the transaction: earlier
-- postings stay, and the difference is posted when it is seen. One row per asset that it changes.
CREATE OR REPLACE VIEW "internal"."posted_corrections" AS
SELECT r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status,
	l.asset_id, max(l.asset_name) AS asset_name, n.network_id,
	CASE WHEN bool_or(l.inflow IS NULL) THEN NULL ELSE sum(l.inflow) END AS inflow,
	CASE WHEN bool_or(l.outflow IS NULL) THEN NULL ELSE sum(l.outflow) END AS outflow, sum(l.fee) AS fee,
	CASE WHEN bool_or(l.staked IS NULL) THEN NULL ELSE sum(l.staked) END AS staked_change,
	bool_or(l.fee_asset_is_assumed) AS fee_asset_is_assumed
FROM custody.transaction_revisions r
-- The last documented status before the correction. A status that is seen together with it is posted after it.
CROSS JOIN LATERAL (
	SELECT q.to_status, max(q.observed_after) OVER () AS observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = r.account_id AND q.transaction_id = r.transaction_id AND q.observed_at < r.observed_at
		AND reporting.is_documented_status(q.to_status)
	ORDER BY q.sequence DESC LIMIT 1
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_from = r.observed_at OFFSET 0
) AS n
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_until = r.observed_at OFFSET 0
) AS o
CROSS JOIN LATERAL (
	SELECT f.sign, f.asset_id, f.asset_name, f.amount, coalesce(f.fee, 0) AS fee, u.*,
		coalesce(fr.asset_id, f.asset_id) AS fee_asset_id, fr.asset_id IS NULL AS is_assumed
	FROM (VALUES (1, n.transaction_type, n.asset_id, n.asset_name, n.network_id, n.amount, n.fee),
		(-1, o.transaction_type, o.asset_id, o.asset_name, o.network_id, o.amount, o.fee)
	) AS f (sign, transaction_type, asset_id, asset_name, network_id, amount, fee)
	JOIN reporting.accounting_rules u ON u.transaction_type = f.transaction_type AND u.status = s.to_status
	LEFT JOIN LATERAL (
		SELECT q.asset_id FROM internal.fee_rule_history q
		WHERE q.account_id = r.account_id AND q.network_id = f.network_id AND (q.transaction_type = f.transaction_type OR q.transaction_type IS NULL)
			AND q.known_from <= r.observed_at AND (q.known_until IS NULL OR q.known_until > r.observed_at)
		ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
	) AS fr ON true
) AS p
CROSS JOIN LATERAL (SELECT p.fee_asset_id IS NOT DISTINCT FROM p.asset_id AS in_same_asset) AS m
-- Fields that the correction did not change give no line; otherwise an amount that was never known would make another sum unknown.
CROSS JOIN LATERAL (
	SELECT p.asset_id, p.asset_name,
		CASE WHEN p.direction = 'in' AND p.total_amount_factor <> 0 THEN p.sign * p.total_amount_factor * p.amount ELSE 0 END AS inflow,
		CASE WHEN p.direction = 'out' AND p.total_amount_factor <> 0 THEN -p.sign * p.total_amount_factor * p.amount ELSE 0 END AS outflow,
		0 AS fee, CASE WHEN p.staked_amount_factor <> 0 THEN p.sign * p.staked_amount_factor * p.amount ELSE 0 END AS staked,
		NULL::boolean AS fee_asset_is_assumed
	WHERE (p.total_amount_factor <> 0 OR p.staked_amount_factor <> 0)
		AND (n.transaction_type, n.asset_id, n.amount) IS DISTINCT FROM (o.transaction_type, o.asset_id, o.amount)
	UNION ALL
	SELECT p.fee_asset_id, CASE WHEN m.in_same_asset THEN p.asset_name END, 0, 0, -p.sign * p.total_fee_factor * p.fee,
		CASE WHEN m.in_same_asset THEN p.sign * p.staked_fee_factor * p.fee ELSE 0 END, p.is_assumed
	WHERE p.total_fee_factor <> 0 AND (n.transaction_type, n.asset_id, n.network_id, n.fee)
		IS DISTINCT FROM (o.transaction_type, o.asset_id, o.network_id, o.fee)
) AS l
WHERE r.changed_fields && ARRAY['transaction_type', 'asset_id', 'network_id', 'amount', 'fee']
GROUP BY r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status, l.asset_id, n.network_id
HAVING bool_or(l.inflow IS NULL OR l.outflow IS NULL OR l.staked IS NULL)
	OR sum(l.inflow) <> 0 OR sum(l.outflow) <> 0 OR sum(l.fee) <> 0 OR sum(l.staked) <> 0;
--> statement-breakpoint
COMMENT ON COLUMN "internal"."posted_corrections"."fee_asset_is_assumed" IS 'True: custody.fee_rules had no rule for the fee when the change was seen, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
--> statement-breakpoint
-- What each observed change of a status did to the balances, with the amount and the fee as they were known then. An undocumented
-- status leaves the balances as the last documented one left them.
CREATE OR REPLACE VIEW "internal"."posted_statuses" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_after, h.observed_at, v.transaction_type, h.from_status, h.to_status,
	l.asset_id, l.asset_name, v.network_id,
	CASE WHEN d.direction = 'in' THEN l.total ELSE 0 END AS inflow, CASE WHEN d.direction = 'out' THEN -l.total ELSE 0 END AS outflow,
	l.fee, l.staked AS staked_change, l.fee_asset_is_assumed
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- OFFSET 0 makes the planner look up each row by index, as in transaction_timeline.
CROSS JOIN LATERAL (
	SELECT * FROM internal.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND c.known_from <= h.observed_at AND (c.known_until IS NULL OR c.known_until > h.observed_at) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT CASE WHEN h.from_status IS NULL OR reporting.is_documented_status(h.from_status) THEN h.from_status ELSE (
		SELECT q.to_status FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND reporting.is_documented_status(q.to_status)
		ORDER BY q.sequence DESC LIMIT 1
	) END AS status_before
) AS b
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = v.transaction_type AND before.status = b.status_before
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = v.transaction_type
	AND after.status = CASE WHEN reporting.is_documented_status(h.to_status) THEN h.to_status ELSE b.status_before END
-- The rule that was known when the change was seen: so a line never changes.
LEFT JOIN LATERAL (
	SELECT q.asset_id FROM internal.fee_rule_history q
	WHERE q.account_id = h.account_id AND q.network_id = v.network_id AND (q.transaction_type = v.transaction_type OR q.transaction_type IS NULL)
		AND q.known_from <= h.observed_at AND (q.known_until IS NULL OR q.known_until > h.observed_at)
	ORDER BY q.transaction_type IS NULL, q.known_until DESC NULLS FIRST LIMIT 1
) AS fr ON true
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee,
		fr.asset_id IS NULL AS is_assumed, coalesce(fr.asset_id, v.asset_id) AS fee_asset_id
) AS d
-- What does not move is 0 even if the amount is unknown; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * v.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * v.amount END AS staked,
		coalesce(v.fee, 0) AS fee, d.fee_asset_id IS NOT DISTINCT FROM v.asset_id AS in_same_asset
) AS m
-- A fee in another asset is a line of its own, and does not reduce the staked balance.
CROSS JOIN LATERAL (
	SELECT v.asset_id, v.asset_name, m.total, CASE WHEN m.in_same_asset THEN -d.total_fee * m.fee ELSE 0 END AS fee,
		m.staked + CASE WHEN m.in_same_asset THEN d.staked_fee * m.fee ELSE 0 END AS staked, d.is_assumed AS fee_asset_is_assumed
	UNION ALL
	SELECT d.fee_asset_id, NULL, 0, -d.total_fee * m.fee, 0, d.is_assumed
	WHERE NOT m.in_same_asset AND d.total_fee * m.fee <> 0
) AS l
-- What the first sweep found existed before; the first balances include it.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
COMMENT ON COLUMN "internal"."posted_statuses"."fee_asset_is_assumed" IS 'True: custody.fee_rules had no rule for the fee when the change was seen, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a transaction did to the total balance of an asset, by accounting_rules: one row per change and asset. Amounts, fees and the rules of custody.fee_rules are those known at observed_at. A later correction is a row of its own with the difference, and earlier rows stay: the rows observed until a moment are what was known then. What existed before the mirror is not posted, because the first balances include it.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet; of a correction, that of the status before it, because it has no bound of its own. Null when unknown.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting. For a correction, as to_status.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'True: custody.fee_rules had no rule for the fee when the change was seen, and the asset of the transaction is assumed. Null for a correction that changes no fee.';
--> statement-breakpoint
-- A change happened between two readings of the transactions; a balance is of a moment between the request and the answer of its
-- observation. Where these spans overlap, the balance may or may not include the change.
CREATE OR REPLACE FUNCTION "reporting"."uncertain_lines"("account" text, "observed" timestamptz, "until" timestamptz) RETURNS TABLE (
	transaction_id text, kind text, number integer, observed_after timestamptz, observed_at timestamptz, transaction_type text,
	from_status text, to_status text, asset_id text, asset_name text, network_id text,
	inflow numeric, outflow numeric, fee numeric, total_change numeric, staked_change numeric
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT p.transaction_id, p.kind, coalesce(p.sequence, p.revision), p.observed_after, p.observed_at, p.transaction_type,
		p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, p.inflow, p.outflow, p.fee, p.total_change, p.staked_change
	FROM custody.balance_snapshots s
	-- The next observation: a first sighting without a lower bound counts as younger than the last observation but one, and what is seen
	-- more than a week after the next one does not count, so that an observation need not read everything after it.
	LEFT JOIN LATERAL (
		SELECT n.answered_at FROM custody.balance_snapshots n
		WHERE n.account_id = s.account_id AND n.vault_type = 'all' AND n.snapshot_at > s.snapshot_at
		ORDER BY n.snapshot_at LIMIT 1
	) AS n ON true
	-- Read for the one observation, by the index of observed_at; joined, the postings of the whole history would be computed first.
	CROSS JOIN LATERAL (
		SELECT w.* FROM reporting.postings w
		WHERE w.account_id = s.account_id AND w.observed_at > s.asked_at AND w.observed_at <= coalesce(least("until", n.answered_at + interval '7 days'), 'infinity')
			AND (w.observed_at <= s.answered_at OR w.observed_after < s.answered_at
				OR w.observed_after IS NULL AND w.observed_at <= coalesce(n.answered_at, 'infinity'))
			AND (w.total_change IS DISTINCT FROM 0 OR w.staked_change IS DISTINCT FROM 0)
		OFFSET 0
	) AS p
	WHERE s.account_id = "account" AND s.vault_type = 'all' AND s.snapshot_at = "observed";
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."uncertain_lines"(text, timestamptz, timestamptz) IS 'The postings that may lie on either side of an observation of all vaults (account, snapshot_at), among those seen up to a moment and at most a week after the next observation: each change may have come before the figures were read or after. number: the sequence or the revision of the posting.';
COMMENT ON FUNCTION "reporting"."uncertain_postings"(text, timestamptz, timestamptz) IS 'What was moved by transactions that may lie on either side of an observation of all vaults (account, snapshot_at), among those of uncertain_lines: each change may have come before the figures were read or after. One row per asset: the number of transactions, and the sums of the absolute changes of the total, of the total without its staked part, and of the staked and claimable part. Null when an amount is unknown.';
--> statement-breakpoint
CREATE VIEW "reporting"."balance_values_daily" AS
SELECT b.account_id, b.day, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name, b.total_balance,
	c.currency, p.price, p.as_of AS price_as_of, trim_scale(b.total_balance * p.price) AS total_value,
	b.observed_at, b.age, b.is_known
FROM reporting.balances_daily b
JOIN internal.present_currencies c ON c.account_id = b.account_id
CROSS JOIN LATERAL reporting.price_known(b.account_id, b.asset_id, c.currency, b.ends_at, 'infinity') AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."balance_values_daily" IS 'The last observed balances of each day, valued at the last price before the day ended (today: until now) in custody.asset_prices. Only assets that had a price have a row.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price" IS 'Price of one unit of the asset, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_value" IS 'Total balance times price, exact: round it as the currency requires. Null when the balance is unknown: a total with it is unknown too, although sum() leaves it out.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."age" IS 'How long before the end of the day (today: before now) the balance was observed.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."is_known" IS 'False: the record of the balance could not be read; balance and value are null because they are unknown, not zero.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."reconciliation_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name,
	o.snapshot_at AS opening_observed_at, trim_scale(f.opening_balance) AS opening_balance,
	trim_scale(f.inflow) AS inflow, trim_scale(f.outflow) AS outflow, trim_scale(f.fees) AS fees,
	trim_scale(r.rewards) AS staking_rewards,
	trim_scale(f.opening_balance + f.inflow - f.outflow - f.fees + r.rewards) AS expected_balance,
	trim_scale(f.closing_balance) AS closing_balance, e.snapshot_at AS closing_observed_at,
	trim_scale(f.difference - r.rewards - r.timing) AS unexplained_difference,
	v.is_explained,
	coalesce(o.asked_at >= a.transactions_since, false) AS is_comparable,
	trim_scale(r.losses) AS staking_losses, trim_scale(r.timing) AS timing_difference,
	trim_scale(u.opening_moved) AS uncertain_at_opening, trim_scale(u.closing_moved) AS uncertain_at_closing
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
-- latest and earliest: how far an observation without uncertain transactions is looked for, three days beyond the next one, however far
-- that is after an outage. Beyond that a day stays undecided.
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at, (
			SELECT min(q.snapshot_at) FROM custody.balance_snapshots q
			WHERE q.account_id = s.account_id AND q.vault_type = 'all' AND q.snapshot_at > s.snapshot_at
		) + interval '3 days' AS latest
	FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at, (
			SELECT max(q.snapshot_at) FROM custody.balance_snapshots q
			WHERE q.account_id = s.account_id AND q.vault_type = 'all' AND q.snapshot_at < s.snapshot_at
		) - interval '3 days' AS earliest
	FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at < c.starts_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS o ON true
CROSS JOIN LATERAL (
	WITH found AS MATERIALIZED (
		SELECT q.*, q.difference = 0 AND q.staked_rest = 0 AS plain
		FROM reporting.reconciliation_between(c.account_id, o.snapshot_at, e.snapshot_at) AS q
	), examined AS MATERIALIZED (
		-- The two observations, on a day on which an asset has a difference left to explain.
		SELECT CASE WHEN bool_or(NOT q.plain) THEN o.snapshot_at END AS opening, CASE WHEN bool_or(NOT q.plain) THEN e.snapshot_at END AS closing
		FROM found AS q
	-- What was uncertain then is read once for all assets.
	), opening AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.opening, NULL) AS u
	), closing AS MATERIALIZED (
		SELECT u.* FROM examined AS x
		CROSS JOIN LATERAL reporting.uncertain_postings(c.account_id, x.closing, NULL) AS u
	)
	SELECT q.*, uo.transactions AS opening_transactions, uo.moved AS opening_moved, uo.unstaked_moved AS opening_unstaked,
		uo.staked_moved AS opening_staked, ue.transactions AS closing_transactions, ue.moved AS closing_moved,
		ue.unstaked_moved AS closing_unstaked, ue.staked_moved AS closing_staked
	FROM found AS q
	LEFT JOIN opening AS uo ON NOT q.plain AND uo.asset_id IS NOT DISTINCT FROM q.asset_id
	LEFT JOIN closing AS ue ON NOT q.plain AND ue.asset_id IS NOT DISTINCT FROM q.asset_id
) AS f
CROSS JOIN LATERAL (
	-- rest: the part of the difference outside of the staked balances.
	SELECT f.difference - f.staked_rest AS rest
) AS d
-- p and n: the nearest observations on either side without uncertain transactions. Between them, differences of timing add up to 0.
LEFT JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < CASE WHEN f.opening_transactions IS NOT NULL THEN o.snapshot_at END
		AND s.snapshot_at >= o.earliest
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, NULL) AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS earlier ON true
LEFT JOIN LATERAL (
	SELECT s.snapshot_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at > CASE WHEN f.closing_transactions IS NOT NULL THEN e.snapshot_at END
		AND s.snapshot_at <= e.latest
		AND NOT EXISTS (
			SELECT FROM reporting.uncertain_postings(c.account_id, s.snapshot_at, NULL) AS q
			WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id)
	ORDER BY s.snapshot_at LIMIT 1
) AS later ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN NOT f.plain THEN CASE WHEN f.opening_transactions IS NULL THEN o.snapshot_at ELSE earlier.snapshot_at END END AS snapshot_at
) AS p
CROSS JOIN LATERAL (
	SELECT CASE WHEN NOT f.plain THEN CASE WHEN f.closing_transactions IS NULL THEN e.snapshot_at ELSE later.snapshot_at END END AS snapshot_at,
		CASE WHEN NOT f.plain THEN CASE WHEN f.closing_transactions IS NULL THEN e.answered_at ELSE later.answered_at END END AS answered_at
) AS n
-- An asset that neither observation lists and no transaction moves has no row there, and a rest of 0.
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, true AS has_row
	FROM reporting.reconciliation_between(c.account_id, p.snapshot_at, CASE WHEN p.snapshot_at < o.snapshot_at THEN o.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS before ON true
LEFT JOIN LATERAL (
	SELECT q.difference - q.staked_rest AS rest, true AS has_row
	FROM reporting.reconciliation_between(c.account_id, e.snapshot_at, CASE WHEN n.snapshot_at > e.snapshot_at THEN n.snapshot_at END) AS q
	WHERE q.asset_id IS NOT DISTINCT FROM f.asset_id
) AS after ON true
CROSS JOIN LATERAL (
	SELECT CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_moved WHEN f.plain IS NOT NULL THEN 0 END AS opening_moved,
		CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_moved WHEN f.plain IS NOT NULL THEN 0 END AS closing_moved,
		CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_unstaked ELSE 0 END AS opening_unstaked,
		CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_unstaked ELSE 0 END AS closing_unstaked,
		CASE WHEN f.opening_transactions IS NOT NULL THEN f.opening_staked ELSE 0 END
			+ CASE WHEN f.closing_transactions IS NOT NULL THEN f.closing_staked ELSE 0 END AS staked,
		CASE WHEN p.snapshot_at = o.snapshot_at THEN 0 WHEN before.has_row THEN before.rest
			WHEN p.snapshot_at IS NOT NULL THEN 0 END AS rest_before,
		CASE WHEN n.snapshot_at = e.snapshot_at THEN 0 WHEN after.has_row THEN after.rest
			WHEN n.snapshot_at IS NOT NULL THEN 0 END AS rest_after
) AS u
CROSS JOIN LATERAL (
	SELECT coalesce(d.rest = 0 OR u.rest_before + d.rest + u.rest_after = 0
		AND abs(u.rest_before) <= u.opening_unstaked AND abs(u.rest_after) <= u.closing_unstaked, false) AS by_timing
) AS t
CROSS JOIN LATERAL (
	-- gained: what staking gained. If only stakings are uncertain, it shows in the total, which stakings do not change.
	SELECT CASE WHEN u.staked = 0 THEN f.staked_rest
		WHEN t.by_timing AND u.opening_moved = 0 AND u.closing_moved = 0 THEN f.difference END AS gained
) AS g
CROSS JOIN LATERAL (
	SELECT greatest(g.gained, 0 * g.gained) AS rewards, greatest(-g.gained, 0 * g.gained) AS losses,
		CASE WHEN t.by_timing OR d.rest IS NULL OR g.gained IS NULL THEN f.difference - g.gained ELSE 0 END AS timing
) AS r
CROSS JOIN LATERAL (
	-- certainly: the difference is greater than all uncertain transactions can explain.
	SELECT g.gained < 0 OR f.difference < -(u.opening_moved + u.closing_moved) OR f.staked_rest < -u.staked
			OR abs(d.rest) > u.opening_unstaked + u.closing_unstaked AS certainly,
		-- standing: not caused by timing, which shows twice, in opposite directions.
		u.rest_before + d.rest + u.rest_after <> 0 AND u.rest_before * d.rest >= 0 AND u.rest_after * d.rest >= 0 AS standing
) AS x
CROSS JOIN LATERAL (
	-- An unknown amount of an uncertain transaction leaves undecided what depends on it, and no more.
	SELECT CASE WHEN f.plain IS NULL OR f.plain THEN f.plain
		WHEN g.gained >= 0 AND t.by_timing THEN true
		-- The last run of each job, by the index of their beginnings.
		WHEN (x.certainly OR x.standing AND NOT t.by_timing) AND (
			SELECT max(l.started_at) FROM internal.jobs j
			CROSS JOIN LATERAL (
				SELECT w.started_at FROM sync.runs w
				WHERE w.account_id = c.account_id AND w.job = j.job AND w.status = 'succeeded'
				ORDER BY w.started_at DESC LIMIT 1
			) AS l WHERE j.resource = 'transactions'
		) >= CASE WHEN x.certainly THEN e.answered_at ELSE n.answered_at END THEN false
	END AS is_explained
) AS v;
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."reconciliation_uncertain" AS
SELECT c.account_id, c.day, e.snapshot_at AS closing_observed_at, p.asset_id, p.asset_name, p.network_id, p.transaction_id, p.kind,
	p.number, p.observed_after, p.observed_at, p.transaction_type, p.from_status, p.to_status, p.inflow, p.outflow, p.fee,
	p.total_change, p.staked_change
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.answered_at >= c.starts_at AND s.answered_at < c.ends_at
	ORDER BY s.answered_at DESC, s.snapshot_at DESC LIMIT 1
) AS e
-- OFFSET 0 keeps the observation from being looked for among all before the one of the day is known.
CROSS JOIN LATERAL (
	SELECT u.* FROM reporting.uncertain_lines(c.account_id, e.snapshot_at, NULL) AS u OFFSET 0
) AS p;
--> statement-breakpoint
COMMENT ON COLUMN "custody"."former_fee_rules"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."former_prices"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."former_time_zones"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."account_jobs"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."fee_rule_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."known_settlements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."known_settlements"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "internal"."known_settlements"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "internal"."posted_corrections"."to_status" IS 'Status after; for a correction, the last documented one before: a status that is seen together with it is posted after it.';
COMMENT ON COLUMN "internal"."posted_statuses"."to_status" IS 'Status after; for a correction, the last documented one before: a status that is seen together with it is posted after it.';
COMMENT ON COLUMN "internal"."present_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."time_zones"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."next_known_at" IS 'For an unknown balance: the first later observation (its snapshot_at) that showed the balance, or showed that it did not exist; null while there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balance_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balance_values_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."balance_values_daily"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."balances_daily"."next_known_at" IS 'For an unknown balance: the first later observation (its snapshot_at) that showed the balance, or showed that it did not exist; null while there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."document_changes"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."movement_values"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."movement_values"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."movement_values"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."movement_values"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."movement_values"."currency" IS 'Currency of the price, from custody.asset_prices.';
COMMENT ON COLUMN "reporting"."movement_values"."price_as_of" IS 'From when on that price holds.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_name" IS 'Name of the other side: from the transaction, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."movement_values"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after; for a correction, the last documented one before: a status that is seen together with it is posted after it.';
COMMENT ON COLUMN "reporting"."price_currencies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_postings"."to_status" IS 'Status after; for a correction, the last documented one before: a status that is seen together with it is posted after it.';
COMMENT ON COLUMN "reporting"."reconciliation_uncertain"."to_status" IS 'Status after; for a correction, the last documented one before: a status that is seen together with it is posted after it.';
COMMENT ON COLUMN "reporting"."worth_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."worth_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."worth_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
--> statement-breakpoint
DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k.statement FROM drizzle.kept_access k
		WHERE CASE
			WHEN k."option" IS NOT NULL THEN k."option" NOT IN (
				SELECT p.option_name FROM pg_catalog.pg_class c CROSS JOIN LATERAL pg_options_to_table(c.reloptions) p
				WHERE c.oid = to_regclass(k.name))
			WHEN k.kind = 'TABLE' THEN NOT EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = k.oid)
			ELSE NOT EXISTS (SELECT FROM pg_catalog.pg_proc p WHERE p.oid = k.oid) END
		ORDER BY k.statement LIKE 'REVOKE %' DESC
	LOOP
		BEGIN
			EXECUTE kept.statement;
		EXCEPTION WHEN undefined_table OR undefined_column OR undefined_function THEN
		END;
	END LOOP;
	DROP TABLE drizzle.kept_access;
END
$$;
--> statement-breakpoint
DO $$
DECLARE
	open record;
	reader text;
BEGIN
	FOR open IN SELECT p.oid::regprocedure AS name, p.provolatile <> 'v' AND n.nspname IN ('custody', 'reporting') AS is_read
		FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
		WHERE n.nspname IN ('custody', 'reporting', 'sync', 'internal', 'drizzle') AND EXISTS (
			SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a WHERE a.grantee = 0)
	LOOP
		FOR reader IN
			SELECT DISTINCT a.grantee::regrole::text
			FROM pg_catalog.pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
			WHERE open.is_read AND n.nspname IN ('custody', 'reporting') AND a.grantee NOT IN (0, n.nspowner)
		LOOP
			EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', open.name, reader);
		END LOOP;
		EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', open.name);
	END LOOP;
END
$$;
