import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactJson, storableText } from '../../src/domain/json.ts';

test('a long JSON text in less memory has the same value, whatever its characters', () => {
  const units = fc.array(fc.constantFrom('a', 'é', '\u4e2d', '\u{1f511}', '\ud800', '\u0000', '"', '\\'));
  fc.assert(
    fc.property(units, fc.nat(20_000), (some, filling) => {
      const value = { [some.join('')]: some.join('') + 'x'.repeat(filling) };
      expect(JSON.parse(compactJson(JSON.stringify(value)))).toEqual(value);
    }),
  );
});

test('a few wide characters become escapes in a long text, many stay', () => {
  const few = JSON.stringify(`\u4e2d${'x'.repeat(20_000)}`);
  expect(compactJson(few)).toBe(few.replace('\u4e2d', '\\u4e2d'));
  const many = JSON.stringify('\u4e2d'.repeat(20_000));
  expect(compactJson(many)).toBe(many);
});

test('a long text that cannot be stored is shown as a short one is', () => {
  const unit = 'é\u0000\ud800\\';
  expect(storableText(unit.repeat(5_000))).toBe(storableText(unit).repeat(5_000));
  const wide = '\u4e2d\u0000';
  expect(storableText(wide.repeat(10_000))).toBe(storableText(wide).repeat(10_000));
});
