import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(repository, 'scripts/check-imports.mjs');

/** Runs the check on a repository that holds these files. */
function check(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'custody-mirror-imports-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const all = {
    'package.json': '{"dependencies":{"pg":"1","@hono/node-server":"1"}}',
    'ARCHITECTURE.md': readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8'),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return run(root);
}

function run(...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, faults: stderr.split('\n').filter((line) => line !== '') };
}

test('this repository keeps its layers', () => {
  expect(run()).toEqual({ status: 0, faults: [] });
});

test('imports within a folder, downwards, from Node and from dependencies are allowed', () => {
  const { faults, status } = check({
    'src/domain/a.ts': "export * from './b.ts';",
    'src/domain/b.ts': 'export const b = 1;',
    'src/store/c.ts':
      "import pg from 'pg';\nimport { b } from '../domain/b.ts';\nimport { t } from '../../drizzle/t.ts';",
    'drizzle/t.ts': "import type { b } from '../src/domain/b.ts';",
    'drizzle/drizzle.config.ts': "import { defineConfig } from 'drizzle-kit';",
    'src/cli/main.ts':
      "import '@hono/node-server/serve-static';\nimport { join } from 'node:path';\nprocess.exit(process.env.X);\nimport '../sync/x.ts';",
    'src/sync/x.ts':
      "// import '../cli/main.ts'\n/* process.env */ const url = 'http://x'; import { c } from '../store/c.ts';",
  });
  expect({ faults, status }).toEqual({ faults: [], status: 0 });
});

test.each([
  [
    'up a layer',
    'src/domain/a.ts',
    "import { x } from '../base/x.ts';",
    'src/base, which is not below src/domain',
  ],
  [
    'types up a layer',
    'src/base/a.ts',
    "import type { x } from '../sync/x.ts';",
    'src/sync, which is not below',
  ],
  [
    'a sibling',
    'src/custody/a.ts',
    "import { x } from '../store/x.ts';",
    'src/store, which is not below src/custody',
  ],
  [
    'the client from the sandbox',
    'src/sandbox/a.ts',
    "export { x } from '../custody/x.ts';",
    'src/custody, which',
  ],
  [
    'a scheduler from http',
    'src/http/a.ts',
    "import '../scheduler/x.ts';",
    'src/scheduler, which is not below',
  ],
  [
    'lazily',
    'src/sync/a.ts',
    "const x = await import('../cli/x.ts');",
    'src/cli, which is not below src/sync',
  ],
  [
    'over several lines',
    'src/sync/a.ts',
    "import {\n  a,\n  b,\n} from '../http/x.ts';",
    'src/http, which is not',
  ],
  [
    'tables outside the store',
    'src/sync/a.ts',
    "import '../../drizzle/x.ts';",
    'only src/store may know the tables',
  ],
  ['the base from tables', 'drizzle/a.ts', "import { x } from '../src/base/x.ts';", 'not below drizzle'],
  [
    'a test',
    'src/cli/a.ts',
    "import '../../test/support/x.ts';",
    'test/support, which is no part of the program',
  ],
  [
    'a development dependency',
    'src/cli/a.ts',
    "import fc from 'fast-check';",
    'fast-check, which is not among',
  ],
  ['the environment', 'src/base/a.ts', 'const x = process.env;', 'process.env, which is for src/cli alone'],
  ['the environment by import', 'src/base/a.ts', "import { env } from 'node:process';", 'only src/cli reads'],
])('%s is refused', (_, path, text, message) => {
  const { status, faults } = check({ [path]: `// A file.\n${text}\n` });
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^${path}:\\d+: `))]);
  expect(faults[0]).toContain(message);
  expect(status).toBe(1);
});

test('a part of a folder imports those behind it, and neither those before nor those beside it', () => {
  const files = {
    'src/sync/walk/a.ts': "import '../run/b.ts';",
    'src/sync/run/b.ts': "import '../../domain/c.ts';",
    'src/store/commit/d.ts': "import '../query/e.ts';\nimport '../run/f.ts';",
  };
  expect(check(files).faults).toEqual([
    'src/store/commit/d.ts:1: imports src/store/query, which is not below src/store/commit',
    'src/sync/walk/a.ts:1: imports src/sync/run, which is not below src/sync/walk',
  ]);
});

test('a circle of files is refused, types or not', () => {
  const files = {
    'src/domain/a.ts': "import type { b } from './b.ts';",
    'src/domain/b.ts': "import { c } from './c.ts';",
    'src/domain/c.ts': "import './a.ts';",
  };
  expect(check(files).faults).toEqual([
    'src/domain/a.ts: imports itself by way of src/domain/b.ts, src/domain/c.ts, src/domain/a.ts',
  ]);
});

test('a file outside the layers is refused', () => {
  expect(check({ 'src/util/a.ts': '', 'src/store/other/b.ts': '' }).faults).toEqual([
    'src/store/other/b.ts: lies in a folder that the table of layers does not name',
    'src/util/a.ts: lies in a folder that the table of layers does not name',
  ]);
});

test('of the client other folders import types alone', () => {
  const of = (code: string) =>
    check({
      'src/client/client.ts': 'export const a = 1; export interface B { readonly b: string }',
      'src/http/app.ts': code,
    }).faults.filter((fault) => fault.includes('types'));
  expect(of("import type { B } from '../client/client.ts';")).toEqual([]);
  expect(of("import { type B } from '../client/client.ts';")).toEqual([]);
  for (const code of [
    "import { a } from '../client/client.ts';",
    "import { type B, a } from '../client/client.ts';",
    "import * as all from '../client/client.ts';",
    "export * from '../client/client.ts';",
    "await import('../client/client.ts');",
  ])
    expect(of(code)).toEqual([
      'src/http/app.ts:1: imports more than types of src/client, which is a program of its own',
    ]);
});
