// The log of an account in the database: its tiles and signed checkpoints (internal.seal_tiles,
// sync.seal_checkpoints). Read with what is given to ask; written in a fenced transaction alone.
import { sql } from 'drizzle-orm';
import { MirrorError } from '../domain/errors.ts';
import type { FencedTx } from '../store/run/fence.ts';
import type { Hash } from './encoding.ts';
import { bundle, type Leaf, unbundle } from './entry.ts';
import { type Checkpoint, readCheckpoint } from './note.ts';
import type { Ask } from './queries.ts';
import { partialTiles, type ReadTile } from './tree.ts';

export interface StoredCheckpoint extends Checkpoint {
  readonly note: string;
  readonly lastChangeId: number;
  /** ISO 8601 in UTC, by the database's clock. */
  readonly signedAt: string;
}

export interface Tile {
  readonly hashes: readonly Hash[];
  /** Empty above level 0. */
  readonly entries: readonly Buffer[];
}

const hashBytes = 32;

type CheckpointRow = Record<'tree_size' | 'last_change_id' | 'note' | 'signed_at', string>;

/** Checkpoints by size: the first ones from a size on, or the last one. */
export async function readCheckpoints(
  ask: Ask,
  account: string,
  which: { readonly from: number; readonly count: number } | 'last',
): Promise<readonly StoredCheckpoint[]> {
  const [after, order] =
    which === 'last'
      ? [sql``, sql`order by c.tree_size desc limit 1`]
      : [
          sql` and c.tree_size >= ${which.from}`,
          sql`order by c.tree_size limit ${sql.raw(String(which.count))}`,
        ];
  const rows = await ask<CheckpointRow>(
    'seal.checkpoints',
    sql`
      select c.tree_size::text, c.last_change_id::text, c.note,
        to_char(c.signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as signed_at
      from sync.seal_checkpoints c where c.account_id = ${account}${after} ${order}`,
  );
  return rows.map(({ note, tree_size, last_change_id, signed_at }) => {
    const checkpoint = readCheckpoint(note);
    if (checkpoint === null || checkpoint.size !== Number(tree_size))
      throw new MirrorError(
        'SEAL-FORK',
        `the checkpoint of ${tree_size} rows in sync.seal_checkpoints was changed: its note does not say so many. ${advice}`,
      );
    return { ...checkpoint, note, lastChangeId: Number(last_change_id), signedAt: signed_at };
  });
}

/** What to do about a log that does not go on from what was signed. */
export const advice =
  'Nothing more is sealed. Keep the database and the checkpoints as they are, run `custody-mirror verify`, and see docs/audit.md#when-sealing-stops';

/** A tile; null where it is missing, or is no tile. */
export async function readTile(ask: Ask, account: string, level: number, tile: number): Promise<Tile | null> {
  const [row] = await ask<{ hashes: string; entries: string | null }>(
    'seal.tile',
    sql`select encode(t.hashes, 'hex') as hashes, encode(t.entries, 'hex') as entries from internal.seal_tiles t
      where t.account_id = ${account} and t.level = ${level} and t.tile = ${tile}`,
  );
  if (row === undefined) return null;
  const bytes = Buffer.from(row.hashes, 'hex').toString('latin1');
  const hashes = Array.from({ length: bytes.length / hashBytes }, (_, n) =>
    bytes.slice(n * hashBytes, (n + 1) * hashBytes),
  );
  try {
    const entries = unbundle(Buffer.from(row.entries ?? '', 'hex'));
    return entries.length === (level === 0 ? hashes.length : 0) ? { hashes, entries } : null;
  } catch {
    return null;
  }
}

/** Reads tiles one after the other; the last one of each level is kept. */
export type Tiles = (level: number, tile: number) => Promise<Tile | null>;

export function createTiles(ask: Ask, account: string): Tiles {
  const kept = new Map<number, { readonly tile: number; readonly read: Promise<Tile | null> }>();
  return async (level, tile) => {
    if (kept.get(level)?.tile !== tile) kept.set(level, { tile, read: readTile(ask, account, level, tile) });
    return (await kept.get(level)?.read) ?? null;
  };
}

/** Reads the hashes of tiles that must be there. */
export function createTileReader(ask: Ask, account: string): ReadTile {
  const tiles = createTiles(ask, account);
  return async (level, tile) => {
    const found = await tiles(level, tile);
    if (found !== null) return found.hashes;
    throw new MirrorError(
      'SEAL-FORK',
      `tile ${tile} of level ${level} in internal.seal_tiles is missing or damaged. ${advice}`,
    );
  };
}

/** The stored tiles are not those of the checkpoint. */
export function damaged({ size }: StoredCheckpoint): MirrorError {
  return new MirrorError(
    'SEAL-FORK',
    `the tiles in internal.seal_tiles do not give the hash of the last checkpoint, of ${size} rows: they were changed. ${advice}`,
  );
}

/** The first tile of level 0 that goes up to the number of a row, by its own number; null where none does. */
export async function findLeafTile(ask: Ask, account: string, changeId: number): Promise<number | null> {
  const [row] = await ask<{ tile: string }>(
    'seal.find-tile',
    sql`select t.tile::text from internal.seal_tiles t
      where t.account_id = ${account} and t.level = 0 and t.last_change_id >= ${changeId} order by t.tile limit 1`,
  );
  return row === undefined ? null : Number(row.tile);
}

/** The tiles of a tree that are not full, by level. */
export async function readEdges(ask: Ask, account: string, size: number) {
  const edges = [];
  for (const { level, tile, width } of partialTiles(size)) {
    const { hashes = [], entries = [] } = (await readTile(ask, account, level, tile)) ?? {};
    edges.push({ level, tile, hashes: hashes.slice(0, width), entries: entries.slice(0, width) });
  }
  return edges;
}

/** A tile that is written, with what stood in it before. */
export interface TileToWrite {
  readonly level: number;
  readonly tile: number;
  readonly hashes: readonly Hash[];
  readonly entries: readonly Buffer[];
  readonly lastChangeId: number | null;
}

export function writeTile(tx: FencedTx, { level, tile, hashes, entries, lastChangeId }: TileToWrite): void {
  const hashesBytes = Buffer.from(hashes.join(''), 'latin1');
  const entriesBytes = level === 0 ? bundle(entries) : null;
  tx.send(
    'seal.write-tile',
    () => sql`
      insert into internal.seal_tiles (account_id, level, tile, hashes, entries, last_change_id)
      values (${tx.lease.account}, ${level}, ${tile}, ${hashesBytes}, ${entriesBytes}, ${lastChangeId})
      on conflict (account_id, level, tile) do update
        set hashes = excluded.hashes, entries = excluded.entries, last_change_id = excluded.last_change_id`,
  );
}

export function writeCheckpoint(
  tx: FencedTx,
  size: number,
  note: string,
  last: Pick<Leaf, 'changeId'>,
): void {
  tx.send(
    'seal.write-checkpoint',
    () => sql`
      insert into sync.seal_checkpoints (account_id, tree_size, last_change_id, note, signed_at)
      values (${tx.lease.account}, ${size}, ${last.changeId}, ${note}, clock_timestamp())`,
  );
}
