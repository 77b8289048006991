// Every test runs: none is skipped but on a condition, none is singled out, and no file of tests is left out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodesOf(value: unknown): readonly Node[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = isNode(value) ? [value] : [];
  return own.concat(Object.values(value).flatMap(nodesOf));
}

/** The name by which a node calls a member, an option or a variable. */
function nameIn(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'Identifier') return String(node['name']);
  return node.type === 'Literal' ? String(node['value']) : '';
}

const memberOf = (node: unknown) =>
  isNode(node) && node.type === 'MemberExpression' ? nameIn(node['property']) : '';

/** Why a node leaves tests out; null if it does not, or does so on a condition. */
function faultOf(node: Node): string | null {
  const member = memberOf(node);
  if (['skip', 'only', 'todo'].includes(member)) return member;
  if (node.type === 'Identifier' && /^(skip|x(it|test|describe))$/.test(nameIn(node))) return nameIn(node);
  if (node.type === 'Property' && ['skip', 'only', 'todo'].includes(nameIn(node['key'])))
    return nameIn(node['key']);
  const isCondition = ['skipIf', 'runIf'].includes(memberOf(node['callee']));
  if (isCondition && nodesOf(node['arguments']).every(({ type }) => /Literal|Unary/.test(type)))
    return 'a condition that never changes';
  return null;
}

function faultsOf(path: string, text: string): readonly string[] {
  const faults = nodesOf(parseSync(path, text).program).flatMap((node) => faultOf(node) ?? []);
  return [...new Set(faults)];
}

const sources = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({ path: `test/${name}`, text: readFileSync(join(root, 'test', name), 'utf8') }));

test.each([
  ["it.skip('a', f)", 'skip'],
  ["test.skip.each([1])('a', f)", 'skip'],
  ["test['skip']('a', f)", 'skip'],
  ["test('a', { skip: true }, f)", 'skip'],
  ["test('a', ({ skip }) => skip())", 'skip'],
  ["test('a', (context) => context.skip())", 'skip'],
  ["describe.only('a', f)", 'only'],
  ["test('a', { only: true }, f)", 'only'],
  ["it.todo('a')", 'todo'],
  ["xit('a', f)", 'xit'],
  ['test.skipIf(true)(name, f)', 'a condition that never changes'],
  ['const other = test.runIf(!1)', 'a condition that never changes'],
])('%s is refused', (text, fault) => {
  expect(faultsOf('a.test.ts', text)).toContain(fault);
});

test('a test is skipped on a condition alone', () => {
  expect(faultsOf('a.test.ts', 'test.skipIf(missing)(name, only.skipped)')).toEqual([]);
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.map(({ path, text }) => ({ path, faults: faultsOf(path, text) }));
  expect(found.filter(({ faults }) => faults.length > 0)).toEqual([]);
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
