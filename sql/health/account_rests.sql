-- Until when each account rests or rested: problems that only say that it is not mirrored do not count until then, and ages count
-- from then.
CREATE VIEW "internal"."account_rests" AS
SELECT p.account_id, max(least(p.ended_at, p.paused_until)) AS until, bool_or(p.paused_until = 'infinity' AND p.ended_at IS NULL) AS is_retired
FROM sync.pauses p GROUP BY p.account_id;

COMMENT ON VIEW "internal"."account_rests" IS 'The end of the last pause of each account.';
COMMENT ON COLUMN "internal"."account_rests"."until" IS 'When it ends or ended; infinity if the account is retired.';
COMMENT ON COLUMN "internal"."account_rests"."is_retired" IS 'Whether the account is retired.';
