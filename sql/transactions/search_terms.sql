-- By what a search finds a transaction: the beginnings of its identifier, hash and addresses, and the words of its memo and note. Names
-- and identifiers of vaults and destinations are found by other indexes, because a term that every transaction has costs each of them.
-- Texts come from outside and may be longer than an index entry can be, so each is cut. What would join words into one term of the
-- parser, or make it take them for markup, is a space instead. All functions are immutable, so that PostgreSQL inlines it.
CREATE FUNCTION "custody"."search_terms"(
	"transaction_id" text, "txn_hash" text, "source_address" text, "destination_address" text, "destination_memo" text, "note" text
) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN array_to_tsvector(array_remove(array_remove(ARRAY[
			lower(left("transaction_id", 24)), lower(left("txn_hash", 24)), lower(left("source_address", 24)), lower(left("destination_address", 24))
		], ''), NULL))
		|| CASE WHEN coalesce("destination_memo", '') || coalesce("note", '') = '' THEN ''::tsvector
			ELSE to_tsvector('pg_catalog.simple', translate(
				left(coalesce("destination_memo", ''), 200) || ' ' || left(coalesce("note", ''), 2000), '-/._@<>&', '        ')) END;

COMMENT ON FUNCTION "custody"."search_terms"(text, text, text, text, text, text) IS 'By what a search finds a transaction: the first 24 characters of its identifier, hash and addresses, and the words of its memo and note, in lower case.';
