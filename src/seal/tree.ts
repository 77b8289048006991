// The Merkle tree of a log, as RFC 6962 hashes it, in the tiles of C2SP tlog-tiles: hash n of level l is that
// of the leaves from n × 256^l on. Pure; the caller keeps the tiles.
import { type Bytes, type Hash, sha256 } from '../base/encoded-values.ts';

export const tileWidth = 256;
const tileHeight = 8;

export function hashOfLeaf(entry: Bytes): Hash {
  return sha256(`\0${entry}`);
}

function hashOfPair(left: Hash, right: Hash): Hash {
  return sha256(`\u0001${left}${right}`);
}

/** How many hashes a level of the tree has. */
export function countAt(level: number, size: number): number {
  return Math.floor(size / tileWidth ** level);
}

/**
 * A tree that begins empty, or with the hashes in the partial tiles at its right edge, by level.
 *
 * @param onHash called with each hash of a tile that a leaf completes, in their order within each level
 */
export function createTree(
  edges: readonly (readonly Hash[])[] = [],
  onHash: (level: number, hash: Hash) => void = () => undefined,
) {
  /** Roots of the perfect subtrees, from the largest to the smallest. */
  const peaks: Hash[] = [];
  let size = 0;
  /** Adds the root over so many leaves, where at most as many stand alone at the right edge. */
  const add = (root: Hash, leaves: number): void => {
    let node = root;
    for (let rest = size / leaves, height = 1; rest % 2 === 1; rest = (rest - 1) / 2, height += 1) {
      node = hashOfPair(peaks.pop() ?? '', node);
      if (height % tileHeight === 0) onHash(height / tileHeight, node);
    }
    peaks.push(node);
    size += leaves;
  };
  for (const [level, hashes] of [...edges.entries()].reverse())
    for (const hash of hashes) add(hash, tileWidth ** level);
  return {
    size: () => size,
    append(leaf: Hash): void {
      onHash(0, leaf);
      add(leaf, 1);
    },
    root: (): Hash => peaks.reduceRight<Hash | null>(joined, null) ?? sha256(''),
  };
}

function joined(right: Hash | null, left: Hash): Hash {
  return right === null ? left : hashOfPair(left, right);
}

/** Reads a tile; null where it is missing: then no root is right. */
export type ReadTile = (level: number, tile: number) => Promise<{ readonly hashes: readonly Hash[] } | null>;

/**
 * The proof that a leaf is in the tree of that size: hashes from its sibling up to the child of the root; and
 * the root to which they lead.
 */
export async function proveInclusion(leaf: Hash, index: number, size: number, readTile: ReadTile) {
  const path: { readonly sibling: Hash; readonly isLeft: boolean }[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    const isLeft = index < middle;
    const sibling = await (isLeft ? rootOfRange(middle, to, readTile) : rootOfRange(from, middle, readTile));
    path.unshift({ sibling, isLeft });
    [from, to] = isLeft ? [from, middle] : [middle, to];
  }
  const root = path.reduce(
    (node, { sibling, isLeft }) => (isLeft ? hashOfPair(node, sibling) : hashOfPair(sibling, node)),
    leaf,
  );
  return { proof: path.map(({ sibling }) => sibling), root };
}

/** The root over the leaves of a range that is a subtree of the tree, from the hashes of tiles. */
export async function rootOfRange(from: number, to: number, readTile: ReadTile): Promise<Hash> {
  const width = to - from;
  const height = Math.log2(width);
  if (!Number.isInteger(height)) {
    const middle = from + splitOf(width);
    return hashOfPair(await rootOfRange(from, middle, readTile), await rootOfRange(middle, to, readTile));
  }
  const level = Math.floor(height / tileHeight);
  const first = from / tileWidth ** level;
  const { hashes = [] } = (await readTile(level, Math.floor(first / tileWidth))) ?? {};
  const at = first % tileWidth;
  return createTree([hashes.slice(at, at + 2 ** (height % tileHeight))]).root();
}

/** The greatest power of two below the width. */
function splitOf(width: number): number {
  return 2 ** Math.ceil(Math.log2(width) - 1);
}
