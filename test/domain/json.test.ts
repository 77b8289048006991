import { expect, test } from 'vitest';
import { isStorable, storableText } from '../../src/domain/json.ts';

test('what cannot be stored is shown by its escape, in its place', () => {
  expect(storableText('a\u0000b')).toBe('a\\u0000b');
  expect(storableText('\ud800')).toBe('\\ud800');
  expect(storableText('x\udfffy')).toBe('x\\udfffy');
  expect(storableText('\udc00\ud800')).toBe('\\udc00\\ud800');
  expect(storableText('\ud83d\ude00 \ud83d')).toBe('😀 \\ud83d');
});

test('other text stays as it is', () => {
  for (const text of ['', 'plain', '😀', 'line\n\u0001', '\\u0000', '\ufffe\uffff']) {
    expect(isStorable(text)).toBe(true);
    expect(storableText(text)).toBe(text);
  }
});
