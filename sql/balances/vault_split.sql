CREATE VIEW "reporting"."vault_split" AS
SELECT l.account_id, l.snapshot_at AS observed_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.warm_total) AS warm_total, trim_scale(b.cold_total) AS cold_total, trim_scale(b.all_total) AS all_total,
	trim_scale(b.all_total - b.warm_total - b.cold_total) AS difference,
	b.all_total = b.warm_total + b.cold_total AS agrees,
	round(b.cold_total / nullif(b.warm_total + b.cold_total, 0), 6) AS cold_share
FROM (
	-- The last tick at which all three were observed: figures of different moments are not held against each other.
	SELECT a.account_id, max(s.snapshot_at) AS snapshot_at
	FROM custody.accounts a
	CROSS JOIN LATERAL (
		SELECT s.snapshot_at FROM custody.balance_snapshots s
		JOIN custody.balance_snapshots w ON w.account_id = s.account_id AND w.vault_type = 'warm' AND w.snapshot_at = s.snapshot_at
		JOIN custody.balance_snapshots c ON c.account_id = s.account_id AND c.vault_type = 'cold' AND c.snapshot_at = s.snapshot_at
		WHERE s.account_id = a.account_id AND s.vault_type = 'all'
		ORDER BY s.snapshot_at DESC LIMIT 1
	) AS s
	GROUP BY a.account_id
) AS l
CROSS JOIN LATERAL (
	SELECT q.asset_id, max(q.asset_name) AS asset_name, q.network_id, max(q.network_name) AS network_name,
		-- An asset that is not listed there is none there; one that is listed without a figure is unknown.
		CASE WHEN bool_or(q.vault_type = 'warm' AND q.total_balance IS NULL) THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'warm'), 0) END AS warm_total,
		CASE WHEN bool_or(q.vault_type = 'cold' AND q.total_balance IS NULL) THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'cold'), 0) END AS cold_total,
		CASE WHEN bool_or(q.vault_type = 'all' AND q.total_balance IS NULL) THEN NULL
			ELSE coalesce(sum(q.total_balance) FILTER (WHERE q.vault_type = 'all'), 0) END AS all_total
	FROM custody.balances q
	WHERE q.account_id = l.account_id AND tstzrange(q.valid_from, q.valid_to) @> l.snapshot_at
	GROUP BY q.asset_id, q.network_id
) AS b;

COMMENT ON VIEW "reporting"."vault_split" IS 'Warm and cold balances side by side, from the last tick at which all, warm and cold were all observed. The three are separate answers, a moment apart.';
COMMENT ON COLUMN "reporting"."vault_split"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."vault_split"."observed_at" IS 'When the observation was made from which the figures are.';
COMMENT ON COLUMN "reporting"."vault_split"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."vault_split"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."vault_split"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."vault_split"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."vault_split"."warm_total" IS 'Total balance of the warm vaults; 0 when the asset is not listed there.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_total" IS 'Total balance of the cold vaults; 0 when the asset is not listed there.';
COMMENT ON COLUMN "reporting"."vault_split"."all_total" IS 'Total balance of all vaults as the service tells it.';
COMMENT ON COLUMN "reporting"."vault_split"."difference" IS 'all_total - warm_total - cold_total.';
COMMENT ON COLUMN "reporting"."vault_split"."agrees" IS 'The difference is 0.';
COMMENT ON COLUMN "reporting"."vault_split"."cold_share" IS 'Share of the cold vaults: 0 to 1.';
