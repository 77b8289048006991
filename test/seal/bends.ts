// Ways in which the owner of a database may bend it so that people read what verify does not see. Each forges
// something first; none may be reported as intact.
import { account } from '../support/store.ts';
import { snapshots, statuses } from './sealed-history.ts';

export interface Bend {
  readonly what: string;
  /** Runs with the triggers off. */
  readonly forge: string;
  readonly bend: string;
}

const copied = (table: string, key: string, value: string, from: string) =>
  `insert into ${table} select (jsonb_populate_record(t, '{"${key}": "${value}"}')).* from ${table} t where ${key} = '${from}'`;

export const forgeries = {
  invented: `${copied('custody.transactions', 'transaction_id', 'invented', '1-1-ü')};
    ${copied(statuses, 'transaction_id', 'invented', '1-1-ü')};
    ${copied('custody.transaction_revisions', 'transaction_id', 'invented', '1-1-ü')}`,
  amount: `update custody.transactions set amount = 999 where transaction_id = '1-1-ü'`,
  status: `update ${statuses} set to_status = 'failed' where transaction_id = '1-1-ü';
    update custody.transactions set status = 'failed' where transaction_id = '1-1-ü'`,
  times: `update ${statuses} set observed_at = observed_at - interval '30 days' where transaction_id = '1-0-ü' and sequence = 1;
    update custody.transactions set first_seen_at = first_seen_at - interval '30 days' where transaction_id = '1-0-ü'`,
  entry: `update custody.whitelist_entries set address = '0xforged' where entry_id = 'entry1-3'`,
  removed: `delete from custody.vaults where vault_id = 'vault1-3'`,
  balance: `update custody.balances set total_balance = 999 where ctid = (select min(ctid) from custody.balances where valid_to is not null)`,
  unsealed: `insert into custody.unreadable_balances values ('${account}', 'warm', 'forged', '', '2020-01-01Z', null)`,
} as const;

type Forgery = keyof typeof forgeries;

const bend = (what: string, forged: Forgery, statements: string): Bend => ({
  what: `${what} (${forged})`,
  forge: forgeries[forged],
  bend: statements,
});

/** For the whole database, so for every session that begins. */
const setting = (name: string, value: string) =>
  `do $do$ begin execute format('alter database %I set ${name} = ''${value}''', current_database()); end $do$`;

const partialIndexes = (
  [
    [
      statuses,
      'transaction_status_history_change_idx',
      'account_id, change_id',
      'transaction_id',
      'invented',
      'invented',
    ],
    [
      statuses,
      'transaction_status_history_observed_idx',
      'account_id, observed_at',
      'transaction_id',
      '1-0-ü',
      'times',
    ],
    [statuses, 'own_idx', 'transaction_id, account_id', 'transaction_id', '1-1-ü', 'status'],
    ['custody.transactions', 'own_idx', 'account_id, transaction_id', 'transaction_id', '1-1-ü', 'amount'],
    ['custody.whitelist_entries', 'own_idx', 'account_id', 'entry_id', 'entry1-3', 'entry'],
    ['custody.balances', 'balances_began_idx', 'account_id, valid_from', 'asset_id', '-', 'balance'],
    ['custody.unreadable_balances', 'own_idx', 'account_id', 'asset_id', 'forged', 'unsealed'],
  ] as const
).map(([table, name, columns, column, value, forged]) =>
  bend(
    `an index ${name} that is partial and does not say so`,
    forged,
    `drop index if exists custody.${name}; create index ${name} on ${table} (${columns}) where ${column} <> '${value}';
     update pg_index set indpred = null where indexrelid = 'custody.${name}'::regclass; ${setting('enable_seqscan', 'off')}`,
  ),
);

const operators = (
  [
    ['<>(oid,oid)', 'oideq', 'amount'],
    ['=(oid,oid)', 'oidne', 'entry'],
    ['=(text,text)', 'textne', 'status'],
    ['<>(text,text)', 'texteq', 'amount'],
    ['>(bigint,bigint)', 'int8lt', 'invented'],
    ['<=(bigint,bigint)', 'int8eq', 'removed'],
    ['>=(timestamp with time zone,timestamp with time zone)', 'timestamptz_lt', 'times'],
    ['*(double precision,double precision)', 'float8mi', 'times'],
    ['*(numeric,numeric)', 'numeric_sub', 'balance'],
    ['=(jsonb,jsonb)', 'jsonb_ne', 'amount'],
  ] as const
).map(([operator, code, forged]) =>
  bend(
    `the operator ${operator} with another internal function`,
    forged,
    `update pg_operator set oprcode = 'pg_catalog.${code}'::regproc where oid = 'pg_catalog.${operator}'::regoperator`,
  ),
);

const functions = (
  [
    ['textsend(text)', 'bytea', `convert_to(replace($1, 'failed', 'pending'), 'UTF8')`, 'status'],
    ['jsonb_send(jsonb)', 'bytea', `'\\x01'::bytea`, 'amount'],
    ['timestamptz_send(timestamptz)', 'bytea', `'\\x0000000000000000'::bytea`, 'times'],
    ['numeric_send(numeric)', 'bytea', `'\\x0000000000000000'::bytea`, 'balance'],
    ['count()', '', '', 'invented'],
    ['to_regclass(text)', 'regclass', `'custody.accounts'::regclass`, 'removed'],
    ['date_part(text, timestamptz)', 'double precision', '0::double precision', 'times'],
    ['texteq(text, text)', 'boolean', 'true', 'amount'],
    ['pg_is_in_recovery()', 'boolean', 'true', 'entry'],
    ['current_setting(text, boolean)', 'text', `'none'`, 'amount'],
  ] as const
).map(([signature, returns, body, forged]) =>
  bend(
    `the function ${signature}`,
    forged,
    returns === ''
      ? `update pg_aggregate set aggtransfn = 'int8dec' where aggfnoid = 'count("any")'::regprocedure`
      : `create or replace function pg_catalog.${signature} returns ${returns} language sql strict as $$ select ${body} $$`,
  ),
);

const types = (
  [
    ['text', 'text', `convert_to(replace($1, 'failed', 'pending'), 'UTF8')`, 'status'],
    ['jsonb', 'jsonb', `'\\x01'::bytea || convert_to($1::text, 'UTF8')`, 'amount'],
    ['numeric', 'numeric', `pg_catalog.numeric_send(case when $1 = 999 then 1 else $1 end)`, 'balance'],
    ['timestamptz', 'timestamptz', `pg_catalog.timestamptz_send($1 + interval '1 day')`, 'times'],
    ['oid', 'oid', `pg_catalog.oidsend($1)`, 'entry'],
    ['name', 'name', `pg_catalog.namesend($1)`, 'entry'],
  ] as const
).map(([type, argument, body, forged]) =>
  bend(
    `the type ${type} that sends itself by a function of others`,
    forged,
    `create function public.sent(${argument}) returns bytea language sql strict as $$ select ${body} $$;
     update pg_type set typsend = 'public.sent' where oid = '${type}'::regtype`,
  ),
);

const constraints: readonly Bend[] = [
  bend(
    'a false constraint that is marked as validated, where constraints exclude',
    'entry',
    `alter table custody.whitelist_entries add constraint lies check (address = '0xnone') not valid;
     update pg_constraint set convalidated = true where conname = 'lies';
     ${setting('constraint_exclusion', 'on')}`,
  ),
  bend(
    'a constraint that excludes every row of an account',
    'amount',
    `alter table custody.transactions add constraint lies check (account_id <> '${account}') not valid;
     update pg_constraint set convalidated = true where conname = 'lies';
     ${setting('constraint_exclusion', 'on')}`,
  ),
  bend(
    'a column that is marked as not null',
    'invented',
    `alter table ${statuses} alter change_id drop not null;
     update pg_attribute set attnotnull = true where attrelid = '${statuses}'::regclass and attname = 'observed_after'`,
  ),
  bend(
    'a unique index that is not valid',
    'removed',
    `update pg_index set indisvalid = false where indrelid = 'custody.vaults'::regclass`,
  ),
];

const inPlace = (table: string, statement: string) =>
  `alter table custody.${table} rename to kept; ${statement.replaceAll('$', `custody.${table}`)}`;

const relations: readonly Bend[] = [
  bend('a view', 'amount', inPlace('transactions', 'create view $ as select * from custody.kept')),
  bend(
    'a materialized view',
    'entry',
    inPlace('whitelist_entries', 'create materialized view $ as select * from custody.kept'),
  ),
  bend(
    'a partitioned table',
    'removed',
    inPlace('vaults', 'create table $ (like custody.kept) partition by list (account_id)'),
  ),
  bend(
    'an unlogged table',
    'status',
    inPlace(
      'transaction_status_history',
      'create unlogged table $ (like custody.kept including all); insert into $ select * from custody.kept',
    ),
  ),
  bend('a table with fewer columns', 'balance', inPlace('balances', 'create table $ (account_id text)')),
  bend(
    'a table that inherits',
    'entry',
    'create table custody.child () inherits (custody.whitelist_entries)',
  ),
  bend(
    'a parent',
    'entry',
    `create table custody.parent (account_id text not null); alter table custody.whitelist_entries inherit custody.parent`,
  ),
  bend('a rule', 'entry', 'create rule silent as on update to custody.whitelist_entries do instead nothing'),
  bend(
    'row security',
    'invented',
    `alter table custody.transactions enable row level security; alter table custody.transactions force row level security;
     create policy hides on custody.transactions using (transaction_id <> 'invented')`,
  ),
  bend(
    'row security that only the flag says',
    'amount',
    `update pg_class set relrowsecurity = true where oid = 'custody.transactions'::regclass`,
  ),
  bend(
    'a rule that only the catalog has',
    'amount',
    `create rule silent as on update to custody.transactions do instead nothing; update pg_class set relhasrules = false where oid = 'custody.transactions'::regclass`,
  ),
  bend(
    'a table of another kind in the catalog',
    'amount',
    `update pg_class set relkind = 'm' where oid = 'custody.transactions'::regclass`,
  ),
  bend(
    'an index that lies about its order',
    'entry',
    `create operator family custody.own using btree;
     create operator class custody.lies for type text using btree family custody.own as operator 1 <, operator 2 <=, operator 3 =, operator 4 >=, operator 5 >, function 1 bttextcmp(text, text);
     create index lying on custody.whitelist_entries (account_id custody.lies)`,
  ),
  bend(
    'a generated column',
    'entry',
    `alter table custody.vaults drop column name cascade; alter table custody.vaults add name text generated always as ('x') stored`,
  ),
  bend(
    'a collation of its own',
    'entry',
    `create collation custody.lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
     update pg_attribute set attcollation = (select oid from pg_collation where collname = 'lax') where attrelid = 'custody.vaults'::regclass and attname = 'name'`,
  ),
  bend(
    'columns that the catalog exchanges',
    'entry',
    `update pg_attribute set attname = 'swap' where attrelid = 'custody.whitelist_entries'::regclass and attname = 'address';
     update pg_attribute set attname = 'address' where attrelid = 'custody.whitelist_entries'::regclass and attname = 'network_id'`,
  ),
  bend(
    'a trigger and an event trigger',
    'removed',
    `create function public.quiet() returns event_trigger language plpgsql as $$ begin end $$;
     create event trigger quiet on ddl_command_start execute function public.quiet()`,
  ),
  bend(
    'an own schema in front',
    'status',
    `create schema evil; create view evil.pg_class as select * from pg_catalog.pg_class;
     create table evil.transactions as table custody.transactions;
     do $do$ begin execute format('alter database %I set search_path = evil, pg_catalog', current_database()); end $do$`,
  ),
  bend('a subscription of other tables', 'removed', `create table other (id int)`),
];

/** Something of each kind, and some of all in a sample. */
export const bends: readonly Bend[] = [
  ...partialIndexes,
  ...operators,
  ...functions,
  ...types,
  ...constraints,
  ...relations,
  ...Object.keys(forgeries).map((forged) => bend('nothing', forged as Forgery, 'select 1')),
];

/** Ways that an earlier design reported as intact. */
export const attacks: readonly (readonly [what: string, forge: string, bend: string, found: object])[] = [
  [
    'an invented mark that an index of the history leaves out is found',
    `insert into custody.transaction_revisions (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id, change_id)
      select account_id, transaction_id, 9, '2026-01-01Z', array['missing_since'], '{}', '{}', 777777, change_id
      from ${statuses} where transaction_id = '1-0-ü' and sequence = 1;
     update custody.transactions set missing_since = '2026-01-01Z' where transaction_id = '1-0-ü'`,
    `drop index custody.transaction_revisions_change_idx;
     create index transaction_revisions_change_idx on custody.transaction_revisions (account_id, change_id) where run_id <> 777777;
     update pg_index set indpred = null where indexrelid = 'custody.transaction_revisions_change_idx'::regclass;
     ${setting('enable_seqscan', 'off')}`,
    { kind: 'inserted' },
  ],
  [
    'times that operators of PostgreSQL hide are found',
    forgeries.times,
    `create function public.older(double precision, double precision) returns double precision language sql immutable strict as
       $$ select float8mul(case when $1 between 1700000000 and 1760000000 then $1 + 2592000 else $1 end, $2) $$;
     update pg_operator set oprcode = 'pg_catalog.oidlt'::regproc where oid = 'pg_catalog.<>(oid,oid)'::regoperator;
     update pg_operator set oprcode = 'public.older'::regproc where oid = 'pg_catalog.*(double precision,double precision)'::regoperator`,
    { kind: 'changed', table: statuses },
  ],
  [
    'an entry of the whitelist that a false constraint excludes is found',
    forgeries.entry,
    `alter table custody.whitelist_entries add constraint lies check (account_id <> '${account}') not valid;
     alter table custody.document_revisions add constraint lies check (kind <> 'whitelist_entry') not valid;
     update pg_constraint set convalidated = true where conname = 'lies';
     ${setting('constraint_exclusion', 'on')}`,
    { kind: 'present', table: 'custody.whitelist_entries', column: 'address' },
  ],
];

/** What honest operators do: it accuses nobody and stops no sealing. */
export const maintenance: readonly (readonly [what: string, statements: readonly string[]])[] = [
  [
    'vacuum full',
    [`vacuum full ${statuses}`, 'vacuum full custody.transactions', `vacuum full ${snapshots}`],
  ],
  ['cluster', [`cluster ${statuses} using transaction_status_history_pkey`]],
  ['reindex', ['reindex schema custody']],
  [
    'own indexes',
    [
      `do $do$ begin if exists (select from pg_available_extensions where name = 'pg_trgm') then
    create extension pg_trgm schema public; create index own_trigrams on custody.transactions using gin (note public.gin_trgm_ops); end if; end $do$`,
      'create index own_words on custody.transactions using gin (to_tsvector($$simple$$::regconfig, note))',
      `create index own_part on ${statuses} (run_id) where sequence > 1`,
      `create index own_hash on custody.vaults using brin (first_seen_at)`,
    ],
  ],
  [
    'own columns',
    [
      'alter table custody.transactions add column own_note text',
      `alter table ${statuses} add column own_flag boolean default true`,
    ],
  ],
  ['publications', ['create publication own for all tables']],
  [
    'statistics, storage and triggers',
    [
      `create statistics own on status, asset_id from custody.transactions`,
      'alter table custody.transactions alter raw set storage external',
      `alter table ${statuses} set (fillfactor = 70)`,
      'analyze',
    ],
  ],
  ['another order on disk', [`create table own as select * from custody.transactions order by random()`]],
];
