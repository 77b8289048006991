// What leaves the mirror for the tools of transparency logs: the log as static files (C2SP tlog-tiles),
// and the proof of one row (C2SP tlog-proof). Both are checked against the last checkpoint.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type Bytes, toBuffer } from '../base/encoded-values.ts';
import { errorCode, MirrorError } from '../domain/errors.ts';
import { damaged, type Log, nothingSealed, readCheckpoints, readTree, type StoredCheckpoint } from './log.ts';
import { isSignedBy, type Verifier } from './note.ts';
import { createReader, findPlace, readAdded } from './reading.ts';
import { bundle, shownRow } from './rows.ts';
import type { SealedTable } from './tables.ts';
import { countAt, hashOfLeaf, proveInclusion, rootOfRange, tileWidth } from './tree.ts';

const bad = (why: string) => new MirrorError('CONFIGURATION', why);

/**
 * Writes the log as it is at its last checkpoint, and that checkpoint last. Files of an earlier export are
 * written again. The hashes are computed from the entries.
 *
 * @returns the checkpoint
 * @throws MirrorError `SEAL-FORK` when the entries do not lead to it; `CONFIGURATION` for a directory that
 *   holds anything else
 */
export async function exportLog(
  log: Log,
  directory: string,
  onProgress: (rows: number, of: number) => unknown,
): Promise<StoredCheckpoint> {
  const last = await lastCheckpoint(log);
  const isOwn = (name: string) => name === 'tile' || name === 'checkpoint';
  const kept = await readFile(join(directory, 'checkpoint'), 'utf8').catch(() => `${last.origin}\n`);
  const names = await readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw bad(`directory: ${error instanceof Error ? error.message : directory}`);
  });
  if (!kept.startsWith(`${last.origin}\n`) || !names.every(isOwn))
    throw bad(
      `directory: ${directory} is not empty, and is not an export of ${last.origin}; name another one`,
    );
  // Nobody else may read rows and keys.
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
    await writeFile(join(directory, path), content, { mode: 0o600 });
  };
  const { tree, levels } = await readTree(log, 0);
  for (let tile = 0; tree.size() < last.size; tile += 1) {
    const width = Math.min(tileWidth, last.size - tree.size());
    const entries = (await log.tiles(0, tile))?.entries.slice(0, width) ?? [];
    if (entries.length < width) throw damaged(last);
    for (const entry of entries) tree.append(hashOfLeaf(entry));
    await write(`tile/entries/${pathOf(tile, width)}`, toBuffer(bundle(entries)));
    for (const [level, hashes] of levels.entries()) {
      if (hashes.length === 0 || (hashes.length < tileWidth && tree.size() < last.size)) continue;
      const nth = Math.ceil(countAt(level, tree.size()) / tileWidth) - 1;
      await write(`tile/${level}/${pathOf(nth, hashes.length)}`, toBuffer(hashes.join('')));
      levels[level] = [];
    }
    await onProgress(tree.size(), last.size);
  }
  if (tree.root() !== last.root) throw damaged(last);
  await write('checkpoint', last.note);
  return last;
}

/** `x001/x234/067` for tile 1,234,067; for a partial one also its width. */
function pathOf(tile: number, width: number): string {
  const digits = String(tile).padStart(Math.ceil(String(tile).length / 3) * 3, '0');
  const path = digits.replace(/\d{3}(?=\d)/g, 'x$&/');
  return width < tileWidth ? `${path}.p/${width}` : path;
}

/**
 * The proof that the row is in the log at its last checkpoint. Its extra data is the row's entry, followed by
 * the content, whose SHA-256 is in the entry.
 *
 * @param key of the table, without account_id; moments in microseconds since 1970
 * @returns null when the row is not as it was sealed
 * @throws MirrorError `CONFIGURATION` when there is no such row, or it is not sealed yet
 */
export async function proveRow(
  log: Log,
  table: string,
  key: readonly string[],
  verifiers: readonly Verifier[],
): Promise<{ readonly proof: string; readonly content: Bytes } | null> {
  const { ask, account, tiles } = log;
  const named = { table, key: [account, ...key] };
  const row = shownRow(named);
  const last = await lastCheckpoint(log);
  if (!isSignedBy(verifiers, last.note))
    throw bad(`--key: the last checkpoint, of ${last.origin}, is not signed by it`);
  const where = ({ key: [, column = ''] }: SealedTable) =>
    sql`account_id = ${account} and ${sql.identifier(column)} = ${key[0]}`;
  const place = await findPlace(createReader(log, account, where), named);
  if (place === null) throw bad(`--row: there is no ${row}`);
  if (place > last.lastChangeId) throw bad(`--row: ${row} is not sealed yet`);
  // Two rows with one number, which no writer makes, are not as sealed.
  const [leaf, second] = await readAdded(log, account, place - 1, place);
  const [found] = await ask<{ tile: string }>(
    'seal.find-tile',
    sql`select t.tile::text from internal.seal_tiles t
      where t.account_id = ${account} and t.level = 0 and t.last_change_id >= ${place} order by t.tile limit 1`,
  );
  const tile = Number(found?.tile ?? 0);
  const entries = (await tiles(0, tile))?.entries ?? [];
  if (leaf?.hash == null || second !== undefined || !entries.includes(leaf.entry)) return null;
  const index = tile * tileWidth + entries.indexOf(leaf.entry);
  const { proof, root } = await proveInclusion(leaf.hash, index, last.size, tiles);
  if (root !== last.root) throw damaged(last);
  const base64 = (bytes: Bytes) => toBuffer(bytes).toString('base64');
  const lines = [
    'c2sp.org/tlog-proof@v1',
    `extra ${base64(leaf.entry + leaf.content)}`,
    `index ${index}`,
    ...proof.map(base64),
  ];
  return { proof: `${lines.join('\n')}\n\n${last.note}`, content: leaf.content };
}

export async function lastCheckpoint(log: Log): Promise<StoredCheckpoint> {
  const [last] = await readCheckpoints(log, 'last');
  if (last === undefined) throw nothingSealed(log);
  if ((await rootOfRange(0, last.size, log.tiles)) !== last.root) throw damaged(last);
  return last;
}
