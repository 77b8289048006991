-- An account or a whitelist that is found empty once may be a fault: only a verified run says that there is nothing.
CREATE VIEW "reporting"."destination_uses" AS
WITH entry AS MATERIALIZED (SELECT account_id, value, listed FROM internal.whitelist_periods WHERE kind = 'entry'),
address AS MATERIALIZED (SELECT account_id, value, listed FROM internal.whitelist_periods WHERE kind = 'address'),
observed AS MATERIALIZED (
	SELECT a.account_id,
		EXISTS (SELECT FROM custody.document_revisions r WHERE r.account_id = a.account_id AND r.kind = 'whitelist_entry')
			OR EXISTS (SELECT FROM sync.runs r WHERE r.account_id = a.account_id AND r.job = 'whitelist' AND r.verified)
			AS whitelist
	FROM custody.accounts a
)
SELECT t.account_id, t.transaction_id, t.first_seen_at, t.status, t.status = 'completed' AS is_completed,
	t.destination_type, t.destination_id, t.destination_name, t.destination_address,
	t.asset_id, t.asset_name, t.network_id, trim_scale(t.amount) AS amount,
	CASE WHEN o.whitelist_observed
		THEN coalesce(e.listed @> t.first_seen_at, false) OR coalesce(d.listed @> t.first_seen_at, false) END AS is_whitelisted,
	coalesce(t.first_seen_at <= a.transactions_since, true) AS is_older_than_mirror,
	t.missing_since
FROM custody.accounts a
CROSS JOIN LATERAL (SELECT (SELECT b.whitelist FROM observed b WHERE b.account_id = a.account_id) AS whitelist_observed) AS o
JOIN custody.transactions t ON t.account_id = a.account_id AND t.transaction_type = 'withdraw'
LEFT JOIN entry e ON e.account_id = t.account_id AND e.value = t.destination_id AND t.destination_type = 'whitelist'
LEFT JOIN address d ON d.account_id = t.account_id AND d.value = t.destination_address;

COMMENT ON VIEW "reporting"."destination_uses" IS 'Withdrawals, one row each, with whether the whitelist held their destination when they were first seen.';
COMMENT ON COLUMN "reporting"."destination_uses"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."destination_uses"."transaction_id" IS 'Identifier the custody service gave the transaction.';
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
COMMENT ON COLUMN "reporting"."destination_uses"."is_whitelisted" IS 'Whether the whitelist held the entry or the address when the withdrawal was first seen. What was listed at the first observation of the whitelist counts as listed since ever. Null when the whitelist was never observed.';
COMMENT ON COLUMN "reporting"."destination_uses"."is_older_than_mirror" IS 'It was there when the mirror began, so that its beginning is not known.';
COMMENT ON COLUMN "reporting"."destination_uses"."missing_since" IS 'Since when the service no longer shows it; null while it does.';
