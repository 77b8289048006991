CREATE VIEW "reporting"."balances_current" AS
SELECT a.account_id, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	b.total_balance, b.available_balance, b.processing_balance, b.staking_balance, b.claimable_balance,
	b.unchanged_since, l.snapshot_at AS observed_at, now() - l.snapshot_at AS age,
	b.is_known, b.last_known_at, l.asked_at, l.answered_at
FROM custody.accounts a
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
CROSS JOIN LATERAL (
	SELECT s.snapshot_at, s.asked_at, s.answered_at FROM custody.balance_snapshots s
	WHERE s.account_id = a.account_id AND s.vault_type = v.vault_type
	ORDER BY s.snapshot_at DESC LIMIT 1
) AS l
CROSS JOIN LATERAL reporting.balances_shown(a.account_id, v.vault_type, l.snapshot_at) AS b;

COMMENT ON VIEW "reporting"."balances_current" IS 'The balances last observed, one row per asset and vault type. Where is_known is false, the record could not be read and the figures are null: the balance is unknown, not zero.';
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
COMMENT ON COLUMN "reporting"."balances_current"."observed_at" IS 'When the observation of these figures was made.';
COMMENT ON COLUMN "reporting"."balances_current"."age" IS 'How long ago that was.';
COMMENT ON COLUMN "reporting"."balances_current"."is_known" IS 'False: the record of the balance could not be read, and its figures are null because they are unknown, not zero. True: it could be read; a figure that is null was not sent by the service.';
COMMENT ON COLUMN "reporting"."balances_current"."last_known_at" IS 'For an unknown balance: the last earlier observation (its snapshot_at) that showed the balance, or showed that it did not exist; null when there is none. Null for a known balance.';
COMMENT ON COLUMN "reporting"."balances_current"."asked_at" IS 'When the first request of the observation began: each figure is of some moment between asked_at and answered_at.';
COMMENT ON COLUMN "reporting"."balances_current"."answered_at" IS 'When the last answer of the observation had arrived.';
