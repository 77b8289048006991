// The figures of the layout (npm run check:layout), on a small repository: what they count, and what is over
// a limit.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/layout.mjs', import.meta.url));

/** Runs the check on a repository that holds these files, and tells what is over its limit. */
function check(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), 'custody-mirror-layout-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ 'README.md': '', 'ARCHITECTURE.md': '', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stdout } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  const over = stdout.split('\n').filter((line) => line.startsWith('OVER '));
  return { status, over: over.map((line) => line.slice('OVER '.length)) };
}

const lines = (count: number, line = '') => `${line}\n`.repeat(count);
const sixteen = Object.fromEntries(
  Array.from({ length: 16 }, (_, index) => [`src/domain/f${index}.ts`, 'export {};\n']),
);

test('what keeps the limits is not reported', () => {
  const files = {
    ...sixteen,
    'src/base/long.ts': lines(250),
    'src/base/function.ts': `function f() {\n${lines(58)}}\n`,
    // Their folder, and no comment, says which files are generated.
    'packages/client/src/generated/types/api-types.ts': lines(2_000),
    'packages/pages/src/assets/script.js': `(() => {\n${lines(100)}})();\n`,
    'packages/client/src/generated/operations.ts': `function f() {\n${lines(300)}}\n`,
  };
  expect(check(files)).toEqual({ status: 0, over: [] });
});

test.each([
  ...['mts', 'js', 'css'].map((ending) => ({
    what: `a 17th file, which ends in ${ending},`,
    files: { ...sixteen, [`src/domain/other.${ending}`]: '' },
    over: 'files in one folder: 17 (at most 16), src/domain',
  })),
  ...[
    { ending: 'mts', code: `function f() {\n${lines(59)}}\n` },
    { ending: 'tsx', code: `class A {\n  static {\n${lines(59)}  }\n}\n` },
    { ending: 'js', code: `const f = () => {\n${lines(59)}};\n` },
  ].map(({ ending, code }) => ({
    what: `a long function in a file that ends in ${ending}`,
    files: { [`src/base/a.${ending}`]: code },
    over: expect.stringMatching(`^lines of the longest function: 61 \\(at most 60\\), src/base/a.${ending}:`),
  })),
  ...['a.ts', 'a.css', 'a.js'].map((name) => ({
    what: `a long ${name} that calls itself generated`,
    files: { [`src/base/${name}`]: `/* a */\n${lines(250, name === 'a.css' ? '' : '// Generated from x.')}` },
    over: `lines of the longest file: 251 (at most 250), src/base/${name}`,
  })),
  {
    what: 'a file that cannot be parsed',
    files: { 'src/base/a.ts': 'const = 3;\n' },
    over: 'files that cannot be parsed: 1 (at most 0), src/base/a.ts',
  },
])('$what is over a limit', ({ files, over }) => {
  expect(check(files)).toEqual({ status: 1, over: [over] });
});
