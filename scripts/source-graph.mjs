// The sources of src/, drizzle/ and the packages as syntax trees, and which of them import which: what the
// checks of imports and of the layout read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * @returns of each file its path from the root, text, syntax tree and imports; `problem` is why it cannot be
 * parsed, or null. The
 *   specifier of an import is null where it is computed.
 */
export function readSources(root) {
  return ['src', 'drizzle', ...sourcesOfPackages(root)]
    .flatMap((folder) => filesBelow(root, folder))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const { program, comments, errors } = parseSync(file, text);
      const imports = nodesOf(program).flatMap((node) => importOf(node) ?? []);
      return { file, text, program, comments, imports, problem: errors[0]?.message ?? null };
    });
}

/** The folder of the sources of each package. */
export function sourcesOfPackages(root) {
  if (!existsSync(join(root, 'packages'))) return [];
  return readdirSync(join(root, 'packages')).map((name) => `packages/${name}/src`);
}

/** The paths of all files of a folder, from the root. */
export function filesBelow(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** All nodes of a syntax tree. */
export function nodesOf(program) {
  const found = [];
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return;
    if (typeof node.type === 'string') found.push(node);
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return found;
}

export function lineOf(text, offset) {
  return text.slice(0, offset).split('\n').length;
}

/** What a node imports; null if nothing. `isOfTypes`: nothing of it is left in the program that runs. */
function importOf(node) {
  const { type, source, start } = node;
  switch (type) {
    case 'ImportDeclaration':
      return { start, specifier: source.value, isOfTypes: node.importKind === 'type' };
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return source && { start, specifier: source.value, isOfTypes: node.exportKind === 'type' };
    case 'TSImportType':
      return { start, specifier: source.value, isOfTypes: true };
    case 'ImportExpression':
      return { start, specifier: source.type === 'Literal' ? source.value : null, isOfTypes: false };
    default:
      return null;
  }
}

/** The circles of files: each is a path that ends where it began. */
export function circlesOfFiles(sources) {
  const targets = new Map(
    sources.map(({ file, imports }) => [
      file,
      imports
        .filter(({ specifier }) => specifier?.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(file), specifier)),
    ]),
  );
  const done = new Set();
  const circles = [];
  const visit = (node, path) => {
    const at = path.indexOf(node);
    if (at >= 0) circles.push([...path.slice(at), node]);
    if (at >= 0 || done.has(node)) return;
    for (const target of targets.get(node) ?? []) visit(target, [...path, node]);
    done.add(node);
  };
  for (const node of targets.keys()) visit(node, []);
  return circles;
}
