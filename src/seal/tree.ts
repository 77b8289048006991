// The Merkle tree of a log, as RFC 6962 hashes it, in the tiles of C2SP tlog-tiles: hash n of level l is
// that of the leaves from n × 256^l on. Pure; where tiles are kept is the caller's.
import { type Hash, sha256 } from './encoding.ts';

export const tileWidth = 256;
const tileHeight = 8;

const pair = Buffer.alloc(65);
pair[0] = 1;

let leaf = Buffer.alloc(4_096);

export function hashOfLeaf(entry: Uint8Array): Hash {
  if (entry.length >= leaf.length) leaf = Buffer.alloc(2 * entry.length);
  leaf.set(entry, 1);
  return sha256(leaf.subarray(0, 1 + entry.length));
}

function hashOfPair(left: Hash, right: Hash): Hash {
  pair.write(left, 1, 'latin1');
  pair.write(right, 33, 'latin1');
  return sha256(pair);
}

export interface Tree {
  readonly size: number;
  append(leaf: Hash): void;
  root(): Hash;
  /** A tree that goes on from here by itself. */
  copy(): Tree;
}

/** The last, partial tile of a level: the hashes in it. */
export interface Edge {
  readonly level: number;
  readonly hashes: readonly Hash[];
}

/**
 * A tree that begins empty, or with the partial tiles at its right edge.
 *
 * @param onHash told each hash of a tile, in their order within each level
 */
export function createTree(
  start: { readonly size: number; readonly edges: readonly Edge[] } = { size: 0, edges: [] },
  onHash: (level: number, hash: Hash) => void = () => undefined,
): Tree {
  const peaks = start.edges.toSorted((a, b) => b.level - a.level).flatMap(({ hashes }) => peaksOf(hashes));
  return treeOf(start.size, peaks, onHash);
}

/** @param peaks roots of the perfect subtrees, from the largest to the smallest */
function treeOf(start: number, peaks: Hash[], onHash: (level: number, hash: Hash) => void): Tree {
  let size = start;
  return {
    get size() {
      return size;
    },
    append(leaf) {
      let node = leaf;
      onHash(0, node);
      for (let rest = size, height = 1; rest % 2 === 1; rest = (rest - 1) / 2, height += 1) {
        node = hashOfPair(peaks.pop() ?? '', node);
        if (height % tileHeight === 0) onHash(height / tileHeight, node);
      }
      peaks.push(node);
      size += 1;
    },
    root: () => peaks.reduceRight<Hash | null>(joined, null) ?? sha256(Buffer.alloc(0)),
    copy: () => treeOf(size, [...peaks], () => undefined),
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
    level = level.flatMap((left, index) =>
      index % 2 === 0 ? [hashOfPair(left, level[index + 1] ?? '')] : [],
    );
  return level[0] ?? '';
}

/** How many hashes each level holds in its last tile, where that is partial. */
export function partialTiles(size: number): { level: number; tile: number; width: number }[] {
  const partial = [];
  for (let level = 0, count = size; count > 0; level += 1, count = Math.floor(count / tileWidth)) {
    const width = count % tileWidth;
    if (width > 0) partial.push({ level, tile: Math.floor(count / tileWidth), width });
  }
  return partial;
}

/** The hashes of a tile. */
export type ReadTile = (level: number, tile: number) => Promise<readonly Hash[]>;

/** The proof that a leaf is in the tree of that size: hashes from its sibling up to the child of the root. */
export async function proveInclusion(index: number, size: number, readTile: ReadTile): Promise<Hash[]> {
  const prove = async (from: number, to: number): Promise<Hash[]> => {
    if (to - from <= 1) return [];
    const middle = from + splitOf(to - from);
    return index < middle
      ? [...(await prove(from, middle)), await rootOfRange(middle, to, readTile)]
      : [...(await prove(middle, to)), await rootOfRange(from, middle, readTile)];
  };
  return await prove(0, size);
}

/** The root to which a proof leads from a leaf (RFC 9162, 2.1.3.2); null when it has another length. */
export function rootOfProof(index: number, size: number, leaf: Hash, proof: readonly Hash[]): Hash | null {
  let [node, at, last] = [leaf, index, size - 1];
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
    return joined(await rootOfRange(middle, to, readTile), await rootOfRange(from, middle, readTile));
  }
  const level = Math.floor(height / tileHeight);
  const inTile = 2 ** (height % tileHeight);
  const first = from / tileWidth ** level;
  const hashes = await readTile(level, Math.floor(first / tileWidth));
  return rootOf(hashes.slice(first % tileWidth, (first % tileWidth) + inTile));
}

/** The greatest power of two below the width. */
function splitOf(width: number): number {
  return 2 ** Math.ceil(Math.log2(width) - 1);
}
