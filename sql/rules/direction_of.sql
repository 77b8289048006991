-- By the type; for an undocumented type, by source and destination.
CREATE FUNCTION "reporting"."direction_of"("transaction_type" text, "source_type" text, "destination_type" text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN "transaction_type" = 'deposit' THEN 'in'
		WHEN "transaction_type" = 'withdraw' THEN 'out'
		WHEN "transaction_type" = 'rebalance' THEN 'internal'
		WHEN "transaction_type" IN ('stake', 'unstake', 'claim', 'change pool') THEN 'staking'
		WHEN "source_type" = 'vault' AND "destination_type" = 'vault' THEN 'internal'
		WHEN "destination_type" = 'vault' THEN 'in'
		WHEN "source_type" = 'vault' THEN 'out'
		ELSE 'unknown'
	END;

COMMENT ON FUNCTION "reporting"."direction_of"(text, text, text) IS 'Direction of a transaction seen from the account: in, out, internal, staking or unknown, by its type. For an undocumented type, by its ends: internal from vault to vault, in to a vault, out from a vault, else unknown.';
