-- Identifies a destination by a digest, because the texts come from outside and may exceed the size of an index entry. They are
-- quoted before they are joined, so that different lists never produce the same text. All functions are immutable, so that PostgreSQL
-- inlines it. sha256 also exists on servers without md5.
CREATE FUNCTION "custody"."destination_key"(
	"destination_type" text, "destination_id" text, "destination_address" text, "asset_id" text, "network_id" text
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN sha256(decode(replace(
		quote_nullable("destination_type") || ',' || quote_nullable("destination_id") || ',' || quote_nullable("destination_address")
			|| ',' || quote_nullable("asset_id") || ',' || quote_nullable("network_id"),
		'\', '\\'), 'escape'));

COMMENT ON FUNCTION "custody"."destination_key"(text, text, text, text, text) IS 'Digest of a destination and an asset: type, identifier and address of the destination, identifier and network of the asset.';
