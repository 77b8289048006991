// The migration from a migrated database to the files of sql/. Both are played in the database, in a transaction that the caller
// rolls back: what the files alone make of it, and the statements of the migration, which must lead to the same.
import { cascading, dropsIn } from './sql-drops.mjs';
import { plan, run } from './sql-plan.mjs';
import { differing, readState, resetting } from './sql-state.mjs';

/** The database as it is and as the files make it. */
export async function compare(client, files) {
  const before = await readState(client);
  const after = await stateOfFiles(client, files, before);
  return { before, after, differences: differences(before, after) };
}

/**
 * The statements that lead from one to the other, which have been played.
 *
 * @param {boolean} isKept whether an earlier migration of the same upgrade has begun to keep grants
 * @returns {Promise<string[]>}
 */
export async function migrationTo(client, files, { before, after }, isKept = false) {
  const statements = await plan(client, files, before, after, isKept);
  for (const statement of statements) {
    try {
      await client.query(statement);
    } catch (error) {
      throw new Error(`sql: the migration fails: ${error.message}\n${statement}`, { cause: error });
    }
  }
  const left = differences(await readState(client), after);
  if (left.length > 0) throw new Error(`sql: the migration leaves a difference: ${left.join(', ')}`);
  return statements;
}

function differences(before, after) {
  return Object.keys(after).flatMap((kind) => differing(before[kind], after[kind]));
}

/** What the database would be with the files alone; leaves it as it was. */
async function stateOfFiles(client, files, before) {
  await client.query('savepoint files');
  // With an index or a constraint that stands on a function, which no state tells.
  for (const drop of dropsIn(before)) await client.query(cascading(drop));
  for (const [table, found] of before.settings)
    if (!before.views.has(table)) await client.query(resetting(table, found));
  for (const key of before.comments.keys()) {
    const [, column, target] = /^(?:TABLE( COLUMN)?|SCHEMA) (.*)$/.exec(key) ?? [];
    if (target) await client.query(`comment on ${column ? 'column' : key.split(' ')[0]} ${target} is null`);
  }
  for (const file of files) {
    for (const statement of [file.create, ...file.triggers, ...file.settings, ...file.comments])
      if (statement !== '') await run(client, file, statement);
  }
  const state = await readState(client);
  await client.query('rollback to savepoint files');
  return state;
}
