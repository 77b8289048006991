// Walks over the rows as they are now: takes one after the other into a tree of their own, up to one
// checkpoint after the other.
import type { Place } from './diagnosis.ts';
import type { Hash } from './encoding.ts';
import { isThinned, readEntry } from './entry.ts';
import type { Tiles } from './log.ts';
import type { Checkpoint } from './note.ts';
import type { Item } from './rows.ts';
import { createTree, hashOfLeaf, tileWidth } from './tree.ts';

export function createProgress(onProgress: (rows: number, of: number) => void = () => undefined) {
  let total = 0;
  let told = 0;
  return {
    toward(size: number) {
      total = size;
    },
    at(size: number) {
      if (size - told < 5_000) return;
      told = size;
      onProgress(size, total);
    },
  };
}

export type Walk = ReturnType<typeof createWalk>;

/** Takes the rows one after the other into a tree of their own. */
export function createWalk(
  parts: AsyncGenerator<readonly Item[]>,
  tiles: Tiles,
  progress: ReturnType<typeof createProgress>,
  signal: AbortSignal,
) {
  const tree = createTree();
  let part: readonly Item[] = [];
  let at = 0;
  let thinned = 0;
  /** The number before the last row's, and how many rows with the last one were taken: there may be two. */
  let [before, last, taken] = [0, 0, 0];
  /** Of what was thinned the log has the hash; it counts if it is that of a snapshot with the same number. */
  const hashOf = async ({ changeId, hash }: Item): Promise<Hash> => {
    if (hash !== null) return hash;
    thinned += 1;
    const entry = (await tiles(0, Math.floor(tree.size / tileWidth)))?.entries[tree.size % tileWidth];
    return entry !== undefined && isThinned(readEntry(entry), changeId) ? hashOfLeaf(entry) : '';
  };
  /** The row that comes next; null behind the last. */
  const peek = async (): Promise<Item | null> => {
    for (;;) {
      const item = part[at];
      if (item !== undefined) return item;
      signal.throwIfAborted();
      const next = await parts.next();
      if (next.done === true) return null;
      [part, at] = [next.value, 0];
      progress.at(tree.size);
    }
  };
  return {
    thinned: () => thinned,
    /** A row with the number of the last one that was taken; what is not sealed yet has one of its own. */
    async doubled(): Promise<Item | null> {
      const item = await peek();
      return item?.changeId === last ? item : null;
    },
    place: (): Place => ({ tree: tree.copy(), after: before, taken }),
    /** Whether so many rows lead to the checkpoint's hash. */
    async isAt({ size, root }: Checkpoint): Promise<boolean> {
      while (tree.size < size) {
        const item = await peek();
        if (item === null) return false;
        tree.append(item.hash ?? (await hashOf(item)));
        if (item.changeId !== last) [before, last, taken] = [last, item.changeId, 0];
        taken += 1;
        at += 1;
      }
      return tree.size === size && tree.root() === root;
    },
  };
}
