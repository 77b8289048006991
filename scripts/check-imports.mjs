// Checks the imports of src/, drizzle/ and the packages against the table "Layers" of ARCHITECTURE.md:
// imports go down only; folders of one layer do not import each other, nor do parts of a folder that a comma
// separates, so folders form no circle. It also checks that files form no circle, only the store uses the
// tables, pages know the rest by one folder, only the command line uses the environment, and what ships
// imports only its dependencies. Imports of types count.
//
//   node scripts/check-imports.mjs [directory of the repository]
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { circlesOfFiles, lineOf, nodesOf, readSources } from './source-graph.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const commandLine = 'src/cli';
/** Who may read the environment. embedded-postgres passes on the variables that set the clock of a test. */
const readersOfEnvironment = [commandLine, 'packages/demo/src/embedded-postgres', 'packages/mcp/src'];
const tables = 'drizzle';
const client = 'packages/client/src';
/** A program of its own that only asks the API: it runs the client, and ships apart from the daemon. */
const assistants = 'packages/mcp/src';
const usersOfTables = ['src/store', 'src/seal', 'packages/demo/src'];
/** Pages ask the read API alone, through one folder: what the API does not answer becomes a route first. */
const pages = 'packages/pages/src';
const doorOfPages = `${pages}/api`;
/** Who may import a package: the commands that start it, the server that shows the pages, other packages. */
const usersOfPackages = [`${commandLine}/`, 'src/server/', 'packages/'];
const isUserOfPackages = (file) => usersOfPackages.some((folder) => file.startsWith(folder));
/** Read by drizzle-kit in development; not part of the program. */
const developmentFiles = ['drizzle/drizzle.config.ts'];

/** What only the command line does with the process, by the members of the global `process`. */
const forCommandLine = ['env', 'argv', 'exit', 'exitCode', 'abort'];

/**
 * The folders of the table: the higher a folder's layer, the more it may import. The parts of a folder have
 * steps in the same way; a part with the name of the folder stands for the files directly in it.
 *
 * @returns by path, its layer and folder, and its step within the folder; and what is wrong with the table
 */
function readLayers(text) {
  const section = /^## Layers\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1] ?? '';
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  const layers = new Map();
  const wrong = rows.length === 0 ? ['has no table of layers under "## Layers"'] : [];
  for (const row of rows) {
    const entries = entriesOf(row);
    if (entries.length === 0) wrong.push(`a row of the table of layers cannot be read: ${row}`);
    for (const [path, entry] of entries) {
      if (layers.has(path)) wrong.push(`names ${path} twice among the layers`);
      if (!existsSync(join(root, path))) wrong.push(`names ${path} among the layers, which is no folder`);
      layers.set(path, entry);
    }
  }
  return { layers, wrong: wrong.map((fault) => `ARCHITECTURE.md: ${fault}`) };
}

/** Of a row `| 5 | folder, folder | part › part, part |`, names in backticks: folders with their parts. */
function entriesOf(row) {
  const names = '`[^`]+`(?:, `[^`]+`)*';
  const form = new RegExp(`^\\| (\\d+) \\| (${names}) \\| (?:(${names}(?: › ${names})*) )?\\|$`);
  const [, layer, folders, parts] = form.exec(row) ?? [];
  if (layer === undefined) return [];
  const steps = (parts ?? '').split('›').map(quoted);
  return quoted(folders).flatMap((folder) => {
    const pathOf = (part) => (folder.endsWith(`/${part}`) ? folder : `${folder}/${part}`);
    const own = steps.flatMap((step, index) =>
      step.map((part) => [pathOf(part), { layer: Number(layer), folder, step: steps.length - index }]),
    );
    const isAmongThem = own.some(([path]) => path === folder);
    return isAmongThem ? own : [[folder, { layer: Number(layer), folder, step: 0 }], ...own];
  });
}

function quoted(text) {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}

/** Why one folder may not import the other; null when it may. */
function refuse(from, to, { isOfTypes }) {
  if (from === to) return null;
  const [a, b] = [layers.get(from), layers.get(to)];
  if (b === undefined) return `imports ${to}, which is no part of the program`;
  const isBelow = a.folder === b.folder ? b.step < a.step : b.layer < a.layer;
  if (!isBelow) return `imports ${to}, which is not below ${from}`;
  if (b.folder === tables && !usersOfTables.includes(a.folder))
    return `imports ${tables}; only ${usersOfTables.join(', ')} may know the tables`;
  if (
    a.folder !== b.folder &&
    b.folder.startsWith('packages/') &&
    b.folder !== client &&
    !isUserOfPackages(`${from}/`)
  )
    return `imports ${to}; only ${commandLine}, src/server and packages may know a package`;
  if (to === client && from !== assistants && !isOfTypes)
    return `imports more than types of ${client}, which is a program of its own`;
  return null;
}

function checkPackage(file, { specifier }) {
  if (specifier === 'node:process' && !file.startsWith(`${commandLine}/`))
    return `imports node:process; only ${commandLine} reads the environment and the arguments`;
  if (specifier.startsWith('node:') || developmentFiles.includes(file)) return null;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const own = file.startsWith('packages/') ? [`${file.split('/').slice(0, 2).join('/')}/`] : [];
  const lists = file.startsWith(`${assistants}/`) ? own : [...own, ''];
  const without = lists.find((folder) => !dependenciesOf(`${folder}package.json`).includes(name));
  return without === undefined
    ? null
    : `imports ${name}, which is not among the dependencies of ${without}package.json`;
}

function dependenciesOf(file) {
  return Object.keys(JSON.parse(readFileSync(join(root, file), 'utf8')).dependencies ?? {});
}

function checkImport(file, found) {
  const { specifier } = found;
  if (specifier === null) return 'imports what is computed; its path must be a literal in quotation marks';
  if (!specifier.startsWith('.')) return checkPackage(file, found);
  const folder = posix.dirname(file);
  const to = posix.dirname(posix.join(folder, specifier));
  if (`${folder}/`.startsWith(`${pages}/`) && to.startsWith('src/') && folder !== doorOfPages)
    return `imports ${to}; pages know it by ${doorOfPages} alone`;
  return refuse(folder, to, found);
}

/** How a node uses the process as only the command line may; null if it does not. */
function useOfProcess(node) {
  if (node.type === 'VariableDeclarator' && isNamed(node.init, 'process'))
    return 'process under another name';
  if (node.type !== 'MemberExpression') return null;
  const { object, property, computed } = node;
  const member = computed ? property.value : property.name;
  if (isNamed(object, 'globalThis') && member === 'process') return 'globalThis.process';
  if (!isNamed(object, 'process')) return null;
  if (member === undefined) return 'process by a computed name';
  return forCommandLine.includes(member) ? `process.${member}` : null;
}

function isNamed(node, name) {
  return node?.type === 'Identifier' && node.name === name;
}

function checkFile({ file, text, program, comments, imports, problem }) {
  if (!layers.has(posix.dirname(file)))
    return [`${file}: lies in a folder that the table of layers does not name`];
  if (problem !== null) return [`${file}: cannot be parsed: ${problem}`];
  const faults = imports.map((found) => ({ at: found.start, fault: checkImport(file, found) }));
  for (const { value, start } of comments)
    if (/^\/\s*<reference\b/.test(value))
      faults.push({ at: start, fault: 'refers to a file in a comment; it must import it' });
  if (!readersOfEnvironment.some((folder) => file.startsWith(`${folder}/`)))
    for (const node of nodesOf(program)) {
      const use = useOfProcess(node);
      if (use) faults.push({ at: node.start, fault: `uses ${use}, which is for ${commandLine} alone` });
    }
  return faults.flatMap(({ at, fault }) => (fault ? [`${file}:${lineOf(text, at)}: ${fault}`] : []));
}

const { layers, wrong } = readLayers(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
const sources = readSources(root);
const circles = circlesOfFiles(sources).map(
  ([file, ...others]) => `${file}: imports itself by way of ${others.join(', ')}`,
);
// Against a table that is wrong, every other fault would mislead.
const faults = wrong.length > 0 ? wrong : [...sources.flatMap(checkFile), ...circles];
for (const fault of faults) console.error(fault);
console.log(`${sources.length} files, ${faults.length} forbidden imports or circles`);
process.exitCode = faults.length === 0 ? 0 : 1;
