// Prints the figures of the layout, each with its limit, and ends with 1 when one is over it: npm run check:layout.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));
/** What `npm test` wrote of its last run (scripts/test.mjs). */
const lastTests = join(root, 'node_modules/.cache/custody-mirror/last-tests.json');

const sources = filesBelow('src').map((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  // It says so in its opening comment.
  const isGenerated = /^(?:\/\/[^\n]*\n)*\/\/[^\n]*\bGenerated from /.test(text);
  return { file, lines: text.split('\n').length - 1, functions: functionsOf(file, text), isGenerated };
});
const perFolder = new Map();
for (const { file } of sources) perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
const [folder, inFolder] = most([...perFolder]);
const written = sources.filter(({ isGenerated }) => !isGenerated);
const [longestFile, lines] = most(written.map((source) => [source.file, source.lines]));
const [longestFunction, functionLines] = most(written.flatMap(({ functions }) => functions));

const figures = [
  figure('files of src', sources.length),
  figure(
    'lines of src',
    sources.reduce((sum, source) => sum + source.lines, 0),
  ),
  figure('files in one folder', inFolder, 16, folder),
  figure('lines of the longest file', lines, 250, longestFile),
  figure('lines of the longest function', functionLines, 60, longestFunction),
  figure('bytes of README.md', statSync(join(root, 'README.md')).size, 12_000),
  figure('bytes of ARCHITECTURE.md', statSync(join(root, 'ARCHITECTURE.md')).size, 12_000),
  ...testSeconds(),
];
for (const { name, value, limit, where, isOver } of figures)
  console.log(
    `${isOver ? 'OVER ' : '     '}${name}: ${value}${limit === null ? '' : ` (at most ${limit})`}${where ? `, ${where}` : ''}`,
  );
process.exitCode = figures.some(({ isOver }) => isOver) ? 1 : 0;

function figure(name, value, limit = null, where = '') {
  return { name, value, limit, where, isOver: limit !== null && value > limit };
}

/** The duration is judged only where the machine had nothing else to do: elsewhere it says nothing of the tests. */
function testSeconds() {
  if (!existsSync(lastTests)) return [figure('seconds of the last npm test', 'not measured')];
  const { seconds, idle } = JSON.parse(readFileSync(lastTests, 'utf8'));
  return [
    figure('seconds of the last npm test', seconds, idle ? 300 : null, idle ? '' : 'on a busy machine'),
  ];
}

function filesBelow(name) {
  return readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join(name, path).split(sep).join('/'))
    .sort();
}

/** The functions of a file, each with its lines. */
function functionsOf(file, text) {
  const found = [];
  const lineOf = (offset) => text.slice(0, offset).split('\n').length;
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const from = lineOf(node.start);
      found.push([`${file}:${from}`, lineOf(node.end) - from + 1]);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseSync(file, text).program);
  return found;
}

function most(entries) {
  return entries.reduce((greatest, entry) => (entry[1] > greatest[1] ? entry : greatest), ['', 0]);
}
