// Names the first row that is not as it was sealed, between two checkpoints: by the entries of the
// stored tiles, where these lead to the signed hash. Else nobody can say more than between which
// checkpoints it is.
import { type EntryRead, isThinned, readEntry } from './entry.ts';
import { readTile, type Tiles } from './log.ts';
import type { Checkpoint } from './note.ts';
import { type Ask, readPlace } from './queries.ts';
import { type Item, readItems } from './rows.ts';
import { type SealedTableName, sealedTables } from './tables.ts';
import { hashOfLeaf, type Tree, tileWidth } from './tree.ts';

export type Finding =
  /** A row; the key is that which was sealed, or of an inserted row its own. */
  | {
      readonly kind: 'changed' | 'removed' | 'inserted' | 'moved';
      readonly table: string;
      readonly key: readonly string[];
    }
  /**
   * Some row behind the first so many, and not behind the last of them: the stored tiles were changed
   * too.
   */
  | { readonly kind: 'between'; readonly from: number; readonly to: number }
  /** A checkpoint was signed that the log of the database does not lead to. */
  | { readonly kind: 'fork'; readonly size: number; readonly stored: number }
  /** A checkpoint of the database is not signed by the key. */
  | { readonly kind: 'unsigned'; readonly size: number };

/** Where a part of the log begins. */
export interface Place {
  readonly tree: Tree;
  /** A number before it, and how many rows stand between. */
  readonly after: number;
  readonly taken: number;
}

export interface Log {
  readonly ask: Ask;
  readonly account: string;
  readonly tiles: Tiles;
}

/**
 * What is not as it was sealed between the place, up to which everything is, and a checkpoint that is
 * not met.
 */
export async function findFirst(
  log: Log,
  { tree, after, taken }: Place,
  checkpoint: Checkpoint,
): Promise<Finding> {
  const from = tree.size;
  const between: Finding = { kind: 'between', from, to: checkpoint.size };
  for (let index = from; index < checkpoint.size; index += 1)
    tree.append((await entryAt(log, index))?.hash ?? '');
  if (tree.root() !== checkpoint.root) return between;
  let index = from - taken;
  for await (const items of readItems(log.ask, {
    account: log.account,
    after,
    upTo: Number.MAX_SAFE_INTEGER,
  }))
    for (const item of items) {
      if (index < from) {
        index += 1;
        continue;
      }
      // Every sealed row is at its place, and one is too many: behind the last, with its number.
      if (index === checkpoint.size) return await added(log, item);
      const sealed = await entryAt(log, index);
      if (sealed === null) return between;
      const isAsSealed = item.hash === null ? isThinned(sealed, item.changeId) : item.hash === sealed.hash;
      if (!isAsSealed) return await classify(log, sealed, item);
      index += 1;
    }
  const sealed = index < checkpoint.size ? await entryAt(log, index) : null;
  return sealed === null ? between : await classify(log, sealed, null);
}

/** An entry as it was sealed; null where it is not stored. */
async function entryAt({ tiles }: Log, index: number) {
  const entry = (await tiles(0, Math.floor(index / tileWidth)))?.entries[index % tileWidth];
  return entry === undefined ? null : { ...readEntry(entry), hash: hashOfLeaf(entry) };
}

/** @param item what stands where the sealed row should; null where nothing comes any more */
async function classify(log: Log, sealed: EntryRead, item: Item | null): Promise<Finding> {
  const { table, key, changeId } = sealed;
  const own = item?.table == null ? null : { ...readEntry(item.entry), table: item.table };
  if (own?.changeId === changeId && isSameRow(own, sealed)) return { kind: 'changed', table, key };
  const place = isSealedTable(table) ? await readPlace(log.ask, log.account, table, key) : null;
  // With the number of a row that is at its place there can be a second one.
  if (item !== null && (item.changeId < changeId || (item.changeId === changeId && place === changeId)))
    return await added(log, item);
  if (place !== null) return { kind: 'moved', table, key };
  // Another row has its number: the same one under another key, unless that key was sealed elsewhere.
  const isRenamed = own?.changeId === changeId && own.table === table && !(await isSealed(log, own));
  return { kind: isRenamed ? 'changed' : 'removed', table, key };
}

/** What stands where no sealed row stood. */
export async function added(log: Log, item: Item): Promise<Finding> {
  if (item.table === null)
    return { kind: 'inserted', table: 'sync.seal_thinned', key: [log.account, String(item.changeId)] };
  const row = { ...readEntry(item.entry), table: item.table };
  return { kind: (await isSealed(log, row)) ? 'moved' : 'inserted', table: row.table, key: row.key };
}

function isSealedTable(table: string): table is SealedTableName {
  return Object.hasOwn(sealedTables, table);
}

function isSameRow(a: EntryRead, b: EntryRead): boolean {
  return a.table === b.table && a.keyBytes === b.keyBytes;
}

/** Whether some entry of the log is of the same row. */
async function isSealed({ ask, account }: Log, row: EntryRead): Promise<boolean> {
  const key = Buffer.from(row.keyBytes, 'latin1');
  for (let tile = 0; ; tile += 1) {
    const read = await readTile(ask, account, 0, tile);
    if (read === null) return false;
    if (read.entries.some((entry) => entry.includes(key) && isSameRow(readEntry(entry), row))) return true;
  }
}
