// The Merkle tree of a log, as RFC 6962 hashes it, in the tiles of C2SP tlog-tiles: hash n of level l is
// that of the leaves from n × 256^l on. Pure; where tiles are kept is the caller's.
import { type Bytes, type Hash, sha256 } from './encoding.ts';

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
 * @param onHash told each hash of a tile, in their order within each level
 */
export function createTree(
  start = 0,
  edges: readonly (readonly Hash[])[] = [],
  onHash: (level: number, hash: Hash) => void = () => undefined,
) {
  /** Roots of the perfect subtrees, from the largest to the smallest. */
  const peaks = edges.toReversed().flatMap(peaksOf);
  let size = start;
  return {
    size: () => size,
    append(leaf: Hash): void {
      let node = leaf;
      onHash(0, node);
      for (let rest = size, height = 1; rest % 2 === 1; rest = (rest - 1) / 2, height += 1) {
        node = hashOfPair(peaks.pop() ?? '', node);
        if (height % tileHeight === 0) onHash(height / tileHeight, node);
      }
      peaks.push(node);
      size += 1;
    },
    root: (): Hash => peaks.reduceRight<Hash | null>(joined, null) ?? sha256(''),
  };
}

function joined(right: Hash | null, left: Hash): Hash {
  return right === null ? left : hashOfPair(left, right);
}

/** The roots of the perfect subtrees over hashes of one level, from the largest to the smallest. */
function peaksOf(hashes: readonly Hash[]): Hash[] {
  const peaks: Hash[] = [];
  let from = 0;
  for (let width = tileWidth; width >= 1; width /= 2) {
    if ((hashes.length & width) === 0) continue;
    peaks.push(rootOf(hashes.slice(from, from + width)));
    from += width;
  }
  return peaks;
}

/** The root over two to the power of some number of hashes. */
function rootOf(hashes: readonly Hash[]): Hash {
  let level = hashes;
  while (level.length > 1)
    level = level.flatMap((left, n) => (n % 2 === 0 ? [hashOfPair(left, level[n + 1] ?? '')] : []));
  return level[0] ?? '';
}

/** The hashes of a tile. */
export type ReadTile = (level: number, tile: number) => Promise<readonly Hash[]>;

/** The proof that a leaf is in the tree of that size: hashes from its sibling up to the child of the root. */
export async function proveInclusion(index: number, size: number, readTile: ReadTile): Promise<Hash[]> {
  const proof: Hash[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from);
    const isLeft = index < middle;
    proof.unshift(await (isLeft ? rootOfRange(middle, to, readTile) : rootOfRange(from, middle, readTile)));
    [from, to] = isLeft ? [from, middle] : [middle, to];
  }
  return proof;
}

/** The root to which a proof leads from a leaf (RFC 9162, 2.1.3.2); null when it is of no such leaf. */
export function rootOfProof(index: number, size: number, leaf: Hash, proof: readonly Hash[]): Hash | null {
  let [node, at, last] = [leaf, index, size - 1];
  if (at > last) return null;
  for (const sibling of proof) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      node = hashOfPair(sibling, node);
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      node = hashOfPair(node, sibling);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? node : null;
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
  const hashes = await readTile(level, Math.floor(first / tileWidth));
  return rootOf(hashes.slice(first % tileWidth, (first % tileWidth) + 2 ** (height % tileHeight)));
}

/** The greatest power of two below the width. */
function splitOf(width: number): number {
  return 2 ** Math.ceil(Math.log2(width) - 1);
}
