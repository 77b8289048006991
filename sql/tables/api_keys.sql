COMMENT ON TABLE "sync"."api_keys" IS 'Keys of the read API, made and revoked by custody-mirror key. A key may read several accounts, so that the table belongs to no account. As soon as it has a row, revoked or not, nobody reads pages and API without a key or the token.';
COMMENT ON COLUMN "sync"."api_keys"."key_prefix" IS 'The first part of the key, by which people and logs name it. It is no secret.';
COMMENT ON COLUMN "sync"."api_keys"."name" IS 'The name given to the key. Two keys that are not revoked never have the same.';
COMMENT ON COLUMN "sync"."api_keys"."digest" IS 'SHA-256 of the key, in hexadecimal. The key itself is not stored anywhere.';
COMMENT ON COLUMN "sync"."api_keys"."accounts" IS 'The accounts that the key may read; null for all, also those to come.';
COMMENT ON COLUMN "sync"."api_keys"."created_at" IS 'When it was made.';
COMMENT ON COLUMN "sync"."api_keys"."expires_at" IS 'From when on it is refused; null for never.';
COMMENT ON COLUMN "sync"."api_keys"."last_used_at" IS 'When it last opened the API, exact to about a minute; null before the first time.';
COMMENT ON COLUMN "sync"."api_keys"."revoked_at" IS 'When it was revoked; null while it is not.';
