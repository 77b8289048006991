-- Balances for reports: every snapshot, each day, each change, and whether transactions explain them.
CREATE VIEW "reporting"."balance_snapshots" AS
SELECT s.account_id, s.vault_type, s.snapshot_at, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.total_balance) AS total_balance, trim_scale(b.available_balance) AS available_balance,
	trim_scale(b.processing_balance) AS processing_balance, trim_scale(b.staking_balance) AS staking_balance,
	trim_scale(b.claimable_balance) AS claimable_balance, b.valid_from AS unchanged_since
FROM custody.accounts a
JOIN custody.balance_snapshots s ON s.account_id = a.account_id
-- Said twice: as a range for its index, and as bounds for a search from the balance to its snapshots.
JOIN custody.balances b ON b.account_id = s.account_id AND b.vault_type = s.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> s.snapshot_at
	AND s.snapshot_at >= b.valid_from AND s.snapshot_at < coalesce(b.valid_to, 'infinity');

COMMENT ON VIEW "reporting"."balance_snapshots" IS 'Every complete observation of the balances as full rows, but for old ones where they are thinned. It is large: always name a time, and an asset or vault type where you can. A moment without rows was not observed, which is not zero.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."snapshot_at" IS 'When the observation was made; one value for the three vault types of one tick.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."balance_snapshots"."unchanged_since" IS 'First snapshot that showed these values.';
