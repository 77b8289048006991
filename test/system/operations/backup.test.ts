// Backup and restore as docs/restore.md tells them, with PostgreSQL's own programs: dumped from one
// server, restored into another that has never heard of it, and mirrored on there.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { findAlterations } from '../../../src/store/schema/plain-tables.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { runHere } from '../../support/in-process.ts';
import { startPostgres } from '../../support/postgres.ts';
import { testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { expectTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';
import { blocks } from '../docs/blocks.ts';

const missing = await whyNoDump();

/** Why the server of this run cannot be dumped here; null where it can. */
async function whyNoDump(): Promise<string | null> {
  const { stdout, error } = spawnSync('pg_dump', ['--version'], { encoding: 'utf8' });
  const own = /(\d+)[.\d]* ?/.exec(stdout ?? '')?.[1];
  if (error !== undefined || own === undefined) return 'pg_dump is not installed';
  const server = await withClient(inject('testServer').adminUrl, async (client) => {
    const { rows } = await client.query<{ major: number }>(
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    return rows[0]?.major ?? 0;
  });
  return Number(own) < server ? `pg_dump ${own} cannot dump PostgreSQL ${server}` : null;
}

const because = missing === null ? '' : ` (skipped: ${missing})`;

/** The commands of docs/operations.md. @param last the last schema of those that it names */
function dump(database: TestDatabase, last: 'drizzle' | 'follower' = 'drizzle'): string {
  const file = join(newFolder(), 'custody.dump');
  const told = readFileSync('docs/operations.md', 'utf8');
  const [, schemas = ''] = new RegExp(`--schema='(\\S+\\|${last})'`).exec(told) ?? [];
  program('pg_dump', [
    '--format=custom',
    '--no-owner',
    '--no-privileges',
    `--schema=${schemas}`,
    `--file=${file}`,
    database.url,
  ]);
  return file;
}

function restore(file: string, url: string): void {
  program('pg_restore', ['--no-owner', '--no-privileges', '--exit-on-error', `--dbname=${url}`, file]);
}

function program(name: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

interface FreshServer {
  /** A new, empty database of an ordinary user, who is in its address; asked of by the superuser. */
  database(): Promise<TestDatabase>;
}

async function freshServer(): Promise<FreshServer> {
  const server = await startPostgres({
    dataDirectory: newDataDirectory('custody-mirror-restored'),
    persistent: false,
  });
  onCleanup(server.stop);
  const ask = (database: string, sql: string, params: readonly unknown[] = []) =>
    withClient(server.url(database), async (client) => (await client.query(sql, [...params])).rows);
  await ask('postgres', "create role mirror login password 'mirror'");
  return {
    async database() {
      await ask('postgres', 'create database custody owner mirror');
      const url = new URL(server.url('custody'));
      url.username = 'mirror';
      url.password = 'mirror';
      return { url: url.href, query: async (sql, params) => ask('custody', sql, params), drop: server.stop };
    },
  };
}

/** Every row of every table, and where the identities stand. */
async function contents({ query }: TestDatabase) {
  const tables = await query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('custody', 'sync', 'internal', 'drizzle') order by 1`);
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from ${name} t`,
  );
  return {
    tables: await query(digests.join(' union all ')),
    sequences: await query(
      'select schemaname, sequencename, last_value from pg_sequences order by schemaname, sequencename',
    ),
  };
}

const [makeBookmark = '', next = ''] = blocks
  .filter(({ language, text }) => language === 'sql' && text.includes('follower.bookmark'))
  .map(({ text }) => text);

/** Runs a block of docs/events.md, the step of a follower if none is given. */
const follow = ({ url }: TestDatabase, sql = next) =>
  withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows);

const greatest = async ({ query }: TestDatabase) =>
  (
    await query<{ change: string; run: string; token: string }>(`
      select (select max(change_id) from custody.transaction_status_history) as change,
        (select max(run_id) from sync.runs) as run, (select max(token) from sync.leases) as token`)
  )[0];

test.skipIf(missing !== null)(
  `a dump restored into another server holds every row, and the daemon goes on there from what was known then${because}`,
  async () => {
    const [service, source, server] = await Promise.all([serveSandbox(), testDatabase(), freshServer()]);
    expect(await sync(service, source)).toMatchObject({ code: 0 });
    const reader = await testRole(source);
    expect(await runHere(['grant', reader.name], { env: { DATABASE_URL: source.url } })).toMatchObject({
      code: 0,
    });
    await follow(source, makeBookmark);
    expect((await follow(source)).length).toBeGreaterThan(0);
    const before = await contents(source);
    const numbers = await greatest(source);
    const file = dump(source, 'follower');

    // What the source sees after the dump is lost with it, and what is there still is read again.
    const moved =
      [...service.sandbox.world.transactions()].find(({ status }) => status === 'confirming')
        ?.transactionId ?? '';
    service.sandbox.world.alterTransaction(moved, { status: 'processing' });
    expect(await sync(service, source)).toMatchObject({ code: 0 });
    service.sandbox.world.alterTransaction(moved, { status: 'completed' });
    const { transactionId: arrived } = service.sandbox.world.insertTransaction('head', { status: 'pending' });

    const restored = await server.database();
    restore(file, restored.url);
    expect(await contents(restored)).toEqual(before);
    // Its views are written otherwise there, and what they are is compared all the same.
    expect(await findAlterations(open(restored.url))).toEqual([]);
    const daemon = await startDaemon(service, restored);
    await untilWriter(restored, daemon);
    await waitFor(
      async () =>
        (
          await restored.query(
            "select from custody.transactions where transaction_id = $1 and status = 'completed' and exists (select from custody.transactions where transaction_id = $2)",
            [moved, arrived],
          )
        ).length > 0,
      { what: 'what happened since the dump' },
    );
    await stopGracefully(daemon);
    await expectTruth(restored, service.sandbox);
    // The follower goes on where it was at the dump.
    const news = (await follow(restored)).map((row) => row['transaction_id']);
    expect(news.toSorted()).toEqual([moved, arrived].toSorted());
    const statuses = (database: TestDatabase) =>
      database.query(
        'select sequence, from_status, to_status from custody.transaction_status_history where transaction_id = $1 order by sequence',
        [moved],
      );
    expect(await statuses(source)).toMatchObject([{ sequence: 1 }, { to_status: 'processing' }]);
    expect(await statuses(restored)).toMatchObject([
      { sequence: 1 },
      { sequence: 2, from_status: 'confirming', to_status: 'completed' },
    ]);
    // Numbers go on from where they were at the dump: some of those that the source gave since are given
    // again.
    const later = await greatest(restored);
    for (const name of ['change', 'run', 'token'] as const)
      expect(Number(later?.[name])).toBeGreaterThan(Number(numbers?.[name]));
    // Roles are the server's and not the database's: the reader is made and let in again.
    await restored.query(`create role ${reader.name} login password 'again'`);
    const env = { DATABASE_URL: restored.url };
    expect(await runHere(['grant', reader.name], { env })).toMatchObject({ code: 0 });
  },
  120_000,
);

test.skipIf(missing !== null)(
  `a dump taken while the daemon writes is whole, and its lease and unfinished runs stop nobody${because}`,
  async () => {
    const [service, source, server] = await Promise.all([
      serveSandbox({ frozen: false }),
      testDatabase(),
      freshServer(),
    ]);
    const daemon = await startDaemon(service, source);
    await untilWriter(source, daemon);
    await waitFor(async () => (await source.query('select from sync.runs')).length > 2);
    // As if the dump fell into the middle of a run, held by a process that is not known where it is restored.
    await source.query(
      "insert into sync.runs (account_id, job, mode, status, started_at) values ('default', 'reconcile', 'full', 'running', now())",
    );
    const file = dump(source);
    await stopGracefully(daemon);
    const restored = await server.database();
    restore(file, restored.url);
    const left = await restored.query("select from sync.runs where status = 'running'");
    expect(left.length).toBeGreaterThan(0);
    const settled = await sync(service, restored, { LEASE_TTL_MS: '10000' });
    expect(settled, settled.stderr).toMatchObject({ code: 0 });
    expect(await restored.query("select from sync.runs where status = 'running'")).toEqual([]);
    expect(
      await restored.query(
        "select from sync.runs where job = 'reconcile' and status = 'abandoned' and finished_at is not null",
      ),
    ).not.toEqual([]);
    // The daemon that wrote when the dump was taken is still expected there: nothing else is wrong.
    const status = await runHere(['status', '--json'], { env: environment(service, restored) });
    const { problems } = JSON.parse(status.stdout) as { problems: { code: string }[] };
    expect(problems.map(({ code }) => code)).toEqual(['stopped']);
  },
  120_000,
);
