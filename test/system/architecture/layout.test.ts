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
  const marked = (mark: string) =>
    stdout.split('\n').flatMap((line) => (line.startsWith(`${mark} `) ? [line.slice(mark.length + 1)] : []));
  return { status, over: marked('OVER'), warnings: marked('WARN') };
}

const lines = (count: number, line = '') => `${line}\n`.repeat(count);
test('what keeps the limits is not reported', () => {
  const files = {
    'src/base/long.ts': lines(600),
    'src/base/function.ts': `function f() {\n${lines(78)}}\n`,
    // Their folder, and no comment, says which files are generated.
    'packages/client/src/generated/types/api-types.ts': lines(2_000),
    'packages/pages/src/assets/script.js': `(() => {\n${lines(100)}})();\n`,
    'packages/client/src/generated/operations.ts': `function f() {\n${lines(300)}}\n`,
  };
  expect(check(files)).toEqual({ status: 0, over: [], warnings: [] });
});

test.each([
  ...[
    { ending: 'mts', code: `function f() {\n${lines(87)}}\n` },
    { ending: 'tsx', code: `class A {\n  static {\n${lines(87)}  }\n}\n` },
    { ending: 'js', code: `const f = () => {\n${lines(87)}};\n` },
  ].map(({ ending, code }) => ({
    what: `a long function in a file that ends in ${ending}`,
    files: { [`src/base/a.${ending}`]: code },
    over: expect.stringMatching(`^lines of the longest function: 89 \\(at most 80\\), src/base/a.${ending}:`),
  })),
  ...['a.ts', 'a.css', 'a.js'].map((name) => ({
    what: `a long ${name} that calls itself generated`,
    files: { [`src/base/${name}`]: `/* a */\n${lines(660, name === 'a.css' ? '' : '// Generated from x.')}` },
    over: `lines of the longest file: 661 (at most 600), src/base/${name}`,
  })),
  {
    what: 'a file that cannot be parsed',
    files: { 'src/base/a.ts': 'const = 3;\n' },
    over: 'files that cannot be parsed: 1 (at most 0), src/base/a.ts',
  },
])('$what is over a limit', ({ files, over }) => {
  expect(check(files)).toMatchObject({ status: 1, over: [over] });
});

test('what is over a limit by less than a tenth is a warning', () => {
  const { status, over, warnings } = check({ 'src/base/long.ts': lines(601) });
  expect({ status, over }).toEqual({ status: 0, over: [] });
  expect(warnings).toEqual(['lines of the longest file: 601 (at most 600), src/base/long.ts']);
});
