-- Past days keep their time zone, no matter who sets the account's.
CREATE FUNCTION "internal"."keep_former_time_zone"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- Fails for a name unknown to PostgreSQL, which would break every report.
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

COMMENT ON FUNCTION "internal"."keep_former_time_zone"() IS 'Refuses an unknown time zone, and keeps a replaced one in custody.former_time_zones.';

CREATE TRIGGER "keep_former_time_zone" BEFORE INSERT OR UPDATE OF "time_zone" ON "custody"."accounts"
	FOR EACH ROW EXECUTE FUNCTION "internal"."keep_former_time_zone"();
