// Seals what was added to the history: under the account's fence and in parts, each with its tiles and a
// signed checkpoint in one transaction. Invariant: a tree is signed only if it goes on from the last one
// that was.
import type { SealConfig } from '../base/config/config.ts';
import type { Logger } from '../base/logger.ts';
import { MirrorError } from '../domain/errors.ts';
import type { Database } from '../store/postgres/database.ts';
import { type FencedTx, withFence } from '../store/run/fence.ts';
import type { Lease } from '../store/run/leases.ts';
import { appendMissing, unsigned } from './checkpoints-file.ts';
import type { Hash } from './encoding.ts';
import type { Leaf } from './entry.ts';
import {
  advice,
  damaged,
  readCheckpoints,
  readEdges,
  type StoredCheckpoint,
  type TileToWrite,
  writeCheckpoint,
  writeTile,
} from './log.ts';
import { readSigner, type Signer } from './note.ts';
import { type Ask, readBatchEnd } from './queries.ts';
import { readItems } from './rows.ts';
import { createTree, tileWidth } from './tree.ts';

export interface SealOptions {
  readonly database: Database;
  readonly lease: Lease;
  readonly signer: Signer;
  /** Where checkpoints are appended; null for the log output alone. */
  readonly checkpointsFile: string | null;
  readonly logger: Logger;
  /** Ends the work between two parts. */
  readonly signal: AbortSignal;
  /** Told how many rows were sealed so far. */
  readonly onSealed?: (rows: number) => void;
  /** The most rows that are sealed in one transaction. */
  readonly atOnce?: number;
}

/** So few that other writers wait only a moment. */
const rowsAtOnce = 2_048;

/**
 * The key that was configured; null for none.
 *
 * @throws MirrorError `CONFIGURATION` when it is no key that `seal init` made
 */
export function signerOf({ key }: SealConfig): Signer | null {
  if (key === null) return null;
  const signer = readSigner(key.reveal());
  if (signer !== null) return signer;
  throw new MirrorError('CONFIGURATION', 'SEAL_KEY: is no private key of Ed25519 as `seal init` makes it');
}

/**
 * Seals every row that is not sealed yet.
 *
 * @returns how many there were
 * @throws MirrorError `SEAL-FORK` when the log does not go on from what was signed; `SEAL-REFUSED` when key
 * is of another log or the file of checkpoints cannot be used; those of the fence
 */
export async function sealHistory(options: SealOptions): Promise<number> {
  const { database, lease, signer, checkpointsFile, logger, signal, atOnce = rowsAtOnce } = options;
  const ask = askOne(database);
  const append = async () =>
    checkpointsFile === null ? null : await appendMissing(checkpointsFile, ask, lease.account, signer);
  let filed = await append();
  const isVouched = (note: string | null) =>
    checkpointsFile === null ? note === null || signer.isOwn(note) : note === filed;
  let sealed = 0;
  for (;;) {
    signal.throwIfAborted();
    const [last] = await readCheckpoints(ask, lease.account, 'last');
    const after = last?.lastChangeId ?? 0;
    if ((await readBatchEnd(ask, lease.account, after, 1)) === null) return sealed;
    const part = await withFence(database, lease, 'seal', (tx) => sealPart(tx, signer, isVouched, atOnce));
    filed = await append();
    sealed += part.count;
    options.onSealed?.(sealed);
    const { account } = lease;
    logger.info({ account, rows: part.count, sealed: part.size, checkpoint: part.note }, 'history sealed');
  }
}

/** Statements in transactions of their own. */
export function askOne(database: Database): Ask {
  return (label, statement, hint) =>
    database.transact(label, (tx) => tx.ask(label, statement, hint), { readOnly: true });
}

/** @param isVouched whether the note may be the last one; null for an empty log */
async function sealPart(
  tx: FencedTx,
  signer: Signer,
  isVouched: (note: string | null) => boolean,
  atOnce: number,
) {
  const { account } = tx.lease;
  const [last] = await readCheckpoints(tx.ask, account, 'last');
  const size = last?.size ?? 0;
  const edges = await readEdges(tx.ask, account, size);
  const tiles = createTileCollector(size, edges);
  const tree = createTree({ size, edges }, tiles.hash);
  if (last !== undefined) refuseOtherLog(last, signer, tree.root());
  if (!isVouched(last?.note ?? null)) throw unsigned(size);
  const after = last?.lastChangeId ?? 0;
  const upTo = (await readBatchEnd(tx.ask, account, after, atOnce)) ?? after;
  let leaf: Leaf | undefined;
  for await (const items of readItems(tx.ask, { account, after, upTo }))
    for (const item of items) {
      if (item.table === null)
        throw new MirrorError(
          'SEAL-FORK',
          `row ${item.changeId} was thinned before it was sealed. ${advice}`,
        );
      leaf = item;
      tiles.entry(item);
      tree.append(item.hash);
    }
  // What was there a moment ago was sealed by another process since.
  if (leaf === undefined) return { count: 0, size, note: last?.note ?? '' };
  for (const tile of tiles.changed()) writeTile(tx, tile);
  const note = signer.sign({ size: tree.size, root: tree.root() });
  writeCheckpoint(tx, tree.size, note, leaf);
  return { count: tree.size - size, size: tree.size, note };
}

function refuseOtherLog(last: StoredCheckpoint, signer: Signer, root: string): void {
  if (last.origin !== signer.name)
    throw new MirrorError(
      'SEAL-REFUSED',
      `SEAL_KEY_FILE: the key is named ${signer.name}, and the log of this account ${last.origin}; use a key of that name`,
    );
  if (root !== last.root) throw damaged(last);
}

interface OpenTile {
  readonly tile: number;
  readonly hashes: Hash[];
  readonly entries: Buffer[];
  lastChangeId: number | null;
  isChanged: boolean;
}

/** The tiles that change as hashes are added at the right edge of a tree of that size. */
function createTileCollector(size: number, edges: Awaited<ReturnType<typeof readEdges>>) {
  const full: TileToWrite[] = [];
  const open = new Map<number, OpenTile>();
  const empty = (tile: number): OpenTile => ({
    tile,
    hashes: [],
    entries: [],
    lastChangeId: null,
    isChanged: false,
  });
  for (const { level, tile, hashes, entries } of edges)
    open.set(level, { ...empty(tile), hashes: [...hashes], entries: [...entries] });
  const at = (level: number): OpenTile => {
    const tile = open.get(level) ?? empty(Math.floor(size / tileWidth ** (level + 1)));
    open.set(level, tile);
    return tile;
  };
  return {
    /** Comes before its hash. */
    entry({ entry, changeId }: Leaf) {
      at(0).entries.push(entry);
      at(0).lastChangeId = changeId;
    },
    hash(level: number, hash: Hash) {
      const tile = at(level);
      tile.hashes.push(hash);
      tile.isChanged = true;
      if (tile.hashes.length < tileWidth) return;
      full.push({ level, ...tile });
      open.set(level, empty(tile.tile + 1));
    },
    changed: (): readonly TileToWrite[] => [
      ...full,
      ...[...open].flatMap(([level, tile]) => (tile.isChanged ? [{ level, ...tile }] : [])),
    ],
  };
}
