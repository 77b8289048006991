// What views, functions, triggers, comments, storage parameters of tables and options of views a database has, as text that can be
// compared.
/** The schemas of the mirror, as a list of SQL. */
export const schemas = "('custody', 'reporting', 'sync', 'internal', 'drizzle')";

const questions = {
  views: `
    select format('%I.%I', n.nspname, c.relname) as key,
      pg_get_viewdef(c.oid) || (
        select string_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as value
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v' and n.nspname in ${schemas}`,
  functions: `
    select format('%I.%I(%s)', n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as key, pg_get_functiondef(p.oid) as value
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ${schemas}`,
  triggers: `
    select format('%I ON %I.%I', t.tgname, n.nspname, c.relname) as key, pg_get_triggerdef(t.oid) as value
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where not t.tgisinternal and n.nspname in ${schemas}`,
  settings: `
    select format('%I.%I', n.nspname, c.relname) as key, (select string_agg(o, ', ' order by o) from unnest(c.reloptions) o) as value
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v') and c.reloptions is not null and n.nspname in ${schemas}`,
  comments: `
    select upper(i.type) || ' ' || i.identity as key, d.description as value
    from pg_description d cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) i
    where i.schema in ${schemas} or (i.type = 'schema' and i.name in ${schemas})
      or (i.schema is null and split_part(i.identity, '.', 1) in ${schemas})`,
};

/** @returns {Promise<Record<'views' | 'functions' | 'triggers' | 'settings' | 'comments', Map<string, string>>>} */
export async function readState(client) {
  const state = {};
  for (const [kind, question] of Object.entries(questions)) {
    // In one order, so that the same change gives the same migration.
    const { rows } = await client.query(`select * from (${question}) as q order by key collate "C"`);
    state[kind] = new Map(rows.map(({ key, value }) => [key, value]));
  }
  return state;
}

/** @returns {string} the statement that takes away what `settings` tells of a table or a view */
export function resetting(table, settings) {
  return `ALTER TABLE ${table} RESET (${settings.replaceAll(/=[^,]*/g, '')});`;
}

/** Keys whose values differ, or that one of the two lacks. */
export function differing(before, after) {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}

/** The name in a key such as `reporting.is_settled(status text)`. */
export function nameOf(key) {
  return key.replace(/\(.*$/s, '');
}
