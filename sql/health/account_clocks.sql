-- The current time by the account's clock, which runs ahead of the database's after that was set back. Rows are dated by it, so
-- ages are too. The two times of a lease are read some microseconds apart.
CREATE VIEW "internal"."account_clocks" AS
SELECT a.account_id, now() + coalesce(date_trunc('milliseconds', l.account_time - l.database_time), interval '0') AS now
FROM custody.accounts a LEFT JOIN sync.leases l USING (account_id);

COMMENT ON VIEW "internal"."account_clocks" IS 'The current time by the clock of each account.';
COMMENT ON COLUMN "internal"."account_clocks"."now" IS 'The database''s time, plus however far the account''s clock is ahead of it.';
