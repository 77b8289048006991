// Plans the migration from a database to the files of sql/, around a change of tables that drizzle-kit wrote.
// PostgreSQL itself is asked, by trying what is undone again: what it can replace is replaced in place; the
// rest is dropped and made again with what stands on it. Nothing is dropped with CASCADE, so that PostgreSQL
// refuses and names what others built on it.
import { basename } from 'node:path';
import { closeFunctions, giveAccess, isAnyOpen, keepAccess } from './sql-access.mjs';
import { commentsByName, differing, readState, requireComments } from './sql-state.mjs';

/** It may be one on a function of the files, and is made after them. */
const isIndex = (statement) => /^CREATE (?:UNIQUE )?INDEX /.test(statement);
const isDropped = (key) => /^(?:VIEW|FUNCTION|TRIGGER) /.test(key);

/**
 * The database as it is (`before`), and as the files alone would make it on the changed tables (`after`);
 * `statements`: those of the files, in an order in which they can be played.
 */
export async function compare(client, { files, columnTexts }, tables = []) {
  const before = await readState(client);
  const { statements, after } = await undone(client, async () => {
    for (const [key, { undo }] of before) await attempt(client, isDropped(key) ? cascading(undo) : undo);
    await play(client, tables);
    const ordered = await playInAnyOrder(client, files);
    const comments = await commentsByName(client, columnTexts);
    await play(
      client,
      comments.map(({ text }) => text),
    );
    await requireComments(client);
    const statements = [...ordered.flatMap((file) => file.statements), ...comments];
    return { statements, after: await readState(client) };
  });
  return { before, after, statements, differences: differing(before, after) };
}

/**
 * @param {string[]} made the statements of drizzle-kit
 * @returns {Promise<string[]>} the statements of the migration, these among them, which have been played
 */
export async function planMigration(client, sql, made) {
  const trimmed = made.map((statement) => statement.trim());
  const indexes = trimmed.filter(isIndex);
  const tables = withoutCascade(trimmed.filter((statement) => !isIndex(statement)));
  const { before, after, statements, differences } = await compare(client, sql, tables);
  const undosOf = (keys) => keys.map((key) => before.get(key).undo);
  // Options that the mirror gave to a view are not kept for it.
  const resets = undosOf(differences.filter((key) => key.startsWith('ALTER ') && before.has(key)));
  const there = await whatStays(client, { before, after, resets, tables });
  const changed = new Set(differing(there, after));
  const dropped = [...before.keys()].filter((key) => isDropped(key) && !there.has(key));
  const replaced = [...changed].filter((key) => isDropped(key) && there.has(key));
  const comments = [...there].filter(([key]) => key.startsWith('COMMENT ') && !after.has(key));
  const makes = statements
    .filter(({ key }) => changed.has(key))
    .map(({ key, text }) => (there.has(key) ? replacing(text) : text));
  // A view that is replaced in place keeps its grants, but not the options that somebody set on it.
  const losesAccess =
    replaced.some((key) => key.startsWith('VIEW ')) ||
    dropped.some((key) => after.has(key) && !key.startsWith('TRIGGER '));
  const migration = [
    ...resets,
    ...comments.map(([, { undo }]) => undo),
    ...(losesAccess ? [keepAccess] : []),
    ...(await inOrderOfDrops(client, undosOf(dropped))),
    ...tables,
    ...joined(makes, 'COMMENT ON ', (first, second) => `${first}\n${second}`),
    ...indexes,
    ...(losesAccess ? [giveAccess] : []),
  ];
  await play(client, migration);
  const closing = (await isAnyOpen(client)) ? [closeFunctions] : [];
  await play(client, closing);
  const functions = replaced.filter((key) => key.startsWith('FUNCTION '));
  const reindexing = await reindexingFor(client, undosOf(functions));
  await play(client, reindexing);
  const left = differing(await readState(client), after);
  if (left.length > 0) throw new Error(`sql: the migration leaves a difference: ${left.join(', ')}`);
  return [...migration, ...closing, ...reindexing];
}

/**
 * What is left of the database, on the changed tables, once everything is dropped that is gone, cannot be
 * replaced in place, or stands on such a thing or on a column that changes.
 */
async function whatStays(client, { before, after, resets, tables }) {
  const untouched = await undone(client, async () => {
    for (const statement of tables) await attempt(client, takingWhatStandsOnIt(statement));
    return await readState(client);
  });
  const isLost = (key) => !untouched.has(key) || !isReplaceable(before.get(key), after.get(key));
  return await undone(client, async () => {
    await play(client, resets);
    for (const [key, { undo }] of before)
      if (isDropped(key) && isLost(key)) await attempt(client, cascading(undo));
    await play(client, tables);
    return await readState(client);
  });
}

/** A view may get more columns at its end, a function nothing but another body. */
function isReplaceable(before, after) {
  return before.key.startsWith('VIEW ')
    ? after?.shape.startsWith(before.shape)
    : after?.shape === before.shape;
}

/** drizzle-kit drops a table with what others built on it (CASCADE), and before the keys that refer to it. */
function withoutCascade(statements) {
  const isDrop = (statement) => statement.startsWith('DROP TABLE ');
  const drops = statements.filter(isDrop).map((drop) => drop.replace(/ CASCADE;$/, ';'));
  return [...statements.filter((statement) => !isDrop(statement)), ...drops];
}

/** What stands on a column is in the way of another type as it is in the way of a drop. */
function takingWhatStandsOnIt(statement) {
  const column = /^ALTER TABLE (\S+) (?:DROP COLUMN|ALTER COLUMN) ("[^"]+")(?:;| SET DATA TYPE )/.exec(
    statement,
  );
  if (column) return `ALTER TABLE ${column[1]} DROP COLUMN ${column[2]} CASCADE;`;
  return statement.startsWith('DROP TABLE ') ? cascading(statement) : statement;
}

function cascading(drop) {
  return drop.replace(/;$/, ' CASCADE;');
}

function replacing(statement) {
  return statement.replace(/^CREATE (?=VIEW|FUNCTION)/m, 'CREATE OR REPLACE ');
}

/** Views in a row are dropped by one statement: PostgreSQL then names at once what others built on them. */
async function inOrderOfDrops(client, drops) {
  const items = drops.map((text) => ({ name: 'sql', text }));
  try {
    const ordered = await undone(client, () => playInAnyOrder(client, items));
    const texts = ordered.map(({ text }) => text);
    return joined(texts, 'DROP VIEW ', (first, second) =>
      second.replace('DROP VIEW', `${first.slice(0, -1)},`),
    );
  } catch (error) {
    const hint = 'what a table needs gets another name, and is dropped when no table needs it';
    throw new Error(`${error.message}\n${hint}`, { cause: error });
  }
}

function joined(statements, start, join) {
  const all = [];
  for (const statement of statements) {
    const isNext = statement.startsWith(start) && all.at(-1)?.startsWith(start);
    all.push(isNext ? join(all.pop(), statement) : statement);
  }
  return all;
}

const holders = `
  SELECT format('INDEX %s', indexrelid::regclass) AS holder FROM pg_index
  UNION ALL
  SELECT format('constraint %I on table %s', conname, conrelid::regclass) FROM pg_constraint
  UNION ALL
  SELECT format('column %I of table %s', attname, attrelid::regclass) FROM pg_attribute
  WHERE attgenerated <> ''`;

/**
 * Indexes hold what a function gave before it was replaced, so they are made again. A constraint or a
 * generated column does too, but its rows would have to be read or written again: that is refused.
 */
async function reindexingFor(client, drops) {
  const read = async () => (await client.query(holders)).rows.map(({ holder }) => holder);
  const all = await read();
  const left = await undone(client, async () => {
    for (const drop of drops) await attempt(client, cascading(drop));
    return new Set(await read());
  });
  const held = all.filter((holder) => !left.has(holder));
  const other = held.find((holder) => !holder.startsWith('INDEX '));
  if (other) {
    const names = drops.map((drop) => drop.slice('DROP FUNCTION '.length, -1)).join(' or ');
    throw new Error(
      `sql: ${other} holds for what ${names} gave, which changes: make a function of another name for it`,
    );
  }
  return held.map((index) => `REINDEX ${index};`);
}

/** Plays what can be played, then again what could not. @returns the items in an order in which they can */
async function playInAnyOrder(client, items) {
  const done = [];
  for (let left = items; left.length > 0; ) {
    const failed = [];
    for (const item of left) {
      const error = await attempt(client, item.text);
      if (error === null) done.push(item);
      else failed.push({ ...item, error });
    }
    if (failed.length === left.length) throw new Error(causesAmong(failed).join('\n'));
    left = failed;
  }
  return done;
}

/** What a file makes has the file's name: where one that failed is missed by another, it is the cause. */
function causesAmong(failed) {
  const isMissed = (error) => failed.some(({ name }) => error.message.includes(`.${basename(name, '.sql')}`));
  const causes = failed.filter(({ error }) => !isMissed(error));
  if (causes.length > 0) return causes.map(({ name, error }) => explain(name, error));
  return ['sql: these need each other', ...failed.map(({ name, error }) => explain(name, error))];
}

async function play(client, statements) {
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      throw new Error(`${explain('sql: the migration fails', error)}\n${statement}`, { cause: error });
    }
  }
}

function explain(name, { message, detail, hint }) {
  return [name, message, detail, hint].filter(Boolean).join(': ');
}

/** @returns {Promise<Error | null>} why the statement fails, which then leaves the database as it was */
async function attempt(client, statement) {
  await client.query('SAVEPOINT attempt');
  try {
    await client.query(statement);
    await client.query('RELEASE SAVEPOINT attempt');
    return null;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt');
    return error;
  }
}

/** Leaves the database as it was, and returns what the work does. */
async function undone(client, work) {
  await client.query('SAVEPOINT work');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK TO SAVEPOINT work; RELEASE SAVEPOINT work');
  }
}
