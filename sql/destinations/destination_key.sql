-- What tells one destination from another, as a digest: the texts are foreign and may be longer than an entry of an index can be.
-- Quoted before they are joined, so that no two lists of texts are joined to the same; of functions that are immutable throughout,
-- so that it is inlined. Every server has sha256, also one that is to have no md5.
CREATE FUNCTION "custody"."destination_key"(
	"destination_type" text, "destination_id" text, "destination_address" text, "asset_id" text, "network_id" text
) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN sha256(decode(replace(
		quote_nullable("destination_type") || ',' || quote_nullable("destination_id") || ',' || quote_nullable("destination_address")
			|| ',' || quote_nullable("asset_id") || ',' || quote_nullable("network_id"),
		'\', '\\'), 'escape'));

COMMENT ON FUNCTION "custody"."destination_key"(text, text, text, text, text) IS 'Digest of a destination and an asset: type, identifier and address of the destination, identifier and network of the asset.';
