import { expect, test } from 'vitest';
import { newWalk, walkPositionFromJson, walkPositionToJson } from '../../../src/sync/walk/walk.ts';

test('a stored position is read as it was written', () => {
  const walk = { ...newWalk(), unaccountedGrowth: 2, departed: ['a'] };
  expect(walkPositionFromJson(JSON.parse(JSON.stringify(walkPositionToJson(walk))))).toEqual(walk);
});

test('a position without the records that left their places, as an earlier version stored it, is refused', () => {
  const { departed: _, ...earlier } = walkPositionToJson(newWalk());
  expect(walkPositionFromJson({ ...earlier, astray: [] })).toBeNull();
});
