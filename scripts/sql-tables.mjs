// Completes a migration of tables, which drizzle-kit makes without knowing of views, functions and triggers: PostgreSQL neither drops
// nor retypes a column on which one stands, so these are dropped before; the migration of sql/ makes them again.
import { cascading, goneWith, inOrderOfDrops, works } from './sql-drops.mjs';
import { keeping, namesIn } from './sql-plan.mjs';
import { readState } from './sql-state.mjs';

/**
 * @param {string[]} made the statements of drizzle-kit
 * @returns {Promise<{ statements: string[], isKept: boolean }>} `isKept`: whether the migration begins to keep grants
 */
export async function tablesMigration(client, made) {
  const before = await readState(client);
  const statements = withoutCascade(made.map((statement) => statement.trim()));
  const drops = await goneWith(client, before, async () => {
    for (const statement of statements) {
      const rehearsed = rehearsal(statement);
      if (await works(client, rehearsed)) await client.query(rehearsed);
    }
  });
  if (drops.length === 0) return { statements, isKept: false };
  return {
    statements: [
      ...keeping(before, [...namesIn(drops)]),
      ...(await inOrderOfDrops(client, drops)),
      ...statements,
    ],
    isKept: true,
  };
}

/** A table is dropped with CASCADE by drizzle-kit, also with what somebody else built on it; and before the keys that refer to it. */
function withoutCascade(statements) {
  const isDrop = (statement) => statement.startsWith('DROP TABLE ');
  const drops = statements.filter(isDrop).map((drop) => drop.replace(/ CASCADE;$/, ';'));
  return [...statements.filter((statement) => !isDrop(statement)), ...drops];
}

/** A statement that takes away whatever is in the way of this one: what stands on a column is the same for a drop and a new type. */
function rehearsal(statement) {
  const [, table, column] =
    /^ALTER TABLE (\S+) (?:DROP COLUMN|ALTER COLUMN) ("[^"]+")(?:;| SET DATA TYPE )/.exec(statement) ?? [];
  if (column !== undefined) return `ALTER TABLE ${table} DROP COLUMN ${column} CASCADE`;
  return statement.startsWith('DROP TABLE ') ? cascading(statement) : statement;
}
