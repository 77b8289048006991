// What views, functions, triggers, storage parameters and comments there are: in the files of sql/, statement
// by statement, and in a database. Both have the same keys, such as `VIEW "reporting"."transactions"`, so
// that they can be compared.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** What may stand in sql/. The brackets are the key. */
const forms = [
  /^CREATE ((?:VIEW|FUNCTION) "\w+"\."\w+")/m,
  /^CREATE (TRIGGER "\w+")[\s\S]*? (ON "\w+"\."\w+")/m,
  /^(ALTER TABLE "\w+"\."\w+" SET) \(/m,
  /^(COMMENT ON \w+ [^ (]+)/m,
];

/** @returns `files`: of each its name, text, and statements with their keys; `columnTexts`: of columns.txt */
export function readSql(folder) {
  return { files: readFiles(folder), columnTexts: readColumnTexts(folder) };
}

function readFiles(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.sql'));
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(folder, path), 'utf8').trim();
    const parts = text.split(/\n\s*\n|\n(?=COMMENT ON )/);
    const statements = parts.map((statement) => ({ key: keyOf(statement, path), text: statement }));
    return { name: `sql/${path}`, text, statements };
  });
}

/** @returns {Map<string, string>} what a column means, by its name, where its file does not say it */
function readColumnTexts(folder) {
  const lines = readFileSync(join(folder, 'columns.txt'), 'utf8').match(/^\w+: .+$/gm);
  return new Map(lines.map((line) => line.split(/: (.*)/s)));
}

function keyOf(statement, path) {
  const match = forms.map((form) => form.exec(statement)).find((found) => found !== null);
  if (match) return match.slice(1).join(' ');
  throw new Error(
    `sql/${path}: no view, function, trigger, comment or storage parameters of a table: ${statement}`,
  );
}

/** The schemas of the mirror, as a list of SQL. */
export const schemas = "('custody', 'reporting', 'sync', 'internal', 'drizzle')";

// Of each: its key; the statement that takes it away; its shape, with which it can be replaced in place; and
// its definition, as PostgreSQL tells it. What came with PostgreSQL has a number below 16384.
const question = `
  WITH ours AS (SELECT oid, nspname FROM pg_namespace WHERE nspname IN ${schemas}),
  relations AS (
    SELECT c.oid, reloptions, format('"%s"."%s"', nspname, relname) AS name,
      CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'r' THEN 'TABLE' END AS kind, (
        SELECT string_agg(format('%s %s, ', attname, format_type(atttypid, atttypmod)), '' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns
    FROM pg_class c JOIN ours n ON n.oid = c.relnamespace
  )
  SELECT 'VIEW ' || name AS key, format('DROP VIEW %s;', r.oid::regclass) AS undo, columns AS shape,
    concat_ws(' ', reloptions, columns, pg_get_viewdef(r.oid)) AS definition
  FROM relations r WHERE kind = 'VIEW'
  UNION ALL
  SELECT format('FUNCTION "%s"."%s"', nspname, proname), format('DROP FUNCTION %s;', p.oid::regprocedure),
    format('%s %s', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)),
    pg_get_functiondef(p.oid)
  FROM pg_proc p JOIN ours n ON n.oid = p.pronamespace
  UNION ALL
  SELECT format('TRIGGER "%s" ON %s', tgname, name),
    format('DROP TRIGGER %I ON %s;', tgname, tgrelid::regclass), definition, definition
  FROM pg_trigger t CROSS JOIN pg_get_triggerdef(t.oid) AS definition JOIN relations r ON r.oid = tgrelid
  WHERE NOT tgisinternal
  UNION ALL
  SELECT format('ALTER %s %s SET', kind, name), format('ALTER %s %s RESET (%s);', kind, name, (
    SELECT string_agg(option_name, ', ') FROM pg_options_to_table(reloptions))), '', reloptions::text
  FROM relations WHERE kind IS NOT NULL AND reloptions IS NOT NULL
  UNION ALL
  SELECT key, key || ' IS NULL;', '', description
  FROM pg_description d CROSS JOIN LATERAL pg_identify_object_as_address(classoid, objoid, objsubid) AS i
  CROSS JOIN LATERAL (SELECT format('COMMENT ON %s "%s"', regexp_replace(upper(i.type), '^.* ', ''),
    array_to_string(object_names, '"."')) AS key) AS k
  WHERE objoid >= 16384 AND object_names[1] IN ${schemas}
    AND object_names[1:2] <> '{drizzle,definitions}'`;

const columnsWithoutComment = `
  SELECT attname AS name, format('COMMENT ON COLUMN "%s"."%s"."%s"', nspname, relname, attname) AS key,
    nspname IN ('custody', 'reporting', 'sync') AS "isOurs"
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
  WHERE nspname IN ${schemas} AND relkind IN ('v', 'r') AND attnum > 0 AND NOT attisdropped
    AND col_description(c.oid, attnum) IS NULL
  ORDER BY nspname, relname, attnum`;

/** @returns statements for the columns that have no comment, as those of the files */
export async function commentsByName(client, columnTexts) {
  const { rows } = await client.query(columnsWithoutComment);
  return rows
    .filter(({ name }) => columnTexts.has(name))
    .map(({ name, key }) => ({ key, text: `${key} IS ${pg.escapeLiteral(columnTexts.get(name))};` }));
}

/** @throws Error naming each column of a table or view that nothing explains */
export async function requireComments(client) {
  const { rows } = await client.query(columnsWithoutComment);
  const silent = rows.filter(({ isOurs }) => isOurs).map(({ key }) => key.slice('COMMENT ON '.length));
  if (silent.length > 0)
    throw new Error(
      `sql: no comment says what this means; add one in sql/tables, next to the view, or in sql/columns.txt: ${silent.join(', ')}`,
    );
}

/** @returns {Promise<Map<string, { key: string, undo: string, shape: string, definition: string }>>} */
export async function readState(client) {
  const { rows } = await client.query(question);
  // In one order, so that the same change gives the same migration.
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return new Map(sorted.map((row) => [row.key, row]));
}

/** Keys whose definitions differ, or that one of the two lacks. */
export function differing(before, after) {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key)?.definition !== after.get(key)?.definition);
}
