-- What is dropped below is made again, and whoever was granted it keeps it.
CREATE TABLE "drizzle"."kept_grants" AS
SELECT format('GRANT %s ON %s %s TO %s%s', acl.privilege_type, o.kind, o.name,
	CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END,
	CASE WHEN acl.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS "grant", o.kind, o.name
FROM (
	SELECT 'TABLE' AS kind, format('%I.%I', n.nspname, c.relname) AS name, c.relacl AS acl, c.relowner AS owner
	FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind = 'v' AND n.nspname IN ('custody', 'reporting', 'sync')
	UNION ALL
	SELECT 'FUNCTION', p.oid::regprocedure::text, p.proacl, p.proowner
	FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
	WHERE n.nspname IN ('custody', 'reporting', 'sync')
) AS o CROSS JOIN LATERAL aclexplode(o.acl) AS acl
WHERE acl.grantee <> o.owner;
--> statement-breakpoint
DROP VIEW reporting.open_transactions;
--> statement-breakpoint
DROP VIEW reporting.fees_daily;
--> statement-breakpoint
DROP VIEW reporting.reconciliation_daily;
--> statement-breakpoint
DROP VIEW reporting.destination_uses;
--> statement-breakpoint
DROP VIEW reporting.destinations;
--> statement-breakpoint
DROP VIEW reporting.transactions;
--> statement-breakpoint
DROP VIEW reporting.postings;
--> statement-breakpoint
DROP VIEW custody.whitelist_periods;
--> statement-breakpoint
DROP VIEW reporting.whitelist_history;
--> statement-breakpoint
CREATE VIEW "reporting"."whitelist_history" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.change, r.observed_after AS valid_after, r.observed_at AS valid_from,
	CASE WHEN next.revision IS NULL THEN l.last_read_after ELSE next.observed_after END AS known_until,
	next.observed_at AS valid_to, r.change <> 'removed' AS is_listed,
	r.name, r.address, r.asset_id, r.network_id,
	r.revision = 1 AND r.observed_after IS NULL AS is_older_than_mirror,
	next.revision IS NULL AS is_current
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
WHERE r.kind = 'whitelist_entry';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."whitelist_history" IS 'Every observed state of every whitelist entry, one row each: who could be paid, and when.';
COMMENT ON COLUMN "reporting"."whitelist_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."whitelist_history"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."revision" IS 'Number of the state within the entry; 1 is the first sighting.';
COMMENT ON COLUMN "reporting"."whitelist_history"."change" IS 'added, changed, removed or restored.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_after" IS 'When the state had certainly not begun yet: the reading of the whitelist before. Null at the first one.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_from" IS 'When the state was first seen; it began between valid_after and this.';
COMMENT ON COLUMN "reporting"."whitelist_history"."known_until" IS 'When the last reading began that still showed the state; before valid_from where one reading alone showed it.';
COMMENT ON COLUMN "reporting"."whitelist_history"."valid_to" IS 'When the next state was first seen; it began between known_until and this. Null while the state lasts.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_listed" IS 'The entry stood on the whitelist in this state.';
COMMENT ON COLUMN "reporting"."whitelist_history"."name" IS 'Name of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "reporting"."whitelist_history"."asset_id" IS 'Asset the entry is for; null when it tells none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."network_id" IS 'Network the entry is for; null when it tells none.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_older_than_mirror" IS 'It was there when the whitelist was first read, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."whitelist_history"."is_current" IS 'The state lasts.';
--> statement-breakpoint
-- By the form of the address, since the identifiers of networks are the service's own: what is written in hexadecimal digits, as on
-- EVM networks, is the same in either case; bech32 is written in one case throughout, and is the same in the other; everything else,
-- base58 above all, tells its letters' cases apart.
CREATE FUNCTION "reporting"."address_key"("address" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN CASE
		WHEN "address" ~ '^0[xX]([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$' THEN lower("address")
		WHEN "address" ~ '^([a-z0-9]{1,83}1[02-9ac-hj-np-z]{38,}|[A-Z0-9]{1,83}1[02-9AC-HJ-NP-Z]{38,})$' THEN lower("address")
		ELSE nullif("address", '')
	END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."address_key"(text) IS 'An address as its network compares it: in lower case where it is written in hexadecimal digits (0x…) or in bech32, else as it is. Null where there is none.';
--> statement-breakpoint
CREATE FUNCTION "reporting"."is_documented_status"("status" text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
	RETURN "status" IN ('pending', 'processing', 'confirming', 'completed', 'rejected', 'cancelled', 'failed');
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."is_documented_status"(text) IS 'Whether a status is one of those that the service documents. Any other is treated as open, and leaves the balances as the last documented status of the transaction left them.';
--> statement-breakpoint
COMMENT ON TABLE "sync"."destination_totals" IS 'Withdrawals summed up by destination and asset, so that reporting.destinations need not read them all. Triggers of custody.transactions keep it; sync.destination_sums tells what it has to hold.';
COMMENT ON COLUMN "sync"."destination_totals"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."destination_totals"."destination_key" IS 'What tells destination and asset, by custody.destination_key.';
COMMENT ON COLUMN "sync"."destination_totals"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "sync"."destination_totals"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "sync"."destination_totals"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, as far as they are known.';
COMMENT ON COLUMN "sync"."destination_totals"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "sync"."destination_totals"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "sync"."destination_totals"."unbounded_uses" IS 'How many of them may have been made at any time before they were first seen.';
COMMENT ON COLUMN "sync"."destination_totals"."bounded_after" IS 'Earliest moment after which one of the others can have been made; null where there is none.';
COMMENT ON COLUMN "sync"."destination_totals"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "sync"."destination_totals"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "sync"."destination_totals"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "sync"."destination_totals"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."document_readings" IS 'When the list of vaults, and the whitelist, was first and last read whole, also where it was empty: from one end to the other, with nothing in it that could not be decoded. Of what lies before the first and after the last, nobody knows.';
COMMENT ON COLUMN "custody"."document_readings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."document_readings"."kind" IS 'vault or whitelist_entry.';
COMMENT ON COLUMN "custody"."document_readings"."first_read_at" IS 'When the answer to the first whole reading had arrived.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_after" IS 'When the last whole reading began: what it showed held at some moment since.';
COMMENT ON COLUMN "custody"."document_readings"."last_read_at" IS 'When its answer had arrived.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."document_revisions"."observed_after" IS 'When the last whole reading of the list before this one began: the change happened between this and observed_at. Null at the first reading.';
--> statement-breakpoint
COMMENT ON TABLE "custody"."fee_rules" IS 'In which asset a network takes its fees. Yours to fill, and never written by the mirror: the service names no asset of a fee, so that without a rule the reports assume that of the transaction, and say so. A rule holds for all times.';
COMMENT ON COLUMN "custody"."fee_rules"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."fee_rules"."fee_rule_id" IS 'Number of the rule.';
COMMENT ON COLUMN "custody"."fee_rules"."network_id" IS 'Network, as the transactions name it.';
COMMENT ON COLUMN "custody"."fee_rules"."transaction_type" IS 'Kind of transaction; null for every kind that has no rule of its own on the network.';
COMMENT ON COLUMN "custody"."fee_rules"."asset_id" IS 'Asset in which the fee is paid.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."transaction_status_history"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at; at the first sighting, a moment at which the transaction was not there yet. Null where nothing is known, as for what was there when the mirror began.';
--> statement-breakpoint
COMMENT ON COLUMN "custody"."transactions"."first_seen_after" IS 'A moment at which the transaction was certainly not there yet: when the last reading began that would have shown it. Null where nothing is known, as for what was there when the mirror began.';
--> statement-breakpoint
-- What a transaction was worth, as it was known: one row per content, from when it was first seen until the next was. Today's row with
-- every later change taken back. The two ends of the revisions of one transaction are looked up by index.
CREATE VIEW "sync"."transaction_contents" AS
SELECT t.account_id, t.transaction_id, b.known_from, b.known_until,
	CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
	CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
	CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
	CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
	CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
	CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
	CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
FROM custody.transactions t
CROSS JOIN LATERAL (
	SELECT c.known_from, lead(c.known_from) OVER (ORDER BY c.known_from) AS known_until
	FROM (
		SELECT t.first_seen_at AS known_from
		UNION
		SELECT r.observed_at FROM custody.transaction_revisions r
		WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.changed_fields && ARRAY['transaction_type', 'asset_id', 'asset_name', 'network_id', 'amount', 'fee', 'missing_since']
	) AS c
) AS b
-- Of the revisions since, the earliest that changed a field says what it was.
LEFT JOIN LATERAL (
	SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
		SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
		FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
		WHERE b.known_until IS NOT NULL AND r.account_id = t.account_id AND r.transaction_id = t.transaction_id
			AND r.observed_at > b.known_from
		ORDER BY f.field, r.revision
	) AS e
) AS p ON true;
--> statement-breakpoint
COMMENT ON VIEW "sync"."transaction_contents" IS 'What is counted of each transaction, as it was known: one row per content, with the span in which the mirror took it to be so.';
COMMENT ON COLUMN "sync"."transaction_contents"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."transaction_contents"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "sync"."transaction_contents"."known_from" IS 'When the mirror first saw it so.';
COMMENT ON COLUMN "sync"."transaction_contents"."known_until" IS 'When it first saw it otherwise; null for what is known now.';
COMMENT ON COLUMN "sync"."transaction_contents"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "sync"."transaction_contents"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "sync"."transaction_contents"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "sync"."transaction_contents"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "sync"."transaction_contents"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "sync"."transaction_contents"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "sync"."transaction_contents"."missing_since" IS 'Since when the service no longer showed it; null while it did.';
--> statement-breakpoint
-- What sync.destination_totals has to hold. Asked for one destination it reads its withdrawals by index.
CREATE VIEW "sync"."destination_sums" AS
SELECT t.account_id,
	custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) AS destination_key,
	count(*) AS uses, count(*) FILTER (WHERE t.status = 'completed') AS completed_uses,
	coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
	count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL) AS unknown_amounts,
	count(t.missing_since) AS missing_uses,
	count(*) FILTER (WHERE t.first_seen_after IS NULL) AS unbounded_uses, min(t.first_seen_after) AS bounded_after,
	min(t.first_seen_at) AS first_used_at,
	(array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1] AS first_transaction_id,
	max(t.first_seen_at) AS last_used_at,
	(array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1] AS last_transaction_id
FROM custody.transactions t
WHERE t.transaction_type = 'withdraw'
GROUP BY 1, 2;
--> statement-breakpoint
COMMENT ON VIEW "sync"."destination_sums" IS 'What sync.destination_totals has to hold, from the transactions themselves.';
COMMENT ON COLUMN "sync"."destination_sums"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."destination_sums"."destination_key" IS 'What tells destination and asset, by custody.destination_key.';
COMMENT ON COLUMN "sync"."destination_sums"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "sync"."destination_sums"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "sync"."destination_sums"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, as far as they are known.';
COMMENT ON COLUMN "sync"."destination_sums"."unknown_amounts" IS 'How many of those completed have no amount.';
COMMENT ON COLUMN "sync"."destination_sums"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "sync"."destination_sums"."unbounded_uses" IS 'How many of them may have been made at any time before they were first seen.';
COMMENT ON COLUMN "sync"."destination_sums"."bounded_after" IS 'Earliest moment after which one of the others can have been made; null where there is none.';
COMMENT ON COLUMN "sync"."destination_sums"."first_used_at" IS 'When the first of them was first seen.';
COMMENT ON COLUMN "sync"."destination_sums"."first_transaction_id" IS 'The first of them; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "sync"."destination_sums"."last_used_at" IS 'When the last of them was first seen.';
COMMENT ON COLUMN "sync"."destination_sums"."last_transaction_id" IS 'The last of them; of several first seen at the same moment, the greatest identifier.';
--> statement-breakpoint
-- Each state of an entry in which it was listed, with what the readings prove: it was certainly not so at `possible_after`, was seen so
-- from `listed_from` to the last whole reading before the next change, and not any more at `possible_until`. Where the next state is
-- listed for the same asset and network (and, for the address, at the same one), nothing ended in between.
CREATE VIEW "sync"."whitelist_periods" AS
SELECT r.account_id, r.document_id AS entry_id, r.revision, r.address, r.asset_id, r.network_id,
	r.observed_after AS possible_after, r.observed_at AS listed_from,
	CASE WHEN s.same_entry THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS entry_until,
	CASE WHEN s.same_address THEN next.observed_at WHEN next.revision IS NULL THEN l.last_read_after
		ELSE next.observed_after END AS address_until,
	next.observed_at AS possible_until
FROM custody.document_revisions r
LEFT JOIN custody.document_readings l ON l.account_id = r.account_id AND l.kind = r.kind
LEFT JOIN custody.document_revisions next
	ON next.account_id = r.account_id AND next.kind = r.kind AND next.document_id = r.document_id AND next.revision = r.revision + 1
CROSS JOIN LATERAL (
	SELECT next.change <> 'removed' AND next.asset_id IS NOT DISTINCT FROM r.asset_id
		AND next.network_id IS NOT DISTINCT FROM r.network_id AS same_entry
) AS e
CROSS JOIN LATERAL (
	SELECT e.same_entry, e.same_entry
		AND reporting.address_key(next.address) IS NOT DISTINCT FROM reporting.address_key(r.address) AS same_address
) AS s
WHERE r.kind = 'whitelist_entry' AND r.change <> 'removed';
--> statement-breakpoint
COMMENT ON VIEW "sync"."whitelist_periods" IS 'When the whitelist held an entry, as far as its readings prove it: one row per state in which it was listed.';
COMMENT ON COLUMN "sync"."whitelist_periods"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."whitelist_periods"."entry_id" IS 'Identifier of the entry.';
COMMENT ON COLUMN "sync"."whitelist_periods"."revision" IS 'Number of the state within the entry.';
COMMENT ON COLUMN "sync"."whitelist_periods"."address" IS 'Wallet address of the entry.';
COMMENT ON COLUMN "sync"."whitelist_periods"."asset_id" IS 'Asset the entry is for; null or empty when it names none.';
COMMENT ON COLUMN "sync"."whitelist_periods"."network_id" IS 'Network the entry is for; null or empty when it names none.';
COMMENT ON COLUMN "sync"."whitelist_periods"."possible_after" IS 'When the state had certainly not begun yet; null where nothing is known.';
COMMENT ON COLUMN "sync"."whitelist_periods"."listed_from" IS 'When the state was first seen.';
COMMENT ON COLUMN "sync"."whitelist_periods"."entry_until" IS 'Until when the entry was certainly listed for its asset and network; before listed_from or null where no later reading shows it.';
COMMENT ON COLUMN "sync"."whitelist_periods"."address_until" IS 'Until when its address certainly was; as entry_until.';
COMMENT ON COLUMN "sync"."whitelist_periods"."possible_until" IS 'When the state had certainly ended; null while it lasts.';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."accounting_rules" IS 'What a transaction of each type does to the balances in each status: the rules behind postings, flows, fees and the reconciliation. Where the service leaves a meaning open, this is the reading taken. A type that is not listed moves nothing. A status that is not listed is taken for open, and leaves the balances as the last listed one of the transaction left them. The fee is paid in the asset that custody.fee_rules names for the network and type, else it is taken to be paid in that of the transaction; the fee of a deposit is the sender''s. A fee that the service does not tell counts as none; an amount that it does not tell makes null whatever it would have moved.';
--> statement-breakpoint
-- The same as sync.settlements at every moment: a row holds from when it was known until something else was. It begins anew where the
-- status was left and taken again, where what is counted was corrected, and where the transaction vanished or came back.
CREATE VIEW "reporting"."settlement_history" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at,
	greatest(s.known_from, v.known_from) AS known_from, least(s.known_until, v.known_until) AS known_until, v.transaction_type,
	v.asset_id, v.asset_name, v.network_id, trim_scale(v.amount) AS amount, trim_scale(v.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, v.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, v.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
CROSS JOIN LATERAL (
	SELECT q.observed_at AS known_from, next.observed_at AS known_until
	FROM custody.transaction_status_history q
	LEFT JOIN custody.transaction_status_history next
		ON next.account_id = q.account_id AND next.transaction_id = q.transaction_id AND next.sequence = q.sequence + 1
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence >= h.sequence
		AND q.to_status = h.to_status OFFSET 0
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM sync.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND (s.known_until IS NULL OR c.known_from < s.known_until) AND (c.known_until IS NULL OR c.known_until > s.known_from) OFFSET 0
) AS v
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = v.network_id AND fx.transaction_type = v.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = v.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "reporting"."settlement_history" IS 'What was known of each settled transaction, and from when until when: the lines that flows_daily_at, fees_daily_at, transaction_outcomes_daily_at and late_corrections are made of. A row whose known_until is null is what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."status" IS 'The final status it was in: completed, rejected, cancelled or failed.';
COMMENT ON COLUMN "reporting"."settlement_history"."settled_at" IS 'When the mirror first saw it in this status: it counts on the day of this moment.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_from" IS 'From when on the mirror took it to be so.';
COMMENT ON COLUMN "reporting"."settlement_history"."known_until" IS 'Until when; null for what is known now.';
COMMENT ON COLUMN "reporting"."settlement_history"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."settlement_history"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."settlement_history"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."settlement_history"."amount" IS 'Amount as it was known then, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee" IS 'Fee as it was known then, in units of fee_asset_id. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."settlement_history"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."settlement_history"."missing_since" IS 'Since when the service no longer showed it then; null while it did.';
--> statement-breakpoint
-- Settled transactions as they are known now, each on the moment on which its present final status was first seen; what was in that
-- status when the mirror began is left out. The rows of the history come first, so that a day reads its own rows and no others.
CREATE VIEW "sync"."settlements" AS
SELECT h.account_id, h.transaction_id, h.to_status AS status, h.observed_at AS settled_at, t.transaction_type,
	t.asset_id, t.asset_name, t.network_id, t.amount, t.fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed, t.missing_since
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0): left to itself, the planner reads both tables whole for what a month holds.
CROSS JOIN LATERAL (
	SELECT q.status, q.transaction_type, q.asset_id, q.asset_name, q.network_id, q.amount, q.fee, q.missing_since
	FROM custody.transactions q
	WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id OFFSET 0
) AS t
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
WHERE reporting.is_settled(h.to_status) AND t.status = h.to_status
	AND (h.sequence > 1 OR h.observed_at > a.transactions_since)
	AND (h.sequence < 3 OR NOT EXISTS (
		SELECT FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND q.to_status = h.to_status OFFSET 0
	));
--> statement-breakpoint
COMMENT ON VIEW "sync"."settlements" IS 'Settled transactions as they are known now, behind the reports of days: one row each, on the moment on which the present final status was first seen.';
COMMENT ON COLUMN "sync"."settlements"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."settlements"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "sync"."settlements"."status" IS 'The final status.';
COMMENT ON COLUMN "sync"."settlements"."settled_at" IS 'When the mirror first saw the transaction in it.';
COMMENT ON COLUMN "sync"."settlements"."transaction_type" IS 'Kind of transaction.';
COMMENT ON COLUMN "sync"."settlements"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "sync"."settlements"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "sync"."settlements"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "sync"."settlements"."amount" IS 'Amount; null when the service sent none.';
COMMENT ON COLUMN "sync"."settlements"."fee" IS 'Fee; null when the service sent none.';
COMMENT ON COLUMN "sync"."settlements"."fee_asset_id" IS 'Asset in which the fee is paid.';
COMMENT ON COLUMN "sync"."settlements"."fee_asset_is_assumed" IS 'No rule says so.';
COMMENT ON COLUMN "sync"."settlements"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
CREATE VIEW "reporting"."transactions" AS
SELECT t.account_id, t.transaction_id, t.status,
	-- Null where it vanished; as it stands, a filter on it finds the index of what is open.
	NOT reporting.is_settled(t.status) AND (t.missing_since IS NULL OR NULL) AS is_open, t.transaction_type,
	reporting.direction_of(t.transaction_type, t.source_type, t.destination_type) AS direction,
	t.asset_id, t.asset_name, t.network_id, t.network_name,
	trim_scale(t.amount) AS amount, trim_scale(t.fee) AS fee,
	coalesce(fx.asset_id, fa.asset_id, t.asset_id) AS fee_asset_id,
	fx.asset_id IS NULL AND fa.asset_id IS NULL AS fee_asset_is_assumed,
	nullif(p.own_id, '') AS vault_id, coalesce(nullif(CASE WHEN p.comes_in THEN t.destination_name WHEN p.own_id IS NOT NULL THEN t.source_name END, ''),
		ov.name) AS vault_name,
	ov.vault_type,
	p.other_type AS counterparty_type, nullif(p.other_id, '') AS counterparty_id,
	coalesce(nullif(CASE WHEN p.comes_in THEN t.source_name ELSE t.destination_name END, ''), cv.name, cw.name) AS counterparty_name,
	nullif(CASE WHEN p.comes_in THEN t.source_address ELSE t.destination_address END, '') AS counterparty_address,
	t.source_type, t.source_id, t.source_name, t.source_address,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.destination_memo,
	t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_changed_at AS status_since,
	CASE WHEN reporting.is_settled(t.status) AND t.status_changed_at > a.transactions_since THEN t.status_changed_at END AS settled_at,
	CASE
		WHEN NOT reporting.is_settled(t.status) THEN CASE WHEN t.missing_since IS NULL THEN now() - t.first_seen_at END
		WHEN t.status_changed_at > a.transactions_since THEN t.status_changed_at - t.first_seen_at
	END AS age,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.transactions t
JOIN custody.accounts a ON a.account_id = t.account_id
-- A rule for the type comes before one for every type.
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = t.account_id AND fx.network_id = t.network_id AND fx.transaction_type = t.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = t.account_id AND fa.network_id = t.network_id AND fa.transaction_type IS NULL
-- The own side is the vault that money comes into or leaves from; the other side is the counterparty.
CROSS JOIN LATERAL (
	SELECT t.destination_type IS NOT DISTINCT FROM 'vault' AND t.source_type IS DISTINCT FROM 'vault' AS comes_in
) AS s
CROSS JOIN LATERAL (
	SELECT s.comes_in,
		CASE WHEN s.comes_in THEN t.destination_id WHEN t.source_type = 'vault' THEN t.source_id END AS own_id,
		CASE WHEN s.comes_in THEN t.source_type ELSE t.destination_type END AS other_type,
		CASE WHEN s.comes_in THEN t.source_id ELSE t.destination_id END AS other_id
) AS p
LEFT JOIN custody.vaults ov ON ov.account_id = t.account_id AND ov.vault_id = p.own_id
LEFT JOIN custody.vaults cv ON cv.account_id = t.account_id AND cv.vault_id = p.other_id AND p.other_type = 'vault'
LEFT JOIN custody.whitelist_entries cw
	ON cw.account_id = t.account_id AND cw.entry_id = p.other_id AND p.other_type = 'whitelist';
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transactions" IS 'Transactions as last observed, one row each, with names of vaults and counterparties. What the service no longer shows is included: see missing_since.';
COMMENT ON COLUMN "reporting"."transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."transactions"."is_open" IS 'True while the status is not one of the final ones (completed, rejected, cancelled, failed): one that nobody documented counts as open. Null where the service no longer shows an open transaction: nobody knows what became of it.';
COMMENT ON COLUMN "reporting"."transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."transactions"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves from; as the transaction tells it, also where vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."transactions"."vault_name" IS 'Name of the own vault: as the transaction tells it, else its present name.';
COMMENT ON COLUMN "reporting"."transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_type" IS 'What stands on the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_id" IS 'Identifier of the other side; null when the service tells none, as for external sources.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_name" IS 'Name of the other side: as the transaction tells it, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."transactions"."source_type" IS 'Where it came from: vault, external, whitelist or network.';
COMMENT ON COLUMN "reporting"."transactions"."source_id" IS 'Identifier of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_name" IS 'Name of the source; empty for an external source.';
COMMENT ON COLUMN "reporting"."transactions"."source_address" IS 'Wallet address of the source.';
COMMENT ON COLUMN "reporting"."transactions"."destination_type" IS 'Where it went: vault, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."transactions"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."transactions"."destination_memo" IS 'Memo, tag or note for addresses that use one; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_after" IS 'A moment at which it was certainly not there yet: it appeared between this and first_seen_at. Null where nothing is known, as for what was there when the mirror began.';
COMMENT ON COLUMN "reporting"."transactions"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."transactions"."status_since" IS 'When the mirror first saw the present status; the change itself happened earlier, after the reading before.';
COMMENT ON COLUMN "reporting"."transactions"."settled_at" IS 'When the mirror saw it settled, the last time where that happened more than once; null while open, and for what was settled before the mirror began.';
COMMENT ON COLUMN "reporting"."transactions"."age" IS 'While open, the time since it was first seen; then the time from first sighting to settlement. Null for what was settled before the mirror began, and for what vanished while open.';
COMMENT ON COLUMN "reporting"."transactions"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."transactions"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
-- A transaction as it was known at a moment: today's row, with every field that was changed later taken back to what it was before.
CREATE OR REPLACE FUNCTION "reporting"."transactions_at"("at" timestamptz) RETURNS TABLE (
	account_id text, transaction_id text, status text, is_open boolean, transaction_type text, direction text,
	asset_id text, asset_name text, network_id text, network_name text, amount numeric, fee numeric,
	source_type text, source_id text, source_name text, source_address text,
	destination_type text, destination_id text, destination_name text, destination_address text, destination_memo text,
	txn_hash text, blockexplorer_link text, note text, first_seen_at timestamptz, status_since timestamptz,
	missing_since timestamptz
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT t.account_id, t.transaction_id, s.to_status, NOT reporting.is_settled(s.to_status) AND (w.missing_since IS NULL OR NULL),
		w.transaction_type, reporting.direction_of(w.transaction_type, w.source_type, w.destination_type),
		w.asset_id, w.asset_name, w.network_id, w.network_name, trim_scale(w.amount), trim_scale(w.fee),
		w.source_type, w.source_id, w.source_name, w.source_address,
		w.destination_type, w.destination_id, w.destination_name, w.destination_address, w.destination_memo,
		w.txn_hash, w.blockexplorer_link, w.note, t.first_seen_at, s.observed_at, w.missing_since
	FROM custody.transactions t
	CROSS JOIN LATERAL (
		SELECT h.to_status, h.observed_at FROM custody.transaction_status_history h
		WHERE h.account_id = t.account_id AND h.transaction_id = t.transaction_id AND h.observed_at <= "at"
		ORDER BY h.sequence DESC LIMIT 1
	) AS s
	-- Of the revisions since, the earliest that changed a field says what it was.
	LEFT JOIN LATERAL (
		SELECT jsonb_object_agg(e.field, e.value) AS before FROM (
			SELECT DISTINCT ON (f.field) f.field, r.before -> f.field AS value
			FROM custody.transaction_revisions r CROSS JOIN LATERAL unnest(r.changed_fields) AS f (field)
			WHERE r.account_id = t.account_id AND r.transaction_id = t.transaction_id AND r.observed_at > "at"
			ORDER BY f.field, r.revision
		) AS e
	) AS p ON true
	CROSS JOIN LATERAL (
		SELECT
			CASE WHEN p.before ? 'transaction_type' THEN p.before ->> 'transaction_type' ELSE t.transaction_type END AS transaction_type,
			CASE WHEN p.before ? 'asset_id' THEN p.before ->> 'asset_id' ELSE t.asset_id END AS asset_id,
			CASE WHEN p.before ? 'asset_name' THEN p.before ->> 'asset_name' ELSE t.asset_name END AS asset_name,
			CASE WHEN p.before ? 'network_id' THEN p.before ->> 'network_id' ELSE t.network_id END AS network_id,
			CASE WHEN p.before ? 'network_name' THEN p.before ->> 'network_name' ELSE t.network_name END AS network_name,
			CASE WHEN p.before ? 'amount' THEN (p.before ->> 'amount')::numeric ELSE t.amount END AS amount,
			CASE WHEN p.before ? 'fee' THEN (p.before ->> 'fee')::numeric ELSE t.fee END AS fee,
			CASE WHEN p.before ? 'source_type' THEN p.before ->> 'source_type' ELSE t.source_type END AS source_type,
			CASE WHEN p.before ? 'source_id' THEN p.before ->> 'source_id' ELSE t.source_id END AS source_id,
			CASE WHEN p.before ? 'source_name' THEN p.before ->> 'source_name' ELSE t.source_name END AS source_name,
			CASE WHEN p.before ? 'source_address' THEN p.before ->> 'source_address' ELSE t.source_address END AS source_address,
			CASE WHEN p.before ? 'destination_type' THEN p.before ->> 'destination_type' ELSE t.destination_type END AS destination_type,
			CASE WHEN p.before ? 'destination_id' THEN p.before ->> 'destination_id' ELSE t.destination_id END AS destination_id,
			CASE WHEN p.before ? 'destination_name' THEN p.before ->> 'destination_name' ELSE t.destination_name END AS destination_name,
			CASE WHEN p.before ? 'destination_address' THEN p.before ->> 'destination_address' ELSE t.destination_address END AS destination_address,
			CASE WHEN p.before ? 'destination_memo' THEN p.before ->> 'destination_memo' ELSE t.destination_memo END AS destination_memo,
			CASE WHEN p.before ? 'txn_hash' THEN p.before ->> 'txn_hash' ELSE t.txn_hash END AS txn_hash,
			CASE WHEN p.before ? 'blockexplorer_link' THEN p.before ->> 'blockexplorer_link' ELSE t.blockexplorer_link END AS blockexplorer_link,
			CASE WHEN p.before ? 'note' THEN p.before ->> 'note' ELSE t.note END AS note,
			CASE WHEN p.before ? 'missing_since' THEN (p.before ->> 'missing_since')::timestamptz ELSE t.missing_since END AS missing_since
	) AS w
	WHERE t.first_seen_at <= "at";
END;
--> statement-breakpoint
-- For each destination and asset that was ever paid: when the whitelist certainly held it, and when it certainly did not. An entry counts
-- for the asset and the network that it names; where the transaction tells none of its own, nobody knows whether it does (fits is null).
-- What lies in neither, nobody knows. The transactions and the entries are looked up for each (hence OFFSET 0).
CREATE VIEW "sync"."destination_listings" AS
SELECT d.account_id, d.destination_key, t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, r.first_read_at, r.last_read_after, r.last_read_at,
	coalesce(w.listed, '{}') AS listed,
	coalesce(
		CASE WHEN r.first_read_at <= r.last_read_after THEN tstzmultirange(tstzrange(r.first_read_at, r.last_read_after, '[]')) END
			- coalesce(w.possible, '{}'),
		'{}') AS unlisted,
	coalesce(w.elsewhere, '{}') AS listed_elsewhere, coalesce(w.unclear, '{}') AS listed_unclear,
	CASE WHEN w.listed_now THEN true WHEN w.maybe_now OR r.first_read_at IS NULL THEN NULL ELSE false END AS listed_now
FROM sync.destination_totals d
CROSS JOIN LATERAL (
	SELECT t.destination_type, t.destination_id, t.destination_name, t.destination_address, t.asset_id, t.asset_name, t.network_id
	FROM custody.transactions t
	WHERE t.account_id = d.account_id AND t.transaction_id = d.last_transaction_id OFFSET 0
) AS t
LEFT JOIN custody.document_readings r ON r.account_id = d.account_id AND r.kind = 'whitelist_entry'
CROSS JOIN LATERAL (
	SELECT range_agg(s.certain) FILTER (WHERE f.fits) AS listed,
		range_agg(s.possible) FILTER (WHERE f.fits IS NOT FALSE) AS possible,
		range_agg(s.certain) FILTER (WHERE NOT f.fits) AS elsewhere,
		range_agg(s.certain) FILTER (WHERE f.fits IS NULL) AS unclear,
		bool_or(f.fits AND p.possible_until IS NULL) AS listed_now,
		bool_or(f.fits IS NULL AND p.possible_until IS NULL) AS maybe_now
	FROM (
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.entry_until AS listed_until, e.possible_until
		FROM sync.whitelist_periods e
		WHERE e.account_id = d.account_id AND e.entry_id = t.destination_id AND t.destination_type = 'whitelist'
		UNION ALL
		SELECT e.asset_id, e.network_id, e.possible_after, e.listed_from, e.address_until, e.possible_until
		FROM sync.whitelist_periods e
		WHERE e.account_id = d.account_id AND lower(e.address) = lower(t.destination_address)
			AND reporting.address_key(e.address) = reporting.address_key(t.destination_address)
	) AS p
	CROSS JOIN LATERAL (
		SELECT (coalesce(p.asset_id, '') = '' OR p.asset_id = nullif(t.asset_id, ''))
			AND (coalesce(p.network_id, '') = '' OR p.network_id = nullif(t.network_id, '')) AS fits
	) AS f
	CROSS JOIN LATERAL (
		SELECT CASE WHEN p.listed_from <= p.listed_until THEN tstzrange(p.listed_from, p.listed_until, '[]') END AS certain,
			CASE WHEN p.possible_after >= p.possible_until THEN NULL ELSE tstzrange(p.possible_after, p.possible_until, '()') END AS possible
	) AS s
) AS w;
--> statement-breakpoint
COMMENT ON VIEW "sync"."destination_listings" IS 'Each destination and asset that was ever paid, with the spans of time in which the whitelist certainly held it, and those in which it certainly did not.';
COMMENT ON COLUMN "sync"."destination_listings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."destination_listings"."destination_key" IS 'What tells destination and asset, by custody.destination_key.';
COMMENT ON COLUMN "sync"."destination_listings"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "sync"."destination_listings"."destination_id" IS 'Identifier of the destination.';
COMMENT ON COLUMN "sync"."destination_listings"."destination_name" IS 'Name of the destination, as the last withdrawal to it tells it.';
COMMENT ON COLUMN "sync"."destination_listings"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "sync"."destination_listings"."asset_id" IS 'Identifier of the asset.';
COMMENT ON COLUMN "sync"."destination_listings"."asset_name" IS 'Name of the asset, as the last withdrawal tells it.';
COMMENT ON COLUMN "sync"."destination_listings"."network_id" IS 'Identifier of the blockchain network.';
COMMENT ON COLUMN "sync"."destination_listings"."first_read_at" IS 'When the whitelist was first read whole; null where it never was.';
COMMENT ON COLUMN "sync"."destination_listings"."last_read_after" IS 'When the last whole reading of it began.';
COMMENT ON COLUMN "sync"."destination_listings"."last_read_at" IS 'When its answer had arrived.';
COMMENT ON COLUMN "sync"."destination_listings"."listed" IS 'Spans of time in which the whitelist certainly held the entry or the address for this asset and network.';
COMMENT ON COLUMN "sync"."destination_listings"."unlisted" IS 'Spans of time in which it certainly held neither.';
COMMENT ON COLUMN "sync"."destination_listings"."listed_elsewhere" IS 'Spans of time in which it held one of them for another asset or network.';
COMMENT ON COLUMN "sync"."destination_listings"."listed_unclear" IS 'Spans of time in which it held one of them for an asset or network of which the transaction does not tell whether it is its own.';
COMMENT ON COLUMN "sync"."destination_listings"."listed_now" IS 'Whether the last reading showed it; null where that is not known.';
--> statement-breakpoint
-- Keeps sync.destination_totals with every commit: what is new is added; of what changed, the difference. Where a withdrawal turned out
-- to be another or to have gone elsewhere, which is rare, the destinations it is in and was in are summed up anew.
CREATE FUNCTION "sync"."sum_up_destinations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO sync.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
			missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id),
			count(*), count(*) FILTER (WHERE t.status = 'completed'),
			coalesce(sum(t.amount) FILTER (WHERE t.status = 'completed'), 0),
			count(*) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL),
			count(t.missing_since), count(*) FILTER (WHERE t.first_seen_after IS NULL), min(t.first_seen_after),
			min(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at, t.transaction_id COLLATE "C"))[1],
			max(t.first_seen_at), (array_agg(t.transaction_id ORDER BY t.first_seen_at DESC, t.transaction_id COLLATE "C" DESC))[1]
		FROM added t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
		ON CONFLICT (account_id, destination_key) DO UPDATE SET
			uses = d.uses + excluded.uses,
			completed_uses = d.completed_uses + excluded.completed_uses,
			completed_amount = d.completed_amount + excluded.completed_amount,
			unknown_amounts = d.unknown_amounts + excluded.unknown_amounts,
			missing_uses = d.missing_uses + excluded.missing_uses,
			unbounded_uses = d.unbounded_uses + excluded.unbounded_uses,
			bounded_after = least(d.bounded_after, excluded.bounded_after),
			(first_used_at, first_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.first_used_at, d.first_transaction_id),
					(excluded.first_used_at, excluded.first_transaction_id)) AS u (at, id) ORDER BY u.at, u.id COLLATE "C" LIMIT 1),
			(last_used_at, last_transaction_id) = (
				SELECT u.at, u.id FROM (VALUES (d.last_used_at, d.last_transaction_id),
					(excluded.last_used_at, excluded.last_transaction_id)) AS u (at, id)
				ORDER BY u.at DESC, u.id COLLATE "C" DESC LIMIT 1);
		RETURN NULL;
	END IF;
	UPDATE sync.destination_totals AS d SET
		completed_uses = d.completed_uses + c.completed_uses,
		completed_amount = d.completed_amount + c.completed_amount,
		unknown_amounts = d.unknown_amounts + c.unknown_amounts,
		missing_uses = d.missing_uses + c.missing_uses
	FROM (
		SELECT t.account_id,
			custody.destination_key(t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
				AS destination_key,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed'), 0) AS completed_uses,
			coalesce(sum(t.sign * t.amount) FILTER (WHERE t.status = 'completed'), 0) AS completed_amount,
			coalesce(sum(t.sign) FILTER (WHERE t.status = 'completed' AND t.amount IS NULL), 0) AS unknown_amounts,
			coalesce(sum(t.sign) FILTER (WHERE t.missing_since IS NOT NULL), 0) AS missing_uses
		FROM (SELECT 1 AS sign, n.* FROM became n UNION ALL SELECT -1, o.* FROM was o) AS t
		WHERE t.transaction_type = 'withdraw'
		GROUP BY 1, 2
	) AS c
	WHERE d.account_id = c.account_id AND d.destination_key = c.destination_key
		AND (c.completed_uses <> 0 OR c.completed_amount <> 0 OR c.unknown_amounts <> 0 OR c.missing_uses <> 0);
	WITH moved AS (
		SELECT DISTINCT k.account_id, k.destination_key
		FROM was o
		JOIN became n ON n.account_id = o.account_id AND n.transaction_id = o.transaction_id
		CROSS JOIN LATERAL (VALUES
			(o.account_id, o.transaction_type,
				custody.destination_key(o.destination_type, o.destination_id, o.destination_address, o.asset_id, o.network_id)),
			(n.account_id, n.transaction_type,
				custody.destination_key(n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id))
		) AS k (account_id, transaction_type, destination_key)
		WHERE k.transaction_type = 'withdraw' AND (o.transaction_type, o.destination_type, o.destination_id, o.destination_address,
				o.asset_id, o.network_id)
			IS DISTINCT FROM (n.transaction_type, n.destination_type, n.destination_id, n.destination_address, n.asset_id, n.network_id)
	), removed AS (
		DELETE FROM sync.destination_totals d USING moved m
		WHERE d.account_id = m.account_id AND d.destination_key = m.destination_key
			AND NOT EXISTS (
				SELECT FROM sync.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key
			)
	)
	INSERT INTO sync.destination_totals AS d (account_id, destination_key, uses, completed_uses, completed_amount, unknown_amounts,
		missing_uses, unbounded_uses, bounded_after, first_used_at, first_transaction_id, last_used_at, last_transaction_id)
	SELECT s.* FROM moved m
	CROSS JOIN LATERAL (
		SELECT * FROM sync.destination_sums s WHERE s.account_id = m.account_id AND s.destination_key = m.destination_key OFFSET 0
	) AS s
	ON CONFLICT (account_id, destination_key) DO UPDATE SET
		uses = excluded.uses, completed_uses = excluded.completed_uses, completed_amount = excluded.completed_amount,
		unknown_amounts = excluded.unknown_amounts, missing_uses = excluded.missing_uses, unbounded_uses = excluded.unbounded_uses,
		bounded_after = excluded.bounded_after, first_used_at = excluded.first_used_at,
		first_transaction_id = excluded.first_transaction_id, last_used_at = excluded.last_used_at,
		last_transaction_id = excluded.last_transaction_id;
	RETURN NULL;
END
$$;
--> statement-breakpoint
COMMENT ON FUNCTION "sync"."sum_up_destinations"() IS 'Keeps sync.destination_totals with every change of custody.transactions.';
--> statement-breakpoint
CREATE TRIGGER "sum_up_added" AFTER INSERT ON "custody"."transactions"
	REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "sync"."sum_up_destinations"();
--> statement-breakpoint
CREATE TRIGGER "sum_up_changed" AFTER UPDATE ON "custody"."transactions"
	REFERENCING OLD TABLE AS was NEW TABLE AS became FOR EACH STATEMENT EXECUTE FUNCTION "sync"."sum_up_destinations"();
--> statement-breakpoint
CREATE VIEW "reporting"."fees_daily" AS
SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
	f.transactions, trim_scale(f.fee) AS fee, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
		count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
	FROM sync.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND r.total_fee_factor <> 0 AND s.fee <> 0
	GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."fees_daily" IS 'Fees the account paid, by day, asset of the fee, asset of the transaction and type, as they are known now: of transactions in a status that costs a fee by accounting_rules, on the day on which that status was first seen. As they were known before: fees_daily_at.';
COMMENT ON COLUMN "reporting"."fees_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."fees_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction. Sum by this one.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_id" IS 'Identifier of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."asset_name" IS 'Name of the asset of the transactions.';
COMMENT ON COLUMN "reporting"."fees_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."fees_daily"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."fees_daily"."transactions" IS 'Transactions that cost a fee.';
COMMENT ON COLUMN "reporting"."fees_daily"."fee" IS 'Sum of their fees, in units of fee_asset_id.';
COMMENT ON COLUMN "reporting"."fees_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- As reporting.fees_daily, from what was known at a moment. The rules of custody.fee_rules are those of today.
CREATE FUNCTION "reporting"."fees_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, fee_asset_id text, fee_asset_is_assumed boolean, asset_id text, asset_name text, network_id text,
	transaction_type text, transactions bigint, fee numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.fee_asset_id, f.fee_asset_is_assumed, f.asset_id, f.asset_name, f.network_id, f.transaction_type,
		f.transactions, trim_scale(f.fee), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, max(s.asset_name) AS asset_name, s.network_id, s.transaction_type,
			count(*) AS transactions, sum(s.fee) AS fee, count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND r.total_fee_factor <> 0 AND s.fee <> 0
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.fee_asset_id, s.fee_asset_is_assumed, s.asset_id, s.network_id, s.transaction_type
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."fees_daily_at"(timestamptz) IS 'fees_daily as it was known at a moment. In which asset a fee is paid is what custody.fee_rules says today.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."flows_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount) AS in_amount,
	f.withdrawals, trim_scale(f.out_amount) AS out_amount, trim_scale(f.in_amount - f.out_amount) AS net_amount, f.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) FILTER (WHERE r.direction = 'in') AS deposits,
		CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
		count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
		CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
		count(s.missing_since) AS missing
	FROM sync.settlements s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
		AND s.status = 'completed' AND r.direction IN ('in', 'out')
	GROUP BY s.asset_id, s.network_id
) AS f;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."flows_daily" IS 'What came in and went out, by day and asset, as it is known now: deposits and withdrawals that are completed, on the day on which each was first seen as completed. Fees are not included: see fees_daily. A day without flows has no row. What was reported for a day when it was over: flows_daily_at and late_corrections.';
COMMENT ON COLUMN "reporting"."flows_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- As reporting.flows_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."flows_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, asset_id text, asset_name text, network_id text, deposits bigint, in_amount numeric,
	withdrawals bigint, out_amount numeric, net_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, f.asset_id, f.asset_name, f.network_id, f.deposits, trim_scale(f.in_amount),
		f.withdrawals, trim_scale(f.out_amount), trim_scale(f.in_amount - f.out_amount), f.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) FILTER (WHERE r.direction = 'in') AS deposits,
			CASE WHEN bool_or(r.direction = 'in' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'in'), 0) END AS in_amount,
			count(*) FILTER (WHERE r.direction = 'out') AS withdrawals,
			CASE WHEN bool_or(r.direction = 'out' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE r.direction = 'out'), 0) END AS out_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.status = 'completed' AND r.direction IN ('in', 'out')
				AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.asset_id, s.network_id
	) AS f;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."flows_daily_at"(timestamptz) IS 'flows_daily as it was known at a moment, to be compared with flows_daily: what was reported for a day that is over comes back as it was.';
--> statement-breakpoint
-- A day's figures are those seen on it, so they are whole when it ends: what was known until then against what is known now. A row of
-- settlement_history that held at the end of the day and holds still is in both, and makes no difference.
CREATE VIEW "reporting"."late_corrections" AS
SELECT c.account_id, c.day, f.measure, f.transaction_type, f.asset_id, f.network_id,
	trim_scale(f.as_reported) AS as_reported, trim_scale(f.as_known_now) AS as_known_now,
	trim_scale(f.as_known_now - f.as_reported) AS difference, f.transactions, f.corrected_at, f.corrected_at - c.ends_at AS corrected_after
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT m.measure, s.transaction_type, m.asset_id, s.network_id,
		CASE WHEN bool_or(k.reported AND m.value IS NULL) THEN NULL ELSE coalesce(sum(m.value) FILTER (WHERE k.reported), 0) END
			AS as_reported,
		CASE WHEN bool_or(k.known_now AND m.value IS NULL) THEN NULL ELSE coalesce(sum(m.value) FILTER (WHERE k.known_now), 0) END
			AS as_known_now,
		count(DISTINCT s.transaction_id) FILTER (WHERE k.reported <> k.known_now) AS transactions,
		max(CASE WHEN k.reported THEN s.known_until ELSE s.known_from END) FILTER (WHERE k.reported <> k.known_now) AS corrected_at
	FROM reporting.settlement_history s
	JOIN reporting.accounting_rules r ON r.transaction_type = s.transaction_type AND r.status = s.status
	CROSS JOIN LATERAL (
		SELECT s.known_from < c.ends_at AND (s.known_until IS NULL OR s.known_until >= c.ends_at) AS reported,
			s.known_until IS NULL AS known_now
	) AS k
	CROSS JOIN LATERAL (
		SELECT 'in_amount' AS measure, s.asset_id, s.amount AS value WHERE s.status = 'completed' AND r.direction = 'in'
		UNION ALL
		SELECT 'out_amount', s.asset_id, s.amount WHERE s.status = 'completed' AND r.direction = 'out'
		UNION ALL
		SELECT 'fee', s.fee_asset_id, s.fee WHERE r.total_fee_factor <> 0 AND s.fee <> 0
		UNION ALL
		SELECT s.status, s.asset_id, 1
	) AS m
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at AND (k.reported OR k.known_now)
	GROUP BY m.measure, s.transaction_type, m.asset_id, s.network_id
) AS f
WHERE c.ends_at <= now() AND f.as_reported IS DISTINCT FROM f.as_known_now;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."late_corrections" IS 'What was reported for a day when it was over, against what is known of it now, where the two differ: one row per day, figure, type, asset and network. No late correction is silent.';
COMMENT ON COLUMN "reporting"."late_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."late_corrections"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE), on which the transactions count.';
COMMENT ON COLUMN "reporting"."late_corrections"."measure" IS 'Which figure: in_amount and out_amount of flows_daily, fee of fees_daily, or the number of completed, rejected, cancelled or failed of transaction_outcomes_daily.';
COMMENT ON COLUMN "reporting"."late_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."late_corrections"."asset_id" IS 'Identifier of the asset; for fee, that in which the fee is paid.';
COMMENT ON COLUMN "reporting"."late_corrections"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_reported" IS 'The figure at the end of the day; null where an amount was not known then.';
COMMENT ON COLUMN "reporting"."late_corrections"."as_known_now" IS 'The figure now; null where an amount is not known.';
COMMENT ON COLUMN "reporting"."late_corrections"."difference" IS 'as_known_now - as_reported; null where one of them is.';
COMMENT ON COLUMN "reporting"."late_corrections"."transactions" IS 'How many transactions the difference comes from: settlement_history shows each.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_at" IS 'When the last of the corrections was seen.';
COMMENT ON COLUMN "reporting"."late_corrections"."corrected_after" IS 'How long after the end of the day that was.';
--> statement-breakpoint
-- What an observed correction of an amount, a fee, a type or an asset did to the balances, in the status that the transaction was in: what
-- was posted before stays, and the difference is posted when it is seen. One row per asset that it touches.
CREATE VIEW "sync"."posted_corrections" AS
SELECT r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status,
	l.asset_id, max(l.asset_name) AS asset_name, n.network_id,
	CASE WHEN bool_or(l.inflow IS NULL) THEN NULL ELSE sum(l.inflow) END AS inflow,
	CASE WHEN bool_or(l.outflow IS NULL) THEN NULL ELSE sum(l.outflow) END AS outflow, sum(l.fee) AS fee,
	CASE WHEN bool_or(l.staked IS NULL) THEN NULL ELSE sum(l.staked) END AS staked_change,
	bool_or(l.fee_asset_is_assumed) AS fee_asset_is_assumed
FROM custody.transaction_revisions r
-- The last documented status before; a status that is seen with the correction is posted after it.
CROSS JOIN LATERAL (
	SELECT q.to_status, max(q.observed_after) OVER () AS observed_after FROM custody.transaction_status_history q
	WHERE q.account_id = r.account_id AND q.transaction_id = r.transaction_id AND q.observed_at < r.observed_at
		AND reporting.is_documented_status(q.to_status)
	ORDER BY q.sequence DESC LIMIT 1
) AS s
CROSS JOIN LATERAL (
	SELECT * FROM sync.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_from = r.observed_at OFFSET 0
) AS n
CROSS JOIN LATERAL (
	SELECT * FROM sync.transaction_contents c
	WHERE c.account_id = r.account_id AND c.transaction_id = r.transaction_id AND c.known_until = r.observed_at OFFSET 0
) AS o
CROSS JOIN LATERAL (
	SELECT f.sign, f.asset_id, f.asset_name, f.amount, coalesce(f.fee, 0) AS fee, u.*,
		coalesce(fx.asset_id, fa.asset_id, f.asset_id) AS fee_asset_id, fx.asset_id IS NULL AND fa.asset_id IS NULL AS is_assumed
	FROM (VALUES (1, n.transaction_type, n.asset_id, n.asset_name, n.network_id, n.amount, n.fee),
		(-1, o.transaction_type, o.asset_id, o.asset_name, o.network_id, o.amount, o.fee)
	) AS f (sign, transaction_type, asset_id, asset_name, network_id, amount, fee)
	JOIN reporting.accounting_rules u ON u.transaction_type = f.transaction_type AND u.status = s.to_status
	LEFT JOIN custody.fee_rules fx
		ON fx.account_id = r.account_id AND fx.network_id = f.network_id AND fx.transaction_type = f.transaction_type
	LEFT JOIN custody.fee_rules fa ON fa.account_id = r.account_id AND fa.network_id = f.network_id AND fa.transaction_type IS NULL
) AS p
-- What the correction left alone is no line: an amount that was never known is not made unknown once more.
CROSS JOIN LATERAL (
	SELECT p.asset_id, p.asset_name,
		CASE WHEN p.direction = 'in' AND p.total_amount_factor <> 0 THEN p.sign * p.total_amount_factor * p.amount ELSE 0 END AS inflow,
		CASE WHEN p.direction = 'out' AND p.total_amount_factor <> 0 THEN -p.sign * p.total_amount_factor * p.amount ELSE 0 END AS outflow,
		0 AS fee, CASE WHEN p.staked_amount_factor <> 0 THEN p.sign * p.staked_amount_factor * p.amount ELSE 0 END AS staked,
		NULL::boolean AS fee_asset_is_assumed
	WHERE (p.total_amount_factor <> 0 OR p.staked_amount_factor <> 0)
		AND (n.transaction_type, n.asset_id, n.amount) IS DISTINCT FROM (o.transaction_type, o.asset_id, o.amount)
	UNION ALL
	SELECT p.fee_asset_id, CASE WHEN p.fee_asset_id = p.asset_id THEN p.asset_name END, 0, 0, -p.sign * p.total_fee_factor * p.fee,
		CASE WHEN p.fee_asset_id = p.asset_id THEN p.sign * p.staked_fee_factor * p.fee ELSE 0 END, p.is_assumed
	WHERE p.total_fee_factor <> 0 AND (n.transaction_type, n.asset_id, n.network_id, n.fee)
		IS DISTINCT FROM (o.transaction_type, o.asset_id, o.network_id, o.fee)
) AS l
WHERE r.changed_fields && ARRAY['transaction_type', 'asset_id', 'network_id', 'amount', 'fee']
GROUP BY r.account_id, r.transaction_id, r.revision, s.observed_after, r.observed_at, n.transaction_type, s.to_status, l.asset_id, n.network_id
HAVING bool_or(l.inflow IS NULL OR l.outflow IS NULL OR l.staked IS NULL)
	OR sum(l.inflow) <> 0 OR sum(l.outflow) <> 0 OR sum(l.fee) <> 0 OR sum(l.staked) <> 0;
--> statement-breakpoint
COMMENT ON VIEW "sync"."posted_corrections" IS 'What each observed correction of a transaction did to the balances: the other part of reporting.postings, which tells what the columns mean.';
COMMENT ON COLUMN "sync"."posted_corrections"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."posted_corrections"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "sync"."posted_corrections"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "sync"."posted_corrections"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null where nothing is known.';
COMMENT ON COLUMN "sync"."posted_corrections"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "sync"."posted_corrections"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "sync"."posted_corrections"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "sync"."posted_corrections"."asset_id" IS 'Identifier of the asset that moved. A fee that is paid in another asset than that of the transaction is a row of its own.';
COMMENT ON COLUMN "sync"."posted_corrections"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "sync"."posted_corrections"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "sync"."posted_corrections"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "sync"."posted_corrections"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "sync"."posted_corrections"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "sync"."posted_corrections"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "sync"."posted_corrections"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: it is taken to be that of the transaction. Null for a correction that touches no fee.';
--> statement-breakpoint
-- What each observed change of a status did to the balances, with the amount and the fee as they were known then. A status that nobody
-- documented leaves the balances as the last documented one left them.
CREATE VIEW "sync"."posted_statuses" AS
SELECT h.account_id, h.transaction_id, h.sequence, h.observed_after, h.observed_at, v.transaction_type, h.from_status, h.to_status,
	l.asset_id, l.asset_name, v.network_id,
	CASE WHEN d.direction = 'in' THEN l.total ELSE 0 END AS inflow, CASE WHEN d.direction = 'out' THEN -l.total ELSE 0 END AS outflow,
	l.fee, l.staked AS staked_change, l.fee_asset_is_assumed
FROM custody.transaction_status_history h
JOIN custody.accounts a ON a.account_id = h.account_id
-- Looked up for each (hence OFFSET 0), as in the timeline.
CROSS JOIN LATERAL (
	SELECT * FROM sync.transaction_contents c
	WHERE c.account_id = h.account_id AND c.transaction_id = h.transaction_id
		AND c.known_from <= h.observed_at AND (c.known_until IS NULL OR c.known_until > h.observed_at) OFFSET 0
) AS v
CROSS JOIN LATERAL (
	SELECT CASE WHEN h.from_status IS NULL OR reporting.is_documented_status(h.from_status) THEN h.from_status ELSE (
		SELECT q.to_status FROM custody.transaction_status_history q
		WHERE q.account_id = h.account_id AND q.transaction_id = h.transaction_id AND q.sequence < h.sequence
			AND reporting.is_documented_status(q.to_status)
		ORDER BY q.sequence DESC LIMIT 1
	) END AS status_before
) AS b
LEFT JOIN reporting.accounting_rules before ON before.transaction_type = v.transaction_type AND before.status = b.status_before
LEFT JOIN reporting.accounting_rules after ON after.transaction_type = v.transaction_type
	AND after.status = CASE WHEN reporting.is_documented_status(h.to_status) THEN h.to_status ELSE b.status_before END
LEFT JOIN custody.fee_rules fx
	ON fx.account_id = h.account_id AND fx.network_id = v.network_id AND fx.transaction_type = v.transaction_type
LEFT JOIN custody.fee_rules fa ON fa.account_id = h.account_id AND fa.network_id = v.network_id AND fa.transaction_type IS NULL
CROSS JOIN LATERAL (
	SELECT coalesce(after.direction, before.direction) AS direction,
		coalesce(after.total_amount_factor, 0) - coalesce(before.total_amount_factor, 0) AS total_amount,
		coalesce(after.total_fee_factor, 0) - coalesce(before.total_fee_factor, 0) AS total_fee,
		coalesce(after.staked_amount_factor, 0) - coalesce(before.staked_amount_factor, 0) AS staked_amount,
		coalesce(after.staked_fee_factor, 0) - coalesce(before.staked_fee_factor, 0) AS staked_fee,
		fx.asset_id IS NULL AND fa.asset_id IS NULL AS is_assumed, coalesce(fx.asset_id, fa.asset_id, v.asset_id) AS fee_asset_id
) AS d
-- What does not move is 0 also where the amount is not known; what moves is unknown then.
CROSS JOIN LATERAL (
	SELECT CASE WHEN d.total_amount = 0 THEN 0 ELSE d.total_amount * v.amount END AS total,
		CASE WHEN d.staked_amount = 0 THEN 0 ELSE d.staked_amount * v.amount END AS staked,
		coalesce(v.fee, 0) AS fee, d.fee_asset_id IS NOT DISTINCT FROM v.asset_id AS in_same_asset
) AS m
-- A fee that is paid in another asset is a line of its own, and takes nothing of what was staked.
CROSS JOIN LATERAL (
	SELECT v.asset_id, v.asset_name, m.total, CASE WHEN m.in_same_asset THEN -d.total_fee * m.fee ELSE 0 END AS fee,
		m.staked + CASE WHEN m.in_same_asset THEN d.staked_fee * m.fee ELSE 0 END AS staked, d.is_assumed AS fee_asset_is_assumed
	UNION ALL
	SELECT d.fee_asset_id, NULL, 0, -d.total_fee * m.fee, 0, d.is_assumed
	WHERE NOT m.in_same_asset AND d.total_fee * m.fee <> 0
) AS l
-- What the first sweep found was there before; the first balances hold it already.
WHERE h.sequence > 1 OR h.observed_at > a.transactions_since;
--> statement-breakpoint
COMMENT ON VIEW "sync"."posted_statuses" IS 'What each observed change of a status did to the balances: one part of reporting.postings, which tells what the columns mean.';
COMMENT ON COLUMN "sync"."posted_statuses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "sync"."posted_statuses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "sync"."posted_statuses"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "sync"."posted_statuses"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null where nothing is known.';
COMMENT ON COLUMN "sync"."posted_statuses"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "sync"."posted_statuses"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "sync"."posted_statuses"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "sync"."posted_statuses"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "sync"."posted_statuses"."asset_id" IS 'Identifier of the asset that moved. A fee that is paid in another asset than that of the transaction is a row of its own.';
COMMENT ON COLUMN "sync"."posted_statuses"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "sync"."posted_statuses"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "sync"."posted_statuses"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "sync"."posted_statuses"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "sync"."posted_statuses"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "sync"."posted_statuses"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "sync"."posted_statuses"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: it is taken to be that of the transaction. Null for a correction that touches no fee.';
--> statement-breakpoint
CREATE VIEW "reporting"."open_transactions" AS
SELECT t.account_id, t.transaction_id, t.status, t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id,
	t.network_name, t.amount, t.fee, t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type, t.counterparty_id,
	t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note, t.first_seen_at, t.status_since,
	now() - t.status_since AS time_in_status, t.age, round(extract(epoch FROM t.age) / 3600, 2) AS age_hours,
	CASE
		WHEN t.age < interval '1 hour' THEN 'under 1 hour'
		WHEN t.age < interval '4 hours' THEN '1 to 4 hours'
		WHEN t.age < interval '24 hours' THEN '4 to 24 hours'
		WHEN t.age < interval '72 hours' THEN '1 to 3 days'
		WHEN t.age < interval '168 hours' THEN '3 to 7 days'
		ELSE 'over 7 days'
	END AS age_band,
	CASE
		WHEN t.age < interval '1 hour' THEN 1
		WHEN t.age < interval '4 hours' THEN 2
		WHEN t.age < interval '24 hours' THEN 3
		WHEN t.age < interval '72 hours' THEN 4
		WHEN t.age < interval '168 hours' THEN 5
		ELSE 6
	END AS age_band_order,
	t.is_older_than_mirror
FROM reporting.transactions t
WHERE t.is_open;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."open_transactions" IS 'Transactions that the service shows as not settled, one row each: what is on its way, and since when. What it no longer shows is in vanished_transactions.';
COMMENT ON COLUMN "reporting"."open_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."open_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."open_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."open_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."open_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."open_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."open_transactions"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves from.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_name" IS 'Name of the own vault: as the transaction tells it, else its present name.';
COMMENT ON COLUMN "reporting"."open_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_type" IS 'What stands on the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service tells none, as for external sources.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_name" IS 'Name of the other side: as the transaction tells it, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."open_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."open_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."open_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."open_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."open_transactions"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."open_transactions"."status_since" IS 'When the mirror first saw the present status; the change itself happened earlier, after the reading before.';
COMMENT ON COLUMN "reporting"."open_transactions"."time_in_status" IS 'Time since status_since.';
COMMENT ON COLUMN "reporting"."open_transactions"."age" IS 'Time since it was first seen.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_hours" IS 'The same in hours, rounded to hundredths.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band" IS 'The age in words: under 1 hour, 1 to 4 hours, 4 to 24 hours, 1 to 3 days, 3 to 7 days, over 7 days.';
COMMENT ON COLUMN "reporting"."open_transactions"."age_band_order" IS 'Number of the age band, for sorting.';
COMMENT ON COLUMN "reporting"."open_transactions"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
--> statement-breakpoint
CREATE OR REPLACE VIEW "reporting"."transaction_outcomes_daily" AS
SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
	o.settled, o.completed, o.rejected, o.cancelled, o.failed,
	round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6) AS unsuccessful_share,
	trim_scale(o.completed_amount) AS completed_amount, trim_scale(o.unsuccessful_amount) AS unsuccessful_amount, o.missing
FROM reporting.calendar c
CROSS JOIN LATERAL (
	SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
		count(*) AS settled,
		count(*) FILTER (WHERE s.status = 'completed') AS completed,
		count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
		count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
		count(*) FILTER (WHERE s.status = 'failed') AS failed,
		-- An amount that is not known makes the sum unknown, too.
		CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
		CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
			ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
		count(s.missing_since) AS missing
	FROM sync.settlements s
	WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
	GROUP BY s.transaction_type, s.asset_id, s.network_id
) AS o;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."transaction_outcomes_daily" IS 'How transactions ended, by day, type and asset, as it is known now: each counts once, on the day on which its present final status was first seen. What was in that status when the mirror began is left out. As it was known before: transaction_outcomes_daily_at.';
COMMENT ON COLUMN "reporting"."transaction_outcomes_daily"."missing" IS 'Of these, how many the service no longer shows.';
--> statement-breakpoint
-- As reporting.transaction_outcomes_daily, from what was known at a moment.
CREATE FUNCTION "reporting"."transaction_outcomes_daily_at"("as_known_at" timestamptz) RETURNS TABLE (
	account_id text, day date, transaction_type text, asset_id text, asset_name text, network_id text, settled bigint,
	completed bigint, rejected bigint, cancelled bigint, failed bigint, unsuccessful_share numeric, completed_amount numeric,
	unsuccessful_amount numeric, missing bigint
) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
	SELECT c.account_id, c.day, o.transaction_type, o.asset_id, o.asset_name, o.network_id,
		o.settled, o.completed, o.rejected, o.cancelled, o.failed,
		round((o.rejected + o.cancelled + o.failed)::numeric / o.settled, 6),
		trim_scale(o.completed_amount), trim_scale(o.unsuccessful_amount), o.missing
	FROM reporting.calendar c
	CROSS JOIN LATERAL (
		SELECT s.transaction_type, s.asset_id, max(s.asset_name) AS asset_name, s.network_id,
			count(*) AS settled,
			count(*) FILTER (WHERE s.status = 'completed') AS completed,
			count(*) FILTER (WHERE s.status = 'rejected') AS rejected,
			count(*) FILTER (WHERE s.status = 'cancelled') AS cancelled,
			count(*) FILTER (WHERE s.status = 'failed') AS failed,
			-- An amount that is not known makes the sum unknown, too.
			CASE WHEN bool_or(s.status = 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status = 'completed'), 0) END AS completed_amount,
			CASE WHEN bool_or(s.status <> 'completed' AND s.amount IS NULL) THEN NULL
				ELSE coalesce(sum(s.amount) FILTER (WHERE s.status <> 'completed'), 0) END AS unsuccessful_amount,
			count(s.missing_since) AS missing
		FROM reporting.settlement_history s
		WHERE s.account_id = c.account_id AND s.settled_at >= c.starts_at AND s.settled_at < c.ends_at
			AND s.known_from <= "as_known_at" AND (s.known_until IS NULL OR s.known_until > "as_known_at")
		GROUP BY s.transaction_type, s.asset_id, s.network_id
	) AS o;
END;
--> statement-breakpoint
COMMENT ON FUNCTION "reporting"."transaction_outcomes_daily_at"(timestamptz) IS 'transaction_outcomes_daily as it was known at a moment.';
--> statement-breakpoint
-- What the service showed once and no longer shows: neither open nor settled for all that anybody knows.
CREATE VIEW "reporting"."vanished_transactions" AS
SELECT t.account_id, t.transaction_id, t.missing_since, t.status, NOT reporting.is_settled(t.status) AS was_open,
	t.transaction_type, t.direction, t.asset_id, t.asset_name, t.network_id, t.network_name, t.amount, t.fee,
	t.fee_asset_id, t.fee_asset_is_assumed, t.vault_id, t.vault_name, t.vault_type, t.counterparty_type,
	t.counterparty_id, t.counterparty_name, t.counterparty_address, t.txn_hash, t.blockexplorer_link, t.note,
	t.first_seen_after, t.first_seen_at, t.status_since
FROM reporting.transactions t
WHERE t.missing_since IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."vanished_transactions" IS 'Transactions that the service no longer shows, one row each, as they were last seen: two verified sweeps in a row did not meet them, and their identifiers are unknown there.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."missing_since" IS 'Since when the service no longer shows it.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."was_open" IS 'It was not settled when it was last seen: nobody knows what became of it.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."direction" IS 'Seen from the account: in (deposit), out (withdraw), internal (between own vaults) or staking. For an undocumented type by source and destination, else unknown.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. It has no sign: see direction. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee" IS 'Fee, in units of fee_asset_id, exact. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_id" IS 'Asset in which the fee is paid: by custody.fee_rules, else taken to be that of the transaction.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: fee_asset_id is an assumption.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_id" IS 'The own vault: where an incoming transaction arrives, else the vault it leaves from; as the transaction tells it, also where vaults are not mirrored.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_name" IS 'Name of the own vault: as the transaction tells it, else its present name.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."vault_type" IS 'Type of the own vault, warm or cold; null when the vault is not in the mirror.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_type" IS 'What stands on the other side: vault, external, whitelist, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_id" IS 'Identifier of the other side; null when the service tells none, as for external sources.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_name" IS 'Name of the other side: as the transaction tells it, else the present name of the vault or whitelist entry.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."counterparty_address" IS 'Wallet address of the other side.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."txn_hash" IS 'Transaction hash on the blockchain.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."blockexplorer_link" IS 'Link to the transaction on a block explorer.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."note" IS 'Note of the transaction; may be empty.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_after" IS 'A moment at which it was certainly not there yet: it appeared between this and first_seen_at. Null where nothing is known, as for what was there when the mirror began.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."vanished_transactions"."status_since" IS 'When the mirror first saw the present status; the change itself happened earlier, after the reading before.';
--> statement-breakpoint
-- A withdrawal was made between two readings of the transactions; it is whitelisted, or not, where that is certain for all of that time.
CREATE VIEW "reporting"."destination_uses" AS
SELECT t.account_id, t.transaction_id, t.first_seen_after, t.first_seen_at, t.status, t.status = 'completed' AS is_completed,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount, w.is_whitelisted,
	CASE
		WHEN w.is_whitelisted THEN 'listed'
		WHEN NOT w.is_whitelisted AND l.listed_elsewhere @> u.used THEN 'listed for another asset or network'
		WHEN NOT w.is_whitelisted THEN 'not listed'
		WHEN l.first_read_at IS NULL AND d.error_code = 'ERR-02' THEN 'unknown: the key may not read the whitelist'
		WHEN l.first_read_at IS NULL THEN 'unknown: the whitelist was never read'
		WHEN l.listed_unclear @> u.used THEN 'unknown: the asset or network is not told'
		WHEN t.first_seen_after IS NULL OR t.first_seen_after < l.first_read_at
			THEN 'unknown: before the whitelist was first read'
		WHEN t.first_seen_at > l.last_read_after THEN 'unknown: the whitelist was not read since'
		ELSE 'unknown: the whitelist changed between two readings'
	END AS whitelist_reason,
	l.listed @> k.before_at AS whitelisted_before, k.before_at AS known_before_at,
	l.listed @> k.after_at AS whitelisted_after, k.after_at AS known_after_at,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.accounts a
LEFT JOIN LATERAL (
	SELECT r.error_code FROM sync.runs r
	WHERE r.account_id = a.account_id AND r.job = 'whitelist' AND r.status <> 'running'
	ORDER BY r.started_at DESC LIMIT 1
) AS d ON true
JOIN custody.transactions t ON t.account_id = a.account_id AND t.transaction_type = 'withdraw'
JOIN sync.destination_listings l ON l.account_id = t.account_id AND l.destination_key = custody.destination_key(
	t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id)
CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN l.listed @> u.used THEN true WHEN l.unlisted @> u.used THEN false END AS is_whitelisted
) AS w
CROSS JOIN LATERAL (
	SELECT CASE WHEN t.first_seen_after IS NOT NULL
			THEN upper((l.listed + l.unlisted) * tstzmultirange(tstzrange(NULL, t.first_seen_after, '[]'))) END AS before_at,
		lower((l.listed + l.unlisted) * tstzmultirange(tstzrange(t.first_seen_at, NULL, '[]'))) AS after_at
) AS k;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destination_uses" IS 'Withdrawals, one row each, with whether the whitelist held their destination when they were made, as far as the readings of both prove it.';
COMMENT ON COLUMN "reporting"."destination_uses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destination_uses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_after" IS 'A moment at which it was certainly not there yet: it was made between this and first_seen_at. Null where nothing is known, as for what was there when the mirror began.';
COMMENT ON COLUMN "reporting"."destination_uses"."first_seen_at" IS 'When the mirror first saw it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destination_uses"."status" IS 'Last observed status: pending, processing, confirming, completed, rejected, cancelled or failed. Any other text is what the service sent.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_completed" IS 'The status is completed.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_type" IS 'Where it went: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_id" IS 'Identifier of the destination; that of the whitelist entry where destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_name" IS 'Name of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destination_uses"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."destination_uses"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destination_uses"."amount" IS 'Amount, in units of the asset, exact, without padding zeros. Null when the service sent none.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_whitelisted" IS 'Whether the whitelist held the entry or the address, for this asset and network where the entry names them, at every moment at which the withdrawal can have been made. Null where that is not known: see whitelist_reason. Never count null as good.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelist_reason" IS 'Why is_whitelisted is what it is: listed; not listed; listed for another asset or network; or unknown, and why.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_before" IS 'Whether it was whitelisted at known_before_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_before_at" IS 'The last moment before the withdrawal can have been made at which that is certain; null where there is none.';
COMMENT ON COLUMN "reporting"."destination_uses"."whitelisted_after" IS 'Whether it was whitelisted at known_after_at.';
COMMENT ON COLUMN "reporting"."destination_uses"."known_after_at" IS 'The first moment after it was made at which that is certain; null where there is none yet.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."destination_uses"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
--> statement-breakpoint
-- Most destinations were either listed or not whenever they were used: then the sums tell. The withdrawals to the others are read one
-- by one, by index.
CREATE VIEW "reporting"."destinations" AS
SELECT s.account_id, l.destination_type, l.destination_id, l.destination_name, l.destination_address,
	l.asset_id, l.asset_name, l.network_id, s.uses, s.completed_uses,
	CASE WHEN s.unknown_amounts = 0 THEN trim_scale(s.completed_amount) END AS completed_amount, s.missing_uses,
	CASE WHEN l.first_read_at IS NOT NULL THEN c.off_whitelist END AS off_whitelist_uses,
	CASE WHEN l.first_read_at IS NULL THEN s.uses ELSE c.unknown END AS unknown_whitelist_uses,
	s.first_used_at, s.first_transaction_id, s.last_used_at, s.last_transaction_id,
	CASE WHEN l.listed @> f.used THEN true WHEN l.unlisted @> f.used THEN false END AS whitelisted_at_first_use,
	l.listed_now AS whitelisted_now
FROM sync.destination_totals s
JOIN sync.destination_listings l ON l.account_id = s.account_id AND l.destination_key = s.destination_key
CROSS JOIN LATERAL (
	SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used FROM custody.transactions t
	WHERE t.account_id = s.account_id AND t.transaction_id = s.first_transaction_id OFFSET 0
) AS f
CROSS JOIN LATERAL (
	SELECT s.uses - s.unbounded_uses AS bounded, tstzrange(s.bounded_after, s.last_used_at, '[]') AS used
) AS u
CROSS JOIN LATERAL (
	SELECT CASE WHEN u.bounded = 0 OR l.listed @> u.used THEN 0 WHEN l.unlisted @> u.used THEN u.bounded END AS off_whitelist
) AS k
CROSS JOIN LATERAL (
	SELECT k.off_whitelist, s.unbounded_uses AS unknown WHERE k.off_whitelist IS NOT NULL
	UNION ALL
	SELECT count(*) FILTER (WHERE l.unlisted @> w.used), count(*) FILTER (WHERE NOT (l.listed @> w.used OR l.unlisted @> w.used))
	FROM custody.transactions t
	CROSS JOIN LATERAL (SELECT tstzrange(t.first_seen_after, t.first_seen_at, '[]') AS used) AS w
	WHERE t.account_id = s.account_id AND t.transaction_type = 'withdraw' AND custody.destination_key(
			t.destination_type, t.destination_id, t.destination_address, t.asset_id, t.network_id) = s.destination_key
		AND k.off_whitelist IS NULL
	HAVING k.off_whitelist IS NULL
) AS c;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."destinations" IS 'Who was paid: withdrawals summed up by destination and asset, always as of now. A withdrawal counts as used when the mirror first saw it, whatever became of it.';
COMMENT ON COLUMN "reporting"."destinations"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destinations"."destination_type" IS 'What it is: whitelist, vault, network, stake pool or validator.';
COMMENT ON COLUMN "reporting"."destinations"."destination_id" IS 'Identifier of the destination; that of the whitelist entry where destination_type is whitelist.';
COMMENT ON COLUMN "reporting"."destinations"."destination_name" IS 'Name of the destination, as the last withdrawal to it tells it.';
COMMENT ON COLUMN "reporting"."destinations"."destination_address" IS 'Wallet address of the destination.';
COMMENT ON COLUMN "reporting"."destinations"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."destinations"."asset_name" IS 'Name of the asset, as the last withdrawal tells it.';
COMMENT ON COLUMN "reporting"."destinations"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."destinations"."uses" IS 'Withdrawals to it, of whatever status.';
COMMENT ON COLUMN "reporting"."destinations"."completed_uses" IS 'Of these, completed.';
COMMENT ON COLUMN "reporting"."destinations"."completed_amount" IS 'Sum of the amounts of those completed, in units of the asset, exact. Null when the service sent no amount for one of them.';
COMMENT ON COLUMN "reporting"."destinations"."missing_uses" IS 'How many of the withdrawals the service no longer shows.';
COMMENT ON COLUMN "reporting"."destinations"."off_whitelist_uses" IS 'Withdrawals that were certainly made while the whitelist held neither the entry nor the address for this asset and network. Null when the whitelist was never read. Those of which it is not known are in unknown_whitelist_uses.';
COMMENT ON COLUMN "reporting"."destinations"."unknown_whitelist_uses" IS 'Withdrawals of which nobody knows whether the whitelist held their destination: destination_uses tells why, for each.';
COMMENT ON COLUMN "reporting"."destinations"."first_used_at" IS 'When the mirror first saw the first withdrawal to it. The service tells no time of creation: what was there before the mirror began has the time of the first sweep.';
COMMENT ON COLUMN "reporting"."destinations"."first_transaction_id" IS 'The first withdrawal to it; of several first seen at the same moment, the least identifier.';
COMMENT ON COLUMN "reporting"."destinations"."last_used_at" IS 'When the mirror first saw the last withdrawal to it.';
COMMENT ON COLUMN "reporting"."destinations"."last_transaction_id" IS 'The last withdrawal to it; of several first seen at the same moment, the greatest identifier.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_at_first_use" IS 'Whether the whitelist held it when the first withdrawal was made; null where that is not known.';
COMMENT ON COLUMN "reporting"."destinations"."whitelisted_now" IS 'Whether the last reading of the whitelist showed it; null when the whitelist was never read.';
--> statement-breakpoint
-- What was observed, and what it did to the balances: the lines that the reconciliation is made of. None of them ever changes.
CREATE VIEW "reporting"."postings" AS
SELECT p.account_id, p.transaction_id, p.kind, p.sequence, p.revision, p.observed_after, p.observed_at, p.transaction_type,
	p.from_status, p.to_status, p.asset_id, p.asset_name, p.network_id, trim_scale(p.inflow) AS inflow, trim_scale(p.outflow) AS outflow,
	trim_scale(p.fee) AS fee, trim_scale(p.inflow - p.outflow - p.fee) AS total_change, trim_scale(p.staked_change) AS staked_change,
	p.fee_asset_is_assumed
FROM (
	SELECT account_id, transaction_id, 'status' AS kind, sequence, NULL::integer AS revision, observed_after, observed_at,
		transaction_type, from_status, to_status, asset_id, asset_name, network_id, inflow, outflow, fee, staked_change,
		fee_asset_is_assumed
	FROM sync.posted_statuses
	UNION ALL
	SELECT account_id, transaction_id, 'correction', NULL, revision, observed_after, observed_at, transaction_type, to_status, to_status,
		asset_id, asset_name, network_id, inflow, outflow, fee, staked_change, fee_asset_is_assumed
	FROM sync.posted_corrections
) AS p;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."postings" IS 'What each observed change of a transaction did to the total balance of an asset, by the rules of accounting_rules: one row per change and asset. Amounts and fees are those known at observed_at; when they are corrected, the difference is a row of its own, and what was posted stays. What was known at a moment are the rows observed until then. What was there when the mirror began is not posted: the first balances hold it.';
COMMENT ON COLUMN "reporting"."postings"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."postings"."transaction_id" IS 'Identifier the custody service gave the transaction.';
COMMENT ON COLUMN "reporting"."postings"."kind" IS 'status: the transaction was first seen, or changed its status. correction: its amount, fee, type or asset changed.';
COMMENT ON COLUMN "reporting"."postings"."sequence" IS 'Number of the observed status within the transaction; 1 is the first sighting. Null for a correction.';
COMMENT ON COLUMN "reporting"."postings"."revision" IS 'Number of the observed correction among the revisions of the transaction; null for a change of status.';
COMMENT ON COLUMN "reporting"."postings"."observed_after" IS 'A moment at which the change had certainly not happened yet: it happened between this and observed_at. Null where nothing is known.';
COMMENT ON COLUMN "reporting"."postings"."observed_at" IS 'When the change was first seen.';
COMMENT ON COLUMN "reporting"."postings"."transaction_type" IS 'Kind of transaction: deposit, withdraw, rebalance, stake, unstake, claim or change pool.';
COMMENT ON COLUMN "reporting"."postings"."from_status" IS 'Status before; null at the first sighting.';
COMMENT ON COLUMN "reporting"."postings"."to_status" IS 'Status after; for a correction, the last documented one.';
COMMENT ON COLUMN "reporting"."postings"."asset_id" IS 'Identifier of the asset that moved. A fee that is paid in another asset than that of the transaction is a row of its own.';
COMMENT ON COLUMN "reporting"."postings"."asset_name" IS 'Name of the asset; null for a fee in another asset.';
COMMENT ON COLUMN "reporting"."postings"."network_id" IS 'Identifier of the blockchain network of the transaction; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."postings"."inflow" IS 'What came into the account; negative when an incoming amount that was counted did not arrive after all. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."outflow" IS 'What left the account, without the fee. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."fee" IS 'Fee taken from the total; 0 where the service told none.';
COMMENT ON COLUMN "reporting"."postings"."total_change" IS 'Change of the total balance: inflow - outflow - fee. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."staked_change" IS 'Change of staking_balance and claimable_balance together. Null where the amount is not known.';
COMMENT ON COLUMN "reporting"."postings"."fee_asset_is_assumed" IS 'No rule of custody.fee_rules says in which asset the fee is paid: it is taken to be that of the transaction. Null for a correction that touches no fee.';
--> statement-breakpoint
-- Staked and claimable balances also grow by rewards, for which there is no transaction.
CREATE VIEW "reporting"."reconciliation_daily" AS
SELECT c.account_id, c.day, f.asset_id, f.asset_name,
	o.snapshot_at AS opening_observed_at, trim_scale(f.opening_total) AS opening_balance,
	trim_scale(f.inflow) AS inflow, trim_scale(f.outflow) AS outflow, trim_scale(f.fee) AS fees,
	trim_scale(f.staking_rewards) AS staking_rewards,
	trim_scale(f.opening_total + f.inflow - f.outflow - f.fee + f.staking_rewards) AS expected_balance,
	trim_scale(f.closing_total) AS closing_balance, e.snapshot_at AS closing_observed_at,
	trim_scale(f.closing_total - (f.opening_total + f.inflow - f.outflow - f.fee + f.staking_rewards)) AS unexplained_difference,
	f.closing_total = f.opening_total + f.inflow - f.outflow - f.fee + f.staking_rewards AS is_explained,
	coalesce(o.snapshot_at >= a.transactions_since, false) AS is_comparable
FROM reporting.calendar c
JOIN custody.accounts a ON a.account_id = c.account_id
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at >= c.starts_at AND s.snapshot_at < c.ends_at
) AS e
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = 'all' AND s.snapshot_at < c.starts_at
) AS o
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name,
		-- An asset that is not listed holds nothing; one that is listed without a figure is unknown.
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'opening' AND q.total IS NULL)
			THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'opening'), 0) END AS opening_total,
		CASE WHEN NOT bool_or(q.part = 'closing' AND q.total IS NULL)
			THEN coalesce(sum(q.total) FILTER (WHERE q.part = 'closing'), 0) END AS closing_total,
		-- Without an opening there is no span of time to post to; a posting of an amount that is not known is unknown.
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.inflow IS NULL)
			THEN coalesce(sum(q.inflow), 0) END AS inflow,
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.outflow IS NULL)
			THEN coalesce(sum(q.outflow), 0) END AS outflow,
		CASE WHEN o.snapshot_at IS NOT NULL THEN coalesce(sum(q.fee), 0) END AS fee,
		-- A part that is told by one of the two observations alone is unknown in the other.
		CASE WHEN o.snapshot_at IS NOT NULL AND NOT bool_or(q.part = 'posting' AND q.staked_change IS NULL)
				AND count(q.staking) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
				AND count(q.claimable) IN (0, count(*) FILTER (WHERE q.part <> 'posting'))
			THEN coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'closing'), 0)
				- coalesce(sum(coalesce(q.staking, 0) + coalesce(q.claimable, 0)) FILTER (WHERE q.part = 'opening'), 0)
				- coalesce(sum(q.staked_change), 0) END AS staking_rewards
	FROM (
		SELECT 'opening' AS part, b.asset_id, b.asset_name, b.total_balance AS total,
			b.staking_balance AS staking, b.claimable_balance AS claimable, NULL::numeric AS staked_change,
			NULL::numeric AS inflow, NULL::numeric AS outflow, NULL::numeric AS fee
		FROM custody.balances b
		WHERE b.account_id = c.account_id AND b.vault_type = 'all' AND tstzrange(b.valid_from, b.valid_to) @> o.snapshot_at
		UNION ALL
		SELECT 'closing', b.asset_id, b.asset_name, b.total_balance, b.staking_balance, b.claimable_balance, NULL, NULL, NULL, NULL
		FROM custody.balances b
		WHERE b.account_id = c.account_id AND b.vault_type = 'all' AND tstzrange(b.valid_from, b.valid_to) @> e.snapshot_at
		UNION ALL
		SELECT 'posting', p.asset_id, p.asset_name, NULL, NULL, NULL, p.staked_change, p.inflow, p.outflow, p.fee
		FROM reporting.postings p
		WHERE p.account_id = c.account_id AND p.observed_at > o.snapshot_at AND p.observed_at <= e.snapshot_at
	) AS q
	GROUP BY q.asset_id
) AS f
WHERE e.snapshot_at IS NOT NULL;
--> statement-breakpoint
COMMENT ON VIEW "reporting"."reconciliation_daily" IS 'Do the flows explain the balances? Per asset and day: the balance observed last before the day, what transactions did until the last observation of the day, and the balance observed then. Flows are taken between the two observations, not from midnight to midnight. A difference that is undone on the next day is a matter of timing: balances and transactions are not read at the same moment.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_observed_at" IS 'When the opening balance was observed; null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."opening_balance" IS 'Total balance of all vaults then; 0 when the asset was not listed.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."inflow" IS 'What came in, by accounting_rules: deposits that are on their way count already, as they do in the balance. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."outflow" IS 'What went out, without fees. Null on the first day, and where an amount is not known.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."fees" IS 'Fees taken from the balance. Null on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."staking_rewards" IS 'Growth of staked and claimable balances that no transaction explains. Negative: a loss. Null on the first day, and where it is not known, as when one of the two observations alone told a staked part.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."expected_balance" IS 'opening_balance + inflow - outflow - fees + staking_rewards; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_balance" IS 'Total balance of all vaults observed last on the day; 0 when the asset is not listed.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."closing_observed_at" IS 'When that was.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."unexplained_difference" IS 'closing_balance - expected_balance; null where one of them is.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_explained" IS 'The difference is 0. Null where it is not known, as on the first day.';
COMMENT ON COLUMN "reporting"."reconciliation_daily"."is_comparable" IS 'The transactions were completely mirrored before the opening observation. Where false, transactions may be missing from the flows.';
--> statement-breakpoint
DO $$
DECLARE
	kept record;
BEGIN
	FOR kept IN
		SELECT k."grant" FROM drizzle.kept_grants k
		WHERE CASE k.kind WHEN 'TABLE' THEN to_regclass(k.name) IS NOT NULL ELSE to_regprocedure(k.name) IS NOT NULL END
	LOOP
		EXECUTE kept."grant";
	END LOOP;
	DROP TABLE drizzle.kept_grants;
END
$$;
--> statement-breakpoint
DROP TABLE "custody"."destination_totals";
