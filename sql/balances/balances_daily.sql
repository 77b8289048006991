CREATE VIEW "reporting"."balances_daily" AS
SELECT c.account_id, c.day, v.vault_type, b.asset_id, b.asset_name, b.network_id, b.network_name,
	trim_scale(b.total_balance) AS total_balance, trim_scale(b.available_balance) AS available_balance,
	trim_scale(b.processing_balance) AS processing_balance, trim_scale(b.staking_balance) AS staking_balance,
	trim_scale(b.claimable_balance) AS claimable_balance,
	b.valid_from AS unchanged_since, l.snapshot_at AS observed_at, least(c.ends_at, now()) - l.snapshot_at AS age
FROM reporting.calendar c
CROSS JOIN (VALUES ('all'), ('warm'), ('cold')) AS v (vault_type)
CROSS JOIN LATERAL (
	SELECT max(s.snapshot_at) AS snapshot_at FROM custody.balance_snapshots s
	WHERE s.account_id = c.account_id AND s.vault_type = v.vault_type AND s.snapshot_at >= c.starts_at AND s.snapshot_at < c.ends_at
) AS l
JOIN custody.balances b ON b.account_id = c.account_id AND b.vault_type = v.vault_type
	AND tstzrange(b.valid_from, b.valid_to) @> l.snapshot_at;

COMMENT ON VIEW "reporting"."balances_daily" IS 'The last observed balances of each day. A day on which nothing was observed has no rows; one on which nothing changed has.';
COMMENT ON COLUMN "reporting"."balances_daily"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "reporting"."balances_daily"."day" IS 'Calendar day in the time zone of the account (SCHEDULE_TIMEZONE).';
COMMENT ON COLUMN "reporting"."balances_daily"."vault_type" IS 'What the figures cover: all vaults, warm vaults or cold vaults. Do not add them: all holds the other two.';
COMMENT ON COLUMN "reporting"."balances_daily"."asset_id" IS 'Identifier of the asset, such as its symbol. An asset on a second network has an identifier of its own.';
COMMENT ON COLUMN "reporting"."balances_daily"."asset_name" IS 'Name of the asset.';
COMMENT ON COLUMN "reporting"."balances_daily"."network_id" IS 'Identifier of the blockchain network; empty or null when the service names none.';
COMMENT ON COLUMN "reporting"."balances_daily"."network_name" IS 'Name of the blockchain network.';
COMMENT ON COLUMN "reporting"."balances_daily"."total_balance" IS 'Total balance, in units of the asset, exact, without padding zeros.';
COMMENT ON COLUMN "reporting"."balances_daily"."available_balance" IS 'Part that is available.';
COMMENT ON COLUMN "reporting"."balances_daily"."processing_balance" IS 'Part that is being processed in a transaction.';
COMMENT ON COLUMN "reporting"."balances_daily"."staking_balance" IS 'Part that is staked.';
COMMENT ON COLUMN "reporting"."balances_daily"."claimable_balance" IS 'Part that can be claimed from staking.';
COMMENT ON COLUMN "reporting"."balances_daily"."unchanged_since" IS 'First snapshot that showed these values.';
COMMENT ON COLUMN "reporting"."balances_daily"."observed_at" IS 'When the observation was made from which the figures are.';
COMMENT ON COLUMN "reporting"."balances_daily"."age" IS 'How long before the end of the day (today: before now) that was.';
