// What the owner of a database, role or dump may set or put in place of a table deceives neither verifying
// nor sealing: it is overridden, or refused by name.
import { expect, test } from 'vitest';
import { askOne } from '../../src/seal/seal.ts';
import { tablesRead } from '../../src/seal/tables.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import { refuseDistrusted } from '../../src/store/schema/plain-tables.ts';
import { account, open } from '../support/store.ts';
import { openSealed, snapshots, statuses } from './sealed-history.ts';

/** Verifies with connections that begin with the settings of role and database. */
function verifyAnew(history: Awaited<ReturnType<typeof openSealed>>) {
  return verifyHistory({
    database: open(history.store.url),
    account,
    verifiers: [history.verifier],
    checkpointsFile: history.file,
    signal: new AbortController().signal,
  });
}

test('functions, operators and tables of a schema in front of PostgreSQL’s own hide no change', async () => {
  const history = await openSealed();
  const { query } = history.store;
  await query(`create schema evil;
    create table evil.seen as table ${statuses};
    create function evil.trim_scale(numeric) returns numeric language sql as $$ select 1767225600000000.0 $$;
    create function evil.isfinite(timestamptz) returns boolean language sql as $$ select true $$;
    create function evil.to_json(text[]) returns json language sql as $$ select '["a"]'::json $$;
    create function evil.eq(text, text) returns boolean language sql as $$ select false $$;
    create operator evil.= (leftarg = text, rightarg = text, function = evil.eq);
    create view public.transaction_status_history as table evil.seen;
    create view evil.pg_class as select * from pg_catalog.pg_class where relkind = 'r'`);
  const [{ name } = { name: '' }] = await query<{ name: string }>('select current_database() as name');
  await query(`alter database "${name}" set search_path = evil, public, pg_catalog`);
  expect((await verifyAnew(history)).finding).toBeNull();
  await history.unguarded(`update ${statuses} set observed_at = observed_at + interval '1 second'
    where change_id = (select min(change_id) from ${statuses})`);
  expect((await verifyAnew(history)).finding).toMatchObject({ kind: 'changed', table: statuses });
});

test('settings of the database that change how values are shown hide and accuse nothing', async () => {
  const history = await openSealed();
  const { query } = history.store;
  const [{ name } = { name: '' }] = await query<{ name: string }>('select current_database() as name');
  for (const setting of [
    `datestyle = 'german'`,
    'extra_float_digits = -15',
    'quote_all_identifiers = on',
    `intervalstyle = 'sql_standard'`,
    `timezone = 'Pacific/Auckland'`,
    `bytea_output = 'escape'`,
    'row_security = on',
    'session_replication_role = replica',
    'transform_null_equals = on',
    'statement_timeout = 1',
    'default_transaction_isolation = serializable',
    'constraint_exclusion = on',
  ])
    await query(`alter database "${name}" set ${setting}`);
  expect((await verifyAnew(history)).finding).toBeNull();
  await history.unguarded(
    `delete from ${statuses} where change_id = (select min(change_id) from ${statuses})`,
  );
  expect((await verifyAnew(history)).finding).toMatchObject({ kind: 'removed', table: statuses });
});

const bent: readonly (readonly [what: string, statements: string, expected: string, undo: string])[] = [
  [
    'a policy',
    `alter table ${statuses} enable row level security;
     alter table ${statuses} force row level security;
     create policy hides on ${statuses} using (transaction_id <> '1-0-ü')`,
    statuses,
    `drop policy hides on ${statuses}; alter table ${statuses} no force row level security; alter table ${statuses} disable row level security`,
  ],
  [
    'a view',
    `alter table ${snapshots} rename to kept; create view ${snapshots} as select * from custody.kept`,
    snapshots,
    `drop view ${snapshots}; alter table custody.kept rename to balance_snapshots`,
  ],
  [
    'a partitioned table',
    `alter table ${snapshots} rename to kept; create table ${snapshots} (like custody.kept) partition by list (account_id)`,
    snapshots,
    `drop table ${snapshots}; alter table custody.kept rename to balance_snapshots`,
  ],
  [
    'a table that inherits',
    `create table custody.child () inherits (custody.vaults)`,
    'custody.vaults',
    'drop table custody.child',
  ],
  [
    'a rule',
    `create rule silent as on insert to custody.document_revisions do instead nothing`,
    'custody.document_revisions',
    'drop rule silent on custody.document_revisions',
  ],
  [
    'an operator class',
    `create operator family custody.own using btree;
     create operator class custody.lies for type text using btree family custody.own as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 bttextcmp(text, text);
     create index lying on custody.vaults (account_id custody.lies)`,
    'custody.lying',
    'drop index custody.lying; drop operator family custody.own using btree cascade',
  ],
  [
    'a cast',
    `create function custody.shown(timestamptz) returns text language sql as $$ select 'x' $$;
     create cast (timestamptz as text) with function custody.shown(timestamptz)`,
    'timestamp with time zone as text',
    'drop cast (timestamptz as text); drop function custody.shown',
  ],
  [
    'an operator’s function of another language',
    `create or replace function pg_catalog.jsonb_eq(jsonb, jsonb) returns boolean language sql immutable strict as $$ select true $$`,
    '=(jsonb,jsonb)',
    `create or replace function pg_catalog.jsonb_eq(jsonb, jsonb) returns boolean language internal immutable strict parallel safe as 'jsonb_eq'`,
  ],
  [
    'an overloaded function among PostgreSQL’s own',
    `create function pg_catalog.to_json(text[]) returns json language sql as $$ select '[]'::json $$`,
    'to_json(text[])',
    'drop function pg_catalog.to_json(text[])',
  ],
  [
    'a function by which tables are looked at',
    `create or replace function pg_catalog.to_regclass(text) returns regclass language sql stable strict as $$ select 'custody.accounts'::regclass $$`,
    'to_regclass(text)',
    `create or replace function pg_catalog.to_regclass(text) returns regclass language internal stable strict parallel safe as 'to_regclass'`,
  ],
  [
    'a cast by which moments are made',
    `create or replace function pg_catalog.int8(double precision) returns bigint language sql immutable strict as $$ select 0::bigint $$`,
    'int8(double precision)',
    `create or replace function pg_catalog.int8(double precision) returns bigint language internal immutable strict parallel safe as 'dtoi8'`,
  ],
  [
    'an operator by which moments are made',
    `create or replace function pg_catalog.float8mul(double precision, double precision) returns double precision language sql immutable strict as $$ select $1 $$`,
    '*(double precision,double precision)',
    `create or replace function pg_catalog.float8mul(double precision, double precision) returns double precision language internal immutable strict parallel safe as 'float8mul'`,
  ],
  [
    'a cast of PostgreSQL by a function of others',
    `create function public.older(double precision) returns bigint language sql immutable strict as $$ select 7::bigint $$;
     update pg_cast set castfunc = 'public.older(float8)'::regprocedure where castsource = 'float8'::regtype and casttarget = 'int8'::regtype`,
    'double precision as bigint',
    `update pg_cast set castfunc = 'pg_catalog.int8(float8)'::regprocedure where castsource = 'float8'::regtype and casttarget = 'int8'::regtype;
     drop function public.older`,
  ],
  [
    'an aggregate of PostgreSQL by a function of others',
    `create function public.bigger(numeric, numeric) returns numeric language sql immutable as $$ select $1 $$;
     update pg_aggregate set aggtransfn = 'public.bigger' where aggfnoid = 'max(numeric)'::regprocedure`,
    'max(numeric)',
    `update pg_aggregate set aggtransfn = 'numeric_larger' where aggfnoid = 'max(numeric)'::regprocedure;
     drop function public.bigger`,
  ],
  [
    'the order of texts by a function of others',
    `create function public.by_length(text, text) returns integer language sql immutable as $$ select length($1) - length($2) $$;
     update pg_amproc set amproc = 'public.by_length(text,text)'::regprocedure where amproc = 'pg_catalog.bttextcmp'::regproc`,
    'text_ops',
    `update pg_amproc set amproc = 'pg_catalog.bttextcmp'::regproc where amproc = 'public.by_length(text,text)'::regprocedure;
     drop function public.by_length`,
  ],
];

test('tables that are not plain tables, and stand-ins for parts of PostgreSQL, are refused by name', async () => {
  const history = await openSealed();
  const { query } = history.store;
  await refuseDistrusted(askOne(history.store.database), tablesRead);
  await history.grow();
  for (const [what, statements, expected, undo] of bent) {
    await query(statements);
    const refused = { code: 'SEAL-REFUSED', message: expect.stringContaining(expected) };
    await expect(history.verify(), what).rejects.toMatchObject(refused);
    await expect(history.seal(), what).rejects.toMatchObject(refused);
    await query(undo);
    expect((await history.verify()).finding, what).toBeNull();
  }
  expect(await history.seal()).toBeGreaterThan(0);
}, 60_000);

test('columns of another type, or compared by rules of their own, are refused by name', async () => {
  const history = await openSealed();
  const { query } = history.store;
  // PostgreSQL changes no column that a view shows.
  await query(`do $do$ declare v record; begin
    for v in select schemaname, viewname from pg_views where schemaname in ('custody', 'reporting', 'internal')
    loop execute format('drop view if exists %I.%I cascade', v.schemaname, v.viewname); end loop; end $do$`);
  await query(
    'create domain custody.words as text; alter table custody.vaults alter vault_type type custody.words',
  );
  const refused = (column: string) => ({
    code: 'SEAL-REFUSED',
    message: expect.stringContaining(`custody.vaults.${column}`),
  });
  await expect(history.verify()).rejects.toMatchObject(refused('vault_type'));
  await query(`alter table custody.vaults alter vault_type type text;
    create collation custody.lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
    alter table custody.vaults alter name type text collate custody.lax`);
  await expect(history.verify()).rejects.toMatchObject(refused('name'));
});
