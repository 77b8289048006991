// The tree against the vectors of transparency-dev/merkle and against RFC 6962 spelt out; its tiles give
// the same roots and proofs.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Hash } from '../../src/base/encoded-values.ts';
import { countAt, createTree, hashOfLeaf, proveInclusion, rootOfRange } from '../../src/seal/tree.ts';
import vectors from './merkle-vectors.json' with { type: 'json' };

/** The eight leaves of the vectors (cmd/proofgen of their repository). */
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => hashOfLeaf(Buffer.from(hex, 'hex').toString('latin1')));

const base64 = (hash: Hash) => Buffer.from(hash, 'latin1').toString('base64');

function treeOf(hashes: readonly Hash[]) {
  const tiles = new Map<number, Hash[]>();
  const tree = createTree([], (level, hash) => {
    const of = tiles.get(level) ?? [];
    of.push(hash);
    tiles.set(level, of);
  });
  for (const hash of hashes) tree.append(hash);
  const readTile = async (level: number, tile: number) => ({
    hashes: (tiles.get(level) ?? []).slice(tile * 256, (tile + 1) * 256),
  });
  return { tree, readTile };
}

/** RFC 6962, 2.1. */
function rootByTheBook(hashes: readonly Hash[]): Hash {
  const [only = ''] = hashes;
  if (hashes.length === 0) return createHash('sha256').digest('binary');
  if (hashes.length === 1) return only;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  const [left, right] = [rootByTheBook(hashes.slice(0, split)), rootByTheBook(hashes.slice(split))];
  return createHash('sha256')
    .update(Buffer.from(`\u0001${left}${right}`, 'latin1'))
    .digest('binary');
}

/** RFC 6962, 2.1.2. */
async function proveConsistency(
  size: number,
  of: { readonly from: number; readonly to: number },
  isWhole: boolean,
  root: (from: number, to: number) => Promise<Hash>,
): Promise<Hash[]> {
  const width = of.to - of.from;
  if (size === width) return isWhole ? [] : [await root(of.from, of.to)];
  const split = 2 ** Math.ceil(Math.log2(width) - 1);
  const middle = of.from + split;
  if (size <= split)
    return [
      ...(await proveConsistency(size, { from: of.from, to: middle }, isWhole, root)),
      await root(middle, of.to),
    ];
  return [
    ...(await proveConsistency(size - split, { from: middle, to: of.to }, false, root)),
    await root(of.from, middle),
  ];
}

test.each(vectors.inclusion)('leaf $leafIdx of $treeSize is proved as the vector says', async (vector) => {
  const { tree, readTile } = treeOf(leaves.slice(0, vector.treeSize));
  expect(base64(leaves[vector.leafIdx] ?? '')).toBe(vector.leafHash);
  expect(base64(tree.root())).toBe(vector.root);
  const leaf = leaves[vector.leafIdx] ?? '';
  const { proof, root } = await proveInclusion(leaf, vector.leafIdx, vector.treeSize, readTile);
  expect(root).toBe(tree.root());
  expect(proof.map(base64)).toEqual(vector.proof ?? []);
});

test.each(vectors.consistency)(
  'trees of $size1 and $size2 are consistent as the vector says',
  async (vector) => {
    const { tree, readTile } = treeOf(leaves.slice(0, vector.size2));
    expect(base64(tree.root())).toBe(vector.root2);
    if (vector.size1 > 0)
      expect(base64(treeOf(leaves.slice(0, vector.size1)).tree.root())).toBe(vector.root1);
    const whole = { from: 0, to: vector.size2 };
    const root = (from: number, to: number) => rootOfRange(from, to, readTile);
    const proof = vector.size1 === 0 ? [] : await proveConsistency(vector.size1, whole, true, root);
    expect(proof.map(base64)).toEqual(vector.proof ?? []);
  },
);

describe('sizes around those of tiles', () => {
  const many = Array.from({ length: 66_000 }, (_, n) => hashOfLeaf(String(n)));
  const sizes = [0, 1, 2, 3, 255, 256, 257, 511, 512, 1_000, 65_535, 65_536, 65_537, 65_999];

  test.each(sizes)(
    '%i leaves have the root of RFC 6962, also when the tree goes on from its tiles',
    async (size) => {
      const { tree, readTile } = treeOf(many.slice(0, size));
      expect(tree.root()).toBe(rootByTheBook(many.slice(0, size)));
      if (size > 0) expect(await rootOfRange(0, size, readTile)).toBe(tree.root());
      const edges = await Promise.all(
        [0, 1, 2].map(async (level) => {
          const tile = await readTile(level, countAt(level + 1, size));
          return tile.hashes.slice(0, countAt(level, size) % 256);
        }),
      );
      const resumed = createTree(edges);
      expect(resumed.root()).toBe(tree.root());
      for (const hash of many.slice(size, size + 300)) resumed.append(hash);
      expect(resumed.root()).toBe(rootByTheBook(many.slice(0, size + 300)));
    },
  );

  test('an inclusion proof over several levels of tiles leads to the root', async () => {
    const { tree, readTile } = treeOf(many);
    for (const index of [0, 255, 256, 40_000, 65_535, 65_536, 65_999]) {
      let hash = many[index] ?? '';
      const { proof, root } = await proveInclusion(hash, index, many.length, readTile);
      let [at, last] = [index, many.length - 1];
      for (const sibling of proof) {
        // RFC 9162, 2.1.3.2.
        const isRight = at % 2 === 1 || at === last;
        hash = createHash('sha256')
          .update(Buffer.from(isRight ? `\u0001${sibling}${hash}` : `\u0001${hash}${sibling}`, 'latin1'))
          .digest('binary');
        if (isRight) while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
        [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
      }
      expect([hash, root]).toEqual([tree.root(), tree.root()]);
    }
  });
});
