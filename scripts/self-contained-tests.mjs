// Which test files need neither a database nor a process of their own, by what they import: for these it is enough to change
// the clock of the process that runs them.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** @param wanted folders or files; empty for all @returns the paths found, and how many of the wanted are not among them */
export function selfContainedTests(root, wanted) {
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, 'test', name))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => wanted.length === 0 || wanted.some((part) => relative(root, path).includes(part)));
  const found = tests.filter((path) => !needsMore(path, new Set()));
  return { found: found.map((path) => relative(root, path)), others: tests.length - found.length };
}

function needsMore(path, seen) {
  if (seen.has(path)) return false;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  if (/from 'node:child_process'|from 'pg'/.test(text)) return true;
  const imports = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '(\.[^']+)';/gm)];
  return imports.some(([, target]) => needsMore(join(dirname(path), target), seen));
}
