-- Decides by the form of the address, because every service names networks in its own way. Hexadecimal addresses (EVM networks) are not
-- case-sensitive; a bech32 address may be all lower or all upper case; all others, such as base58, are case-sensitive. Surrounding
-- spaces are ignored.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN btrim("address") ~ '^0[xX][0-9a-fA-F]+$' THEN lower(btrim("address"))
		WHEN btrim("address") ~ '^([a-z0-9_]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9_]{1,83}1[02-9AC-HJ-NP-Z]{38,})$'
			THEN lower(btrim("address"))
		ELSE nullif(btrim("address"), '')
	END;

COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address in the form in which its network compares it: without surrounding spaces, in lower case if it is hexadecimal (0x…) or bech32 (all in one case, and 1 followed by at least 38 of its characters), else unchanged. Null for an empty one.';
