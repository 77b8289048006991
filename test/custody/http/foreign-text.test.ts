// What is shown of texts from outside.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { createForeignText } from '../../../src/custody/http/foreign-text.ts';

const key = 'sk_0123456789-abcdefghij+klmnopqrst/uvwxyz';
const { show } = createForeignText(() => [new Secret(key)]);

test('keys are replaced, white space is one blank, and long texts end with dots', () => {
  expect(show(`a\n\tkey ${key}, ${encodeURIComponent(key)}\u0000!`)).toBe('a key [key], [key] !');
  expect(show('x'.repeat(1_000))).toBe(`${'x'.repeat(299)}…`);
});

test('a key that holds two blanks is replaced, though a text is shown with one', () => {
  const spaced = createForeignText(() => [new Secret('first  second')]);
  expect(spaced.show('rejected: first  second')).toBe('rejected: [key]');
});

const piece = fc.oneof(
  fc.constant(key),
  fc.constant(encodeURIComponent(key)),
  fc
    .tuple(fc.constantFrom(' ', '\n', '\u200b', 'x', '€'), fc.integer({ min: 1, max: 1_300 }))
    .map(([char, count]) => char.repeat(count)),
);

test('no part of a key is shown, wherever a long text is cut', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const shown = show(pieces.join(''));
      expect(shown.length).toBeLessThanOrEqual(300);
      expect(shown).not.toContain(key.slice(0, 4));
    }),
    { numRuns: 1_000 },
  );
});
