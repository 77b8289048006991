// Every test runs: none is skipped but on a condition, none is singled out, and no file of tests is left out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** What leaves a test out, or all others; biome refuses `test.skip`, `test.only` and their like. */
const leavingOut =
  /\b(?:context|test|it)\.(?:skip|todo)\(|\(\{ skip \}\)|\b(?:skip|only|todo): true|\b(?:skipIf|runIf)\(!?(?:true|false|\d)\)/;

const sources = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('skips.test.ts'))
  .map((name) => ({ path: `test/${name}`, text: readFileSync(join(root, 'test', name), 'utf8') }));

test('a test is skipped on a condition alone', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter(({ text }) => leavingOut.test(text)).map(({ path }) => path)).toEqual([]);
  for (const text of ['context.skip()', "test('a', { skip: true }, f)", 'test.skipIf(true)(name, f)'])
    expect(text).toMatch(leavingOut);
});

test('every file that is named as a test is one that the configuration runs', () => {
  const named = ['src', 'packages', 'drizzle', 'sql', 'scripts', 'bench', 'test', 'docs', 'deploy']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name}`,
      ),
    )
    .filter((path) => /\.(test|spec)\.\w+$/.test(path));
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter((path) => !/^(test|packages\/[^/]+\/test)\/.*\.test\.ts$/.test(path))).toEqual([]);
});
