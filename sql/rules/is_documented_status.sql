CREATE FUNCTION "reporting"."is_documented_status"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('pending', 'processing', 'confirming', 'completed', 'rejected', 'cancelled', 'failed');

COMMENT ON FUNCTION "reporting"."is_documented_status"(text) IS 'Whether the service documents the status. Any other status counts as open, and leaves the balances as the last documented status of the transaction left them.';
