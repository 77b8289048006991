import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

const script = readFileSync(new URL('../src/assets/language.js', import.meta.url), 'utf8');

test.each([
  ['de-CH', 'de-CH'],
  ['en-US@posix', 'en'],
  ['C', 'en'],
])('where the language of the browser is %s, charts are written by %s', (language, expected) => {
  const navigator = Object.create({ language });
  runInNewContext(script, { navigator });
  expect(navigator.language).toBe(expected);
});
