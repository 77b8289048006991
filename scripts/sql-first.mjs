// The first set of migrations, made from drizzle/ and sql/ while no version was released: one migration for the tables with their
// comments, then one for each folder of sql/, in the order in which the folders stand on each other.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOrder, mentions } from './sql-files.mjs';

export const breakpoint = '\n--> statement-breakpoint\n';
/** The folder of sql/ whose comments belong to the tables of drizzle/. */
const tables = 'tables';

/** @returns {string[]} how it is known that a version was released: dated headings of the changelog, tags; empty when none was */
export function releases(root) {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const headings = changelog.match(/^## \[?\d+\.\d+\.\d+\S* - \d{4}-\d{2}-\d{2}/gm) ?? [];
  const found = headings.map((heading) => `CHANGELOG.md has "${heading}"`);
  if (existsSync(join(root, '.git'))) {
    const tags = execFileSync('git', ['tag', '--list', 'v[0-9]*'], { cwd: root, encoding: 'utf8' });
    found.push(
      ...tags
        .split('\n')
        .filter(Boolean)
        .map((tag) => `git has the tag ${tag}`),
    );
  }
  return found;
}

/** @returns the removed migrations: when each was made, and its text */
export function removeMigrations(folder) {
  const entries = existsSync(join(folder, 'meta')) ? readJournal(folder).entries : [];
  const removed = entries.map(({ tag, when }) => ({
    tag,
    when,
    text: readFileSync(join(folder, `${tag}.sql`), 'utf8'),
  }));
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.sql'))) rmSync(join(folder, name));
  rmSync(join(folder, 'meta'), { recursive: true, force: true });
  return removed;
}

/**
 * Writes the set around the migration of the tables, which drizzle-kit has just made. Each is younger than those that were
 * removed, so that a database of an earlier set is recognised; a set that came out the same keeps its times.
 *
 * @returns {string[]} the names of the migrations
 */
export function writeFirstSet(folder, files, removed) {
  const journal = readJournal(folder);
  const [entry] = journal.entries;
  const path = (tag) => join(folder, `${tag}.sql`);
  const parts = firstSet(readFileSync(path(entry.tag), 'utf8').split('--> statement-breakpoint'), files);
  const texts = parts.map(({ statements }) => `${statements.join(breakpoint)}\n`);
  const isSame = removed.length === texts.length && removed.every(({ text }, idx) => text === texts[idx]);
  const begin = Math.max(entry.when, ...removed.map(({ when }) => when + 1));
  journal.entries = parts.map(({ name }, idx) => {
    const tag = `${String(idx).padStart(4, '0')}_${name}`;
    return { ...entry, idx, when: isSame ? removed[idx].when : begin + idx, tag };
  });
  for (const [idx, { tag }] of journal.entries.entries()) writeFileSync(path(tag), texts[idx]);
  writeFileSync(journalOf(folder), `${JSON.stringify(journal, null, 2)}\n`);
  return journal.entries.map(({ tag }) => tag);
}

function firstSet(tableStatements, files) {
  const made = files.filter(({ name }) => name);
  const waiting = new Map();
  const own = [];
  for (const statement of tableStatements.map((text) => text.trim())) {
    // Such as an index by a function: it follows what it needs last.
    const needed = made.findLast(({ name }) => mentions(statement, name));
    if (needed) waiting.set(needed, [...(waiting.get(needed) ?? []), statement]);
    else own.push(statement);
  }
  const isOfTables = ({ path }) => folderOf(path) === tables;
  const later = files.filter((file) => !isOfTables(file));
  return [
    { name: tables, statements: withComments(own, files.filter(isOfTables)) },
    ...foldersInOrder(later).map((name) => ({
      name,
      statements: later
        .filter(({ path }) => folderOf(path) === name)
        .flatMap((file) => [...statementsOf(file), ...(waiting.get(file) ?? [])]),
    })),
  ];
}

/** The comments and storage parameters of a table follow the statement that makes it; those of schemas precede the first table. */
function withComments(statements, files) {
  const left = new Set(files);
  const isTable = (statement) => statement.startsWith('CREATE TABLE ');
  const commented = statements.flatMap((statement) => {
    const table = isTable(statement) ? /"\w+"\."\w+"/.exec(statement)[0] : null;
    const file = files.find(({ comments }) =>
      comments.some((comment) => comment.startsWith(`COMMENT ON TABLE ${table} `)),
    );
    if (!file) return [statement];
    left.delete(file);
    return [statement, ...file.settings, file.comments.join('\n')];
  });
  const first = commented.findIndex(isTable);
  const others = [...left].map(({ comments }) => comments.join('\n')).toSorted();
  return commented.toSpliced(first, 0, ...others);
}

function statementsOf({ create, comments, triggers }) {
  return [create, comments.join('\n'), ...triggers].filter(Boolean);
}

/** Folders of sql/, what is needed before what needs it; names those that stand on each other in a circle. */
function foldersInOrder(files) {
  const homes = new Map(files.map(({ name, path }) => [name, folderOf(path)]));
  const names = [...new Set(files.map(({ path }) => folderOf(path)))].toSorted();
  const folders = names.map((name) => {
    const needs = files.filter(({ path }) => folderOf(path) === name).flatMap((file) => [...file.needs]);
    return {
      path: name,
      name,
      needs: new Set(needs.map((need) => homes.get(need)).filter((home) => home !== name)),
    };
  });
  return inOrder(folders).map(({ name }) => name);
}

function folderOf(path) {
  return path.split(/[\\/]/)[0];
}

function journalOf(folder) {
  return join(folder, 'meta/_journal.json');
}

function readJournal(folder) {
  return JSON.parse(readFileSync(journalOf(folder), 'utf8'));
}
