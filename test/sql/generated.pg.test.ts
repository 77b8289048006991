// What `npm run generate` makes of a change in sql/ or drizzle/, on a migrated database: the planner
// itself is asked, in a transaction that is rolled back, so that all tests share one database. The planner
// checks that its statements lead to the files.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrationsFolder } from '../../src/store/schema/migrations.ts';
import { testDatabase } from '../support/database.ts';
import { longTest } from '../support/form.ts';
import { copyOfRepository } from '../support/later-version.ts';

interface Scripts {
  readSql(folder: string): unknown;
  planMigration(client: pg.Client, sql: unknown, ofTables: readonly string[]): Promise<readonly string[]>;
}

type Edits = Readonly<Record<string, (text: string) => string>>;

let scripts: Scripts;
let client: pg.Client;

beforeAll(async () => {
  const folder = join(dirname(migrationsFolder()), 'scripts');
  const load = (name: string) => import(join(folder, name));
  scripts = { ...(await load('sql-state.mjs')), ...(await load('sql-plan.mjs')) };
  client = new pg.Client({ connectionString: (await testDatabase()).url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
});

function edit(folder: string, edits: Edits): void {
  for (const [path, change] of Object.entries(edits)) {
    const file = join(folder, path);
    const before = readFileSync(file, 'utf8');
    const after = change(before);
    expect(after, path).not.toBe(before);
    if (after === '') rmSync(file);
    else writeFileSync(file, after);
  }
}

/**
 * The statements to which edits of sql/ lead, with those of drizzle-kit. An edit to nothing removes the file.
 */
async function generated(edits: Edits, ofTables: readonly string[] = []): Promise<string> {
  const folder = join(copyOfRepository(['sql']), 'sql');
  edit(folder, edits);
  const statements = await scripts.planMigration(client, scripts.readSql(folder), ofTables);
  expect(statements).not.toEqual([]);
  return statements.join('\n');
}

function planTest(name: string, work: () => Promise<void>): void {
  test(name, async () => {
    await client.query('begin');
    try {
      await work();
    } finally {
      await client.query('rollback');
    }
  });
}

const removed = () => '';
const without = (part: string | RegExp) => (text: string) => text.replace(part, '');
const instead =
  (part: string | RegExp, text: string) =>
  (before: string): string =>
    before.replace(part, text);

const rows = async (sql: string) => (await client.query(sql)).rows;

planTest('a function with another signature replaces the old one, with what stands on it', async () => {
  const statements = await generated({
    'rules/is_settled.sql': (text) =>
      text
        .replace('("status" text)', '("status" text, "strict" boolean DEFAULT false)')
        .replace('(text)', '(text, boolean)'),
    'balances/balances_at.sql': (text) =>
      text
        .replace('("at" timestamptz) RETURNS', '("at" timestamptz, "account" text DEFAULT NULL) RETURNS')
        .replace('(timestamptz) IS', '(timestamptz, text) IS'),
  });
  expect(statements).toContain('DROP FUNCTION reporting.is_settled(text);');
  const found = await rows(
    `select p.oid::regprocedure::text as found from pg_proc p
     where p.proname in ('is_settled', 'balances_at') order by 1`,
  );
  expect(found.map(({ found }) => found)).toEqual([
    'reporting.balances_at(timestamp with time zone,text)',
    'reporting.is_settled(text,boolean)',
  ]);
});

planTest('a renamed argument needs no more than the function and what stands on it', async () => {
  await generated({ 'rules/is_settled.sql': (text) => text.replaceAll('"status"', '"state"') });
});

const searchFor = (term: string) =>
  rows(`select t.transaction_id from custody.transactions t where custody.search_terms(transaction_id, txn_hash,
    source_address, destination_address, destination_memo, note) @@ '${term}'::tsquery`);

planTest('an index that holds what a changed function gave is made again', async () => {
  await client.query(`
    insert into custody.accounts (account_id, base_url, first_seen_at) values ('acme', 'https://custody.example', now());
    insert into custody.transactions
      (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
      values ('acme', 'mixed', 'pending', now(), now(), now(), '', '{}');
    set constraints all immediate;
    set local enable_seqscan = off`);
  expect(await searchFor('mixed')).toHaveLength(1);
  const statements = await generated({
    'transactions/search_terms.sql': (text) => text.replaceAll('lower(left', 'upper(left'),
  });
  expect(statements).toContain('REINDEX INDEX custody.transactions_search_idx;');
  expect(await searchFor('MIXED')).toHaveLength(1);
});

planTest('an index may hold what a function gives that is there already', async () => {
  const index =
    'CREATE INDEX "later_idx" ON "custody"."transactions" USING btree (custody.destination_key(status, note, note, note, note));';
  expect(await generated({}, [index])).toBe(index);
});

planTest('a function whose values a constraint has let through cannot change', async () => {
  await client.query(`alter table custody.transactions
    add constraint settled_known check (reporting.is_settled(status) is not null)`);
  const change = generated({ 'rules/is_settled.sql': without(", 'failed'") });
  await expect(change).rejects.toThrow(
    /constraint settled_known on table custody\.transactions.*reporting\.is_settled.*another name/,
  );
});

planTest('a function in an index cannot get another signature: the refusal names the index', async () => {
  const change = generated({
    'transactions/search_terms.sql': (text) =>
      text
        .replace('"note" text\n)', '"note" text, "more" text DEFAULT NULL\n)')
        .replace('(text, text, text, text, text, text)', '(text, text, text, text, text, text, text)'),
  });
  await expect(change).rejects.toThrow(
    /index custody\.transactions_search_idx depends on function custody\.search_terms.*another name/s,
  );
});

planTest('options of a view are seen, made and taken away', async () => {
  const jobs = 'rules/jobs.sql';
  const options = "select reloptions as options from pg_class where oid = 'internal.jobs'::regclass";
  await generated({ [jobs]: instead('"jobs" AS', '"jobs" WITH (security_barrier = true) AS') });
  expect(await rows(options)).toEqual([{ options: ['security_barrier=true'] }]);
  await generated({ [jobs]: instead('"jobs" AS', '"jobs" WITH (security_invoker = true) AS') });
  expect(await rows(options)).toEqual([{ options: ['security_invoker=true'] }]);
});

planTest('storage parameters of a table are changed and taken away', async () => {
  const accounts = 'tables/accounts.sql';
  const options = "select reloptions as options from pg_class where oid = 'custody.accounts'::regclass";
  await generated({ [accounts]: instead(/ SET \(.*\)/, ' SET (autovacuum_analyze_threshold = 5)') });
  expect(await rows(options)).toEqual([{ options: ['autovacuum_analyze_threshold=5'] }]);
  await generated({ [accounts]: without(/\n\n-- [\s\S]*ALTER TABLE .*;/) });
  expect(await rows(options)).toEqual([{ options: null }]);
});

planTest('a column that is dropped and made again gets its comment again', async () => {
  const statements = await generated({}, [
    'ALTER TABLE "sync"."runs" DROP COLUMN "error_message";',
    'ALTER TABLE "sync"."runs" ADD COLUMN "error_message" text;',
  ]);
  expect(statements).toContain('COMMENT ON COLUMN "sync"."runs"."error_message" IS ');
});

planTest('comments that are gone are taken away', async () => {
  const statements = await generated({
    'rules/jobs.sql': without(/COMMENT ON VIEW .*\n/),
    'rules/is_settled.sql': without(/COMMENT ON .*/),
    'rules/address_key.sql': without(/COMMENT ON .*/),
  });
  expect(statements.match(/ IS NULL;/g)).toHaveLength(3);
  expect(await rows("select obj_description('internal.jobs'::regclass) as comment")).toEqual([
    { comment: null },
  ]);
});

planTest('a column that nothing explains is refused by name, of a table as of a view', async () => {
  const made = generated({ 'health/sync_health.sql': without(/COMMENT ON COLUMN .*\n/) }, [
    'ALTER TABLE "sync"."runs" ADD COLUMN "unexplained" text;',
  ]);
  await expect(made).rejects.toThrow(
    /add one .*: COLUMN "reporting"."sync_health"."\w+", COLUMN "sync"."runs"."unexplained"$/,
  );
});

planTest('a column without a comment of its own gets that of its name, wherever it is', async () => {
  const statements = await generated({
    'columns.txt': (text) => text.replace(/^network_name: .*$/m, "network_name: The network's name."),
    'flows/flows_daily.sql': (text) =>
      `${text}COMMENT ON COLUMN "reporting"."flows_daily"."account_id" IS 'Whose.';\n`,
  });
  expect(statements).toContain(
    `COMMENT ON COLUMN "custody"."transactions"."network_name" IS 'The network''s name.';`,
  );
  const comment = `select col_description('reporting.flows_daily'::regclass, attnum) as comment
    from pg_attribute where attrelid = 'reporting.flows_daily'::regclass and attname = 'account_id'`;
  expect(await rows(comment)).toEqual([{ comment: 'Whose.' }]);
});

planTest('triggers and trigger functions that are gone are dropped', async () => {
  const statements = await generated({
    'history/refuse_rewriting_history.sql': without(/\n*CREATE TRIGGER [^;]*"document_revisions"[^;]*;/),
    'events/announce_statuses.sql': removed,
  });
  expect(statements).toContain('DROP TRIGGER append_only ON custody.document_revisions;');
  expect(statements).toContain('DROP FUNCTION custody.announce_statuses();');
  // Nothing is made again, so there are no grants to keep.
  expect(statements).not.toContain('GRANT');
});

planTest('a trigger function that only mentions a view that is made again stays', async () => {
  const statements = await generated({
    'rules/keep_former_time_zone.sql': (text) =>
      text.replace(/^BEGIN$/m, 'BEGIN\n\tPERFORM FROM internal.destination_listings LIMIT 0;'),
    'destinations/destination_listings.sql': (text) =>
      text
        .replace(/^SELECT /m, "SELECT 'more'::text AS more, ")
        .replace(
          /(?=\nCOMMENT ON COLUMN)/,
          '\nCOMMENT ON COLUMN "internal"."destination_listings"."more" IS \'x\';',
        ),
  });
  expect(statements).not.toMatch(/DROP FUNCTION internal\b/);
  expect(statements).not.toContain('TRIGGER');
});

planTest('a name in a comment or a text is no dependency', async () => {
  const statements = await generated({
    'rules/jobs.sql': instead(
      'SELECT k.job,',
      "SELECT /* it's like\n reporting.data_freshness */ k.job, -- reporting.sync_health\n\t'reporting.open_transactions'::text AS more,",
    ),
  });
  expect(statements).toContain('DROP VIEW');
});

planTest('a column under views is dropped: they are made again, and keep their grants', async () => {
  await client.query('grant select on reporting.health_problems, reporting.sync_health to public');
  const constant = (text: string) =>
    text
      .replaceAll('u.error_message', "'x'::text AS error_message")
      .replace('r.error_message AS', "'x'::text AS");
  const statements = await generated(
    {
      'health/data_freshness.sql': constant,
      'health/health_problems.sql': constant,
      'health/status_report.sql': constant,
      'tables/runs.sql': without(/COMMENT ON COLUMN "sync"."runs"."error_message".*\n/),
    },
    ['ALTER TABLE "sync"."runs" DROP COLUMN "error_message";'],
  );
  expect(statements).toMatch(/DROP VIEW [^;]*reporting\.data_freshness/);
  expect(statements).not.toContain('CASCADE');
  expect(
    await rows(`select has_table_privilege('public', name, 'select') as may
      from unnest(array['reporting.health_problems', 'reporting.sync_health', 'reporting.data_freshness']) as name`),
  ).toEqual([{ may: true }, { may: true }, { may: false }]);
  expect(await rows('select from reporting.data_freshness')).toEqual([]);
});

planTest('a table is dropped after the views on it', async () => {
  await client.query(`create table custody.later (account_id text primary key);
    create table custody.latest (account_id text references custody.later (account_id));
    create view internal.later as select * from custody.later`);
  const drop = [
    'DROP TABLE "custody"."later" CASCADE;',
    'ALTER TABLE "custody"."latest" DROP CONSTRAINT "latest_account_id_fkey";',
  ];
  await generated({ 'rules/jobs.sql': without(/COMMENT ON VIEW .*\n/) }, drop);
  expect(await rows("select to_regclass('custody.later') as found")).toEqual([{ found: null }]);
});

planTest('a table is not dropped with what somebody else built on it', async () => {
  await client.query(`create schema marts; create table custody.later (account_id text);
    create view marts.later as select * from custody.later`);
  const change = generated({ 'rules/jobs.sql': removed }, ['DROP TABLE "custody"."later" CASCADE;']);
  await expect(change).rejects.toThrow('view marts.later depends on table custody.later');
});

const program = ['drizzle', 'migrations', 'scripts', 'sql', 'src/domain', 'package.json'];

/** Everything in migrations/, to be compared. */
function migrationsIn(copy: string): Readonly<Record<string, string>> {
  const folder = join(copy, 'migrations');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.includes('.'),
  );
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

async function generate(copy: string, url: string): Promise<unknown> {
  const args = [join(copy, 'scripts/generate-sql.mjs'), '--name', 'later', '--database', url];
  return await promisify(execFile)(process.execPath, args).catch((error) => error);
}

longTest(
  'a renamed column is a question: where nobody can answer it the generator fails and says so',
  async () => {
    const copy = copyOfRepository(program);
    edit(join(copy, 'drizzle'), {
      'balances.ts': instead("integer('asset_count')", "integer('assets_counted')"),
    });
    const before = migrationsIn(copy);
    const { url } = await testDatabase({ empty: true });
    expect(await generate(copy, url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/drizzle-kit wrote nothing.*renamed.*in a terminal/),
    });
    expect(migrationsIn(copy)).toEqual(before);
  },
);

longTest('a generator that fails leaves the migrations as they were', async () => {
  const copy = copyOfRepository(program);
  edit(join(copy, 'drizzle'), {
    'accounts.ts': (text) =>
      text.concat("export const later = custody.table('later', { id: text('id').primaryKey() });\n"),
  });
  edit(join(copy, 'sql'), { 'rules/jobs.sql': instead('FROM (VALUES', 'FROM nowhere, (VALUES') });
  const before = migrationsIn(copy);
  const { url } = await testDatabase({ empty: true });
  expect(await generate(copy, url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sql/rules/jobs.sql: relation "nowhere" does not exist'),
  });
  expect(migrationsIn(copy)).toEqual(before);
});
