// How the owner of a database could make a table show other rows than it holds: a view, a policy or a rule in
// its place, a column of another type, an index, a function, an operator or a cast of their own. Sealing and
// verifying refuse all of these by name. The settings of role and database are overridden in each transaction
// (store/postgres/session-settings.ts).
import { type SQL, sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { textArray } from '../values/binary-array.ts';

/** A table, with PostgreSQL's types of the columns that are read. */
export interface ReadTable {
  readonly name: string;
  readonly types: ReadonlyMap<string, string>;
}

/** Objects of PostgreSQL itself have smaller numbers. */
const firstOwnObject = sql.raw('16384');
/**
 * The functions that the statements rely on, including those below. PostgreSQL's date_part of a date, written
 * in SQL, is not used.
 */
const functions =
  'to_regclass to_regtype to_regprocedure format_type unnest pg_column_size pg_column_compression pg_sequence_last_value pg_is_in_recovery isfinite trim_scale extract date_part int8 string_agg to_json json_agg json_build_array json_build_object array_remove encode sha256 convert_to rank sum min max count to_char current_setting'.split(
    ' ',
  );

const kinds = `case c.relkind when 'v' then 'a view' when 'm' then 'a materialized view' when 'f' then 'a foreign table'
  when 'p' then 'a partitioned table' else 'something else' end`;

/** Tables that are not plain tables: each condition with its reason. */
const conditions: readonly (readonly [condition: string, why: string])[] = [
  ['c.oid is null', `'it does not exist'`],
  [`c.relkind <> 'r'`, `'it is ' || ${kinds}`],
  [`c.relpersistence <> 'p'`, `'it is not logged'`],
  ['c.relrowsecurity or c.relforcerowsecurity', `'it has row security'`],
  [
    'c.relispartition or exists (select from pg_inherits i where c.oid in (i.inhrelid, i.inhparent))',
    `'it inherits'`,
  ],
  ['exists (select from pg_rewrite r where r.ev_class = c.oid)', `'it has a rule'`],
];

function plainTables(names: SQL): SQL {
  const why = conditions.map(([condition, text]) => `when ${condition} then ${text}`).join(' ');
  return sql`
    select t.name as what, ${sql.raw(`case ${why} end`)} as why
    from unnest(${names}) as t(name) left join pg_class c on c.oid = to_regclass(t.name)`;
}

/** Including a column with a collation of its own. */
function plainColumns(tables: readonly ReadTable[]): SQL {
  const columns = tables.flatMap(({ name, types }) =>
    [...types].map(([column, type]) => ({ name, column, type })),
  );
  return sql`
    select t.name || '.' || t.col as what, case
      when a.attname is null then 'there is no such column'
      when format_type(a.atttypid, a.atttypmod) <> t.type then 'it is of type ' || format_type(a.atttypid, a.atttypmod)
      when a.attcollation not in (0, 100) then 'it has a collation of its own'
      when a.attgenerated <> '' then 'it is generated' end as why
    from unnest(${textArray(columns.map(({ name }) => name))}, ${textArray(columns.map(({ column }) => column))},
      ${textArray(columns.map(({ type }) => type))}) as t(name, col, type)
    left join pg_attribute a on a.attrelid = to_regclass(t.name) and a.attname = t.col and not a.attisdropped`;
}

/** An index returns the rows that its operator class chooses. */
function ownIndexes(names: SQL): SQL {
  return sql`
    select i.indexrelid::regclass::text, 'this index rests on an operator class or a method of its own'
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid in (select to_regclass(name) from unnest(${names}) as t(name)) and (c.relam >= ${firstOwnObject}
      or exists (select from unnest(i.indclass::oid[]) as k(oid) join pg_opclass o on o.oid = k.oid
        where o.oid >= ${firstOwnObject} or o.opcfamily >= ${firstOwnObject}))`;
}

/** Objects that would replace a part of PostgreSQL. */
function ownSystemObjects(tables: readonly ReadTable[]): SQL {
  // Moments are doubles for a while.
  const types = new Set(['double precision', ...tables.flatMap((table) => [...table.types.values()])]);
  const ownTypes = sql`array(select to_regtype(type) from unnest(${textArray([...types])}) as t(type))`;
  return sql`
    select p.oid::regprocedure::text, 'this function stands in for one of PostgreSQL' from pg_proc p
    where p.pronamespace = 'pg_catalog'::regnamespace and p.proname = any(${textArray(functions)})
      and p.oid is distinct from to_regprocedure('pg_catalog.date_part(text, date)')
      and (p.oid >= ${firstOwnObject} or p.prolang <> (select l.oid from pg_language l where l.lanname = 'internal'))
    union all
    select o.oid::regoperator::text, 'this operator stands in for one of PostgreSQL' from pg_operator o join pg_proc p on p.oid = o.oprcode
    where o.oprnamespace = 'pg_catalog'::regnamespace and (o.oid >= ${firstOwnObject} or o.oprleft = any(${ownTypes})
      and o.oprright = any(${ownTypes}) and p.prolang <> (select l.oid from pg_language l where l.lanname = 'internal'))
    union all
    select k.castsource::regtype || ' as ' || k.casttarget::regtype, 'this cast is not one of PostgreSQL' from pg_cast k
    where greatest(k.oid, k.castfunc) >= ${firstOwnObject} and k.casttarget < ${firstOwnObject}
      and k.castsource = any(${ownTypes})
    union all
    select a.aggfnoid::regprocedure::text, 'this aggregate rests on a function that is not one of PostgreSQL' from pg_aggregate a
    where a.aggfnoid < ${firstOwnObject} and greatest(a.aggtransfn::oid, a.aggfinalfn::oid, a.aggcombinefn::oid, a.aggserialfn::oid,
      a.aggdeserialfn::oid, a.aggmtransfn::oid, a.aggminvtransfn::oid, a.aggmfinalfn::oid) >= ${firstOwnObject}
    union all
    select f.opfname, 'this operator family rests on a function or an operator that is not one of PostgreSQL' from pg_opfamily f
    where f.oid < ${firstOwnObject} and (
      exists (select from pg_amproc m where m.amprocfamily = f.oid and m.amproc >= ${firstOwnObject} and m.amproclefttype < ${firstOwnObject})
      or exists (select from pg_amop m where m.amopfamily = f.oid and m.amopopr >= ${firstOwnObject} and m.amoplefttype < ${firstOwnObject}))`;
}

/** @throws MirrorError `SEAL-REFUSED` if the database could show other rows than its tables hold */
export async function refuseDistrusted(ask: Tx['ask'], tables: readonly ReadTable[]): Promise<void> {
  const names = textArray(tables.map(({ name }) => name));
  const all = [plainTables(names), plainColumns(tables), ownIndexes(names), ownSystemObjects(tables)];
  const [found] = await ask<{ what: string; why: string }>(
    'seal.trustworthy',
    sql`select what, why from (${sql.join(all, sql` union all `)}) as d(what, why) where why is not null limit 1`,
  );
  if (found !== undefined)
    throw new MirrorError(
      'SEAL-REFUSED',
      `${found.what}: ${found.why}, so its rows prove nothing; undo that`,
    );
}

/**
 * Whether the rows of these tables come from another server, and the last ones may be on their way.
 *
 * @throws MirrorError `SEAL-REFUSED` while a logical replica still copies tables
 */
export async function readIsReplica(ask: Tx['ask'], tables: readonly ReadTable[]): Promise<boolean> {
  const names = textArray(tables.map(({ name }) => name));
  const [row] = await ask<{ found: string; copied: string | null }>(
    'seal.replica',
    sql`select (pg_is_in_recovery() or count(*) > 0)::text as found,
      min(r.srrelid::regclass::text) filter (where r.srsubstate <> 'r') as copied
      from pg_subscription_rel r where r.srrelid in (select to_regclass(name) from unnest(${names}) as t(name))`,
  );
  if (row?.copied == null) return row?.found === 'true';
  throw new MirrorError(
    'SEAL-REFUSED',
    `${row.copied} is still being copied from its publisher: verify when it is whole`,
  );
}
