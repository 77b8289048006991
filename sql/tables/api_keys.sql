COMMENT ON TABLE "sync"."api_keys" IS 'Keys of the read API, created and revoked by custody-mirror key. A key may read several accounts, so the table belongs to no account. Once it has a row, revoked or not, pages and API require a key or the token.';
COMMENT ON COLUMN "sync"."api_keys"."key_prefix" IS 'First part of the key, which identifies it to people and in logs. It is not secret.';
COMMENT ON COLUMN "sync"."api_keys"."name" IS 'Name given to the key; unique among keys that are not revoked.';
COMMENT ON COLUMN "sync"."api_keys"."digest" IS 'SHA-256 of the key, in hexadecimal. The key itself is not stored anywhere.';
COMMENT ON COLUMN "sync"."api_keys"."accounts" IS 'Accounts that the key may read; null for all, including future ones.';
COMMENT ON COLUMN "sync"."api_keys"."created_at" IS 'When it was created.';
COMMENT ON COLUMN "sync"."api_keys"."expires_at" IS 'When it expires; null for never.';
COMMENT ON COLUMN "sync"."api_keys"."last_used_at" IS 'When it was last used, accurate to about a minute; null before its first use.';
COMMENT ON COLUMN "sync"."api_keys"."revoked_at" IS 'When it was revoked; null if it is not.';
