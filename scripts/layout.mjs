// Prints the figures of the layout, each with its limit: npm run check:layout. A figure over its limit is a
// warning, so that no change pays for a split it did not cause; over it by a tenth, the check ends with 1.
// That files and folders form no circle is for check-imports.mjs.
//
//   node scripts/layout.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, lineOf, nodesOf, readSources } from './source-graph.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What `npm test` wrote of its last run (scripts/test.mjs). */
const lastTests = join(root, 'node_modules/.cache/custody-mirror/last-tests.json');
/** They grow with the read API, and nobody edits them. */
const generated = ['src/store/read-api/generated/', 'packages/client/src/generated/'];

const isWritten = (file) => !generated.some((folder) => file.startsWith(folder));
const written = filesBelow(root, 'src').filter(isWritten);
const parsed = readSources(root);
const sources = parsed.filter(({ file }) => file.startsWith('src/') && isWritten(file));
const unparsed = parsed.filter(({ problem }) => problem !== null);
const [longestFile, lines] = most(written.map((file) => [file, linesOf(root, file)]));
const [longestComment, columns] = most(
  ['src', 'packages', 'drizzle', 'bench', 'scripts', 'test'].flatMap(commentsOf),
);
const [longestFunction, functionLines] = most(sources.flatMap(functionsOf));

const figures = [
  ...sizes(),
  figure('lines of the longest file', lines, 600, longestFile),
  figure('lines of the longest function', functionLines, 80, longestFunction),
  figure('columns of the longest comment', columns, 110, longestComment),
  figure('files that cannot be parsed', unparsed.length, 0, unparsed[0]?.file),
  figure('bytes of README.md', statSync(join(root, 'README.md')).size, 12_000),
  figure('bytes of ARCHITECTURE.md', statSync(join(root, 'ARCHITECTURE.md')).size, 12_000),
  ...testSeconds(),
];
for (const { name, value, limit, where, state } of figures) {
  const limited = limit === null ? '' : ` (at most ${limit})`;
  console.log(`${state.padEnd(4)} ${name}: ${value}${limited}${where && `, ${where}`}`);
}
process.exitCode = figures.some(({ state }) => state === 'OVER') ? 1 : 0;

function figure(name, value, limit = null, where = '') {
  let state = '';
  if (limit !== null && value > limit) state = value > limit * 1.1 ? 'OVER' : 'WARN';
  return { name, value, limit, where, state };
}

/** What is kept by hand, beside what it was at the last release. */
function sizes() {
  const now = measure(root);
  const tag = lastRelease();
  const before = tag === null ? null : measureRelease(tag);
  return Object.entries(now).map(([name, value]) =>
    figure(name, value, null, before === null ? '' : `${before[name]} at ${tag}`),
  );
}

function measure(directory) {
  const below = (folder, ...others) =>
    [folder, ...others].flatMap((each) => filesBelow(directory, each)).filter(isWritten);
  const count = (files) => files.reduce((sum, file) => sum + linesOf(directory, file), 0);
  const inPackages = filesBelow(directory, 'packages');
  const tests = inPackages.filter((file) => /^packages\/[^/]+\/test\//.test(file));
  const documents = [
    ...below('docs'),
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
  ].filter((file) => file.endsWith('.md') && existsSync(join(directory, file)));
  return {
    'files of src': below('src').length,
    'lines of src, written': count(below('src')),
    'lines of packages/pages, written': count(below('packages/pages/src').filter(isTypeScript)),
    'lines of tests': count([...below('test'), ...tests].filter(isTypeScript)),
    'words of documents': documents.reduce((sum, file) => sum + wordsOf(directory, file), 0),
  };
}

function isTypeScript(file) {
  return /\.tsx?$/.test(file);
}

function linesOf(directory, file) {
  return readFileSync(join(directory, file), 'utf8').split('\n').length - 1;
}

function wordsOf(directory, file) {
  return readFileSync(join(directory, file), 'utf8').split(/\s+/).length;
}

/** The newest tag of a release, or null: before the first one, and where git is not to be had. */
function lastRelease() {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

function measureRelease(tag) {
  const directory = mkdtempSync(join(tmpdir(), 'custody-mirror-release-'));
  try {
    spawnSync('sh', ['-c', `git archive "$0" | tar -x -C "$1"`, tag, directory], { cwd: root });
    return measure(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Judged only where the machine had nothing else to do: elsewhere the duration says nothing of the tests. */
function testSeconds() {
  if (!existsSync(lastTests)) return [figure('seconds of the last npm test', 'not measured')];
  const { seconds, idle } = JSON.parse(readFileSync(lastTests, 'utf8'));
  return [
    figure('seconds of the last npm test', seconds, idle ? 300 : null, idle ? '' : 'on a busy machine'),
  ];
}

/** Functions with their lines; not the one around a script of a page, which keeps its names apart. */
function functionsOf({ file, text, program }) {
  const kinds = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'StaticBlock'];
  const around = file.endsWith('.js') && program.body.length === 1 ? program.body[0].expression : null;
  return nodesOf(program)
    .filter((node) => kinds.includes(node.type) && node !== around?.callee?.expression)
    .map(({ start, end }) => {
      const from = lineOf(text, start);
      return [`${file}:${from}`, lineOf(text, end) - from + 1];
    });
}

/** The lines of comments, each with its length; not those that a tool reads. */
function commentsOf(folder) {
  const written = filesBelow(root, folder).filter((file) => /\.(tsx?|mjs)$/.test(file) && isWritten(file));
  return written.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .map((line, index) => [`${file}:${index + 1}`, line])
      .filter(([, line]) => /^\s*(\/\/|\/?\*)/.test(line) && !line.includes('biome-ignore'))
      .map(([where, line]) => [where, line.length]),
  );
}

function most(entries) {
  return entries.reduce((greatest, entry) => (entry[1] > greatest[1] ? entry : greatest), ['', 0]);
}
