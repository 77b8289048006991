// What the owner of a database, role or dump may set or put in place of a table deceives neither verifying
// nor sealing: it is overridden, or refused by name.
import { pipeline } from 'node:stream/promises';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { expect, inject, test } from 'vitest';
import { tablesRead } from '../../src/seal/tables.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import type { Tx } from '../../src/store/postgres/transaction.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { testDatabase } from '../support/database.ts';
import { withClient } from '../support/server.ts';
import { account, open } from '../support/store.ts';
import { attacks, bends, forgeries, maintenance } from './bends.ts';
import { openSealed, statuses } from './sealed-history.ts';

function withTx(database: Database, around: (tx: Tx) => Tx): Database {
  return {
    ...database,
    transact: (label, work, settings) => database.transact(label, (tx) => work(around(tx)), settings),
  };
}

/** Verifies with connections that begin with the settings of role and database. */
function verifyAnew(
  history: Awaited<ReturnType<typeof openSealed>>,
  database: Database = open(history.store.url),
) {
  return verifyHistory({
    database,
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
    'default_transaction_isolation = serializable',
    'constraint_exclusion = on',
    'enable_seqscan = off',
    'zero_damaged_pages = on',
    'ignore_checksum_failure = on',
    `client_encoding = 'LATIN1'`,
    'statement_timeout = 1',
  ])
    await query(`alter database "${name}" set ${setting}`);
  expect((await verifyAnew(history)).finding).toBeNull();
  // A session of the test would end by it.
  await withClient(inject('testServer').adminUrl, (client) =>
    client.query(`alter database "${name}" reset statement_timeout`),
  );
  await history.unguarded(
    `delete from ${statuses} where change_id = (select min(change_id) from ${statuses})`,
  );
  expect((await verifyAnew(history)).finding).toMatchObject({ kind: 'removed', table: statuses });
});

test.for(bends)('$what hides nothing', async ({ what, forge, bend }) => {
  const history = await openSealed();
  await history.store.query(`do $do$ declare c record; begin
    for c in select conrelid::regclass as of, conname from pg_constraint
      where contype = 'c' and connamespace = 'custody'::regnamespace
    loop execute format('alter table %s drop constraint %I', c.of, c.conname); end loop; end $do$`);
  await history.unguarded(forge);
  await history.store.query(`set allow_system_table_mods = on; ${bend}`);
  const said = await verifyAnew(history).then(
    ({ finding }) => finding?.kind ?? 'intact',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  expect(said, what).toMatch(
    /^(changed|removed|inserted|moved|present|fork|between)$|so its rows prove nothing|cannot lock relation "\w+"|"name" is a generated column/,
  );
  // Sealing refuses what is no plain table, and seals nothing that is not seen.
  const isRefused = said.includes('prove nothing');
  if (isRefused) await expect(history.seal()).rejects.toMatchObject({ code: 'SEAL-REFUSED' });
});

test.each(attacks)('%s', async (_, forge, bend, expected) => {
  const history = await openSealed();
  await history.unguarded(forge);
  await history.store.query(bend);
  expect((await verifyAnew(history)).finding).toMatchObject(expected);
});

test('the true table that is put in place while it is verified is not taken for the one that people read', async () => {
  const history = await openSealed();
  const { query } = history.store;
  await query('create table custody.kept (like custody.whitelist_entries including all)');
  await query('insert into custody.kept select * from custody.whitelist_entries');
  await history.unguarded(forgeries.entry);
  const swap = `begin; alter table custody.whitelist_entries rename to forged; alter table custody.kept rename to whitelist_entries; commit`;
  for (const when of ['seal.replica', 'seal.checkpoints', 'seal.catalog', 'seal.shape', 'seal.copy']) {
    let swapping: Promise<unknown> | null = null;
    const around = async <T>(label: string, ask: () => Promise<T>) => {
      if (label === when && swapping === null) {
        swapping = query(`set lock_timeout = '1s'; ${swap}`).catch(() => null);
        await swapping;
      }
      return await ask();
    };
    const database = withTx(open(history.store.url), (tx) => ({
      ...tx,
      run: (label, statement) => around(label, () => tx.run(label, statement)),
      ask: (label, ...rest) => around(label, () => tx.ask(label, ...rest)),
      copy: (label, ...rest) => around(label, () => tx.copy(label, ...rest)),
    }));
    expect((await verifyAnew(history, database)).finding, when).toMatchObject({ column: 'address' });
    expect(swapping, when).not.toBeNull();
  }
});

test('what honest operators do accuses nobody and stops no sealing', async () => {
  const history = await openSealed();
  await history.grow();
  for (const [what, statements] of maintenance) {
    for (const statement of statements) await history.store.query(statement);
    expect((await verifyAnew(history)).finding, what).toBeNull();
  }
  expect(await history.seal()).toBeGreaterThan(0);
  expect(await verifyAnew(history)).toMatchObject({ finding: null, unsealed: 0 });
});

test('rows that were restored into a database with another order of texts are as they were sealed', async () => {
  const { store, file, verifier } = await openSealed();
  const restored = await testDatabase({ empty: true });
  const name = new URL(restored.url).pathname.slice(1);
  await withClient(inject('testServer').adminUrl, async (client) => {
    await client.query(`drop database "${name}"`);
    await client.query(`create database "${name}" template template0 encoding 'UTF8'
      locale_provider icu icu_locale 'de-u-ks-level1' lc_collate 'C' lc_ctype 'C'`);
  });
  await migrate(open(restored.url));
  const tables = [...tablesRead.map((table) => table.name), 'custody.accounts'];
  await withClient(store.url, (from) =>
    withClient(restored.url, async (to) => {
      await to.query('set session_replication_role = replica');
      for (const table of tables) {
        const rows = from.query(copyTo(`copy (select * from ${table} order by random()) to stdout`));
        await pipeline(rows, to.query(copyFrom(`copy ${table} from stdin`)));
      }
    }),
  );
  const options = { account, verifiers: [verifier], checkpointsFile: file };
  const database = open(restored.url);
  const { signal } = new AbortController();
  expect(await verifyHistory({ ...options, database, signal })).toMatchObject({
    finding: null,
    present: 60,
  });
});

test('columns of another type are refused by name; those with another order of texts are read', async () => {
  const history = await openSealed();
  const { query } = history.store;
  // PostgreSQL changes no column that a view shows.
  await query(`do $do$ declare v record; begin
    for v in select schemaname, viewname from pg_views where schemaname in ('custody', 'reporting', 'internal')
    loop execute format('drop view if exists %I.%I cascade', v.schemaname, v.viewname); end loop; end $do$`);
  await query(
    'create domain custody.words as text; alter table custody.vaults alter vault_type type custody.words',
  );
  await expect(history.verify()).rejects.toMatchObject({
    code: 'SEAL-REFUSED',
    message: expect.stringContaining('custody.vaults.vault_type'),
  });
  await query(`alter table custody.vaults alter vault_type type text;
    create collation custody.lax (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
    alter table custody.vaults alter name type text collate custody.lax`);
  expect((await history.verify()).finding).toBeNull();
});
