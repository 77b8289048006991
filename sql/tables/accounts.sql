COMMENT ON TABLE "custody"."accounts" IS 'Accounts of the custody service that are mirrored, one row each.';
COMMENT ON COLUMN "custody"."accounts"."account_id" IS 'Name of the mirrored account, as configured in CUSTODY_ACCOUNT.';
COMMENT ON COLUMN "custody"."accounts"."base_url" IS 'Base address of the custody service this account is read from. The same name with another address is refused.';
COMMENT ON COLUMN "custody"."accounts"."first_seen_at" IS 'When the account was mirrored for the first time.';
COMMENT ON COLUMN "custody"."accounts"."time_zone" IS 'Time zone (IANA name) in which the days of reports begin, as configured in SCHEDULE_TIMEZONE of the process that last started.';
COMMENT ON COLUMN "custody"."accounts"."transactions_since" IS 'When the first sweep of transactions that read the whole list had ended: what was first seen later is new, what was first seen before may be of any age. A list that is found empty counts once a second sweep found the same. Null until then; never moved.';
