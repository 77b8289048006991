-- What people state of fees has a history: figures of a day that is over follow the rules that were known then. It writes for people who
-- may write custody.fee_rules alone. A rule that was added in the same transaction was never known, and one that stays the same stays.
CREATE FUNCTION "internal"."keep_former_fee_rules"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		NEW.known_from := coalesce(NEW.known_from, now());
		RETURN NEW;
	END IF;
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM custody.fee_rules;
		RETURN NULL;
	END IF;
	IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
		RETURN NEW;
	END IF;
	INSERT INTO custody.former_fee_rules (account_id, fee_rule_id, network_id, transaction_type, asset_id, known_from, known_until)
	SELECT OLD.account_id, OLD.fee_rule_id, OLD.network_id, OLD.transaction_type, OLD.asset_id, coalesce(OLD.known_from, '-infinity'), now()
	WHERE OLD.known_from IS NULL OR OLD.known_from < now()
	ON CONFLICT DO NOTHING;
	IF TG_OP = 'UPDATE' AND NEW.known_from IS NOT DISTINCT FROM OLD.known_from THEN
		NEW.known_from := now();
	END IF;
	RETURN CASE TG_OP WHEN 'UPDATE' THEN NEW ELSE OLD END;
END
$$;

COMMENT ON FUNCTION "internal"."keep_former_fee_rules"() IS 'Says since when a rule of custody.fee_rules is known, and keeps what is replaced or removed in custody.former_fee_rules.';

CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."fee_rules"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former_fee_rules"();

CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."fee_rules"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former_fee_rules"();
