// The keys of the read API. A key may read several accounts or all of them, so that it belongs to the mirror
// and not to an account: this is the one table of `sync` whose primary key does not begin with account_id.
import { sql } from 'drizzle-orm';
import { check, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { moment, sync } from './schemas.ts';

/** What a key may ask for, least first. `src/http/access/gate.ts` names the paths. */
export const keyScopes = ['metrics', 'balances', 'custody', 'read'] as const;

export const apiKeys = sync.table(
  'api_keys',
  {
    keyPrefix: text('key_prefix').primaryKey(),
    name: text('name').notNull(),
    digest: text('digest').notNull(),
    accounts: text('accounts').array(),
    scope: text('scope').notNull(),
    networks: text('networks').array(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at'),
    lastUsedAt: moment('last_used_at'),
    revokedAt: moment('revoked_at'),
  },
  (table) => [
    uniqueIndex('api_keys_digest_idx').on(table.digest),
    // A name may be given again once its key is revoked.
    uniqueIndex('api_keys_name_idx').on(table.name).where(sql`${table.revokedAt} is null`),
    check('api_keys_digest_is_sha256', sql`${table.digest} ~ '^[0-9a-f]{64}$'`),
    check('api_keys_accounts_named', sql`cardinality(${table.accounts}) > 0`),
    check(
      'api_keys_scope_known',
      sql`${table.scope} in (${sql.raw(keyScopes.map((scope) => `'${scope}'`).join(', '))})`,
    ),
    check('api_keys_networks_named', sql`cardinality(${table.networks}) > 0`),
  ],
);
