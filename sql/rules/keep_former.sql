-- Fee rules and prices, which people state, have a history, so that the figures of a past day follow what was known then. The trigger's
-- argument names the table of replaced and removed rows: the same columns and known_until. The function is SECURITY DEFINER because
-- people may write only the table that they fill. A row added in the same transaction was never known and is not kept; an update that
-- changes nothing keeps nothing. What is said to become known later is refused: it would count at once, and leave no trace.
CREATE FUNCTION "internal"."keep_former"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	at timestamptz := now();
	behind record;
	stated timestamptz := CASE WHEN TG_OP IN ('UPDATE', 'DELETE') THEN OLD.known_from END;
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		EXECUTE format('DELETE FROM %I.%I', TG_TABLE_SCHEMA, TG_TABLE_NAME);
		RETURN NULL;
	END IF;
	-- The sequence is behind its rows where logical replication or a load brought them. One writer at a time sets it: it waits for the
	-- others, looks again and never sets it back. The lock is not in the way of those that insert, which hold a weaker one. A row with a
	-- number near the greatest would leave none for others.
	IF TG_OP = 'INSERT' AND TG_LEVEL = 'STATEMENT' THEN
		FOR attempt IN 1..2 LOOP
			SELECT n.sequence, n.last INTO behind
			FROM (SELECT max(fee_rule_id) FILTER (WHERE fee_rule_id < 1::bigint << 62) AS last, pg_get_serial_sequence('custody.fee_rules', 'fee_rule_id')::regclass AS sequence FROM custody.fee_rules) AS n
			WHERE n.last > coalesce(pg_sequence_last_value(n.sequence), 0);
			IF NOT FOUND THEN
				RETURN NULL;
			END IF;
			LOCK TABLE custody.fee_rules IN SHARE UPDATE EXCLUSIVE MODE;
		END LOOP;
		PERFORM setval(behind.sequence, behind.last);
		RETURN NULL;
	END IF;
	IF TG_OP <> 'DELETE' AND NEW.known_from > clock_timestamp() THEN
		RAISE EXCEPTION 'custody.%: known_from is later than now', TG_TABLE_NAME
			USING ERRCODE = 'check_violation', HINT = 'Leave it out, or state a moment that is over.';
	END IF;
	IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
		RETURN NEW;
	END IF;
	-- Another transaction stated it after this one began.
	IF OLD.known_from > at AND OLD.known_from < clock_timestamp() THEN
		at := clock_timestamp();
	END IF;
	-- It was written past this trigger, or by a clock that was ahead: it counted at once, and nobody knows since when.
	IF OLD.known_from > clock_timestamp() THEN
		OLD.known_from := at - interval '1 microsecond';
	END IF;
	IF OLD.known_from < at THEN
		EXECUTE format('INSERT INTO custody.%1$I SELECT (jsonb_populate_record(NULL::custody.%1$I, $1)).* ON CONFLICT DO NOTHING', TG_ARGV[0])
			USING to_jsonb(OLD) || jsonb_build_object('known_until', at);
	END IF;
	IF TG_OP = 'UPDATE' AND NEW.known_from IS NOT DISTINCT FROM stated THEN
		NEW.known_from := at;
	END IF;
	RETURN CASE TG_OP WHEN 'UPDATE' THEN NEW ELSE OLD END;
END
$$;

COMMENT ON FUNCTION "internal"."keep_former"() IS 'Keeps rows that are replaced in or removed from custody.fee_rules and custody.asset_prices, in custody.former_fee_rules and custody.former_prices; refuses those said to become known later, and numbers rules behind those that a load brought.';

CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."fee_rules"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former"('former_fee_rules');

CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."fee_rules"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();

CREATE TRIGGER "keep_numbers" BEFORE INSERT ON "custody"."fee_rules"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();

CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."asset_prices"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former"('former_prices');

CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."asset_prices"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former"();
