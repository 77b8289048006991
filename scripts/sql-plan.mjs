// Plans a migration of views, functions, triggers, comments and storage parameters. What PostgreSQL can replace is replaced in place;
// the rest is dropped and made again with what stands on it.
import { giveAccess, keepAccess } from './sql-access.mjs';
import { cascading, dropsIn, goneWith, inOrderOfDrops, works } from './sql-drops.mjs';
import { settingsOf } from './sql-files.mjs';
import { differing, nameOf, resetting } from './sql-state.mjs';

/**
 * The statements of a migration from the state `before` to the state `after`, which the files make.
 *
 * @param {boolean} isKept whether an earlier migration of the same upgrade has begun with `keeping`
 */
export async function plan(client, files, before, after, isKept) {
  const changedSettings = differing(before.settings, after.settings);
  const changed = new Set(
    [
      ...differing(before.views, after.views),
      ...differing(before.functions, after.functions),
      ...changedSettings.filter((name) => after.views.has(name)),
    ].map(nameOf),
  );
  const drops = await toDrop(client, files, changed, before, after);
  const there = namesIn(dropsIn(before).filter((drop) => !drops.includes(drop)));
  const replaced = [...changed].filter((name) => there.has(name));
  const statements = [
    ...goneComments(before, after, there),
    ...changedSettings
      .filter((table) => before.settings.has(table) && !before.views.has(table))
      .map((table) => resetting(table, before.settings.get(table))),
    ...(await inOrderOfDrops(client, drops)),
    ...files.flatMap((file) => makesOf(file, { before, after, changed, there, changedSettings, drops })),
    ...(await reindexing(client, files, replaced.filter(isFunctionOf(before)))),
  ];
  if (isKept) return [...statements, giveAccess];
  const made = new Set(files.map(({ name }) => name));
  const again = [...namesIn(drops)].filter((name) => made.has(name));
  const lose = [...again, ...replaced.filter((name) => before.views.has(name))];
  return lose.length === 0 ? statements : [...keeping(before, lose), ...statements, giveAccess];
}

/** Keeps the access to what is made again; options that the mirror itself gave to these views are not kept. */
export function keeping(before, names) {
  const own = names.filter((name) => before.views.has(name) && before.settings.has(name));
  return [...own.map((view) => resetting(view, before.settings.get(view))), keepAccess];
}

/** The names of views and functions that drops are of, such as `reporting.transactions`. */
export function namesIn(drops) {
  return new Set(
    drops
      .filter((drop) => !drop.startsWith('DROP TRIGGER '))
      .map((drop) => nameOf(drop.replace(/^DROP \w+ (.*);$/s, '$1'))),
  );
}

/** Drops of what is gone, of what cannot be replaced in place, and of what stands on these. */
async function toDrop(client, files, changed, before, after) {
  const left = new Set(dropsIn(after));
  let drops = dropsIn(before).filter((drop) => !left.has(drop));
  for (const key of differing(before.triggers, after.triggers))
    if (before.triggers.has(key)) drops.push(`DROP TRIGGER ${key};`);
  for (;;) {
    const dropAll = async () => {
      for (const drop of drops) await client.query(cascading(drop));
    };
    drops = await goneWith(client, before, dropAll);
    await client.query('savepoint replacing');
    await dropAll();
    const there = namesIn(dropsIn(before).filter((drop) => !drops.includes(drop)));
    const failing = await notReplaceable(client, files, changed, there);
    await client.query('rollback to savepoint replacing');
    if (failing === null) return drops;
    drops.push(...dropsIn(before).filter((drop) => namesIn([drop]).has(failing)));
  }
}

/** Makes and replaces by the files until one cannot be replaced in place: returns its name, or null. */
async function notReplaceable(client, files, changed, there) {
  for (const file of files.filter(({ create }) => create !== '')) {
    if (!there.has(file.name)) await run(client, file, file.create);
    else if (changed.has(file.name)) {
      if (!(await works(client, replacing(file.create)))) return file.name;
      await client.query(replacing(file.create));
    }
  }
  return null;
}

function makesOf(file, { before, after, changed, there, changedSettings, drops }) {
  const makes = [];
  const isMade = file.create !== '' && !there.has(file.name);
  if (isMade) makes.push(file.create);
  else if (changed.has(file.name)) makes.push(replacing(file.create));
  makes.push(...file.settings.filter((statement) => changedSettings.includes(settingsOf(statement))));
  const newComments = new Set(differing(before.comments, after.comments));
  const comments = file.comments.filter((comment) => isMade || newComments.has(commentKey(comment, after)));
  if (comments.length > 0) makes.push(comments.join('\n'));
  for (const trigger of file.triggers) {
    const [, name, table] = /CREATE TRIGGER "(\w+)"[\s\S]*? ON ("\w+"\."\w+")/.exec(trigger);
    const key = `${name} ON ${table.replaceAll('"', '')}`;
    if (!before.triggers.has(key) || drops.includes(`DROP TRIGGER ${key};`)) makes.push(trigger);
  }
  return makes;
}

/** Statements that take away comments of what stays. */
function goneComments(before, after, there) {
  const gone = [...before.comments.keys()].filter((key) => !after.comments.has(key));
  return gone.flatMap((key) => {
    const [, kind, target] = /^(TABLE COLUMN|VIEW COLUMN|\w+) (.*)$/s.exec(key);
    const owner = kind === 'VIEW COLUMN' ? target.replace(/\.[^.]*$/, '') : nameOf(target);
    if ((kind.startsWith('VIEW') || kind === 'FUNCTION') && !there.has(owner)) return [];
    return [`COMMENT ON ${kind.replace(/^\w+ COLUMN$/, 'COLUMN')} ${target} IS NULL;`];
  });
}

/**
 * Indexes hold what a function gave before it was replaced, so they are made again. A constraint or a generated column does too, but
 * its rows would have to be read or written again: that is refused.
 */
async function reindexing(client, files, replaced) {
  const functions = new Set(replaced);
  for (const file of files)
    if (file.kind === 'FUNCTION' && [...file.needs].some((name) => functions.has(name)))
      functions.add(file.name);
  const { rows } = await client.query(
    `select distinct c.oid::regclass::text as index, pg_describe_object(d.classid, d.objid, d.objsubid) as what,
       format('%I.%I', n.nspname, p.proname) as function
     from pg_depend d join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
     join pg_namespace n on n.oid = p.pronamespace
     left join pg_class c on d.classid = 'pg_class'::regclass and c.oid = d.objid and c.relkind in ('i', 'I')
     left join pg_attrdef f on d.classid = 'pg_attrdef'::regclass and f.oid = d.objid
     left join pg_attribute a on a.attrelid = f.adrelid and a.attnum = f.adnum
     where format('%I.%I', n.nspname, p.proname) = any($1)
       and (c.oid is not null or d.classid = 'pg_constraint'::regclass or a.attgenerated <> '')
     order by 1`,
    [[...functions]],
  );
  const other = rows.find(({ index }) => index === null);
  if (other)
    throw new Error(
      `sql: ${other.what} holds for what ${other.function} gave, which changes: make a function of another name for it`,
    );
  return [...new Set(rows.map(({ index }) => index))].map((index) => `REINDEX INDEX ${index};`);
}

function isFunctionOf({ functions }) {
  const names = new Set([...functions.keys()].map(nameOf));
  return (name) => names.has(name);
}

/** The key under which `readState` tells what a `COMMENT ON` statement writes. */
function commentKey(comment, after) {
  const [, kind, target] = /^COMMENT ON (\w+) ([^']*?) IS /.exec(comment);
  const plain = target.replaceAll('"', '');
  if (kind !== 'COLUMN') {
    const start = `${kind} ${nameOf(plain)}`;
    return [...after.comments.keys()].find((key) => key === start || key.startsWith(`${start}(`));
  }
  return [`TABLE COLUMN ${plain}`, `VIEW COLUMN ${plain}`].find((key) => after.comments.has(key));
}

/** Runs a statement of a file; the error names the file. */
export async function run(client, file, statement) {
  try {
    await client.query(statement);
  } catch (error) {
    throw new Error(`sql/${file.path}: ${error.message}`, { cause: error });
  }
}

function replacing(statement) {
  return statement.replace(/^CREATE (VIEW|FUNCTION)/m, 'CREATE OR REPLACE $1');
}
