-- The search terms of a transaction: the beginnings of its identifier, hash and addresses, and the words of its memo and note. Names and
-- identifiers of vaults and destinations have other indexes, because a term shared by every transaction would cost each of them. Texts
-- come from outside and may exceed the size of an index entry, so each is cut. Characters that the parser would take for markup, or that
-- would join words into one term, become spaces. All functions are immutable, so that PostgreSQL inlines it.
CREATE FUNCTION "custody"."search_terms"(
	"transaction_id" text, "txn_hash" text, "source_address" text, "destination_address" text, "destination_memo" text, "note" text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN array_to_tsvector(array_remove(array_remove(ARRAY[
			lower(left("transaction_id", 24)), lower(left("txn_hash", 24)), lower(left("source_address", 24)), lower(left("destination_address", 24))
		], ''), NULL))
		|| CASE WHEN coalesce("destination_memo", '') || coalesce("note", '') = '' THEN ''::tsvector
			ELSE to_tsvector('pg_catalog.simple', translate(
				left(coalesce("destination_memo", ''), 200) || ' ' || left(coalesce("note", ''), 2000), '-/._@<>&', '        ')) END;

COMMENT ON FUNCTION "custody"."search_terms"(text, text, text, text, text, text) IS 'Search terms of a transaction: the first 24 characters of its identifier, hash and addresses, and the words of its memo and note, in lower case.';
