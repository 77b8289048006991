// How the tests are laid out: which need a database or processes, and where they lie.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const files = ['test', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`)]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .filter((path) => path.endsWith('.ts'));
const tests = files.filter((path) => path.endsWith('.test.ts'));
const importsOf = (path: string) =>
  [...read(path).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)].map(
    ([, from = '']) => from,
  );

/**
 * What a file loads, over all that it imports: modules of Node and packages by name, files of the tests by
 * path.
 */
function loaded(path: string, seen = new Set<string>()): Set<string> {
  for (const from of importsOf(path)) {
    const target = from.startsWith('.') ? relative(root, join(root, dirname(path), from)) : from;
    if (seen.has(target)) continue;
    seen.add(target);
    if (target.startsWith('test/')) loaded(target, seen);
  }
  return seen;
}

test('a file x.test.ts needs neither a database nor another process', () => {
  const needs = ['node:child_process', 'pg', 'src/store/postgres/database.ts', 'test/support/server.ts'];
  const unit = tests.filter((path) => !path.startsWith('test/system/') && !path.endsWith('.pg.test.ts'));
  expect(unit.length).toBeGreaterThan(50);
  const dear = unit.filter((path) => {
    const all = loaded(path);
    return needs.some((name) => all.has(name));
  });
  expect(dear).toEqual([]);
});

test('a test of one part lies where that part does', () => {
  const astray = tests.filter((path) => {
    const [, top = ''] = path.split('/');
    if (path.startsWith('test/') && ['system', 'sql'].includes(top)) return false;
    // What has several files may have a folder of its own below that of the part.
    const folder = dirname(path)
      .replace(/^test/, 'src')
      .replace(/^(packages\/[^/]+)\/test/, '$1/src');
    return !existsSync(join(root, folder)) && !existsSync(join(root, dirname(folder)));
  });
  expect(astray).toEqual([]);
});
