// Prints the figures of the layout, each with its limit, and ends with 1 when one is over it: npm run
// check:layout. That files and folders form no circle is for check-imports.mjs.
//
//   node scripts/layout.mjs [directory of the repository]
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, lineOf, nodesOf, readSources } from './source-graph.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
/** What `npm test` wrote of its last run (scripts/test.mjs). */
const lastTests = join(root, 'node_modules/.cache/custody-mirror/last-tests.json');
/** They grow with the read API, and nobody edits them. */
const generated = ['src/api/generated/', 'packages/client/src/generated/'];

const files = filesBelow(root, 'src').map((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return { file, lines: text.split('\n').length - 1 };
});
const parsed = readSources(root);
const sources = parsed.filter(({ file }) => file.startsWith('src/'));
const unparsed = parsed.filter(({ problem }) => problem !== null);
const perFolder = new Map();
for (const { file } of files) perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
const [folder, inFolder] = most([...perFolder]);
const isWritten = ({ file }) => !generated.some((folder) => file.startsWith(folder));
const [longestFile, lines] = most(files.filter(isWritten).map((file) => [file.file, file.lines]));
const [longestComment, columns] = most(
  ['src', 'packages', 'drizzle', 'bench', 'scripts', 'test'].flatMap(commentsOf),
);
const [longestFunction, functionLines] = most(sources.filter(isWritten).flatMap(functionsOf));

const figures = [
  figure('files of src', files.length),
  figure(
    'lines of src, written',
    files.filter(isWritten).reduce((sum, file) => sum + file.lines, 0),
  ),
  figure('files in one folder', inFolder, 16, folder),
  figure('lines of the longest file', lines, 250, longestFile),
  figure('lines of the longest function', functionLines, 60, longestFunction),
  figure('columns of the longest comment', columns, 110, longestComment),
  figure('files that cannot be parsed', unparsed.length, 0, unparsed[0]?.file),
  figure('bytes of README.md', statSync(join(root, 'README.md')).size, 12_000),
  figure('bytes of ARCHITECTURE.md', statSync(join(root, 'ARCHITECTURE.md')).size, 12_000),
  ...testSeconds(),
];
for (const { name, value, limit, where, isOver } of figures) {
  const limited = limit === null ? '' : ` (at most ${limit})`;
  console.log(`${isOver ? 'OVER' : '    '} ${name}: ${value}${limited}${where && `, ${where}`}`);
}
process.exitCode = figures.some(({ isOver }) => isOver) ? 1 : 0;

function figure(name, value, limit = null, where = '') {
  return { name, value, limit, where, isOver: limit !== null && value > limit };
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
  const written = filesBelow(root, folder).filter(
    (file) => /\.(tsx?|mjs)$/.test(file) && isWritten({ file }),
  );
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
