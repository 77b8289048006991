-- The present by the clock of an account: where that runs ahead of the database's clock, ages count by it, since rows are dated by it.
CREATE VIEW "internal"."account_clocks" AS
SELECT a.account_id, now() + greatest(interval '0', l.account_time - l.database_time) AS now
FROM custody.accounts a LEFT JOIN sync.leases l USING (account_id);

COMMENT ON VIEW "internal"."account_clocks" IS 'The present by the clock of each account.';
COMMENT ON COLUMN "internal"."account_clocks"."now" IS 'That moment; the database''s, unless the account''s clock is ahead.';
