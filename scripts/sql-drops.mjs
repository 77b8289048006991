// Which views, functions and triggers have to be dropped for a change, and in which order. The database is asked, by trying in a
// transaction: it knows what stands on what.
import { readState } from './sql-state.mjs';

/** @returns {string[]} the statements that would drop every trigger, view and function of the state */
export function dropsIn({ triggers, views, functions }) {
  return [
    ...[...triggers.keys()].map((key) => `DROP TRIGGER ${key};`),
    ...[...views.keys()].map((key) => `DROP VIEW ${key};`),
    ...[...functions.keys()].map((key) => `DROP FUNCTION ${key};`),
  ];
}

/** The same drop, with all that stands on it, if it is still there. */
export function cascading(drop) {
  return drop.replace(/^DROP (\w+) (.*);$/s, 'DROP $1 IF EXISTS $2 CASCADE');
}

/** @returns the drops of the state `before` whose view, function or trigger is gone after the work, which is undone */
export async function goneWith(client, before, work) {
  await client.query('savepoint gone');
  await work();
  const left = new Set(dropsIn(await readState(client)));
  await client.query('rollback to savepoint gone');
  return dropsIn(before).filter((drop) => !left.has(drop));
}

/**
 * What stands on others first. Views that follow each other are dropped by one statement, because PostgreSQL then names at once
 * whatever somebody else built on them.
 */
export async function inOrderOfDrops(client, drops) {
  let left = drops;
  const ordered = [];
  await client.query('savepoint drops');
  while (left.length > 0) {
    const later = [];
    for (const drop of left) {
      if (await works(client, drop)) {
        await client.query(drop);
        ordered.push(drop);
      } else later.push(drop);
    }
    if (later.length === left.length) await refuse(client, later[0]);
    left = later;
  }
  await client.query('rollback to savepoint drops');
  return joined(ordered);
}

function joined(drops) {
  const statements = [];
  for (const drop of drops) {
    const isNext = drop.startsWith('DROP VIEW ') && statements.at(-1)?.startsWith('DROP VIEW ');
    if (isNext) statements.push(`${statements.pop().slice(0, -1)}, ${drop.slice('DROP VIEW '.length)}`);
    else statements.push(drop);
  }
  return statements;
}

/** Views, functions and triggers that stand on it would be dropped before it, so only a table does. */
async function refuse(client, drop) {
  try {
    await client.query(drop);
  } catch (error) {
    throw new Error(
      `sql: a table stands on what has to be dropped: ${error.message}: ${error.detail}: give it another name, and drop the old one when no table needs it`,
      { cause: error },
    );
  }
}

/** Whether a statement would succeed; leaves the database as it was. */
export async function works(client, statement) {
  await client.query('savepoint attempt');
  try {
    await client.query(statement);
    return true;
  } catch {
    return false;
  } finally {
    await client.query('rollback to savepoint attempt');
  }
}
