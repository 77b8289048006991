-- The present by the clock of an account, which is ahead of the database's after that was set back: rows are dated by it, so ages
-- count by it. The two times of a lease are two readings, some microseconds apart.
CREATE VIEW "internal"."account_clocks" AS
SELECT a.account_id, now() + coalesce(date_trunc('milliseconds', l.account_time - l.database_time), interval '0') AS now
FROM custody.accounts a LEFT JOIN sync.leases l USING (account_id);

COMMENT ON VIEW "internal"."account_clocks" IS 'The present by the clock of each account.';
COMMENT ON COLUMN "internal"."account_clocks"."now" IS 'That moment: the database''s, and later by as much as the account''s clock is ahead of it.';
