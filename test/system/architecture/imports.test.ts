import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const script = join(repository, 'scripts/check-imports.mjs');
const architecture = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
const folders = ['src', 'drizzle', 'packages'].flatMap((top) => [
  top,
  ...readdirSync(join(repository, top), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(repository, join(entry.parentPath, entry.name))),
]);

/** Runs the check on a repository that has the folders of this one and holds these files. */
function check(files: Readonly<Record<string, string>>) {
  const root = newFolder();
  const all = {
    'package.json': '{"dependencies":{"pg":"1","@hono/node-server":"1"}}',
    'ARCHITECTURE.md': architecture,
    ...files,
  };
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
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
    'a sibling',
    'src/custody/a.ts',
    "import { x } from '../store/x.ts';",
    'src/store, which is not below src/custody',
  ],
  [
    'the client from the sandbox',
    'packages/sandbox/src/a.ts',
    "export { x } from '../../../src/custody/x.ts';",
    'src/custody, which',
  ],
  [
    'tables outside the store',
    'src/sync/a.ts',
    "import '../../drizzle/x.ts';",
    'only src/store, src/seal, packages/demo/src may know the tables',
  ],
  [
    'the store from a page',
    'packages/pages/src/sync/a.ts',
    "import type { x } from '../../../../src/store/job-queries/x.ts';",
    'src/store/job-queries; pages know it by packages/pages/src/api alone',
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

test('a part of a folder imports those after it, and neither those before nor those in its group', () => {
  const files = {
    'src/sync/walk/a.ts': "import '../run/b.ts';",
    'src/sync/run/b.ts': "import '../../domain/c.ts';",
    'src/store/commit/d.ts': "import '../job-queries/e.ts';\nimport '../run/f.ts';",
  };
  expect(check(files).faults).toEqual([
    'src/store/commit/d.ts:1: imports src/store/job-queries, which is not below src/store/commit',
    'src/sync/walk/a.ts:1: imports src/sync/run, which is not below src/sync/walk',
  ]);
});

test('a circle of files is refused, types or not', () => {
  const files = {
    'src/domain/a.ts': "export type B = import('./b.ts').B;",
    'src/domain/b.ts': "import type { c } from './c.ts';",
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

test('an import is seen however it is written, and one whose target is computed is refused', () => {
  const upward = [
    "export { x as 'an x' } from '../sync/run/x.ts';",
    "import { größe } from '../sync/run/x.ts';",
    "import {\n // it's\n x } from '../sync/run/x.ts';",
    "export * as all from '../sync/run/x.ts';",
    "export type X = import('../sync/run/x.ts').X;",
    "const x = await import('../sync/run/x.ts');",
    "export type X = typeof import('../sync/run/x.ts');",
    // What looks like a comment and is none.
    "const r = /[/*]/;\nimport '../sync/run/x.ts';\n/* end */",
    "const r = /a\\/*/;\nimport '../sync/run/x.ts';\n/* end */",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
    "const s = `a${`b /* `}`; import '../sync/run/x.ts'; /* */",
  ];
  const others = {
    'src/domain/computed.ts': 'await import(`../sync/run/x.ts`);',
    'src/domain/reference.ts': "/// <reference path='../sync/run/x.ts' />",
    'src/domain/script.js': "import '../sync/run/x.ts';",
    'src/domain/script.mjs': "import '../sync/run/x.ts';",
    'src/util/script.js': '',
    'src/domain/unreadable.ts': 'const = 3;',
  };
  const files = Object.fromEntries(upward.map((text, index) => [`src/domain/a${index}.ts`, text]));
  const { faults } = check({ 'src/sync/run/x.ts': '', ...files, ...others });
  expect(faults.map((fault) => fault.replace(/:\d+/, '')).toSorted()).toEqual(
    [
      ...Object.keys(files).map((file) => `${file}: imports src/sync/run, which is not below src/domain`),
      'src/domain/computed.ts: imports what is computed; its path must be a literal in quotation marks',
      'src/domain/reference.ts: refers to a file in a comment; it must import it',
      'src/domain/script.js: imports src/sync/run, which is not below src/domain',
      'src/domain/script.mjs: imports src/sync/run, which is not below src/domain',
      'src/domain/unreadable.ts: cannot be parsed: Unexpected token',
      'src/util/script.js: lies in a folder that the table of layers does not name',
    ].toSorted(),
  );
});
