// Work that grows with the length of an answer and no faster: with the square of it, none of these would end.
import { expect, test } from 'vitest';
import { parseExactly } from '../../../src/custody/decode/exact-json.ts';
import { keysInQuarantine } from '../../../src/store/run/quarantine.ts';

test('a text that holds every private-use character gets a mark at once', () => {
  const every = Array.from({ length: 0xf900 - 0xe000 }, (_, at) => `\\u${(0xe000 + at).toString(16)}`);
  const text = `{"n":1,"x":"${'a'.repeat(16_000_000)}${every.join('')}"}`;
  expect(parseExactly(text).mark).not.toBeNull();
});

test('records without an id that differ are counted one by one', () => {
  const count = 200_000;
  const observations = Array.from({ length: count }, (_, at) => ({
    item: {
      kind: 'undecodable' as const,
      key: 'k',
      hash: 'k',
      reason: 'no id',
      raw: `{"timestamp":"${at}"}`,
    },
    arrivedAt: 1,
  }));
  expect(keysInQuarantine(observations).size).toBe(count);
});
