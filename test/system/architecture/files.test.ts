// Conventions of CONTRIBUTING.md that a script can hold.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = ['src', 'packages', 'drizzle', 'scripts', 'bench', 'test']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => /\.(tsx?|mjs)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('a file holds one concept: nothing outside src (npm run check:layout) is longer than 350 lines', () => {
  const long = files
    .filter(({ path, text }) => !/^(test|src|packages)\//.test(path) && text.split('\n').length > 350)
    .map(({ path }) => path);
  expect(long).toEqual([]);
});

test('a file of the program opens by saying what it is for', () => {
  const silent = files
    .filter(
      ({ path, text }) => !/^(packages\/[^/]+\/)?test\//.test(path) && !/^(#!.*\n)?\/(\/|\*)/.test(text),
    )
    .map(({ path }) => path);
  expect(silent).toEqual([]);
});

test('a test that may be skipped says the reason in its name: the name ends with what a variable holds', () => {
  const names = files
    .filter(({ path }) => path.startsWith('test/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\.(?:skipIf|runIf)\([^\n]*?\)\(\s*(['"`])(.*?)\1,/g)].map(
        ([, quote, name = '']) => ({ path, name, hasReason: quote === '`' && name.endsWith('}') }),
      ),
    );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(({ hasReason }) => !hasReason).map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

test('the entry point loads nothing before it hears signals', () => {
  const importsOf = (wanted: string) => {
    const text = files.find(({ path }) => path === wanted)?.text ?? '';
    return [...text.matchAll(/^import (?!type )[^;]*?from '([^']+)';/gm)].map(([, from = '']) => from);
  };
  expect(importsOf('src/cli/main.ts')).toEqual(['../base/lifecycle.ts']);
  expect(importsOf('src/base/lifecycle.ts')).toEqual([]);
});
