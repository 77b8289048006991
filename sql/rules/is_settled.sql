CREATE FUNCTION "reporting"."is_settled"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('completed', 'rejected', 'cancelled', 'failed');

COMMENT ON FUNCTION "reporting"."is_settled"(text) IS 'Whether a status is settled: completed, rejected, cancelled or failed.';
