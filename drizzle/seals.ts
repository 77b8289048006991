// The sealed history of an account: the tiles of its Merkle tree and the checkpoints that were signed. Each
// row of these is written under the account's fence.
import { bigint, index, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, internal, moment, sync } from './schemas.ts';

const number = (name: string) => bigint(name, { mode: 'number' }).notNull();

export const sealTiles = internal.table(
  'seal_tiles',
  {
    accountId: text('account_id').notNull(),
    level: integer('level').notNull(),
    tile: number('tile'),
    hashes: bytes('hashes').notNull(),
    // Of level 0 alone.
    entries: bytes('entries'),
    lastChangeId: bigint('last_change_id', { mode: 'number' }),
  },
  (table) => [primaryKey({ name: 'seal_tiles_pkey', columns: [table.accountId, table.level, table.tile] })],
);

export const sealVerifications = sync.table(
  'seal_verifications',
  {
    accountId: text('account_id').notNull(),
    verifiedAt: moment('verified_at').notNull(),
    treeSize: number('tree_size'),
    finding: text('finding'),
  },
  (table) => [primaryKey({ name: 'seal_verifications_pkey', columns: [table.accountId] })],
);

/** That nothing is sealed any more, and why. */
export const sealStops = sync.table(
  'seal_stops',
  {
    accountId: text('account_id').notNull(),
    stoppedAt: moment('stopped_at').notNull(),
    reason: text('reason').notNull(),
  },
  (table) => [primaryKey({ name: 'seal_stops_pkey', columns: [table.accountId] })],
);

export const sealCheckpoints = sync.table(
  'seal_checkpoints',
  {
    accountId: text('account_id').notNull(),
    treeSize: number('tree_size'),
    lastChangeId: number('last_change_id'),
    note: text('note').notNull(),
    signedAt: moment('signed_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'seal_checkpoints_pkey', columns: [table.accountId, table.treeSize] }),
    // For the checkpoint that sealed a row.
    index('seal_checkpoints_change_idx').on(table.accountId, table.lastChangeId),
  ],
);
