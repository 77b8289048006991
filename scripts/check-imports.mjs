// Checks the imports of src/ and drizzle/ against the table "Layers" of ARCHITECTURE.md: imports go down only; folders of one
// layer do not import each other, nor do parts of a folder that a comma separates. It also checks that files form no circle, only
// the store uses the tables, only the command line uses the environment, and what ships imports only its dependencies.
// Imports of types count.
//
//   node scripts/check-imports.mjs [directory of the repository]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const commandLine = 'src/cli';
/** Which folders may read the environment. embedded-postgres passes on the variables that set the clock of a test. */
const readersOfEnvironment = [commandLine, 'src/embedded-postgres'];
const tables = 'drizzle';
const client = 'src/client';
const usersOfTables = ['src/store'];
/** Read by drizzle-kit in development; not part of the program. */
const developmentFiles = ['drizzle/drizzle.config.ts'];

/**
 * The folders of the table: the higher a folder's layer, the more it may import. The parts of a folder have steps in the same
 * way; a part with the name of the folder stands for the files directly in it.
 *
 * @returns by path, its layer and folder, and its step within the folder
 */
function readLayers(text) {
  const rows = [...text.matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]*)\|/gm)];
  if (rows.length === 0) throw new Error('ARCHITECTURE.md holds no table of layers');
  return new Map(
    rows.flatMap(([, layer, names, parts]) =>
      quoted(names).flatMap((folder) => [
        [folder, { layer: Number(layer), folder, step: 0 }],
        ...stepsOf(parts).flatMap((step, index, steps) =>
          step.map((part) => [
            folder.endsWith(`/${part}`) ? folder : `${folder}/${part}`,
            { layer: Number(layer), folder, step: steps.length - index },
          ]),
        ),
      ]),
    ),
  );
}

function quoted(text) {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
}

/** `a` › `b`, `c`: first a, then b and c side by side. */
function stepsOf(text) {
  return text
    .split('›')
    .map(quoted)
    .filter((step) => step.length > 0);
}

const layers = readLayers(readFileSync(posix.join(root, 'ARCHITECTURE.md'), 'utf8'));

/** Why one folder may not import the other; null when it may. */
function refuse(from, to, { isOfTypes }) {
  if (from === to) return null;
  const [a, b] = [layers.get(from), layers.get(to)];
  if (b === undefined) return `imports ${to}, which is no part of the program`;
  const isBelow = a.folder === b.folder ? b.step < a.step : b.layer < a.layer;
  if (!isBelow) return `imports ${to}, which is not below ${from}`;
  if (b.folder === tables && !usersOfTables.includes(a.folder))
    return `imports ${tables}; only ${usersOfTables.join(', ')} may know the tables`;
  if (to === client && !isOfTypes)
    return `imports more than types of ${client}, which is a program of its own`;
  return null;
}

/** The source with its comments blanked, so that line numbers stay. */
function withoutComments(source) {
  const token =
    /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return source.replace(token, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, '') : found));
}

/** The imports of a file, types included, with their lines. */
function importsOf(code) {
  const statement =
    /\b(?:import|export)\s+(?:type\s)?(?:[\w$*\s{},]*?\sfrom\s*)?(['"])([^'"\n]+)\1|\bimport\s*\(\s*(['"])([^'"\n]+)\3/g;
  return [...code.matchAll(statement)].map((match) => ({
    specifier: match[2] ?? match[4],
    isOfTypes: isOfTypes(match[0]),
    line: code.slice(0, match.index).split('\n').length,
  }));
}

/** Whether a statement leaves nothing of itself in the program that runs. */
function isOfTypes(statement) {
  if (/^(?:import|export)\s+type\s/.test(statement)) return true;
  const names = /^(?:import|export)\s*\{([^}]*)\}/.exec(statement)?.[1];
  return names?.split(',').every((name) => /^\s*(?:type\s|$)/.test(name)) ?? false;
}

function targetOf(file, specifier) {
  return posix.join(posix.dirname(file), specifier);
}

function checkPackage(file, { specifier }) {
  if (specifier === 'node:process' && !file.startsWith(`${commandLine}/`))
    return `imports node:process; only ${commandLine} reads the environment and the arguments`;
  if (specifier.startsWith('node:') || developmentFiles.includes(file)) return null;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return installed.has(name) ? null : `imports ${name}, which is not among the dependencies of package.json`;
}

function checkFile({ file, code, imports }) {
  if (!layers.has(posix.dirname(file)))
    return [`${file}: lies in a folder that the table of layers does not name`];
  const faults = imports.map((found) => {
    const fault = found.specifier.startsWith('.')
      ? refuse(posix.dirname(file), posix.dirname(targetOf(file, found.specifier)), found)
      : checkPackage(file, found);
    return fault && `${file}:${found.line}: ${fault}`;
  });
  if (!readersOfEnvironment.some((folder) => file.startsWith(`${folder}/`)))
    for (const [index, line] of code.split('\n').entries()) {
      const global = /\bprocess\.(env|argv|exit|exitCode)\b/.exec(line);
      if (global) faults.push(`${file}:${index + 1}: uses ${global[0]}, which is for ${commandLine} alone`);
    }
  return faults.filter(Boolean);
}

/** The circles of files, each reported once. */
function findCircles(sources) {
  const targets = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => targetOf(file, specifier)),
    ]),
  );
  const done = new Set();
  const circles = [];
  const visit = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0)
      circles.push(`${file}: imports itself by way of ${[...path.slice(at + 1), file].join(', ')}`);
    if (at >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const { file } of sources) visit(file, []);
  return circles;
}

const { dependencies = {} } = JSON.parse(readFileSync(posix.join(root, 'package.json'), 'utf8'));
const installed = new Set(Object.keys(dependencies));
const sources = ['src', 'drizzle']
  .filter((folder) => existsSync(posix.join(root, folder)))
  .flatMap((folder) =>
    readdirSync(posix.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?tsx?$/.test(name))
      .map((name) => `${folder}/${name.split(sep).join('/')}`),
  )
  .sort()
  .map((file) => {
    const code = withoutComments(readFileSync(posix.join(root, file), 'utf8'));
    return { file, code, imports: importsOf(code) };
  });
const faults = [...sources.flatMap(checkFile), ...findCircles(sources)];
for (const fault of faults) console.error(fault);
console.log(`${sources.length} files, ${faults.length} forbidden imports or circles`);
process.exitCode = faults.length === 0 ? 0 : 1;
