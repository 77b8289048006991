-- When the clocks go back over midnight, midnight comes twice. PostgreSQL takes the second; the day begins with the first, which has
-- the offset of three hours earlier. One long expression, so that PostgreSQL inlines it.
CREATE FUNCTION "reporting"."day_starts_at"("day" timestamp, "time_zone" text) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
	RETURN CASE
		WHEN (("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC') AT TIME ZONE "time_zone" = "day"
		THEN least("day" AT TIME ZONE "time_zone",
			("day" - (("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE "time_zone"
			- ("day" AT TIME ZONE "time_zone" - interval '3 hours') AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC')
		ELSE "day" AT TIME ZONE "time_zone"
	END;

COMMENT ON FUNCTION "reporting"."day_starts_at"(timestamp, text) IS 'First moment of a day in a time zone: the first of two midnights if the clocks go back over midnight, or the first moment after a midnight that the clocks skip.';
