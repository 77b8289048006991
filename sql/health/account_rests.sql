-- Until when each account rests or rested: problems that only say that it is not mirrored do not count until then, and ages count
-- from then.
CREATE VIEW "internal"."account_rests" AS
SELECT r.account_id, max(coalesce(r.ended_at, 'infinity')) AS until, bool_or(r.ended_at IS NULL) AS is_retired
FROM sync.retirements r GROUP BY r.account_id;

COMMENT ON VIEW "internal"."account_rests" IS 'The end of the last retirement of each account.';
COMMENT ON COLUMN "internal"."account_rests"."until" IS 'When it ended; infinity while the account is retired.';
COMMENT ON COLUMN "internal"."account_rests"."is_retired" IS 'Whether the account is retired.';
