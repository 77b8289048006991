// The key is found nowhere: not in what sync and run write at their most talkative, not in what they serve,
// not in the list of processes, and in no column of any table, even when the service sends it back.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { environment, serveSandbox, viewerKey } from '../../support/command.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest, sampled } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { listening } from '../../support/listening.ts';
import { runProcess, startProcess } from '../../support/process.ts';
import { testRole } from '../../support/roles.ts';

/** The key as it may appear: as it is, percent-encoded, as base64, within JSON. */
const forms = [
  viewerKey,
  encodeURIComponent(viewerKey),
  Buffer.from(viewerKey).toString('base64'),
  viewerKey.replaceAll('/', '\\/'),
];

function expectSilent(what: string, text: string): void {
  expect(text.length, what).toBeGreaterThan(0);
  for (const form of forms) expect(text.includes(form), `${what} holds the key`).toBe(false);
  expect(text.includes(databasePassword), `${what} holds the password of the database`).toBe(false);
}

const databasePassword = 'Pass%2Fword-5eb1';

/** A role of the test's own, so that the password is one that stands out. */
async function asOwner(database: TestDatabase): Promise<TestDatabase> {
  const role = await testRole(database, { attributes: 'superuser', password: databasePassword });
  return { ...database, url: role.url };
}

longTest('nothing that sync and run write, serve or store holds the key', async () => {
  const faults = 'err01=0.1,err03=0.05x1,reset=0.05,html=0.05,badjson=0.05,redirectother@whitelist=1x1';
  const [service, plain] = await Promise.all([serveSandbox({ faults, frozen: false }), testDatabase()]);
  const database = await asOwner(plain);
  const env = environment(service, database, { LOG_LEVEL: 'trace', CUSTODY_API_KEY_PREFIX: '' });
  const once = await runProcess(['sync'], { env });
  expectSilent('output of sync', once.stdout + once.stderr);
  expect(once.stderr).toContain('"level":"trace"');

  const daemon = startProcess(['run'], {
    env: { ...env, SCHEDULE_TRANSACTIONS: '* * * * * *', SCHEDULE_BALANCES: '* * * * * *' },
  });
  const [, url = ''] = await daemon.output(/"url":"(http:[^"]+)"/);
  await daemon.output(/"job":"balances"[^\n]*"msg":"run succeeded"/);
  for (const path of [
    '/',
    '/sync',
    '/sync/runs',
    '/sync/quarantine',
    '/balances',
    '/metrics',
    '/healthz',
    '/readyz',
    '/status.json',
    '/nowhere',
  ]) {
    const answer = await fetch(url + path);
    expectSilent(path, `${[...answer.headers].join('\n')}\n${await answer.text()}`);
  }
  expectSilent('command line', readFileSync(`/proc/${daemon.pid}/cmdline`, 'utf8'));
  expectSilent('process title', readFileSync(`/proc/${daemon.pid}/comm`, 'utf8'));
  const sessions = await database.query('select application_name, query from pg_stat_activity');
  expectSilent('sessions', JSON.stringify(sessions));
  daemon.kill('SIGTERM');
  expect(await daemon.exit()).toEqual({ code: 0, signal: null });
  expectSilent('output of run', daemon.stdout() + daemon.stderr());
  expectSilent('database', await everything(database));
});

test('no other command writes the key or the password, when all is well', async () => {
  const [service, plain] = await Promise.all([serveSandbox(), testDatabase()]);
  const database = await asOwner(plain);
  const { name: reader } = await testRole(plain);
  const env = environment(service, database, { LOG_LEVEL: 'trace' });
  expect(await runHere(['sync', '--full'], { env })).toMatchObject({ code: 0 });
  for (const args of [
    ['status'],
    ['status', '--json'],
    ['doctor'],
    ['migrate'],
    ['migrate', '--check'],
    ['grant', reader],
  ]) {
    const run = await runHere(args, { env });
    expect(run, args.join(' ')).toMatchObject({ code: 0 });
    expectSilent(args.join(' '), run.stdout + run.stderr);
  }
});

test('a process that ends by a fault of its own shows neither', async () => {
  const [service, plain] = await Promise.all([serveSandbox({ faults: 'stall=1' }), testDatabase()]);
  const database = await asOwner(plain);
  const fault = 'setInterval(() => process.env.DATABASE_URL && lease.held && 0, 1500)';
  const run = await runProcess(['sync'], {
    env: environment(service, database, {
      LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(fault).toString('base64')}`,
    }),
  });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('ReferenceError');
  expectSilent('crash', run.stdout + run.stderr);
});

const everyCommand = sampled([['sync'], ['run'], ['migrate'], ['doctor'], ['grant', 'nobody'], ['status']], {
  every: 3,
});
/** One that fails with an error, and the one that reports it as a finding. */
const someCommands = [['sync'], ['doctor']];

test.each([
  { fault: 'cannot be read', url: (url: URL) => url.href.replace('//', '//[') },
  {
    fault: 'holds an unencoded password',
    url: () => 'postgres://mirror:77/Pass%2Fword-5eb1@127.0.0.1/custody',
  },
  { fault: 'names a file that is missing', url: withParameter('sslrootcert', '/nowhere/ca.crt') },
  { fault: 'names no server', url: (url: URL) => Object.assign(url, { port: '1' }).href },
  { fault: 'names no host', url: (url: URL) => Object.assign(url, { hostname: 'database.invalid' }).href },
  {
    commands: everyCommand,
    fault: 'is refused at login',
    url: (url: URL) => Object.assign(url, { username: 'somebody-else' }).href,
  },
  { fault: 'names no database', url: (url: URL) => Object.assign(url, { pathname: '/missing' }).href },
  {
    commands: everyCommand,
    fault: 'asks for TLS where there is none',
    url: withParameter('sslmode', 'verify-full'),
  },
])(
  'no command shows the password when the address of the database $fault',
  async ({ url: spoilt, commands = someCommands }) => {
    const [service, plain] = await Promise.all([serveSandbox(), testDatabase({ empty: true })]);
    const database = await asOwner(plain);
    const url = spoilt(new URL(database.url));
    const env = environment(service, { url }, { LOG_LEVEL: 'trace' });
    for (const args of commands) {
      const run = await runHere(args, { env });
      expect(run.code, `${args.join(' ')}: ${run.stderr}`).toBeGreaterThan(0);
      expectSilent(args.join(' '), run.stdout + run.stderr);
      expect(run.stderr, args.join(' ')).not.toContain('    at ');
    }
  },
);

function withParameter(name: string, value: string) {
  return (url: URL) => {
    url.searchParams.set(name, value);
    return url.href;
  };
}

test('a service that sends the key back in everything it says is not repeated', async () => {
  const echo = createServer((request, response) => {
    const key = String(request.headers['x-api-key']);
    if (request.url?.startsWith('/vaults')) {
      response
        .writeHead(302, { location: `http://other.invalid/${encodeURIComponent(key)}?key=${key}` })
        .end();
    } else if (request.url?.startsWith('/whitelist')) {
      response.writeHead(200, { 'content-type': `application/json; key=${key}` });
      response.end(JSON.stringify({ error_code: `KEY-${key}`, error_message: `your key is ${key}` }));
    } else if (request.url?.startsWith('/balances')) {
      response.writeHead(500, `Failed for ${key}`, { 'content-type': 'text/html' }).end(`<p>${key}</p>`);
    } else {
      const body = {
        status: 'error',
        error_code: 'ERR-02',
        error_message: `${key} is refused`,
        details: key,
      };
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
  });
  const database = await testDatabase();
  const env = environment(await listening(echo), database, {
    LOG_LEVEL: 'trace',
    CUSTODY_RETRIES: '2',
  });
  const run = await runHere(['sync'], { env });
  expect(run, run.stderr).toMatchObject({ code: 3 });
  expect(run.stdout).toMatch(/transactions: failed: .*ERR-02/);
  expectSilent('output of sync', run.stdout + run.stderr);
  expectSilent('database', await everything(database));
  const status = await runHere(['status'], { env });
  expectSilent('status', status.stdout + status.stderr);
});

/** Every row of every table, as text. */
async function everything(database: TestDatabase): Promise<string> {
  const tables = await database.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
      return `${name}\n${rows.map(({ text }) => text).join('\n')}`;
    }),
  );
  expect(texts.length).toBeGreaterThan(10);
  return texts.join('\n');
}
