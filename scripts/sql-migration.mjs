// The migration from a migrated database to the files of sql/. Both are played in the database, in a transaction that is rolled back:
// what the files alone make of it, and the statements of the migration, which must lead to the same.
import { plan, replacing, works } from './sql-plan.mjs';
import { differing, readState, resetting } from './sql-state.mjs';

/**
 * The database as it is and as the files make it, inside a transaction.
 *
 * @param {string[]} droppedTables tables on which views stood that do no more, dropped after them
 */
export async function compare(client, files, droppedTables = []) {
  const before = await readState(client);
  const after = await stateOfFiles(client, files, droppedTables);
  const differences = Object.keys(before).flatMap((kind) => differing(before[kind], after[kind]));
  return { before, after, differences };
}

/** @returns {Promise<string[]>} the statements that lead from one to the other; they have been played */
export async function migrationTo(client, files, { before, after }, droppedTables = []) {
  const drops = droppedTables.map((table) => `DROP TABLE ${table};`);
  const statements = await plan(client, files, before, after, drops);
  await verify(client, statements, after);
  return statements;
}

/** What the database would be with the files alone; leaves it as it was. */
async function stateOfFiles(client, files, droppedTables) {
  await client.query('savepoint files');
  const { views, triggers, functions, settings, comments } = await readState(client);
  for (const view of views.keys()) await client.query(`drop view if exists ${view} cascade`);
  for (const trigger of triggers.keys()) await client.query(`drop trigger ${trigger}`);
  for (const [table, found] of settings) await client.query(resetting(table, found));
  for (const table of droppedTables) await client.query(`drop table ${table}`);
  for (const key of comments.keys()) {
    const [, column, target] = /^(?:TABLE( COLUMN)?|SCHEMA) (.*)$/.exec(key) ?? [];
    const isGone = droppedTables.some((table) => `${target}.`.startsWith(`${table}.`));
    if (target && !isGone)
      await client.query(`comment on ${column ? 'column' : key.split(' ')[0]} ${target} is null`);
  }
  const known = new Set();
  for (const file of files) {
    if (file.kind === 'FUNCTION') await replaceFunction(client, file);
    else if (file.create) await run(client, file, file.create);
    if (file.kind === 'FUNCTION') known.add(file.name);
    for (const statement of [...file.triggers, ...file.settings, ...file.comments])
      await run(client, file, statement);
  }
  for (const key of functions.keys()) {
    if (!known.has(key.slice(0, key.indexOf('(')))) await client.query(`drop function ${key} cascade`);
  }
  const state = await readState(client);
  await client.query('rollback to savepoint files');
  return state;
}

async function replaceFunction(client, file) {
  if (await works(client, replacing(file.create))) return await run(client, file, replacing(file.create));
  const { rows } = await client.query(
    `select p.oid::regprocedure as found from pg_proc p where p.oid::regproc::text = $1`,
    [file.name],
  );
  for (const { found } of rows) await client.query(`drop function ${found} cascade`);
  await run(client, file, file.create);
}

async function run(client, file, statement) {
  try {
    await client.query(statement);
  } catch (error) {
    throw new Error(`sql/${file.path}: ${error.message}`, { cause: error });
  }
}

/** Plays the migration on the state of the migrations: it must lead to the state of the files. */
async function verify(client, statements, after) {
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      throw new Error(`sql: the migration fails: ${error.message}\n${statement}`, { cause: error });
    }
  }
  const reached = await readState(client);
  const differences = Object.keys(after).flatMap((kind) => differing(reached[kind], after[kind]));
  if (differences.length > 0)
    throw new Error(`sql: the migration leaves a difference: ${differences.join(', ')}`);
}
