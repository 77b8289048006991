// What leaves the mirror for the tools of transparency logs: the log as static files (C2SP tlog-tiles),
// and the proof of one row (C2SP tlog-proof). Both are checked against the last checkpoint before they
// are given.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { MirrorError } from '../domain/errors.ts';
import type { Hash } from './encoding.ts';
import { bundle, type Leaf } from './entry.ts';
import {
  createTileReader,
  damaged,
  findLeafTile,
  readCheckpoints,
  readTile,
  type StoredCheckpoint,
} from './log.ts';
import type { Verifier } from './note.ts';
import { type Ask, readPlace } from './queries.ts';
import { readItems } from './rows.ts';
import type { SealedTableName } from './tables.ts';
import { proveInclusion, rootOfProof, rootOfRange, tileWidth } from './tree.ts';

/**
 * Writes the log as it is at its last checkpoint, and that checkpoint last. Files of an earlier export are
 * written again.
 *
 * @returns the checkpoint
 * @throws MirrorError `SEAL-FORK` when the tiles do not lead to it
 */
export async function exportLog(
  ask: Ask,
  account: string,
  directory: string,
  onProgress: (rows: number, of: number) => void,
): Promise<StoredCheckpoint> {
  const last = await lastCheckpoint(ask, account);
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  };
  for (let level = 0, count = last.size; count > 0; level += 1, count = Math.floor(count / tileWidth))
    for (let tile = 0; tile * tileWidth < count; tile += 1) {
      const width = Math.min(tileWidth, count - tile * tileWidth);
      const read = await readTile(ask, account, level, tile);
      if (read === null || read.hashes.length < width) throw damaged(last);
      const path = pathOf(tile, width);
      await write(`tile/${level}/${path}`, bytesOf(read.hashes.slice(0, width)));
      if (level > 0) continue;
      await write(`tile/entries/${path}`, bundle(read.entries.slice(0, width)));
      onProgress(Math.min(count, (tile + 1) * tileWidth), count);
    }
  await write('checkpoint', last.note);
  return last;
}

/**
 * The proof that the row is in the log at its last checkpoint. Its extra data is the row's entry.
 *
 * @param key beside account_id, moments in microseconds since 1970
 * @returns null when the row is not, or not any more, as it was sealed
 * @throws MirrorError `CONFIGURATION` when there is no such row, or it is not sealed yet
 */
export async function proveRow(
  ask: Ask,
  account: string,
  table: SealedTableName,
  key: readonly string[],
  verifiers: readonly Verifier[],
): Promise<string | null> {
  const last = await lastCheckpoint(ask, account);
  if (verifiers.every((verifier) => verifier.open(last.note) === null))
    throw new MirrorError(
      'CONFIGURATION',
      `--key: the last checkpoint, of ${last.origin}, is not signed by it`,
    );
  const place = await readPlace(ask, account, table, [account, ...key]);
  if (place === null)
    throw new MirrorError(
      'CONFIGURATION',
      `--row: ${table} has no row ${key.join(' ')} of account "${account}"`,
    );
  if (place > last.lastChangeId)
    throw new MirrorError('CONFIGURATION', `--row: ${table} ${key.join(' ')} is not sealed yet`);
  const leaf = await readLeaf(ask, account, table, place);
  const tile = (await findLeafTile(ask, account, place)) ?? 0;
  const entries = (await readTile(ask, account, 0, tile))?.entries ?? [];
  const nth = entries.findIndex((entry) => leaf?.entry.equals(entry));
  if (leaf === undefined || nth < 0) return null;
  const index = tile * tileWidth + nth;
  const proof = await proveInclusion(index, last.size, createTileReader(ask, account));
  if (rootOfProof(index, last.size, leaf.hash, proof) !== last.root) throw damaged(last);
  const lines = [
    'c2sp.org/tlog-proof@v1',
    `extra ${leaf.entry.toString('base64')}`,
    `index ${index}`,
    ...proof.map((hash) => bytesOf([hash]).toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${last.note}`;
}

async function readLeaf(
  ask: Ask,
  account: string,
  table: SealedTableName,
  place: number,
): Promise<Leaf | undefined> {
  for await (const items of readItems(ask, { account, after: place - 1, upTo: place }))
    for (const item of items) if (item.table === table) return item;
  return undefined;
}

async function lastCheckpoint(ask: Ask, account: string): Promise<StoredCheckpoint> {
  const [last] = await readCheckpoints(ask, account, 'last');
  if (last === undefined)
    throw new MirrorError('CONFIGURATION', `CUSTODY_ACCOUNT: nothing of account "${account}" is sealed`);
  if ((await rootOfRange(0, last.size, createTileReader(ask, account))) !== last.root) throw damaged(last);
  return last;
}

function bytesOf(hashes: readonly Hash[]): Buffer {
  return Buffer.from(hashes.join(''), 'latin1');
}

/** `x001/x234/067` for tile 1,234,067; of a partial one also its width. */
function pathOf(tile: number, width: number): string {
  const digits = String(tile).padStart(Math.ceil(String(tile).length / 3) * 3, '0');
  const parts = digits.match(/\d{3}/g) ?? [];
  const path = parts.map((part, n) => (n === parts.length - 1 ? part : `x${part}`)).join('/');
  return width < tileWidth ? `${path}.p/${width}` : path;
}
