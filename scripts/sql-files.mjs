// The files of sql/, in the order in which they stand on each other: each holds one view or function with its comments and
// triggers, or the comments of one table.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const made = /^CREATE (?:OR REPLACE )?(VIEW|FUNCTION) "(\w+)"\."(\w+)"/m;

/**
 * @typedef {object} SqlFile
 * @property {string} path below sql/
 * @property {'VIEW' | 'FUNCTION' | null} kind null for a file of comments alone
 * @property {string} name such as `reporting.transactions`; empty for a file of comments alone
 * @property {string} create the statement that makes it, with the comment above it
 * @property {string[]} triggers statements that make the triggers of a function
 * @property {string[]} comments `COMMENT ON` statements, one each
 * @property {Set<string>} needs names of the other files' views and functions that it mentions
 */

/** @returns {SqlFile[]} what is needed before what needs it, else by path */
export function readSqlFiles(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.sql'));
  const files = paths.toSorted().map((path) => parse(path, readFileSync(join(folder, path), 'utf8')));
  for (const file of files) {
    const own = file.create.replace(/^--.*$/gm, '');
    const mentions = (name) =>
      new RegExp(`(?<![\\w."])"?${name.replace('.', '"?\\."?')}"?(?![\\w"])`).test(own);
    for (const other of files)
      if (other !== file && other.name && mentions(other.name)) file.needs.add(other.name);
  }
  return inOrder(files);
}

function parse(path, text) {
  const statements = text.trim().split(/\n\s*\n/);
  const found = made.exec(statements[0]);
  const rest = (found ? statements.slice(1) : statements).flatMap((part) => part.split(/\n(?=COMMENT ON )/));
  const odd = rest.find((statement) => !/^(COMMENT ON|CREATE TRIGGER) /.test(statement));
  if (odd !== undefined)
    throw new Error(`sql/${path}: one view or function a file, then its comments and triggers: ${odd}`);
  return {
    path,
    kind: found ? found[1] : null,
    name: found ? `${found[2]}.${found[3]}` : '',
    create: found ? statements[0] : '',
    triggers: rest.filter((statement) => statement.startsWith('CREATE TRIGGER')),
    comments: rest.filter((statement) => statement.startsWith('COMMENT ON')),
    needs: new Set(),
  };
}

function inOrder(files) {
  const done = [];
  const names = new Set();
  let left = files;
  while (left.length > 0) {
    const ready = left.filter((file) => [...file.needs].every((name) => names.has(name)));
    if (ready.length === 0) throw new Error(`sql/: a circle of ${left.map(({ path }) => path).join(', ')}`);
    for (const file of ready) {
      done.push(file);
      names.add(file.name);
    }
    left = left.filter((file) => !ready.includes(file));
  }
  return done;
}
