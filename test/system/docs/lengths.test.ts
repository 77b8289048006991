// What a reader has to get through stays short: words of the documents that would grow by themselves.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './blocks.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

test('the first hour takes less than 600 words to read, and CONTRIBUTING.md opens with it', () => {
  const [, opening = '', next] = read('CONTRIBUTING.md').split(/^## /m);
  expect(opening).toMatch(/^The first hour\n/);
  expect(next).toBeDefined();
  expect(wordsOf(opening)).toBeLessThan(600);
});

test('the first hour says what to install, run, read, change and test, in this order', () => {
  const [, opening = ''] = read('CONTRIBUTING.md').split(/^## /m);
  expect([...opening.matchAll(/^\*\*(\w+)/gm)].map(([, step]) => step)).toEqual([
    'Install',
    'Run',
    'Read',
    'Change',
    'Test',
  ]);
});

test('docs/performance.md keeps to the newest figures: 2,500 words at most', () => {
  expect(wordsOf(read('docs/performance.md'))).toBeLessThanOrEqual(2500);
});

test('documents wrap at 120 columns, but for tables, code, headings and words without a blank', () => {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const documents = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'CHANGELOG.md'].concat(
    inDocs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  );
  const long = documents.flatMap((document) =>
    read(document)
      .replace(/^ *```[\s\S]*?^ *```$/gm, '')
      .split('\n')
      .filter((line) => line.length > 120 && /\S\s+\S+\s+\S/.test(line) && !/^[|#]/.test(line))
      .map((line) => `${document}: ${line}`),
  );
  expect(long).toEqual([]);
});
