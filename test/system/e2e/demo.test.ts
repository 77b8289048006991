// The demo, with nothing configured: it says first where its pages are, opens with a history that holds
// together and that the live mirror continues, keeps mirroring, and leaves nothing running.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FigureName, readFigure } from '../../../src/store/job-queries/account-figures.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest } from '../../support/form.ts';
import { runProcess, startProcess } from '../../support/process.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Like that of a clone: everybody may enter it. */
const newDirectory = () => newFolder(0o755);

interface Demo {
  readonly databaseUrl: string;
  readonly pageUrl: string;
  readonly serviceUrl: string;
  /** The id of a transaction that it says is worth a look. */
  shown(what: string): string;
  /** Ends it as Ctrl-C does, and expects that its PostgreSQL has ended with it. */
  end(): Promise<void>;
}

async function startDemo(cwd: string): Promise<Demo> {
  const demo = startProcess(['demo', '--transactions', '120'], { cwd });
  await demo.output(/Stop it with Ctrl-C\.\n/, { deadlineMs: 120_000 });
  const told = (pattern: RegExp) => pattern.exec(demo.stdout())?.[1] ?? '';
  expect(demo.stdout()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n\n.*made up\.\n/);
  const databaseUrl = told(/psql '(postgres:[^']+)'/);
  const directory = await ask(databaseUrl, "select current_setting('data_directory')");
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  expect(isAlive(postmaster)).toBe(true);
  return {
    databaseUrl,
    pageUrl: told(/^(http:\S+)\n/),
    shown: (what) => told(new RegExp(`/transactions/(\\S+) +${what}`)),
    serviceUrl: told(/custody service +(http:\S+)/),
    async end() {
      demo.kill('SIGINT');
      expect(await demo.exit(), demo.stderr()).toEqual({ code: 0, signal: null });
      expect(demo.stderr()).toBe('');
      expect(isAlive(postmaster)).toBe(false);
    },
  };
}

/** The first column of the first row. */
function ask(url: string, sql: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return String(rows[0]?.[0]);
  });
}

/** A process that has ended but was not yet waited for still has its number, and no command line. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, 'utf8') !== '';
}

async function expectMirroring({ databaseUrl, pageUrl, serviceUrl }: Demo): Promise<void> {
  const count = (table: string) => ask(databaseUrl, `select count(*) from custody.${table}`).then(Number);
  await waitFor(async () => (await count('transactions')) >= 120, { what: 'the first transactions' });
  expect(await count('vaults')).toBe(10);
  const opened = await ask(databaseUrl, 'select now()::text');
  const seen = `transaction_status_history where from_status is not null and observed_at > '${opened}'`;
  await waitFor(async () => (await count(seen)) > 0, { what: 'a change of status' });
  const page = await fetch(pageUrl);
  expect(page.status).toBe(200);
  const refused = await fetch(`${serviceUrl}/balances`);
  expect(refused.status).toBe(401);
}

/** What the demo promises to show, each by one statement that a person could type. */
async function expectHistory({ databaseUrl, shown }: Demo): Promise<void> {
  const told = (sql: string) => ask(databaseUrl, sql);
  const oneOf = (id: string, from: string) =>
    told(`select count(*) from ${from} and transaction_id = '${id}'`);
  const facts = {
    days: await told(
      "select extract(day from max(snapshot_at) - min(snapshot_at)) >= 89 from custody.balance_snapshots where vault_type = 'all'",
    ),
    gap: await told(`select max(gap) > interval '1 day' from (select snapshot_at - lag(snapshot_at) over (order by snapshot_at) as gap
      from custody.balance_snapshots where vault_type = 'all' and snapshot_at > now() - interval '29 days') g`),
    failedMeanwhile: await told(
      "select count(*) > 0 from sync.runs where status = 'failed' and error_code = 'NETWORK' and job = 'balances'",
    ),
    priced: await told(
      "select count(*) = 30 and bool_and(total_value is not null) from reporting.balance_values where vault_type = 'all' and currency = 'USD'",
    ),
    pricesAreMadeUp: await told("select bool_and(source like '%made up%') from custody.asset_prices"),
    stuck: await oneOf(
      shown('stuck'),
      "reporting.open_transactions where transaction_type = 'withdraw' and age_band = '3 to 7 days' and time_in_status > interval '5 days'",
    ),
    offTheList: await oneOf(
      shown('payment to a non-whitelisted'),
      "reporting.destination_uses where is_completed and whitelist_reason = 'not listed'",
    ),
    sentTwice: await oneOf(
      shown('sent twice'),
      "custody.transactions t where (select count(*) from custody.transaction_revisions r where r.transaction_id = t.transaction_id) >= 4 and status = 'completed'",
    ),
    steps: await told(
      `select count(*) = 4 and bool_and(observed_after < observed_at) from custody.transaction_status_history where transaction_id = '${shown('sent twice')}'`,
    ),
    corrected: await told(
      "select string_agg(distinct asset_id, ',') from reporting.late_corrections where measure = 'in_amount' and difference = 400",
    ),
    unexplained: await told(
      "select string_agg(asset_id || ' ' || unexplained_difference, ',') from reporting.reconciliation_daily where is_explained is false",
    ),
    unreadable: await told("select string_agg(resource, ',') from sync.quarantine where resolved_at is null"),
    documents:
      await told(`select string_agg(distinct kind || ' ' || change, ',' order by kind || ' ' || change)
      from custody.document_revisions where observed_after is not null and observed_at < now() - interval '1 day'`),
    onTheirWay: await told(
      "select count(*) > 1 from reporting.open_transactions where age < interval '1 day'",
    ),
  };
  expect(facts).toEqual({
    days: 'true',
    gap: 'true',
    failedMeanwhile: 'true',
    priced: 'true',
    pricesAreMadeUp: 'true',
    stuck: '1',
    offTheList: '1',
    sentTwice: '1',
    steps: 'true',
    corrected: 'EURC',
    unexplained: expect.stringMatching(/^LTC -?1$/),
    unreadable: 'vaults',
    documents: 'vault changed,whitelist_entry added,whitelist_entry removed',
    onTheirWay: 'true',
  });
}

/** What metrics tell for alerts is what the pages show. */
async function expectFigures({ databaseUrl, shown }: Demo): Promise<void> {
  const database = open(databaseUrl, { readOnly: true });
  const { signal } = new AbortController();
  const figure = (name: FigureName) => readFigure(database, { name, account: 'default', signal });
  const stuck = await ask(
    databaseUrl,
    `select extract(epoch from first_seen_at)::float8 from custody.transactions where transaction_id = '${shown('stuck')}'`,
  );
  expect(await figure('openSince')).toContainEqual({
    labels: { transaction_type: 'withdraw' },
    value: Number(stuck),
  });
  const one = [{ labels: {}, value: 1 }];
  expect([await figure('paymentsOffWhitelist'), await figure('unexplainedDifferences')]).toEqual([one, one]);
  await database.close();
}

/** The live mirror goes on where the history ends: it finds nothing that the history had not told. */
async function expectHandedOver({ databaseUrl }: Demo): Promise<void> {
  const told = (sql: string) => ask(databaseUrl, sql);
  const sweep =
    "sync.runs where job = 'reconcile' and status = 'succeeded' and started_at > now() - interval '1 day'";
  await waitFor(async () => Number(await told(`select count(*) from ${sweep}`)) > 0, {
    what: "the daemon's first sweep",
  });
  expect({
    verified: await told(`select bool_and(verified) from ${sweep}`),
    earlierSweeps: await told(
      "select count(*) || ' ' || bool_and(verified) || ' ' || sum(records_inserted + records_changed) from sync.runs where job = 'reconcile' and started_at < now() - interval '1 day'",
    ),
    overlaps: await told(`select count(*) from custody.balances a join custody.balances b
      using (account_id, vault_type, asset_id, network_id) where a.valid_from < b.valid_from
      and b.valid_from < coalesce(a.valid_to, 'infinity')`),
    toCome: await told('select count(*) from custody.transaction_status_history where observed_at > now()'),
    backwards:
      await told(`select count(*) from (select observed_at < lag(observed_at) over (partition by transaction_id order by sequence) as earlier
      from custody.transaction_status_history) h where earlier`),
    anomalies: await told('select count(*) from sync.anomalies where resolved_at is null'),
    leftOver: await told("select count(*) from pg_namespace where nspname = 'simulated_time'"),
    health: await told(
      "select string_agg(code || ' ' || subject, ',') from reporting.health_problems where severity <> 'note'",
    ),
  }).toEqual({
    verified: 'true',
    earlierSweeps: '3 true 0',
    overlaps: '0',
    toCome: '0',
    backwards: '0',
    anomalies: '0',
    leftOver: '0',
    health: 'quarantine vaults',
  });
}

longTest(
  'the demo mirrors, continues its history, and ends without leaving anything',
  async () => {
    const directory = newDirectory();
    const first = await startDemo(directory);
    await expectMirroring(first);
    await expectHistory(first);
    await expectFigures(first);
    await expectHandedOver(first);
    const beside = startProcess(['demo'], { cwd: directory });
    expect(await beside.exit()).toEqual({ code: 1, signal: null });
    expect(beside.stderr()).toMatch(/a PostgreSQL is running in .*DATABASE-REFUSED/);
    await first.end();
    // Where one has ended another begins anew.
    const next = await startDemo(directory);
    await expectMirroring(next);
    await next.end();
  },
  240_000,
);

longTest(
  'without its history the demo begins with an empty mirror, by the schedules and in the zone that it was given',
  async () => {
    const demo = startProcess(['demo', '--no-history', '--transactions', '120'], {
      cwd: newDirectory(),
      env: { SCHEDULE_TIMEZONE: 'Pacific/Auckland', SCHEDULE_DOCUMENTS: 'off' },
    });
    await demo.output(/Stop it with Ctrl-C\.\n/, { deadlineMs: 120_000 });
    expect(demo.stdout()).toMatch(/The account is made up\./);
    expect(demo.stdout()).not.toMatch(/\/transactions\//);
    const databaseUrl = /psql '(postgres:[^']+)'/.exec(demo.stdout())?.[1] ?? '';
    await waitFor(
      async () => Number(await ask(databaseUrl, 'select count(*) from custody.transactions')) >= 120,
      {
        what: 'the transactions',
      },
    );
    expect(
      await ask(databaseUrl, "select count(*) from sync.runs where started_at < now() - interval '1 hour'"),
    ).toBe('0');
    expect(await ask(databaseUrl, 'select time_zone from custody.accounts')).toBe('Pacific/Auckland');
    const scheduled = "select string_agg(job, ' ' order by job) from sync.expectations where is_scheduled";
    expect(await ask(databaseUrl, scheduled)).toBe('balances maintenance reconcile transactions');
    demo.kill('SIGINT');
    expect(await demo.exit(), demo.stderr()).toEqual({ code: 0, signal: null });
  },
  120_000,
);

longTest('two demos run side by side in two places', async () => {
  const demos = await Promise.all([startDemo(newDirectory()), startDemo(newDirectory())]);
  await Promise.all(demos.map(expectMirroring));
  await Promise.all(demos.map((demo) => demo.end()));
});

test('where its data cannot be kept it says so, and shows no stack', async () => {
  const cwd = newDirectory();
  writeFileSync(join(cwd, '.data'), 'in the way');
  const { code, stderr } = await runProcess(['demo'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^PostgreSQL's data cannot be written to .*\.data \(\w+\): start it in a folder that you may write to/m,
  );
  expect(stderr).not.toMatch(/^ +at /m);
});

test('without the development dependencies the build, and with it the demo, says what to install', () => {
  const copy = newDirectory();
  mkdirSync(join(copy, 'scripts'));
  copyFileSync(new URL('../../../scripts/build.mjs', import.meta.url), join(copy, 'scripts/build.mjs'));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: copy,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/npm ci without --omit=dev/);
  expect(stderr).not.toMatch(/^ +at /m);
});
