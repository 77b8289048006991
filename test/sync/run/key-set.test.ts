import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeySet } from '../../../src/sync/run/key-set.ts';

test('knows what was added and nothing else, like a set', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (added, others) => {
      const seen = createKeySet();
      for (const key of added) seen.add(key);
      const truth = new Set(added);
      expect(seen.size).toBe(truth.size);
      for (const key of [...added, ...others]) expect(seen.has(key)).toBe(truth.has(key));
    }),
  );
});

test('distinguishes identifiers that differ little, by the hundred thousand', () => {
  const seen = createKeySet();
  for (let index = 0; index < 200_000; index += 1) seen.add(`txn-${index}`);
  expect(seen.size).toBe(200_000);
  for (let index = 200_000; index < 400_000; index += 1)
    if (seen.has(`txn-${index}`)) expect.unreachable(`txn-${index}`);
});
