// The log of an account in the database: its tiles and signed checkpoints (internal.seal_tiles,
// sync.seal_checkpoints). Read by the statements passed in; written only in a fenced transaction.
import { sql } from 'drizzle-orm';
import { sealCheckpoints, sealTiles } from '../../drizzle/seals.ts';
import { type Bytes, type Hash, toBuffer } from '../base/encoded-values.ts';
import { MirrorError } from '../domain/errors.ts';
import type { FencedTx } from '../store/run/leases.ts';
import { excludedColumns } from '../store/values/bulk-rows.ts';
import { type Checkpoint, isSignedBy, readCheckpoint, type Verifier } from './note.ts';
import type { Reads } from './reading.ts';
import type { Leaf } from './rows.ts';
import { bundle, readEntry, unbundle } from './rows.ts';
import { countAt, createTree, hashOfLeaf, proveInclusion, tileWidth } from './tree.ts';

export interface StoredCheckpoint extends Checkpoint {
  /** Empty if the note was changed and is no longer a checkpoint of so many rows. */
  readonly note: string;
  readonly lastChangeId: number;
  /** ISO 8601 in UTC, by the database's clock. */
  readonly signedAt: string;
}

export interface Tile {
  readonly hashes: readonly Hash[];
  /** Empty above level 0. */
  readonly entries: readonly Bytes[];
}

/** Reads a tile; null where it is missing, or is not a tile. The last one of each level is kept. */
export type Tiles = (level: number, tile: number) => Promise<Tile | null>;

export interface Log extends Reads {
  readonly account: string;
  readonly tiles: Tiles;
}

export function openLog({ ask, copy }: Reads, account: string): Log {
  const kept = new Map<number, { readonly tile: number; readonly read: Promise<Tile | null> }>();
  const tiles: Tiles = async (level, tile) => {
    if (kept.get(level)?.tile !== tile) kept.set(level, { tile, read: readTile(ask, account, level, tile) });
    return (await kept.get(level)?.read) ?? null;
  };
  return { ask, copy, account, tiles };
}

/** The log does not continue what was signed. */
export function fork(what: string): MirrorError {
  return new MirrorError(
    'SEAL-FORK',
    `${what}. Nothing more is sealed. Keep the database and the checkpoints as they are: docs/audit.md#when-sealing-stops says what to do`,
  );
}

/** The stored tiles are not those of the checkpoint. */
export function damaged({ size }: StoredCheckpoint): MirrorError {
  return fork(
    `the tiles in internal.seal_tiles do not give the hash of the last checkpoint, of ${size} rows: they were changed`,
  );
}

export function nothingSealed({ account }: Log): MirrorError {
  return new MirrorError(
    'CONFIGURATION',
    `CUSTODY_ACCOUNT: nothing of account "${account}" is sealed, or there is no such account`,
  );
}

export interface CheckpointSeen extends Checkpoint {
  /** When it was signed, as the database has it; null where the file alone has the checkpoint. */
  readonly signedAt: string | null;
  /** Whether it is signed by one of the keys. */
  readonly isSigned: boolean;
  /** Whether it comes from the file. */
  readonly isFiled?: boolean;
}

type CheckpointRow = Record<'tree_size' | 'last_change_id' | 'note' | 'signed_at', string>;

/** Checkpoints by size: the first ones from a size on, or the last one. */
export async function readCheckpoints({ ask, account }: Log, which: number | 'last') {
  const chosen =
    which === 'last'
      ? sql`order by c.tree_size desc limit 1`
      : sql`and c.tree_size >= ${which} order by c.tree_size limit 1000`;
  const rows = await ask<CheckpointRow>(
    'seal.checkpoints',
    sql`
      select c.tree_size::text, c.last_change_id::text, coalesce(c.note, '') as note,
        to_char(c.signed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as signed_at
      from sync.seal_checkpoints c where c.account_id = ${account} ${chosen}`,
  );
  return rows.map(({ note, tree_size, last_change_id, signed_at }): StoredCheckpoint => {
    const size = Number(tree_size);
    const read = readCheckpoint(note);
    const checkpoint = read?.size === size ? { ...read, note } : { origin: '', size, root: '', note: '' };
    return { ...checkpoint, lastChangeId: Number(last_change_id), signedAt: signed_at };
  });
}

async function readTile(
  ask: Reads['ask'],
  account: string,
  level: number,
  tile: number,
): Promise<Tile | null> {
  const [row] = await ask<{ hashes: string; entries: string }>(
    'seal.tile',
    sql`select encode(coalesce(t.hashes, ''), 'hex') as hashes, encode(coalesce(t.entries, ''), 'hex') as entries from internal.seal_tiles t
      where t.account_id = ${account} and t.level = ${level} and t.tile = ${tile}`,
  );
  if (row === undefined) return null;
  const hashes = Buffer.from(row.hashes, 'hex').toString('latin1').match(/.{32}/gs) ?? [];
  const entries = unbundle(Buffer.from(row.entries, 'hex').toString('latin1'));
  return entries?.length === (level === 0 ? hashes.length : 0) ? { hashes, entries } : null;
}

/** An entry as it was sealed; null where it is not stored. */
export async function entryAt(tiles: Tiles, index: number): Promise<Bytes | null> {
  return (await tiles(0, Math.floor(index / tileWidth)))?.entries[index % tileWidth] ?? null;
}

/** The tree of so many leaves, and the partial tiles at its right edge, by level, which grow with it. */
export async function readTree({ tiles }: Log, size: number) {
  const levels: Hash[][] = [];
  const entries: Bytes[] = [];
  for (let level = 0; countAt(level, size) > 0; level += 1) {
    const width = countAt(level, size) % tileWidth;
    const tile = await tiles(level, countAt(level + 1, size));
    levels.push(tile?.hashes.slice(0, width) ?? []);
    entries.push(...(tile?.entries.slice(0, width) ?? []));
  }
  const tree = createTree(levels, (level, hash) => {
    levels[level] ??= [];
    levels[level].push(hash);
  });
  return { tree, levels, entries };
}

/** Writes the tiles that change when the leaves are added to the tree of that size. */
export function appendLeaves(
  tx: FencedTx,
  size: number,
  { tree, levels, entries }: Awaited<ReturnType<typeof readTree>>,
  leaves: readonly Leaf[],
): void {
  for (const { hash, entry } of leaves) {
    tree.append(hash);
    entries.push(entry);
  }
  const rows = levels.flatMap((hashes, level) => {
    const first = countAt(level + 1, size);
    const isChanged = countAt(level, tree.size()) > countAt(level, size);
    return Array.from({ length: isChanged ? Math.ceil(hashes.length / tileWidth) : 0 }, (_, n) => {
      const [from, to] = [n * tileWidth, (n + 1) * tileWidth];
      const last = leaves[Math.min((first + n + 1) * tileWidth - size, leaves.length) - 1];
      return {
        accountId: tx.lease.account,
        level,
        tile: first + n,
        hashes: toBuffer(hashes.slice(from, to).join('')),
        entries: level === 0 ? toBuffer(bundle(entries.slice(from, to))) : null,
        lastChangeId: level === 0 ? (last?.changeId ?? null) : null,
      };
    });
  });
  tx.send('seal.write-tiles', (db) =>
    db
      .insert(sealTiles)
      .values(rows)
      .onConflictDoUpdate({
        target: [sealTiles.accountId, sealTiles.level, sealTiles.tile],
        set: excludedColumns(sealTiles, ['accountId', 'level', 'tile']),
      }),
  );
}

export function writeCheckpoint(tx: FencedTx, treeSize: number, note: string, lastChangeId: number): void {
  const signedAt = sql`clock_timestamp()`;
  tx.send('seal.write-checkpoint', (db) =>
    db
      .insert(sealCheckpoints)
      .values({ accountId: tx.lease.account, treeSize, lastChangeId, note, signedAt }),
  );
}

/** Whether the last entry of the log, which alone is signed, has the number from which sealing continues. */
export async function isEnd(
  { tiles }: Log,
  { size, root, lastChangeId }: StoredCheckpoint,
): Promise<boolean> {
  const entry = (await entryAt(tiles, size - 1)) ?? '';
  const proved = await proveInclusion(hashOfLeaf(entry), size - 1, size, tiles);
  return proved.root === root && readEntry(entry).changeId === lastChangeId;
}

/**
 * Checkpoints of the database, by size.
 *
 * @param isAlone whether nothing else names the log
 */
export async function* storedCheckpoints(
  verifiers: readonly Verifier[],
  log: Log,
  isAlone: boolean,
): AsyncGenerator<StoredCheckpoint & CheckpointSeen> {
  for (let from = 0; ; ) {
    const page = await readCheckpoints(log, from);
    // A checkpoint of another log among those of this one was changed.
    const of = page.find(({ origin }) => verifiers.some(({ name }) => name === origin)) ?? page[0];
    if (isAlone && from === 0 && of !== undefined)
      refuseOtherLog(verifiers, of.origin, 'the log of this account');
    for (const checkpoint of page) yield { ...checkpoint, isSigned: isSignedBy(verifiers, checkpoint.note) };
    const end = page.at(-1);
    if (end === undefined) return;
    from = end.size + 1;
  }
}

export function refuseOtherLog(verifiers: readonly Verifier[], origin: string, of: string): void {
  const names = verifiers.map(({ name }) => name);
  if (!names.includes(origin))
    throw new MirrorError(
      'CONFIGURATION',
      `--key (SEAL_KEY_FILE, SEAL_VERIFIER_KEYS): ${of} is of ${origin}, and the key of ${names.join(', ')}; give the key of that log`,
    );
}
