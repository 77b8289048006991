// The files of sql/, in the order in which they stand on each other: each holds one view or function with its comments and
// triggers, or the comments and storage parameters of one table.
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
 * @property {string[]} settings statements that set storage parameters of a table, with the comment above them
 * @property {Set<string>} needs names of the other files' views and functions that it mentions
 */

/** @returns {SqlFile[]} what is needed before what needs it, else by path */
export function readSqlFiles(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.sql'));
  const files = paths.toSorted().map((path) => parse(path, readFileSync(join(folder, path), 'utf8')));
  for (const file of files) {
    const twin = files.find((other) => other !== file && other.name && other.name === file.name);
    if (twin) throw new Error(`sql/: ${file.path} and ${twin.path} both make ${file.name}`);
    for (const other of files)
      if (other !== file && other.name && mentions(file.create, other.name)) file.needs.add(other.name);
  }
  return inOrder(files);
}

/** Whether a statement, but for its comments and texts, names a view or function such as `reporting.transactions`. */
export function mentions(statement, name) {
  const pattern = new RegExp(`(?<![\\w."])"?${name.replace('.', '"?\\."?')}"?(?![\\w"])`);
  // Such as 'custody.change_ids'::regclass is a name as well.
  const code = statement.replaceAll(/--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'(::reg)?/g, (part, isName) =>
    isName ? part.slice(1, part.lastIndexOf("'")) : ' ',
  );
  return pattern.test(code);
}

/** The table whose storage parameters a statement sets, such as `custody.accounts`; null for other statements. */
export function settingsOf(statement) {
  const [, schema, table] = /^ALTER TABLE "(\w+)"\."(\w+)" SET \(/m.exec(statement) ?? [];
  return table === undefined ? null : `${schema}.${table}`;
}

function parse(path, text) {
  const statements = text.trim().split(/\n\s*\n/);
  const found = made.exec(statements[0]);
  const rest = (found ? statements.slice(1) : statements).flatMap((part) => part.split(/\n(?=COMMENT ON )/));
  const of = (start) => rest.filter((statement) => statement.replace(/^(--.*\n)+/, '').startsWith(start));
  const triggers = of('CREATE TRIGGER ');
  const comments = of('COMMENT ON ');
  const settings = of('ALTER TABLE ').filter((statement) => settingsOf(statement) !== null);
  const odd = rest.find((statement) => ![...triggers, ...comments, ...settings].includes(statement));
  if (odd !== undefined)
    throw new Error(
      `sql/${path}: one view or function a file, then its comments and triggers, or the comments and storage parameters of a table: ${odd}`,
    );
  return {
    path,
    kind: found ? found[1] : null,
    name: found ? `${found[2]}.${found[3]}` : '',
    create: found ? statements[0] : '',
    triggers,
    comments,
    settings,
    needs: new Set(),
  };
}

/**
 * @template {{ name: string, path: string, needs: Set<string> }} Item
 * @param {Item[]} files
 * @returns {Item[]} what is needed before what needs it, else as they were
 */
export function inOrder(files) {
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
