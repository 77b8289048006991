// The commands that neither mirror nor serve the mirror: migrate, status, sandbox, and the help of all of
// them.
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';

test('migrate names what is pending, ten at once apply it once, and then nothing is', async () => {
  const database = await testDatabase({ empty: true });
  const env = { DATABASE_URL: database.url };
  const unmigrated = await runHere(['status'], { env });
  expect(unmigrated).toMatchObject({ code: 1, stdout: '' });
  expect(unmigrated.stderr).toMatch(/run custody-mirror migrate.*SCHEMA-MISSING/);

  const pending = await runHere(['migrate', '--check'], { env });
  expect(pending).toMatchObject({ code: 1, stderr: '' });
  const names = /^\d+ migrations? pending: (.+)\n$/.exec(pending.stdout)?.[1]?.split(', ') ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(await database.query("select 1 from pg_namespace where nspname = 'custody'")).toEqual([]);

  const all = await Promise.all(Array.from({ length: 10 }, () => runHere(['migrate'], { env })));
  for (const { code, stderr } of all) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const told = all.map(({ stdout }) => stdout).sort();
  expect(told.filter((text) => text.includes('up to date'))).toHaveLength(9);
  expect(told.filter((text) => text.includes('applied'))).toHaveLength(1);
  const [applied] = await database.query('select count(*)::int as count from drizzle.__drizzle_migrations');
  expect(applied).toEqual({ count: names.length });

  const check = await runHere(['migrate', '--check'], { env });
  expect(check).toMatchObject({ code: 0, stderr: '', stdout: 'The database is up to date.\n' });
});

test('run --check reads the variables as the daemon would, and starts nothing', async () => {
  const env = environment({ url: 'https://custody.example' }, { url: 'postgres://nobody@127.0.0.1:1/none' });
  expect(await runHere(['run', '--check'], { env })).toMatchObject({
    code: 0,
    stdout: 'The variables of account default are valid.\n',
    stderr: '',
  });
  const wrong = { ...env, LEASE_TTL_MS: 'abc', CUSTODY_PAGE_SIZE: '-1' };
  expect(await runHere(['run', '--check'], { env: wrong })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/(CUSTODY_PAGE_SIZE|LEASE_TTL_MS).*\n.*(CUSTODY_PAGE_SIZE|LEASE_TTL_MS)/),
  });
});

test('an address that may be free a moment later ends run with a code after which it is started again', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database);
  for (const address of [{ HTTP_PORT: new URL(service.url).port }, { HTTP_HOST: '192.0.2.1' }])
    expect(await runHere(['run'], { env: { ...env, ...address } })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Invalid configuration:\n  ${Object.keys(address).join()}: `),
    });
});

test('status distinguishes an empty mirror, a healthy one and a failing one, for people and for machines', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database);
  const status = (...args: string[]) => runHere(['status', ...args], { env });

  const [empty, emptyJson] = await Promise.all([status(), status('--json')]);
  expect(empty).toMatchObject({ code: 1, stderr: '' });
  expect(empty.stdout).toMatch(
    /Nothing has been mirrored yet for the account default: start custody-mirror run/,
  );
  expect(emptyJson).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(emptyJson.stdout)).toMatchObject({ healthy: false, account: 'default' });

  expect(await sync(service, database)).toMatchObject({ code: 0 });
  const [healthy, healthyJson] = await Promise.all([status(), status('--json')]);
  expect(healthy, healthy.stdout).toMatchObject({ code: 0, stderr: '' });
  expect(healthy.stdout).toContain(service.url);
  expect(healthy.stdout).toMatch(/^Healthy$/m);
  expect(healthy.stdout).toMatch(/transactions +150/);
  expect(JSON.parse(healthyJson.stdout)).toMatchObject({ healthy: true, reasons: [], baseUrl: service.url });

  service.sandbox.faults.set('err01@whitelist=1');
  expect(await sync(service, database, { CUSTODY_RETRIES: '1' }, ['whitelist'])).toMatchObject({ code: 1 });
  const failing = await status();
  expect(failing).toMatchObject({ code: 1, stderr: '' });
  expect(failing.stdout.replace(/\s+/g, ' ')).toMatch(/The last run of whitelist failed: .*ERR-01/);
});

test('a mirror of which no sweep was verified is not healthy, and says how much was met', async () => {
  const [service, database] = await Promise.all([serveSandbox({ order: 'shuffled' }), testDatabase()]);
  const status = (...args: string[]) => runHere(['status', ...args], { env: environment(service, database) });
  const ran = await sync(service, database);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(ran.stdout).toMatch(
    /^transactions: \d+ new, after \d sweeps not verified: read \d+ (of at least \d+ records|records of a list whose length is not known); the order of the list/,
  );

  const [told, json] = await Promise.all([status(), status('--json')]);
  expect(told).toMatchObject({ code: 1, stderr: '' });
  expect(told.stdout).not.toMatch(/^Healthy$/m);
  expect(told.stdout).toMatch(/No sweep of transactions has ever been verified/);
  const report = JSON.parse(json.stdout);
  expect(json.code).toBe(1);
  expect(report).toMatchObject({
    healthy: false,
    transactions: {
      lastSweep: {
        verified: false,
        coverage: { listLength: null, isResumed: false },
        notCovered: ['what no pass through the list happened to show'],
      },
    },
  });
  expect(report.transactions.lastSweep.coverage.met).toBeGreaterThan(0);
  expect(report.transactions.lastSweep.coverage.met).toBeLessThanOrEqual(150);
});

test('the sandbox serves what its options ask for until it is stopped', async () => {
  const database = await testDatabase();
  const options = [
    '--port=0',
    '--seed=5',
    '--transactions=77',
    '--frozen',
    '--api-key=another',
    '--max-limit=9',
  ];
  const sandbox = startProcess(['sandbox', ...options, '--base-path=/api/v2', '--faults=http503=0.1']);
  const [, url = ''] = await sandbox.output(/listens at (http:\S+)\n/);
  await sandbox.output(/77 transactions, 10 vaults, 60 whitelist entries/);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v2$/);
  const second = await runHere(['sandbox', `--port=${new URL(url).port}`]);
  expect(second).toMatchObject({ code: 1, stdout: '' });
  expect(second.stderr).toMatch(/^Invalid configuration:\n {2}--port: port \d+ of 127\.0\.0\.1 is in use/);
  const refused = await fetch(`${url}/vaults`, { headers: { 'x-api-key': 'sandbox-viewer-key' } });
  expect(refused.status).toBe(401);

  const run = await sync({ url }, database, { CUSTODY_API_KEY: 'another' });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  const [count] = await database.query('select count(*)::int from custody.transactions');
  expect(count).toEqual({ count: 77 });
  const [cap] = await database.query("select value from sync.learned where fact = 'transactions_page_cap'");
  expect(cap).toEqual({ value: '9' });

  sandbox.kill('SIGINT');
  expect(await sandbox.exit()).toEqual({ code: 0, signal: null });
  expect(sandbox.stderr()).toBe('');
});

const helps: Readonly<Record<string, RegExp[]>> = {
  '': [
    /run .*daemon/,
    /sync/,
    /migrate/,
    /status/,
    /sandbox/,
    /demo/,
    /DATABASE_URL/,
    /CUSTODY_API_KEY_FILE/,
  ],
  run: [/SIGTERM/, /SIGPWR/, /\/metrics/, /HTTP_PORT/, /Exit codes: 0/],
  sync: [/transactions, balances, vaults, whitelist/, /--full/, /3 the custody service rejected the key/],
  migrate: [/--check/, /only DATABASE_URL/, /Exit codes: 0/],
  status: [/--json/, /0 healthy, 1 not/],
  sandbox: [/--port/, /--seed/, /--transactions/, /--rate/, /--faults/, /--frozen/, /err01=0\.2/],
  demo: [/--transactions/, /\.data/, /reads LOG_LEVEL, LOG_FORMAT and SCHEDULE_…/, /Ctrl-C/],
};

test('every command has a help that says what it does', async () => {
  await Promise.all(
    Object.entries(helps).map(async ([command, essentials]) => {
      const { code, stdout, stderr } = await runHere([command, '--help'].filter((word) => word !== ''));
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^Usage: custody-mirror ${command}`));
      for (const essential of essentials) expect(stdout).toMatch(essential);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
    }),
  );
  const version = await runHere(['--version']);
  expect(version).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
