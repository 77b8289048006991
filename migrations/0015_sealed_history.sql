CREATE TABLE "sync"."seal_checkpoints" (
	"account_id" text NOT NULL,
	"tree_size" bigint NOT NULL,
	"last_change_id" bigint NOT NULL,
	"note" text NOT NULL,
	"signed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "seal_checkpoints_pkey" PRIMARY KEY("account_id","tree_size")
);
--> statement-breakpoint
CREATE TABLE "sync"."seal_thinned" (
	"account_id" text NOT NULL,
	"change_id" bigint NOT NULL,
	"thinning_id" bigint NOT NULL,
	"thinned_at" timestamp with time zone NOT NULL,
	CONSTRAINT "seal_thinned_pkey" PRIMARY KEY("account_id","change_id")
);
--> statement-breakpoint
CREATE TABLE "internal"."seal_tiles" (
	"account_id" text NOT NULL,
	"level" integer NOT NULL,
	"tile" bigint NOT NULL,
	"hashes" "bytea" NOT NULL,
	"entries" "bytea",
	"last_change_id" bigint,
	CONSTRAINT "seal_tiles_pkey" PRIMARY KEY("account_id","level","tile")
);
--> statement-breakpoint
CREATE INDEX "seal_checkpoints_change_idx" ON "sync"."seal_checkpoints" USING btree ("account_id","last_change_id");
--> statement-breakpoint
CREATE INDEX "seal_thinned_thinning_idx" ON "sync"."seal_thinned" USING btree ("account_id","thinning_id");
--> statement-breakpoint
-- What readers see of the sealed history: when it was sealed up to which row.
CREATE VIEW "reporting"."checkpoints" AS
SELECT c.account_id, c.tree_size, c.last_change_id, c.signed_at FROM sync.seal_checkpoints c;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."checkpoints" IS 'Signed checkpoints of the sealed history. A row of a history is sealed by the first one whose last_change_id is not below its change_id.';
COMMENT ON COLUMN "reporting"."checkpoints"."tree_size" IS 'How many rows are sealed by it.';
COMMENT ON COLUMN "reporting"."checkpoints"."last_change_id" IS 'Number (change_id) of the last of these rows.';
COMMENT ON COLUMN "reporting"."checkpoints"."signed_at" IS 'When it was signed, by the clock of the database.';
COMMENT ON TABLE "sync"."seal_checkpoints" IS 'Signed checkpoints of the sealed history: so many rows, and the hash over all of them (C2SP tlog-checkpoint).';
COMMENT ON COLUMN "sync"."seal_checkpoints"."tree_size" IS 'How many rows are sealed by it.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."last_change_id" IS 'Number of the last of these rows.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."note" IS 'The checkpoint as a signed note: name of the log, number of rows, hash, signature.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."signed_at" IS 'When it was signed. The signature does not cover this.';
COMMENT ON TABLE "sync"."seal_thinned" IS 'Sealed rows of custody.balance_snapshots that were thinned since (THIN_SNAPSHOTS_AFTER_DAYS). Their hashes stay in the tree, and that they were thinned is sealed itself.';
COMMENT ON COLUMN "sync"."seal_thinned"."change_id" IS 'Number that the row had.';
COMMENT ON COLUMN "sync"."seal_thinned"."thinning_id" IS 'Number of what was thinned together, drawn as that of a change: it is sealed as one entry.';
COMMENT ON COLUMN "sync"."seal_thinned"."thinned_at" IS 'When it was thinned.';
COMMENT ON TABLE "internal"."seal_tiles" IS 'The tree of hashes over the sealed history of an account, in tiles of 256 hashes (C2SP tlog-tiles). Made from the rows of the history by whoever holds the key; docs/audit.md tells what it proves.';
COMMENT ON COLUMN "internal"."seal_tiles"."level" IS 'Level of the tile: 0 has the hashes of rows, each further one those of full tiles of the level below.';
COMMENT ON COLUMN "internal"."seal_tiles"."tile" IS 'Number of the tile within its level, from 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."hashes" IS 'Up to 256 hashes of 32 bytes.';
COMMENT ON COLUMN "internal"."seal_tiles"."entries" IS 'The entries of the rows, each after its length in two bytes: which row it is, and the digest of its content. Null above level 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."last_change_id" IS 'Number of the last row of the tile. Null above level 0.';
COMMENT ON COLUMN "internal"."seal_tiles"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."checkpoints"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."seal_checkpoints"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."seal_thinned"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
