-- As internal.keep_former_fee_rules, for prices: what a closed day was worth follows the prices that were known then.
CREATE FUNCTION "internal"."keep_former_prices"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		NEW.known_from := coalesce(NEW.known_from, now());
		RETURN NEW;
	END IF;
	IF TG_OP = 'TRUNCATE' THEN
		DELETE FROM custody.asset_prices;
		RETURN NULL;
	END IF;
	IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN
		RETURN NEW;
	END IF;
	INSERT INTO custody.former_prices (account_id, asset_id, currency, as_of, price, source, known_from, known_until)
	SELECT OLD.account_id, OLD.asset_id, OLD.currency, OLD.as_of, OLD.price, OLD.source, coalesce(OLD.known_from, '-infinity'), now()
	WHERE OLD.known_from IS NULL OR OLD.known_from < now()
	ON CONFLICT DO NOTHING;
	IF TG_OP = 'UPDATE' AND NEW.known_from IS NOT DISTINCT FROM OLD.known_from THEN
		NEW.known_from := now();
	END IF;
	RETURN CASE TG_OP WHEN 'UPDATE' THEN NEW ELSE OLD END;
END
$$;

COMMENT ON FUNCTION "internal"."keep_former_prices"() IS 'Says since when a price of custody.asset_prices is known, and keeps what is replaced or removed in custody.former_prices.';

CREATE TRIGGER "keep_former" BEFORE INSERT OR UPDATE OR DELETE ON "custody"."asset_prices"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former_prices"();

CREATE TRIGGER "keep_former_all" BEFORE TRUNCATE ON "custody"."asset_prices"
	FOR EACH STATEMENT EXECUTE FUNCTION "internal"."keep_former_prices"();
