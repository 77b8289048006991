COMMENT ON TABLE "internal"."seal_tiles" IS 'The tree of hashes over the sealed history of an account, in tiles of 256 hashes (C2SP tlog-tiles). Computed from the rows of the history by the process that holds the key; docs/audit.md describes what it proves.';
COMMENT ON COLUMN "internal"."seal_tiles"."level" IS 'Level of the tile: 0 holds the hashes of rows, each further level those of full tiles of the level below.';
COMMENT ON COLUMN "internal"."seal_tiles"."tile" IS 'Number of the tile within its level, from 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."hashes" IS 'Up to 256 hashes of 32 bytes.';
COMMENT ON COLUMN "internal"."seal_tiles"."entries" IS 'The entries of the rows, each preceded by its length in two bytes: the identity of the row and the digest of its content. Null above level 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."last_change_id" IS 'Number of the last row of the tile. Null above level 0.';
