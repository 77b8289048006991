-- For readers, who cannot read internal.erasures.
CREATE VIEW "reporting"."half_erased_accounts" AS
SELECT e.account_id, e.started_at FROM internal.erasures e WHERE e.finished_at IS NULL;

COMMENT ON VIEW "reporting"."half_erased_accounts" IS 'The accounts of which `account erase` has erased a part only: what is left of them is no whole account.';
COMMENT ON COLUMN "reporting"."half_erased_accounts"."started_at" IS 'When the command first ran, by the database''s clock.';
