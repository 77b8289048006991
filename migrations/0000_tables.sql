CREATE SCHEMA "custody";
--> statement-breakpoint
CREATE SCHEMA "internal";
--> statement-breakpoint
CREATE SCHEMA "reporting";
--> statement-breakpoint
CREATE SCHEMA "sync";
--> statement-breakpoint
CREATE SEQUENCE "custody"."change_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
--> statement-breakpoint
COMMENT ON SCHEMA "custody" IS 'The mirror of the custody account: what the service shows, and its history.';
COMMENT ON SCHEMA "sync" IS 'How the mirror was made: runs, positions, leases, quarantine, anomalies and what was learned about the service.';
COMMENT ON SCHEMA "internal" IS 'Tables and views behind those of reporting. Readers have no access, and any version may change it.';
COMMENT ON SCHEMA "drizzle" IS 'Which migrations were applied.';
COMMENT ON SCHEMA "reporting" IS 'Views for people and BI tools: joined, exact, explained. Begin with data_freshness.';
--> statement-breakpoint
COMMENT ON TABLE "drizzle"."__drizzle_migrations" IS 'Migrations that were applied to this database.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."id" IS 'Number of the row.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."hash" IS 'Digest of the migration''s text.';
COMMENT ON COLUMN "drizzle"."__drizzle_migrations"."created_at" IS 'When the migration was made, in milliseconds since 1970. This identifies it.';
--> statement-breakpoint
CREATE TABLE "custody"."accounts" (
	"account_id" text PRIMARY KEY NOT NULL,
	"base_url" text NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"transactions_since" timestamp with time zone,
	"transactions_total" bigint DEFAULT 0 NOT NULL,
	"transactions_missing" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- PostgreSQL does not analyse a table of few rows by itself. Without statistics the planner takes one account for hundreds, and reads
-- whole tables where an index would do.
ALTER TABLE "custody"."accounts" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."accounts" IS 'Accounts of the custody service that are mirrored, one row each.';
COMMENT ON COLUMN "custody"."accounts"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."accounts"."base_url" IS 'Base address of the custody service this account is read from. The same name with another address is refused.';
COMMENT ON COLUMN "custody"."accounts"."first_seen_at" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started.';
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'Transactions first seen up to this time may be of any age; those first seen later are new. It is the end of the first sweep that read the whole list, or the last first sighting by then if that is later; for an empty list, the second sweep that found it empty. Null until then, and never changed.';
COMMENT ON COLUMN "custody"."accounts"."transactions_total" IS 'How many transactions are mirrored, vanished ones included. Updated with every commit.';
COMMENT ON COLUMN "custody"."accounts"."transactions_missing" IS 'How many of them vanished from the service (missing_since). Updated with every commit.';
--> statement-breakpoint
CREATE TABLE "sync"."api_keys" (
	"key_prefix" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"digest" text NOT NULL,
	"accounts" text[],
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_keys_digest_is_sha256" CHECK ("sync"."api_keys"."digest" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_accounts_named" CHECK (cardinality("sync"."api_keys"."accounts") > 0)
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."api_keys" IS 'Keys of the read API, made and revoked by custody-mirror key. A key may read several accounts, so that the table belongs to no account. As soon as it has a row, revoked or not, nobody reads pages and API without a key or the token.';
COMMENT ON COLUMN "sync"."api_keys"."key_prefix" IS 'The first part of the key, by which people and logs name it. It is no secret.';
COMMENT ON COLUMN "sync"."api_keys"."name" IS 'The name given to the key. Two keys that are not revoked never have the same.';
COMMENT ON COLUMN "sync"."api_keys"."digest" IS 'SHA-256 of the key, in hexadecimal. The key itself is not stored anywhere.';
COMMENT ON COLUMN "sync"."api_keys"."accounts" IS 'The accounts that the key may read; null for all, also those to come.';
COMMENT ON COLUMN "sync"."api_keys"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "sync"."api_keys"."expires_at" IS 'From when on it is refused; null for never.';
COMMENT ON COLUMN "sync"."api_keys"."last_used_at" IS 'When it last opened the API, exact to about a minute; null before the first time.';
COMMENT ON COLUMN "sync"."api_keys"."revoked_at" IS 'When it was revoked; null while it is not.';
--> statement-breakpoint
CREATE TABLE "custody"."asset_prices" (
	"account_id" text DEFAULT 'default' NOT NULL,
	"asset_id" text NOT NULL,
	"currency" text NOT NULL,
	"as_of" timestamp with time zone NOT NULL,
	"price" numeric NOT NULL,
	"source" text,
	CONSTRAINT "asset_prices_pkey" PRIMARY KEY("account_id","asset_id","currency","as_of"),
	CONSTRAINT "asset_prices_price_finite" CHECK ("custody"."asset_prices"."price" >= 0 and "custody"."asset_prices"."price" < 'Infinity')
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."asset_prices" IS 'Prices of assets, for reports that value them. You fill this table; the mirror never writes to it.';
COMMENT ON COLUMN "custody"."asset_prices"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."asset_prices"."asset_id" IS 'The asset, spelled as in custody.balances.';
COMMENT ON COLUMN "custody"."asset_prices"."currency" IS 'Currency of the price, such as USD.';
COMMENT ON COLUMN "custody"."asset_prices"."as_of" IS 'From when on the price holds, until the next one of the same asset and currency.';
COMMENT ON COLUMN "custody"."asset_prices"."price" IS 'Price of one unit of the asset, in the currency.';
COMMENT ON COLUMN "custody"."asset_prices"."source" IS 'Where the price comes from, in your words.';
--> statement-breakpoint
CREATE TABLE "custody"."balance_snapshots" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"snapshot_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"source_timestamp" timestamp with time zone,
	"asset_count" integer NOT NULL,
	"changed_count" integer NOT NULL,
	"quarantined_count" integer NOT NULL,
	"unidentified_count" integer DEFAULT 0 NOT NULL,
	"run_id" bigint NOT NULL,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	CONSTRAINT "balance_snapshots_pkey" PRIMARY KEY("account_id","vault_type","snapshot_at"),
	CONSTRAINT "balance_snapshots_vault_type_known" CHECK ("custody"."balance_snapshots"."vault_type" in ('all', 'warm', 'cold')),
	CONSTRAINT "balance_snapshots_bounds_forward" CHECK ("custody"."balance_snapshots"."answered_at" >= "custody"."balance_snapshots"."asked_at")
);
--> statement-breakpoint
-- See custody.balances.
ALTER TABLE "custody"."balance_snapshots" SET (parallel_workers = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."balance_snapshots" IS 'Complete observations of the balances of one vault type, one row each, even when nothing had changed. At a time without a row nothing was observed; or, where old snapshots are thinned (THIN_SNAPSHOTS_AFTER_DAYS), the same as in the row before.';
COMMENT ON COLUMN "custody"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balance_snapshots"."vault_type" IS 'What was observed: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balance_snapshots"."snapshot_at" IS 'When the run of the observation began; one value for the three vault types of one tick. The figures are of a moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asked_at" IS 'When the first request of the observation began.';
COMMENT ON COLUMN "custody"."balance_snapshots"."answered_at" IS 'When the last answer of the observation had arrived: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "custody"."balance_snapshots"."source_timestamp" IS 'Time that the service put on the answer.';
COMMENT ON COLUMN "custody"."balance_snapshots"."asset_count" IS 'How many balances the snapshot holds.';
COMMENT ON COLUMN "custody"."balance_snapshots"."changed_count" IS 'How many balances began, changed or ended with this snapshot.';
COMMENT ON COLUMN "custody"."balance_snapshots"."quarantined_count" IS 'How many records of the answer could not be read. They are in sync.quarantine instead.';
COMMENT ON COLUMN "custody"."balance_snapshots"."unidentified_count" IS 'How many records could not even be identified. A balance that this snapshot does not show may be one of them, so that no interval of balances ends with it.';
COMMENT ON COLUMN "custody"."balance_snapshots"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so that it may no longer exist.';
COMMENT ON COLUMN "custody"."balance_snapshots"."change_id" IS 'Grows with every row of all history tables, in the order of the account''s commits: a reader that continues after the last number it has read misses no row. Numbers may be skipped.';
--> statement-breakpoint
CREATE TABLE "custody"."balances" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"asset_id" text NOT NULL,
	"network_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	"unchanged_since" timestamp with time zone DEFAULT now() NOT NULL,
	"asset_name" text,
	"network_name" text,
	"total_balance" numeric,
	"available_balance" numeric,
	"processing_balance" numeric,
	"staking_balance" numeric,
	"claimable_balance" numeric,
	"run_id" bigint NOT NULL,
	"raw" jsonb NOT NULL,
	CONSTRAINT "balances_pkey" PRIMARY KEY("account_id","vault_type","asset_id","network_id","valid_from"),
	CONSTRAINT "balances_interval_forward" CHECK ("custody"."balances"."valid_to" > "custody"."balances"."valid_from"),
	CONSTRAINT "balances_amounts_finite" CHECK ("custody"."balances"."total_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."available_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."processing_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."staking_balance" not in ('NaN', 'Infinity', '-Infinity') and "custody"."balances"."claimable_balance" not in ('NaN', 'Infinity', '-Infinity'))
);
--> statement-breakpoint
-- What is asked of intervals and snapshots is a few of them by key. The planner takes that for so dear that it would rather read whole tables
-- with several processes.
ALTER TABLE "custody"."balances" SET (parallel_workers = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."balances" IS 'Balances per asset and vault type, as intervals of snapshots: a row holds from valid_from until before valid_to. An interval goes on while its record cannot be read: custody.unreadable_balances says when its values are unknown.';
COMMENT ON COLUMN "custody"."balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."balances"."valid_from" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "custody"."balances"."valid_to" IS 'First later snapshot that did not show them; null while current.';
COMMENT ON COLUMN "custody"."balances"."unchanged_since" IS 'First snapshot with the same amounts, whatever their spelling and the names: valid_from of this row or of an earlier one.';
COMMENT ON COLUMN "custody"."balances"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "custody"."balances"."network_name" IS 'Name of the network.';
COMMENT ON COLUMN "custody"."balances"."total_balance" IS 'Total balance, in units of the asset, exactly as sent.';
COMMENT ON COLUMN "custody"."balances"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "custody"."balances"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "custody"."balances"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "custody"."balances"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "custody"."balances"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so that it may no longer exist.';
COMMENT ON COLUMN "custody"."balances"."raw" IS 'The element as received at valid_from, with every field.';
--> statement-breakpoint
CREATE TABLE "custody"."unreadable_balances" (
	"account_id" text NOT NULL,
	"vault_type" text NOT NULL,
	"asset_id" text NOT NULL,
	"network_id" text NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_to" timestamp with time zone,
	CONSTRAINT "unreadable_balances_pkey" PRIMARY KEY("account_id","vault_type","asset_id","network_id","valid_from"),
	CONSTRAINT "unreadable_balances_interval_forward" CHECK ("custody"."unreadable_balances"."valid_to" > "custody"."unreadable_balances"."valid_from")
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."unreadable_balances" IS 'When a balance was unknown, as intervals of snapshots: its record could not be read, or it was not shown while another record could not be identified. A row holds from valid_from until before valid_to. The raw records are in sync.quarantine.';
COMMENT ON COLUMN "custody"."unreadable_balances"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."unreadable_balances"."vault_type" IS 'What the balance covers: all vaults, warm vaults or cold vaults.';
COMMENT ON COLUMN "custody"."unreadable_balances"."asset_id" IS 'Identifier of the asset, such as its symbol.';
COMMENT ON COLUMN "custody"."unreadable_balances"."network_id" IS 'Identifier of the network; empty when the service names none.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_from" IS 'First snapshot that did not show the value of the balance.';
COMMENT ON COLUMN "custody"."unreadable_balances"."valid_to" IS 'First later snapshot that showed it, or showed that the balance does not exist; null while it is unknown.';
--> statement-breakpoint
CREATE TABLE "internal"."destination_totals" (
	"account_id" text NOT NULL,
	"destination_key" "bytea" NOT NULL,
	"uses" bigint NOT NULL,
	"completed_uses" bigint NOT NULL,
	"completed_amount" numeric NOT NULL,
	"unknown_amounts" bigint NOT NULL,
	"missing_uses" bigint NOT NULL,
	"unbounded_uses" bigint NOT NULL,
	"bounded_after" timestamp with time zone,
	"first_used_at" timestamp with time zone NOT NULL,
	"first_transaction_id" text NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	"last_transaction_id" text NOT NULL,
	CONSTRAINT "destination_totals_pkey" PRIMARY KEY("account_id","destination_key")
);
--> statement-breakpoint
COMMENT ON TABLE "internal"."destination_totals" IS 'Withdrawals summed up by destination and asset, so that reporting.destinations need not read them all. Triggers of custody.transactions update it; internal.destination_sums shows what it must hold.';
COMMENT ON COLUMN "internal"."destination_totals"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "internal"."destination_totals"."destination_key" IS 'Identifies destination and asset: see custody.destination_key.';
COMMENT ON COLUMN "internal"."destination_totals"."uses" IS 'Withdrawals to it, whatever their status.';
COMMENT ON COLUMN "internal"."destination_totals"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "internal"."destination_totals"."completed_amount" IS 'Sum of the known amounts of those completed, in units of the asset.';
COMMENT ON COLUMN "internal"."destination_totals"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "internal"."destination_totals"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "internal"."destination_totals"."unbounded_uses" IS 'How many of them have no lower bound: they may have been made at any time before they were first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."bounded_after" IS 'The earliest lower bound of the others; null when there is none.';
COMMENT ON COLUMN "internal"."destination_totals"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "internal"."destination_totals"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "internal"."destination_totals"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
--> statement-breakpoint
CREATE TABLE "custody"."document_readings" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"first_read_at" timestamp with time zone NOT NULL,
	"last_read_after" timestamp with time zone NOT NULL,
	"last_read_at" timestamp with time zone NOT NULL,
	CONSTRAINT "document_readings_pkey" PRIMARY KEY("account_id","kind"),
	CONSTRAINT "document_readings_kind_known" CHECK ("custody"."document_readings"."kind" in ('vault', 'whitelist_entry'))
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."document_readings" IS 'When the list of vaults, and the whitelist, was first and last read whole: from one end to the other, with every record decoded; it may be empty. Before the first reading and after the last one nothing is known.';
COMMENT ON COLUMN "custody"."document_readings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading had arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began. What it showed was true at some moment after that.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_at" IS 'When its answer had arrived.';
--> statement-breakpoint
CREATE TABLE "custody"."document_revisions" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"document_id" text NOT NULL,
	"revision" integer NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"change" text NOT NULL,
	"document" jsonb NOT NULL,
	"run_id" bigint NOT NULL,
	"name" text,
	"vault_type" text,
	"address" text,
	"asset_id" text,
	"network_id" text,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	"observed_after" timestamp with time zone,
	CONSTRAINT "document_revisions_pkey" PRIMARY KEY("account_id","kind","document_id","revision"),
	CONSTRAINT "document_revisions_after_before_at" CHECK ("custody"."document_revisions"."observed_after" <= "custody"."document_revisions"."observed_at"),
	CONSTRAINT "document_revisions_kind_known" CHECK ("custody"."document_revisions"."kind" in ('vault', 'whitelist_entry')),
	CONSTRAINT "document_revisions_change_known" CHECK ("custody"."document_revisions"."change" in ('added', 'changed', 'removed', 'restored')),
	CONSTRAINT "document_revisions_first_is_added" CHECK (("custody"."document_revisions"."revision" = 1) = ("custody"."document_revisions"."change" = 'added') and "custody"."document_revisions"."revision" >= 1)
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."document_revisions" IS 'Every state of every vault and whitelist entry. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."document_revisions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_revisions"."kind" IS 'What the document is: vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_revisions"."document_id" IS 'Identifier of the vault (vault_id) or of the whitelist entry (entry_id).';
COMMENT ON COLUMN "custody"."document_revisions"."revision" IS 'Number of the state within the document; 1 is the first sighting.';
COMMENT ON COLUMN "custody"."document_revisions"."observed_at" IS 'When the answer that showed it had arrived.';
COMMENT ON COLUMN "custody"."document_revisions"."change" IS 'What happened: added, changed, removed or restored.';
COMMENT ON COLUMN "custody"."document_revisions"."document" IS 'The whole record; at a removal the last one seen.';
COMMENT ON COLUMN "custody"."document_revisions"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so that it may no longer exist.';
COMMENT ON COLUMN "custody"."document_revisions"."name" IS 'Name that was recognised in the document of this revision; null where none was, as in the next four columns.';
COMMENT ON COLUMN "custody"."document_revisions"."vault_type" IS 'Vault type that was recognised in the document of this revision; for vaults only.';
COMMENT ON COLUMN "custody"."document_revisions"."address" IS 'Address that was recognised in the document of this revision; for whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."asset_id" IS 'Asset that was recognised in the document of this revision; for whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."network_id" IS 'Network that was recognised in the document of this revision; for whitelist entries only.';
COMMENT ON COLUMN "custody"."document_revisions"."change_id" IS 'Grows with every row of all history tables, in the order of the account''s commits: a reader that continues after the last number it has read misses no row. Numbers may be skipped.';
COMMENT ON COLUMN "custody"."document_revisions"."observed_after" IS 'When the last whole reading of the list before this one began: the change happened between then and observed_at. Null at the first reading.';
--> statement-breakpoint
CREATE TABLE "custody"."vaults" (
	"account_id" text NOT NULL,
	"vault_id" text NOT NULL,
	"vault_type" text,
	"name" text,
	"document" jsonb NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"content_hash" text NOT NULL,
	CONSTRAINT "vaults_pkey" PRIMARY KEY("account_id","vault_id")
);
--> statement-breakpoint
-- PostgreSQL does not analyse a table of few rows by itself. Without statistics the planner takes one account for hundreds, and reads
-- whole tables where an index would do.
ALTER TABLE "custody"."vaults" SET (autovacuum_analyze_threshold = 0, autovacuum_analyze_scale_factor = 0);
--> statement-breakpoint
COMMENT ON TABLE "custody"."vaults" IS 'Vaults as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."vaults"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."vaults"."vault_id" IS 'Identifier of the vault.';
COMMENT ON COLUMN "custody"."vaults"."vault_type" IS 'Type of the vault: warm or cold.';
COMMENT ON COLUMN "custody"."vaults"."name" IS 'Name of the vault, where one was recognised.';
COMMENT ON COLUMN "custody"."vaults"."document" IS 'The whole record as received; its fields are not documented.';
COMMENT ON COLUMN "custody"."vaults"."first_seen_at" IS 'When the mirror first saw the vault.';
COMMENT ON COLUMN "custody"."vaults"."changed_at" IS 'When the answer that last changed this row had arrived.';
COMMENT ON COLUMN "custody"."vaults"."missing_since" IS 'Since when the service no longer lists the vault; null while it does.';
COMMENT ON COLUMN "custody"."vaults"."content_hash" IS 'Digest of the record without its timestamp. A change of the record changes the digest.';
--> statement-breakpoint
CREATE TABLE "custody"."whitelist_entries" (
	"account_id" text NOT NULL,
	"entry_id" text NOT NULL,
	"name" text,
	"address" text,
	"asset_id" text,
	"network_id" text,
	"document" jsonb NOT NULL,
	"first_seen_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"content_hash" text NOT NULL,
	CONSTRAINT "whitelist_entries_pkey" PRIMARY KEY("account_id","entry_id")
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."whitelist_entries" IS 'Entries of the whitelist as last observed, one row each. Earlier states are in document_revisions.';
COMMENT ON COLUMN "custody"."whitelist_entries"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."whitelist_entries"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "custody"."whitelist_entries"."name" IS 'Name of the entry, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."address" IS 'Wallet address, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."asset_id" IS 'Identifier of the asset, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."network_id" IS 'Identifier of the network, where one was recognised.';
COMMENT ON COLUMN "custody"."whitelist_entries"."document" IS 'The whole record as received; its fields are not documented.';
COMMENT ON COLUMN "custody"."whitelist_entries"."first_seen_at" IS 'When the mirror first saw the entry.';
COMMENT ON COLUMN "custody"."whitelist_entries"."changed_at" IS 'When the answer that last changed this row had arrived.';
COMMENT ON COLUMN "custody"."whitelist_entries"."missing_since" IS 'Since when the service no longer lists the entry; null while it does.';
COMMENT ON COLUMN "custody"."whitelist_entries"."content_hash" IS 'Digest of the record without its timestamp. A change of the record changes the digest.';
--> statement-breakpoint
CREATE TABLE "sync"."expectations" (
	"account_id" text NOT NULL,
	"job" text NOT NULL,
	"started_by" text NOT NULL,
	"is_mirrored" boolean NOT NULL,
	"is_scheduled" boolean NOT NULL,
	"max_age" interval,
	"max_verified_age" interval,
	"confirmed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "expectations_pkey" PRIMARY KEY("account_id","job"),
	CONSTRAINT "expectations_started_by_known" CHECK ("sync"."expectations"."started_by" in ('daemon', 'sync'))
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."expectations" IS 'What the processes of an account are configured to do, one row per job, so that reporting.health_problems can judge whether they do it. The daemon writes it when it takes the lease and when the configuration changed; sync writes it when no daemon has confirmed it for three days.';
COMMENT ON COLUMN "sync"."expectations"."account_id" IS 'The account.';
COMMENT ON COLUMN "sync"."expectations"."job" IS 'The job, as in sync.runs.';
COMMENT ON COLUMN "sync"."expectations"."started_by" IS 'daemon: a schedule starts the job, and a process has to run. sync: somebody starts custody-mirror sync, by cron or by hand.';
COMMENT ON COLUMN "sync"."expectations"."is_mirrored" IS 'Whether CUSTODY_RESOURCES holds what the job reads.';
COMMENT ON COLUMN "sync"."expectations"."is_scheduled" IS 'Whether a schedule or a person starts the job. A job that nothing starts is not judged.';
COMMENT ON COLUMN "sync"."expectations"."max_age" IS 'How long ago the last success of the job may be; null when it is not judged, or is judged by the past runs of sync.';
COMMENT ON COLUMN "sync"."expectations"."max_verified_age" IS 'For the job reconcile: how long ago the last verified sweep of transactions may be; null when that is not judged.';
COMMENT ON COLUMN "sync"."expectations"."confirmed_at" IS 'When a process last confirmed this row; about once an hour while a daemon works.';
--> statement-breakpoint
CREATE TABLE "custody"."fee_rules" (
	"account_id" text DEFAULT 'default' NOT NULL,
	"fee_rule_id" bigint GENERATED BY DEFAULT AS IDENTITY (sequence name "custody"."fee_rules_fee_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"network_id" text NOT NULL,
	"transaction_type" text,
	"asset_id" text NOT NULL,
	CONSTRAINT "fee_rules_pkey" PRIMARY KEY("account_id","fee_rule_id"),
	CONSTRAINT "fee_rules_one_answer" UNIQUE NULLS NOT DISTINCT("account_id","network_id","transaction_type")
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."fee_rules" IS 'In which asset a network takes its fees. You fill this table; the mirror never writes to it. The service names no asset of a fee: without a rule the reports assume the asset of the transaction, and say so. A rule holds for all times.';
COMMENT ON COLUMN "custody"."fee_rules"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."fee_rules"."transaction_type" IS 'Kind of transaction; null for every kind without a rule of its own on the network.';
COMMENT ON COLUMN "custody"."fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
--> statement-breakpoint
CREATE TABLE "sync"."anomalies" (
	"account_id" text NOT NULL,
	"anomaly_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."anomalies_anomaly_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"resource" text NOT NULL,
	"resource_id" text NOT NULL,
	"details" jsonb NOT NULL,
	"first_observed_at" timestamp with time zone NOT NULL,
	"last_observed_at" timestamp with time zone NOT NULL,
	"occurrences" bigint DEFAULT 1 NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "anomalies_pkey" PRIMARY KEY("account_id","anomaly_id"),
	CONSTRAINT "anomalies_subject" UNIQUE("account_id","kind","resource","resource_id"),
	CONSTRAINT "anomalies_resource_known" CHECK ("sync"."anomalies"."resource" in ('transactions', 'balances', 'vaults', 'whitelist'))
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."anomalies" IS 'Things that should not happen, each with how often it was seen.';
COMMENT ON COLUMN "sync"."anomalies"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."anomalies"."anomaly_id" IS 'Number of the anomaly.';
COMMENT ON COLUMN "sync"."anomalies"."kind" IS 'unknown-value, duplicate-id, balance-parts-differ, totals-differ, terminal-status-left, conflicting-content, vanished, too-many-vanished or clock-refused. docs/data.md says what each means.';
COMMENT ON COLUMN "sync"."anomalies"."resource" IS 'What it concerns: transactions, balances, vaults or whitelist.';
COMMENT ON COLUMN "sync"."anomalies"."resource_id" IS 'Which record, value or balance it concerns; empty when it concerns the whole list.';
COMMENT ON COLUMN "sync"."anomalies"."details" IS 'What was seen.';
COMMENT ON COLUMN "sync"."anomalies"."first_observed_at" IS 'When it was first seen.';
COMMENT ON COLUMN "sync"."anomalies"."last_observed_at" IS 'When it was last seen.';
COMMENT ON COLUMN "sync"."anomalies"."occurrences" IS 'How often it was seen.';
COMMENT ON COLUMN "sync"."anomalies"."resolved_at" IS 'When it was no longer so; null while it is open. The row is deleted 90 days later.';
--> statement-breakpoint
CREATE TABLE "sync"."learned" (
	"account_id" text NOT NULL,
	"fact" text NOT NULL,
	"value" text NOT NULL,
	"evidence" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "learned_pkey" PRIMARY KEY("account_id","fact")
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."learned" IS 'Facts learned about the custody service beyond its documentation.';
COMMENT ON COLUMN "sync"."learned"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."learned"."fact" IS 'Name of the fact.';
COMMENT ON COLUMN "sync"."learned"."value" IS 'What was learned.';
COMMENT ON COLUMN "sync"."learned"."evidence" IS 'The evidence for it.';
COMMENT ON COLUMN "sync"."learned"."updated_at" IS 'When it was last confirmed or changed.';
--> statement-breakpoint
CREATE TABLE "sync"."quarantine" (
	"account_id" text NOT NULL,
	"quarantine_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."quarantine_quarantine_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"resource" text NOT NULL,
	"record_key" text NOT NULL,
	"reason" text NOT NULL,
	"raw" text NOT NULL,
	"run_id" bigint NOT NULL,
	"first_observed_at" timestamp with time zone NOT NULL,
	"last_observed_at" timestamp with time zone NOT NULL,
	"occurrences" bigint DEFAULT 1 NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "quarantine_pkey" PRIMARY KEY("account_id","quarantine_id"),
	CONSTRAINT "quarantine_record_key" UNIQUE("account_id","resource","record_key"),
	CONSTRAINT "quarantine_resource_known" CHECK ("sync"."quarantine"."resource" in ('transactions', 'balances', 'vaults', 'whitelist'))
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."quarantine" IS 'Records that could not be read, kept as text with the reason.';
COMMENT ON COLUMN "sync"."quarantine"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."quarantine"."quarantine_id" IS 'Number of the entry.';
COMMENT ON COLUMN "sync"."quarantine"."resource" IS 'List that held the record: transactions, balances, vaults or whitelist.';
COMMENT ON COLUMN "sync"."quarantine"."record_key" IS 'Identifier of the record where it has one, else a digest of its text.';
COMMENT ON COLUMN "sync"."quarantine"."reason" IS 'Why it could not be read.';
COMMENT ON COLUMN "sync"."quarantine"."raw" IS 'The record as received.';
COMMENT ON COLUMN "sync"."quarantine"."run_id" IS 'The run (sync.runs) that saw it last.';
COMMENT ON COLUMN "sync"."quarantine"."first_observed_at" IS 'When it was first seen.';
COMMENT ON COLUMN "sync"."quarantine"."last_observed_at" IS 'When it was last seen.';
COMMENT ON COLUMN "sync"."quarantine"."occurrences" IS 'How often it was seen.';
COMMENT ON COLUMN "sync"."quarantine"."resolved_at" IS 'When the record could be read or was no longer listed; null until then. The row stays.';
--> statement-breakpoint
CREATE TABLE "sync"."leases" (
	"account_id" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"token" bigint NOT NULL,
	"acquired_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."leases" IS 'Which process may write for an account. Times are of the database''s clock.';
COMMENT ON COLUMN "sync"."leases"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."leases"."holder" IS 'Process that holds the lease.';
COMMENT ON COLUMN "sync"."leases"."token" IS 'Number of the acquisition. It only grows; a process with an older number cannot write.';
COMMENT ON COLUMN "sync"."leases"."acquired_at" IS 'When the holder took the lease.';
COMMENT ON COLUMN "sync"."leases"."expires_at" IS 'When it ends unless it is renewed.';
--> statement-breakpoint
CREATE TABLE "sync"."positions" (
	"account_id" text NOT NULL,
	"job" text NOT NULL,
	"position" jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "positions_pkey" PRIMARY KEY("account_id","job")
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."positions" IS 'Where an interrupted job resumes, and how far the maintenance has come. Other jobs that ended have no row.';
COMMENT ON COLUMN "sync"."positions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."positions"."job" IS 'Name of the job.';
COMMENT ON COLUMN "sync"."positions"."position" IS 'Where it resumes. Only the job itself interprets this.';
COMMENT ON COLUMN "sync"."positions"."updated_at" IS 'When the position was reached.';
--> statement-breakpoint
CREATE TABLE "sync"."runs" (
	"account_id" text NOT NULL,
	"run_id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sync"."runs_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"job" text NOT NULL,
	"mode" text NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"requests" integer DEFAULT 0 NOT NULL,
	"retries" integer DEFAULT 0 NOT NULL,
	"rate_limited" integer DEFAULT 0 NOT NULL,
	"records_read" bigint DEFAULT 0 NOT NULL,
	"records_inserted" bigint DEFAULT 0 NOT NULL,
	"records_changed" bigint DEFAULT 0 NOT NULL,
	"status_changes" bigint DEFAULT 0 NOT NULL,
	"quarantined" bigint DEFAULT 0 NOT NULL,
	"verified" boolean,
	"verdict" jsonb,
	"open_transactions_read" boolean,
	"error_code" text,
	"error_message" text,
	CONSTRAINT "runs_pkey" PRIMARY KEY("account_id","run_id"),
	CONSTRAINT "runs_mode_known" CHECK ("sync"."runs"."mode" in ('full', 'incremental')),
	CONSTRAINT "runs_status_known" CHECK ("sync"."runs"."status" in ('running', 'succeeded', 'failed', 'abandoned')),
	CONSTRAINT "runs_finished_when_not_running" CHECK (("sync"."runs"."status" = 'running') = ("sync"."runs"."finished_at" is null))
);
--> statement-breakpoint
COMMENT ON TABLE "sync"."runs" IS 'What each run of a job did, and whether it claims to be complete.';
COMMENT ON COLUMN "sync"."runs"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."runs"."run_id" IS 'Number of the run.';
COMMENT ON COLUMN "sync"."runs"."job" IS 'transactions, balances, vaults, whitelist, reconcile (a sweep of all transactions) or maintenance.';
COMMENT ON COLUMN "sync"."runs"."mode" IS 'full: reads a whole list; incremental: reads what is new.';
COMMENT ON COLUMN "sync"."runs"."status" IS 'running, succeeded, failed, or abandoned because its process stopped.';
COMMENT ON COLUMN "sync"."runs"."started_at" IS 'When it began.';
COMMENT ON COLUMN "sync"."runs"."finished_at" IS 'When it ended; null while it runs.';
COMMENT ON COLUMN "sync"."runs"."requests" IS 'Requests sent to the custody service, retries included.';
COMMENT ON COLUMN "sync"."runs"."retries" IS 'Requests that were sent again after a fault.';
COMMENT ON COLUMN "sync"."runs"."rate_limited" IS 'Answers that asked to slow down (ERR-03).';
COMMENT ON COLUMN "sync"."runs"."records_read" IS 'Records received. Transactions count as often as they were received, others once.';
COMMENT ON COLUMN "sync"."runs"."records_inserted" IS 'Records seen for the first time.';
COMMENT ON COLUMN "sync"."runs"."records_changed" IS 'Records whose content had changed.';
COMMENT ON COLUMN "sync"."runs"."status_changes" IS 'Changes of a transaction''s status that were observed.';
COMMENT ON COLUMN "sync"."runs"."quarantined" IS 'Records that could not be read, repeated ones included.';
COMMENT ON COLUMN "sync"."runs"."verified" IS 'Whether every record that stayed in the list throughout was read; null when the job claims nothing.';
COMMENT ON COLUMN "sync"."runs"."verdict" IS 'The evidence for verified, or the doubts against it; for the maintenance job, how many rows it removed.';
COMMENT ON COLUMN "sync"."runs"."error_code" IS 'Code of the failure.';
COMMENT ON COLUMN "sync"."runs"."error_message" IS 'The failure in words.';
COMMENT ON COLUMN "sync"."runs"."open_transactions_read" IS 'Whether the run read every transaction that was open when it began. Null for other jobs.';
--> statement-breakpoint
CREATE TABLE "custody"."transaction_revisions" (
	"account_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"revision" integer NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"changed_fields" text[] NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"run_id" bigint NOT NULL,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	CONSTRAINT "transaction_revisions_pkey" PRIMARY KEY("account_id","transaction_id","revision"),
	CONSTRAINT "transaction_revisions_revision_positive" CHECK ("custody"."transaction_revisions"."revision" >= 1)
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."transaction_revisions" IS 'Every change of a transaction other than its status, one row for each that was observed. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_revisions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_revisions"."transaction_id" IS 'The transaction, in custody.transactions.';
COMMENT ON COLUMN "custody"."transaction_revisions"."revision" IS 'Number of the change within the transaction, from 1.';
COMMENT ON COLUMN "custody"."transaction_revisions"."observed_at" IS 'When the answer that showed the change had arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_revisions"."changed_fields" IS 'Names of the columns that changed; a field without a column appears as raw. and its path in the record.';
COMMENT ON COLUMN "custody"."transaction_revisions"."before" IS 'The changed fields before; a field that was absent is left out.';
COMMENT ON COLUMN "custody"."transaction_revisions"."after" IS 'The changed fields after; a field that is absent now is left out.';
COMMENT ON COLUMN "custody"."transaction_revisions"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so that it may no longer exist.';
COMMENT ON COLUMN "custody"."transaction_revisions"."change_id" IS 'Grows with every row of all history tables, in the order of the account''s commits: a reader that continues after the last number it has read misses no row. Numbers may be skipped.';
--> statement-breakpoint
CREATE TABLE "custody"."transaction_status_history" (
	"account_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"sequence" integer NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"observed_at" timestamp with time zone NOT NULL,
	"source_timestamp" timestamp with time zone,
	"run_id" bigint NOT NULL,
	"observed_after" timestamp with time zone,
	"change_id" bigint DEFAULT nextval('custody.change_ids') NOT NULL,
	CONSTRAINT "transaction_status_history_pkey" PRIMARY KEY("account_id","transaction_id","sequence"),
	CONSTRAINT "transaction_status_history_after_before_at" CHECK ("custody"."transaction_status_history"."observed_after" <= "custody"."transaction_status_history"."observed_at"),
	CONSTRAINT "transaction_status_history_first_has_no_from" CHECK (("custody"."transaction_status_history"."sequence" = 1) = ("custody"."transaction_status_history"."from_status" is null) and "custody"."transaction_status_history"."sequence" >= 1)
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."transaction_status_history" IS 'Every status a transaction was seen in, one row for each change that was observed. Rows are never changed or removed.';
COMMENT ON COLUMN "custody"."transaction_status_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_status_history"."transaction_id" IS 'The transaction, in custody.transactions.';
COMMENT ON COLUMN "custody"."transaction_status_history"."sequence" IS 'Number of the change within the transaction; 1 is the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."from_status" IS 'Status before the change; null at the first sighting.';
COMMENT ON COLUMN "custody"."transaction_status_history"."to_status" IS 'Status after the change.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_at" IS 'When the answer that showed the new status had arrived. The change itself happened earlier.';
COMMENT ON COLUMN "custody"."transaction_status_history"."source_timestamp" IS 'Time that the service put on that answer.';
COMMENT ON COLUMN "custody"."transaction_status_history"."run_id" IS 'The run (sync.runs) that observed this. Old runs are deleted, so that it may no longer exist.';
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. At the first sighting, a moment at which the transaction did not exist yet. Null when unknown, as for what existed before the mirror.';
COMMENT ON COLUMN "custody"."transaction_status_history"."change_id" IS 'Grows with every row of all history tables, in the order of the account''s commits: a reader that continues after the last number it has read misses no row. Numbers may be skipped.';
--> statement-breakpoint
CREATE TABLE "custody"."transaction_ranges" (
	"account_id" text NOT NULL,
	"begins_at" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"shown" bigint NOT NULL,
	CONSTRAINT "transaction_ranges_pkey" PRIMARY KEY("account_id","begins_at")
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."transaction_ranges" IS 'How many transactions the service shows, by when they were first seen: ranges of some ten thousand, in the order of custody.transactions. It serves pages in the middle of a long list. Triggers of custody.transactions update it; internal.transaction_ranges_anew makes it again.';
COMMENT ON COLUMN "custody"."transaction_ranges"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transaction_ranges"."begins_at" IS 'The range holds those first seen from then on, up to where the next one begins. That of the first one is -infinity.';
COMMENT ON COLUMN "custody"."transaction_ranges"."last_at" IS 'When the last one that was ever counted in it was first seen.';
COMMENT ON COLUMN "custody"."transaction_ranges"."shown" IS 'How many it holds, without those that the service no longer shows.';
--> statement-breakpoint
CREATE TABLE "custody"."transactions" (
	"account_id" text NOT NULL,
	"transaction_id" text NOT NULL,
	"status" text NOT NULL,
	"transaction_type" text,
	"asset_id" text,
	"asset_name" text,
	"network_id" text,
	"network_name" text,
	"amount" numeric,
	"fee" numeric,
	"source_type" text,
	"source_id" text,
	"source_name" text,
	"source_address" text,
	"destination_type" text,
	"destination_id" text,
	"destination_name" text,
	"destination_address" text,
	"destination_memo" text,
	"txn_hash" text,
	"blockexplorer_link" text,
	"note" text,
	"source_timestamp" timestamp with time zone,
	"first_seen_at" timestamp with time zone NOT NULL,
	"status_changed_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"missing_since" timestamp with time zone,
	"content_hash" text NOT NULL,
	"raw" jsonb NOT NULL,
	"first_seen_after" timestamp with time zone,
	CONSTRAINT "transactions_pkey" PRIMARY KEY("account_id","transaction_id"),
	CONSTRAINT "transactions_first_seen_after_before_at" CHECK ("custody"."transactions"."first_seen_after" <= "custody"."transactions"."first_seen_at"),
	CONSTRAINT "transactions_amounts_finite" CHECK ("custody"."transactions"."amount" not in ('NaN', 'Infinity', '-Infinity') and "custody"."transactions"."fee" not in ('NaN', 'Infinity', '-Infinity'))
);
--> statement-breakpoint
COMMENT ON TABLE "custody"."transactions" IS 'Transactions as last observed, one row each. Earlier states are in transaction_status_history and transaction_revisions.';
COMMENT ON COLUMN "custody"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "custody"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "custody"."transactions"."transaction_type" IS 'Kind of transaction: withdraw, rebalance, deposit, stake, claim, unstake or change pool.';
COMMENT ON COLUMN "custody"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "custody"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "custody"."transactions"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "custody"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "custody"."transactions"."amount" IS 'Amount moved, in units of the asset, exactly as sent. Null when the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."fee" IS 'Fee of the transaction, exactly as sent. Null when the service sent none.';
COMMENT ON COLUMN "custody"."transactions"."source_type" IS 'Where it came from: vault, external, whitelist or network.';
COMMENT ON COLUMN "custody"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "custody"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "custody"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "custody"."transactions"."destination_type" IS 'Where it went: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "custody"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "custody"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "custody"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "custody"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "custody"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "custody"."transactions"."source_timestamp" IS 'Time that the service put on the answer from which this row was last written: the time of retrieval, not of the transaction.';
COMMENT ON COLUMN "custody"."transactions"."first_seen_at" IS 'When the mirror first saw the transaction. The service gives no time of creation.';
COMMENT ON COLUMN "custody"."transactions"."status_changed_at" IS 'When the mirror first saw the present status.';
COMMENT ON COLUMN "custody"."transactions"."changed_at" IS 'When the answer that last changed this row had arrived.';
COMMENT ON COLUMN "custody"."transactions"."missing_since" IS 'Since when the service no longer shows the transaction; null while it does.';
COMMENT ON COLUMN "custody"."transactions"."content_hash" IS 'Digest of the record without its timestamp. A change of the record changes the digest.';
COMMENT ON COLUMN "custody"."transactions"."raw" IS 'The record as received, with every field, including unknown ones.';
COMMENT ON COLUMN "custody"."transactions"."first_seen_after" IS 'A moment at which the transaction certainly did not exist yet: the start of the last reading that would have shown it. Null when unknown, as for what existed before the mirror.';
--> statement-breakpoint
ALTER TABLE "custody"."asset_prices" ADD CONSTRAINT "asset_prices_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."balance_snapshots" ADD CONSTRAINT "balance_snapshots_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD CONSTRAINT "balances_first_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_from") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."balances" ADD CONSTRAINT "balances_ending_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_to") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."unreadable_balances" ADD CONSTRAINT "unreadable_balances_first_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_from") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."unreadable_balances" ADD CONSTRAINT "unreadable_balances_ending_snapshot_fk" FOREIGN KEY ("account_id","vault_type","valid_to") REFERENCES "custody"."balance_snapshots"("account_id","vault_type","snapshot_at") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."document_readings" ADD CONSTRAINT "document_readings_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."document_revisions" ADD CONSTRAINT "document_revisions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."vaults" ADD CONSTRAINT "vaults_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."whitelist_entries" ADD CONSTRAINT "whitelist_entries_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."fee_rules" ADD CONSTRAINT "fee_rules_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transaction_revisions" ADD CONSTRAINT "transaction_revisions_transaction_fk" FOREIGN KEY ("account_id","transaction_id") REFERENCES "custody"."transactions"("account_id","transaction_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transaction_status_history" ADD CONSTRAINT "transaction_status_history_transaction_fk" FOREIGN KEY ("account_id","transaction_id") REFERENCES "custody"."transactions"("account_id","transaction_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transaction_ranges" ADD CONSTRAINT "transaction_ranges_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "custody"."transactions" ADD CONSTRAINT "transactions_account_id_accounts_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "custody"."accounts"("account_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_digest_idx" ON "sync"."api_keys" USING btree ("digest");
--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_name_idx" ON "sync"."api_keys" USING btree ("name") WHERE "sync"."api_keys"."revoked_at" is null;
--> statement-breakpoint
CREATE INDEX "balance_snapshots_at_idx" ON "custody"."balance_snapshots" USING btree ("account_id","snapshot_at");
--> statement-breakpoint
CREATE INDEX "balance_snapshots_answered_idx" ON "custody"."balance_snapshots" USING btree ("account_id","vault_type","answered_at");
--> statement-breakpoint
CREATE INDEX "balance_snapshots_change_idx" ON "custody"."balance_snapshots" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE UNIQUE INDEX "balances_current_idx" ON "custody"."balances" USING btree ("account_id","vault_type","asset_id","network_id") WHERE "custody"."balances"."valid_to" is null;
--> statement-breakpoint
CREATE INDEX "balances_valid_idx" ON "custody"."balances" USING gist (tstzrange("valid_from", "valid_to"));
--> statement-breakpoint
CREATE INDEX "balances_began_idx" ON "custody"."balances" USING btree ("account_id","valid_from");
--> statement-breakpoint
CREATE INDEX "balances_ended_idx" ON "custody"."balances" USING btree ("account_id","valid_to") WHERE "custody"."balances"."valid_to" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "unreadable_balances_current_idx" ON "custody"."unreadable_balances" USING btree ("account_id","vault_type","asset_id","network_id") WHERE "custody"."unreadable_balances"."valid_to" is null;
--> statement-breakpoint
CREATE INDEX "unreadable_balances_valid_idx" ON "custody"."unreadable_balances" USING gist (tstzrange("valid_from", "valid_to"));
--> statement-breakpoint
CREATE INDEX "document_revisions_observed_idx" ON "custody"."document_revisions" USING btree ("account_id","observed_at");
--> statement-breakpoint
CREATE INDEX "document_revisions_change_idx" ON "custody"."document_revisions" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE INDEX "document_revisions_address_idx" ON "custody"."document_revisions" USING hash (lower("address")) WHERE "custody"."document_revisions"."kind" = 'whitelist_entry';
--> statement-breakpoint
CREATE INDEX "anomalies_open_idx" ON "sync"."anomalies" USING btree ("account_id","kind") WHERE "sync"."anomalies"."resolved_at" is null;
--> statement-breakpoint
CREATE INDEX "quarantine_open_idx" ON "sync"."quarantine" USING btree ("account_id","resource") WHERE "sync"."quarantine"."resolved_at" is null;
--> statement-breakpoint
CREATE INDEX "runs_job_started_idx" ON "sync"."runs" USING btree ("account_id","job","started_at");
--> statement-breakpoint
CREATE INDEX "runs_open_read_idx" ON "sync"."runs" USING btree ("account_id","started_at") WHERE "sync"."runs"."open_transactions_read";
--> statement-breakpoint
CREATE INDEX "runs_verified_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."verified";
--> statement-breakpoint
CREATE INDEX "runs_succeeded_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."status" = 'succeeded';
--> statement-breakpoint
CREATE INDEX "runs_full_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."mode" = 'full' and "sync"."runs"."status" = 'succeeded';
--> statement-breakpoint
CREATE INDEX "runs_failed_idx" ON "sync"."runs" USING btree ("account_id","job","finished_at") WHERE "sync"."runs"."status" = 'failed';
--> statement-breakpoint
CREATE INDEX "transaction_revisions_observed_idx" ON "custody"."transaction_revisions" USING btree ("account_id","observed_at");
--> statement-breakpoint
CREATE INDEX "transaction_revisions_change_idx" ON "custody"."transaction_revisions" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE INDEX "transaction_status_history_observed_idx" ON "custody"."transaction_status_history" USING btree ("account_id","observed_at");
--> statement-breakpoint
CREATE INDEX "transaction_status_history_change_idx" ON "custody"."transaction_status_history" USING btree ("account_id","change_id");
--> statement-breakpoint
CREATE INDEX "transactions_open_idx" ON "custody"."transactions" USING btree ("account_id","first_seen_at","transaction_id") WHERE "custody"."transactions"."status" not in ('completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
CREATE INDEX "transactions_first_seen_idx" ON "custody"."transactions" USING btree ("account_id","first_seen_at","transaction_id","missing_since",trim_scale("amount"));
--> statement-breakpoint
CREATE INDEX "transactions_status_changed_idx" ON "custody"."transactions" USING btree ("account_id","status_changed_at");
--> statement-breakpoint
CREATE INDEX "transactions_amount_idx" ON "custody"."transactions" USING btree ("account_id",trim_scale("amount"));
--> statement-breakpoint
CREATE INDEX "transactions_changed_idx" ON "custody"."transactions" USING btree ("account_id","changed_at");
--> statement-breakpoint
CREATE INDEX "transactions_filter_idx" ON "custody"."transactions" USING gin ((array[hashtextextended("status", hashtextextended("account_id", 0)), hashtextextended("transaction_type", hashtextextended("account_id", 1)), hashtextextended("asset_id", hashtextextended("account_id", 2)), hashtextextended("network_id", hashtextextended("account_id", 3)), hashtextextended("source_id", hashtextextended("account_id", 4)), hashtextextended("source_address", hashtextextended("account_id", 5)), hashtextextended("destination_id", hashtextextended("account_id", 6)), hashtextextended("destination_address", hashtextextended("account_id", 7)), hashtextextended("source_type", hashtextextended("account_id", 8)), hashtextextended("destination_type", hashtextextended("account_id", 9))]));
--> statement-breakpoint
CREATE INDEX "transactions_missing_idx" ON "custody"."transactions" USING btree ("account_id","transaction_id") WHERE "custody"."transactions"."missing_since" is not null;
