import { expect, test } from 'vitest';
import { compareClocks } from '../../../src/cli/doctor/network.ts';

test.each([
  ['between question and answer', 1_050_000, 'ok', 'agrees with this machine'],
  ['a little before the question', 995_000, 'ok', 'agrees with this machine'],
  ['long before it', 990_000, 'note', '10 s behind this machine, or it is slow'],
  ['long after the answer', 1_190_000, 'note', '90 s ahead of this machine, or it is slow'],
])('a clock that shows %s', (_, shown, verdict, result) => {
  const reading = { shown, askedAt: 1_000_000, answeredAt: 1_100_000 };
  expect(compareClocks(reading, 'set it', ', or it is slow')).toMatchObject({ verdict, result });
});
