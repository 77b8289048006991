CREATE VIEW "reporting"."balances_current" AS
SELECT b.account_id, b.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.total_balance) AS total_balance, trim_scale(b.available_balance) AS available_balance,
	trim_scale(b.processing_balance) AS processing_balance, trim_scale(b.staking_balance) AS staking_balance,
	trim_scale(b.claimable_balance) AS claimable_balance,
	b.valid_from AS unchanged_since, l.snapshot_at AS observed_at, now() - l.snapshot_at AS age
FROM custody.balances b
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = b.account_id AND s.vault_type = b.vault_type
) AS l
WHERE b.valid_to IS NULL;

COMMENT ON VIEW "reporting"."balances_current" IS 'The balances last observed, one row per asset and vault type.';
COMMENT ON COLUMN "reporting"."balances_current"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balances_current"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balances_current"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balances_current"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balances_current"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balances_current"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balances_current"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balances_current"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "reporting"."balances_current"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balances_current"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "reporting"."balances_current"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."balances_current"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balances_current"."observed_at" IS 'When the observation was made from which the figures are.';
COMMENT ON COLUMN "reporting"."balances_current"."age" IS 'How long ago that was.';
