// What others did to the mirror's own tables and views is named by `doctor` and `migrate`.
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { findAlterations } from '../../../src/store/schema/plain-tables.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { open } from '../../support/store.ts';

const bending = {
  'row security is on for custody.transactions': 'alter table custody.transactions enable row level security',
  'policy own on custody.vaults': 'create policy own on custody.vaults using (true)',
  'rule nothing on custody.whitelist_entries':
    'create rule nothing as on insert to custody.whitelist_entries do instead nothing',
  'triggers are switched off on custody.transaction_status_history':
    'alter table custody.transaction_status_history disable trigger all',
  'custody.accounts inherits from, or is inherited by, another table':
    'create table public.more () inherits (custody.accounts)',
  'reporting.open_transactions has another definition than custody-mirror gave it':
    'do $$ begin execute (select format($f$create or replace view reporting.open_transactions as select * from (%s) as v where false$f$, rtrim(pg_get_viewdef($v$reporting.open_transactions$v$::regclass), $s$;$s$))); end $$',
  'trigger append_only on custody.transaction_revisions is gone':
    'drop trigger append_only on custody.transaction_revisions',
  'trigger append_only on custody.document_revisions has another definition than custody-mirror gave it':
    'create or replace trigger append_only before update or delete on custody.document_revisions for each statement when (false) execute function custody.refuse_rewriting_history()',
  'constraint balances_amounts_finite on custody.balances is gone':
    'alter table custody.balances drop constraint balances_amounts_finite',
  'reporting.transactions_at(text) takes calls of the function of that name':
    'create function reporting.transactions_at(text) returns text language sql as $$ select null $$',
  'custody.address_key(character varying) was added by somebody else':
    'create aggregate custody.address_key(varchar) (sfunc = textcat, stype = text)',
  'sync.runs_run_id_seq has another definition than custody-mirror gave it':
    'alter sequence sync.runs_run_id_seq cache 1000',
  'trigger mend on custody.whitelist_entries belongs to somebody else (public.mend())':
    "create function public.mend() returns trigger language plpgsql as 'begin return null; end'; create trigger mend before insert on custody.whitelist_entries for each row execute function public.mend()",
  'custody.quiet() was added by somebody else':
    "create function custody.quiet() returns trigger language plpgsql as 'begin return null; end'",
  'trigger quiet on custody.transaction_revisions was added by somebody else':
    'create trigger quiet before insert on custody.transaction_revisions for each row execute function custody.quiet()',
  'constraint small on custody.transactions was added by somebody else':
    'alter table custody.transactions add constraint small check (amount < 100)',
  'sync.once was added by somebody else': 'create unique index once on sync.quarantine (account_id)',
  'custody.transactions_changed_idx is gone': 'drop index custody.transactions_changed_idx',
  'column change_id of custody.transaction_revisions has another definition than custody-mirror gave it':
    'alter table custody.transaction_revisions alter change_id drop default',
  'column quarantine_id of sync.quarantine has another definition than custody-mirror gave it':
    'alter table sync.quarantine alter quarantine_id drop identity',
  'sync.quarantine_quarantine_id_seq is gone': 'select',
  'column refusal of sync.sync_requests has another definition than custody-mirror gave it':
    'alter table sync.sync_requests alter refusal type varchar(40)',
  'reporting.calendar has another definition than custody-mirror gave it':
    'alter view reporting.calendar set (security_invoker = on)',
  'column raw of sync.quarantine has another definition than custody-mirror gave it':
    'alter table sync.quarantine alter raw drop not null',
  'column own of sync.learned was added by somebody else': 'alter table sync.learned add own text not null',
  'custody.change_ids has another definition than custody-mirror gave it':
    'alter sequence custody.change_ids increment by -1 minvalue -9',
  'sync.positions has another definition than custody-mirror gave it':
    'alter table sync.positions set unlogged',
};
test('a migrated database is as its migrations left it', async () => {
  const database = await testDatabase();
  expect(await findAlterations(open(database.url))).toEqual([]);
});

test('a server without md5, which FIPS 140 forbids, is migrated and compared all the same', async () => {
  const database = await testDatabase({ empty: true });
  await database.query('alter function pg_catalog.md5(text) rename to forbidden');
  await migrate(open(database.url));
  await database.query(
    bending['reporting.open_transactions has another definition than custody-mirror gave it'],
  );
  expect(await findAlterations(open(database.url))).toMatchObject([{ bends: true }]);
});

test('what others changed is named, with what undoes it', async () => {
  const database = await testDatabase();
  for (const statement of Object.values(bending)) await database.query(statement);
  // What readers and analysts add for themselves.
  await database.query(`
    create index own on custody.transactions (note);
    alter table custody.transactions add own text default 'x';
    create view reporting.own as select 1 as one;
    create function public.watch() returns trigger language plpgsql as 'begin return null; end';
    create trigger watch after insert on custody.transactions execute function public.watch()`);
  const found = await findAlterations(open(database.url));
  expect(
    found
      .filter(({ bends }) => bends)
      .map(({ what }) => what)
      .sort(),
  ).toEqual(Object.keys(bending).sort());
  expect(found.filter(({ bends }) => !bends)).toMatchObject([
    { what: 'trigger watch on custody.transactions belongs to somebody else (public.watch())' },
  ]);
});

test('after a restore, or on another major version, the next migrate begins to compare again', async () => {
  const database = await testDatabase();
  const named = async () => (await findAlterations(open(database.url))).map(({ what }) => what);
  for (const elsewhere of ['schema_oid = 1', 'server = 14']) {
    await database.query(`update drizzle.definitions set ${elsewhere}`);
    expect(await migrate(open(database.url))).toEqual([]);
    await database.query('drop trigger append_only on custody.transaction_revisions');
    const gone = ['trigger append_only on custody.transaction_revisions is gone'];
    expect(await named()).toEqual(gone);
    // What is missing, as while a dump is being restored, does not become what is compared with.
    await database.query(`update drizzle.definitions set ${elsewhere}`);
    await migrate(open(database.url));
    expect(await named()).toEqual(gone);
    await database.query(
      'create trigger append_only before update or delete or truncate on custody.transaction_revisions for each statement execute function custody.refuse_rewriting_history()',
    );
    expect(await named()).toEqual([]);
  }
});

test('what was changed before a restore, or before another major version, stays named', async () => {
  const changes = [
    'reporting.open_transactions has another definition than custody-mirror gave it',
    'trigger append_only on custody.document_revisions has another definition than custody-mirror gave it',
    'custody.quiet() was added by somebody else',
  ] as const;
  for (const elsewhere of ['schema_oid = 1', 'server = 14']) {
    const database = await testDatabase();
    for (const change of changes) await database.query(bending[change]);
    await database.query(`update drizzle.definitions set ${elsewhere}`);
    await migrate(open(database.url));
    const found = await findAlterations(open(database.url));
    expect(found.map(({ what }) => what).sort()).toEqual([...changes].sort());
  }
});

test('migrate names row security', async () => {
  const database = await testDatabase();
  const env = { DATABASE_URL: database.url };
  await database.query('alter table custody.transactions enable row level security');
  const named = expect.stringContaining('row security is on for custody.transactions; it may hide rows');
  expect(await runHere(['migrate', '--check'], { env })).toMatchObject({ code: 0, stdout: named });
});
