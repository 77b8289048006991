// Holds the floors of the architecture (ARCHITECTURE.md): imports go down only, siblings of one floor do not know each
// other, tables are the store's, the environment is the command line's, and what ships imports only what is installed.
//
//   node scripts/check-imports.mjs [directory of the repository]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

/** Folders by floor, from the ground up. */
const floors = [
  ['src/domain'],
  ['src/base', 'drizzle'],
  ['src/custody', 'src/store', 'src/sandbox'],
  ['src/sync'],
  ['src/scheduler', 'src/http'],
  ['src/cli'],
];
const floorOf = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor])));
const commandLine = 'src/cli';
const tables = 'drizzle';
const usersOfTables = ['src/store'];
/** Read by drizzle-kit in development; never shipped into a running program. */
const developmentFiles = ['drizzle/drizzle.config.ts'];

/** The folder of the floors that holds a file; undefined for a file outside them. */
function folderOf(file) {
  return [...floorOf.keys()].find((folder) => file.startsWith(`${folder}/`));
}

/** Source without comments, line for line, so that what a comment says is not taken for code. */
function withoutComments(source) {
  const token =
    /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return source.replace(token, (found) => (found.startsWith('/') ? found.replace(/[^\n]/g, '') : found));
}

/** What a file imports, types or values, and on which line. */
function importsOf(code) {
  const statement =
    /\b(?:import|export)\s+(?:type\s)?(?:[\w$*\s{},]*?\sfrom\s*)?(['"])([^'"\n]+)\1|\bimport\s*\(\s*(['"])([^'"\n]+)\3/g;
  return [...code.matchAll(statement)].map((match) => ({
    specifier: match[2] ?? match[4],
    line: code.slice(0, match.index).split('\n').length,
  }));
}

function checkRelative(file, folder, { specifier }) {
  const target = relative(root, resolve(root, dirname(file), specifier))
    .split(sep)
    .join('/');
  const other = folderOf(target);
  if (other === folder) return null;
  if (other === undefined) return `imports ${target}, which is no part of the program`;
  if (floorOf.get(other) >= floorOf.get(folder)) return `imports ${other}, which is not below ${folder}`;
  if (other === tables && !usersOfTables.includes(folder))
    return `imports ${tables}; only ${usersOfTables.join(', ')} may know the tables`;
  return null;
}

function checkPackage(file, folder, { specifier }, installed) {
  if (specifier === 'node:process' && folder !== commandLine)
    return `imports node:process; only ${commandLine} reads the environment and the arguments`;
  if (specifier.startsWith('node:') || developmentFiles.includes(file)) return null;
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return installed.has(name) ? null : `imports ${name}, which is not among the dependencies of package.json`;
}

function checkFile(file, installed) {
  const folder = folderOf(file);
  if (folder === undefined) return [`${file}: lies outside the folders of the floors`];
  const code = withoutComments(readFileSync(join(root, file), 'utf8'));
  const faults = importsOf(code).map((found) => {
    const fault = found.specifier.startsWith('.')
      ? checkRelative(file, folder, found)
      : checkPackage(file, folder, found, installed);
    return fault && `${file}:${found.line}: ${fault}`;
  });
  if (folder !== commandLine)
    for (const [index, line] of code.split('\n').entries()) {
      const global = /\bprocess\.(env|argv|exit|exitCode)\b/.exec(line);
      if (global) faults.push(`${file}:${index + 1}: uses ${global[0]}, which is for ${commandLine} alone`);
    }
  return faults.filter(Boolean);
}

const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const installed = new Set(Object.keys(dependencies));
const files = ['src', 'drizzle']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?tsx?$/.test(name))
      .map((name) => `${folder}/${name.split(sep).join('/')}`),
  )
  .sort();
const faults = files.flatMap((file) => checkFile(file, installed));
for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${faults.length} forbidden imports`);
process.exitCode = faults.length === 0 ? 0 : 1;
