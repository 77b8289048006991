// An upgrade of a database full of what this version mirrored, to a pretended later version whose migrations
// `npm run generate` makes: no row is lost or changed, every view answers, and what others were granted or
// built is kept or refused by name.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { copyOfRepository } from '../../support/later-version.ts';
import { testRole } from '../../support/roles.ts';
import { dumpSchema } from '../../support/schema-dump.ts';
import { open } from '../../support/store.ts';

/**
 * Has the migrations made for one more table; another type of a column under views; one more column at the
 * beginning of reporting.transactions, where PostgreSQL can't replace a view in place; another one at the end
 * of reporting.document_changes, where it can; and one more argument of a function.
 */
async function laterMigrations(): Promise<string> {
  const copy = copyOfRepository(['drizzle', 'migrations', 'scripts', 'sql', 'src/domain', 'package.json']);
  const edit = async (path: string, change: (text: string) => string) => {
    const file = join(copy, path);
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
  await edit('drizzle/accounts.ts', (text) =>
    text.concat(
      "export const later = custody.table('later', { accountId: text('account_id').primaryKey() });\n",
    ),
  );
  await edit('drizzle/runs.ts', (text) =>
    text
      .replace("text('error_message')", "varchar('error_message', { length: 9000 })")
      .replace('text }', 'text, varchar }'),
  );
  await edit('sql/columns.txt', (text) => text.concat('later: What a later version adds.\n'));
  await edit('sql/documents/document_changes.sql', (text) =>
    text.replace(/^SELECT ([\s\S]*?)\nFROM /m, "SELECT $1, 'later'::text AS later\nFROM "),
  );
  await edit('sql/rules/address_key.sql', (text) =>
    text
      .replace('"address" text)', '"address" text, "later" text DEFAULT NULL)')
      .replace('(text) IS', '(text, text) IS'),
  );
  await edit('sql/transactions/transactions.sql', (text) =>
    text.replace(
      /(CREATE VIEW "reporting"."transactions" AS\n)([\s\S]*?);(?=\n\n)/,
      "$1SELECT 'later'::text AS later, v.* FROM (\n$2\n) AS v;",
    ),
  );
  const { url } = await testDatabase({ empty: true });
  const program = join(copy, 'scripts/generate-sql.mjs');
  await promisify(execFile)(process.execPath, [program, '--name', 'later', '--database', url]);
  return join(copy, 'migrations');
}

let folder = '';

beforeAll(async () => {
  folder = await laterMigrations();
});

async function fill({ query }: TestDatabase): Promise<void> {
  await query(`
    insert into custody.accounts (account_id, base_url, first_seen_at, transactions_since)
      values ('acme', 'https://custody.example', '2026-03-01T08:00Z', '2026-03-01T08:05Z');
    update custody.accounts set time_zone = 'Europe/Zurich';
    insert into sync.runs (account_id, job, mode, status, started_at, finished_at, records_read, records_inserted, verified, verdict, error_code, error_message) values
      ('acme', 'transactions', 'full', 'succeeded', '2026-03-01T08:00Z', '2026-03-01T08:05Z', 3, 3, true, '{"end": "confirmed", "doubts": []}', null, null),
      ('acme', 'balances', 'full', 'succeeded', '2026-03-01T08:00Z', '2026-03-01T08:01Z', 1, 1, true, null, null, null),
      ('acme', 'transactions', 'incremental', 'failed', '2026-03-02T08:00Z', '2026-03-02T08:05Z', 0, 0, null, null, 'ERR-01', 'Internal server error'),
      ('acme', 'reconcile', 'full', 'running', '2026-03-02T09:00Z', null, 0, 0, null, null, null, null);
    insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, asset_name, network_id, network_name,
        amount, fee, source_type, source_id, source_name, source_address, destination_type, destination_id, destination_name,
        destination_address, destination_memo, txn_hash, note, first_seen_at, status_changed_at, changed_at, content_hash, raw) values
      ('acme', 'in', 'completed', 'deposit', 'ETH', 'Ether', 'ETH', 'Ethereum', 10.500, null, 'external', '', '', 'sender',
        'vault', 'v1', 'Desk', 'own', '', '0x1', '', '2026-03-01T08:01Z', '2026-03-01T08:01Z', '2026-03-01T08:01Z', 'h1', '{"transaction_id": "in"}'),
      ('acme', 'out', 'completed', 'withdraw', 'ETH', 'Ether', 'ETH', 'Ethereum', 0.000000000000000001, 0.1, 'vault', 'v1', 'Desk', 'own',
        'whitelist', 'w1', 'Friend', 'receiver', '', '0x2', '', '2026-03-01T08:01Z', '2026-03-02T08:01Z', '2026-03-02T08:01Z', 'h2', '{"transaction_id": "out"}'),
      ('acme', 'open', 'confirming', 'withdraw', 'ETH', 'Ether', 'ETH', 'Ethereum', 1, null, 'vault', 'v1', 'Desk', 'own',
        'whitelist', 'w1', 'Friend', 'receiver', '', '', '', '2026-03-02T08:01Z', '2026-03-02T08:02Z', '2026-03-02T08:02Z', 'h3', '{"transaction_id": "open"}');
    insert into custody.transaction_status_history
      (account_id, transaction_id, sequence, from_status, to_status, observed_at, source_timestamp, run_id) values
      ('acme', 'in', 1, null, 'completed', '2026-03-01T08:01Z', null, 1),
      ('acme', 'out', 1, null, 'pending', '2026-03-01T08:01Z', null, 1),
      ('acme', 'out', 2, 'pending', 'completed', '2026-03-02T08:01Z', null, 3),
      ('acme', 'open', 1, null, 'pending', '2026-03-02T08:01Z', null, 3),
      ('acme', 'open', 2, 'pending', 'confirming', '2026-03-02T08:02Z', null, 3);
    insert into custody.transaction_revisions (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id) values
      ('acme', 'out', 1, '2026-03-02T08:01Z', '{txn_hash}', '{"txn_hash": ""}', '{"txn_hash": "0x2"}', 3);
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count,
        quarantined_count, run_id)
      select 'acme', t, at, at, at, 1, 1, 0, 2
      from unnest(array['all', 'warm', 'cold']) t, unnest(array['2026-03-01T08:00Z', '2026-03-02T08:00Z']::timestamptz[]) at;
    insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, unchanged_since, total_balance, run_id, raw)
      select 'acme', t, 'ETH', 'ETH', b.valid_from, b.valid_to, b.valid_from, b2.total, 2, '{}'
      from unnest(array['all', 'warm']) t,
      (values ('2026-03-01T08:00Z'::timestamptz, '2026-03-02T08:00Z'::timestamptz), ('2026-03-02T08:00Z', null)) b (valid_from, valid_to),
      lateral (select case when b.valid_to is null then 20.25 else 10.500 end as total) b2;
    insert into custody.unreadable_balances (account_id, vault_type, asset_id, network_id, valid_from)
      values ('acme', 'cold', 'BTC', 'BTC', '2026-03-02T08:00Z');
    insert into custody.asset_prices (account_id, asset_id, currency, as_of, price, known_from) values ('acme', 'ETH', 'USD', '2026-03-01T00:00Z', 2400, '2026-03-01T00:00Z');
    update custody.asset_prices set price = 2500, known_from = '2026-03-01T00:00Z';
    insert into custody.fee_rules (account_id, network_id, asset_id, known_from) values ('acme', 'ARB', 'ETH', '-infinity');
    update custody.fee_rules set asset_id = 'ARB';
    insert into custody.document_readings (account_id, kind, first_read_at, last_read_after, last_read_at)
      values ('acme', 'vault', '2026-03-01T08:02Z', '2026-03-02T08:00Z', '2026-03-02T08:02Z');
    insert into sync.expectations (account_id, job, started_by, is_mirrored, is_scheduled, confirmed_at)
      values ('acme', 'transactions', 'daemon', true, true, '2026-03-02T08:00Z');
    insert into custody.vaults (account_id, vault_id, vault_type, name, document, first_seen_at, changed_at, missing_since, content_hash) values
      ('acme', 'v1', 'warm', 'Desk', '{"id": "v1"}', '2026-03-01T08:02Z', '2026-03-01T08:02Z', null, 'hv');
    insert into custody.whitelist_entries (account_id, entry_id, name, address, asset_id, network_id, document, first_seen_at, changed_at,
        missing_since, content_hash) values
      ('acme', 'w1', 'Friend', 'receiver', 'ETH', 'ETH', '{"id": "w1"}', '2026-03-01T08:02Z', '2026-03-01T08:02Z', null, 'hw');
    insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id) values
      ('acme', 'vault', 'v1', 1, '2026-03-01T08:02Z', 'added', '{"id": "v1"}', 1),
      ('acme', 'whitelist_entry', 'w1', 1, '2026-03-01T08:02Z', 'added', '{"id": "w1"}', 1);
    insert into sync.sync_requests (account_id, is_full, trust_empty, requested_by, requested_at, wanted_until)
      values ('acme', true, false, 'owner@host (root)', '2026-03-02T08:00Z', '2026-03-02T08:01Z');
    insert into sync.retirements values ('acme', '2026-03-02T07:00Z', 'owner@host (root)', '2026-03-02T08:00Z', 'owner@host (root)');
    insert into sync.positions (account_id, job, position, updated_at) values ('acme', 'reconcile', '{"offset": 2}', '2026-03-02T09:00Z');
    insert into sync.leases (account_id, holder, token, acquired_at, expires_at) values ('acme', 'earlier:1', 41, '2026-03-01T08:00Z', '2026-03-02T09:30Z');
    insert into sync.learned (account_id, fact, value, evidence, updated_at) values ('acme', 'transactions_page_cap', '100', 'seen', '2026-03-01T08:00Z');
    insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
      values ('acme', 'transactions', 'odd', 'has no status', '{}', 1, '2026-03-01T08:01Z', '2026-03-01T08:01Z');
    insert into internal.seal_tiles values ('acme', 0, 0, '\\x01', '\\x02', 1);
    insert into sync.seal_checkpoints values ('acme', 1, 1, 'a note', '2026-03-01T08:05Z');
    insert into sync.seal_verifications values ('acme', '2026-03-01T08:06Z', 1, null);
    insert into internal.erasures values ('former', '2026-02-01T08:00Z', '2026-02-01T08:01Z', 'owner@host', 41, 7);
    insert into sync.seal_stops values ('acme', '2026-03-01T08:07Z', 'a fork');
    insert into custody.histories values ('acme', 1, '4f0c2a91b7de', 0, '2026-03-01T08:00Z', 'a server');
    insert into sync.api_keys (key_prefix, digest, name, scope, created_at) values ('cm_abcdefgh', repeat('a', 64), 'nightly', 'read', '2026-03-01T08:00Z');
    insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at)
      values ('acme', 'unknown-value', 'transactions', 'x', '{}', '2026-03-01T08:01Z', '2026-03-01T08:01Z')`);
}

/** Every row of the tables in the columns that there are now, as a question that can be asked again later. */
async function rowsOf({ query }: TestDatabase): Promise<() => Promise<unknown>> {
  const tables = await query<{ relation: string; columns: string }>(`
    select format('%I.%I', t.table_schema, t.table_name) as relation,
      string_agg(format('%I', c.column_name), ', ' order by c.ordinal_position) as columns
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema in ('custody', 'sync', 'internal') and t.table_type = 'BASE TABLE' group by 1 order by 1`);
  expect(tables).toHaveLength(32);
  return async () => {
    const found: Record<string, unknown> = {};
    for (const { relation, columns } of tables) {
      const rows = await query(
        `select to_jsonb(t) as row from (select ${columns} from ${relation}) t order by 1`,
      );
      expect(rows, relation).not.toEqual([]);
      found[relation] = rows;
    }
    return found;
  };
}

async function answersOf({ query }: TestDatabase): Promise<Record<string, number>> {
  const views = await query<{ name: string }>(
    "select format('%I.%I', schemaname, viewname) as name from pg_views where schemaname in ('internal', 'reporting') order by 1",
  );
  expect(views.length).toBeGreaterThan(20);
  const answers: Record<string, number> = {};
  for (const { name } of views) answers[name] = (await query(`select * from ${name}`)).length;
  return answers;
}

test('a populated database keeps every row and every grant, and its views answer', async () => {
  const database = await testDatabase();
  await fill(database);
  const reader = await testRole(database);
  // One view is dropped and made again, one stands on it, and one has nothing to do with it.
  const views = ['reporting.transactions', 'reporting.open_transactions', 'reporting.balances_current'];
  await database.query(`grant select on ${views.join(', ')} to ${reader.quoted}`);
  const rows = await rowsOf(database);
  const kept = await rows();
  const answers = await answersOf(database);
  // Nothing went missing, the service corrected nothing, and the erase of an account has ended.
  expect(Object.keys(answers).filter((name) => answers[name] === 0)).toEqual([
    'internal.posted_corrections',
    'reporting.half_erased_accounts',
    'reporting.missing_transactions',
    'reporting.reconciliation_postings',
  ]);

  expect(await migrate(open(database.url), { folder })).toEqual([expect.stringMatching(/^\d{4}_later$/)]);
  expect(await rows()).toEqual(kept);
  expect(await answersOf(database)).toEqual(answers);
  expect(await database.query('select distinct later from reporting.transactions')).toEqual([
    { later: 'later' },
  ]);
  expect(await database.query('select from custody.later')).toEqual([]);
  const granted = await database.query(
    'select name from unnest($1::text[]) as name where has_table_privilege($2, name, $3)',
    [views, reader.name, 'select'],
  );
  expect(granted.map(({ name }) => name)).toEqual(views);
});

const sorted = (grants: unknown[]) => grants.map((row) => JSON.stringify(row)).toSorted();

test('views and functions that are made again are as open as they were, and keep options that were set on views', async () => {
  const database = await testDatabase();
  const reader = await testRole(database);
  await database.query(`
    grant select (transaction_id, status) on reporting.transactions to ${reader.quoted};
    grant select on reporting.health_problems to ${reader.quoted} with grant option;
    alter view reporting.transactions set (security_barrier = true);
    alter view reporting.document_changes set (security_invoker = true);
    revoke execute on function reporting.address_key from public;
    grant execute on function reporting.address_key to ${reader.quoted};
    revoke execute on function reporting.transactions_at from public`);
  const access = async () =>
    sorted(
      await database.query(`
        select c.relname as name, null as col, a.grantee, a.privilege_type, a.is_grantable, c.reloptions::text as options
        from pg_class c left join aclexplode(c.relacl) a on true
        where c.relnamespace = 'reporting'::regnamespace and c.relkind = 'v'
        union all
        select c.relname, t.attname, a.grantee, a.privilege_type, a.is_grantable, null
        from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
        where c.relnamespace = 'reporting'::regnamespace and c.relkind = 'v'
        union all
        select p.proname, null, a.grantee, a.privilege_type, a.is_grantable, null
        from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        where p.pronamespace = 'reporting'::regnamespace and a.grantee <> p.proowner`),
    );
  const before = await access();
  await migrate(open(database.url), { folder });
  expect(await access()).toEqual(before);
});

test('a function recreated next to one of its name that others made: its grants are not lost in silence', async () => {
  const database = await testDatabase();
  await database.query(`create function reporting.address_key(int) returns int language sql return 1;
    revoke execute on function reporting.address_key(text) from public`);
  await expect(migrate(open(database.url), { folder })).rejects.toThrow(
    /function name "reporting\.address_key" is not unique/,
  );
  await database.query('drop function reporting.address_key(int)');
  expect(await migrate(open(database.url), { folder })).toHaveLength(1);
});

test('what others built on parts that change is named, that alone, and nothing is changed', async () => {
  const database = await testDatabase();
  await database.query(`create schema marts;
    create view marts.untouched as select * from reporting.balances_current;
    create view reporting.recent as select transaction_id from reporting.transactions;
    create function marts.ids() returns setof text language sql begin atomic select transaction_id from reporting.transactions; end;
    create view marts."Open" as select transaction_id from reporting.open_transactions`);
  const before = await dumpSchema(database);
  const refusal = await migrate(open(database.url), { folder }).catch((error) => error);
  expect(refusal).toMatchObject({ code: 'DATABASE-REFUSED' });
  expect(refusal.message).toMatch(/others built on .* drop what they built/);
  for (const named of [
    'view marts."Open" depends on view reporting.open_transactions',
    'view reporting.recent depends on view reporting.transactions',
    'function marts.ids() depends on view reporting.transactions',
  ])
    expect(refusal.message).toContain(named);
  expect(refusal.message).not.toContain('untouched');
  expect(await dumpSchema(database)).toEqual(before);
  await database.query('drop view marts."Open", reporting.recent; drop function marts.ids');
  expect(await migrate(open(database.url), { folder })).toHaveLength(1);
});

test('a view of others on a column that gets another type is named', async () => {
  const database = await testDatabase();
  await database.query(
    'create schema marts; create view marts.errors as select error_message from sync.runs',
  );
  await expect(migrate(open(database.url), { folder })).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringMatching(/rule _RETURN on view marts\.errors depends on column "error_message"/),
  });
});
