-- By the form of the address, since the identifiers of networks are the service's own: what is written in hexadecimal digits, as on
-- EVM networks, is the same in either case; bech32 is written in one case throughout, and is the same in the other; everything else,
-- base58 above all, tells its letters' cases apart. Spaces around it are no part of it.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;

COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address in the form in which its network compares it: in lower case if it is hexadecimal (0x…) or bech32, else unchanged. Null for an empty one.';
