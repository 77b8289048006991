// What `sync` refuses, and what refuses it: each ends with its own exit code and a message that names the
// thing and the fix, and leaves nothing behind.
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { mirrored, truth, whereRowsLie } from '../../support/truth.ts';

const nothing = { transactions: [], balances: [], vaults: [], whitelist: [] };

test('an unknown key ends the sync with exit code 3 after at most two requests per endpoint', async () => {
  const value = 'not-the-key-of-anybody';
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const run = await sync(service, database, { CUSTODY_API_KEY: value });
  expect(run, run.stderr).toMatchObject({ code: 3 });
  expect(run.stdout + run.stderr).toMatch(/ERR-02/);
  expect(run.stderr).toMatch(
    /^The custody service rejected the key\. Check that CUSTODY_API_KEY .*viewer role/ms,
  );
  // The key is told of once, and nothing else is.
  expect(run.stderr.match(/^\{.*/gm)?.map((line) => /"msg":"([^"]*)"/.exec(line)?.[1])).toEqual([
    'key rejected',
  ]);
  expect(run.stdout + run.stderr).not.toContain(value);
  for (const [endpoint, requests] of Object.entries(service.sandbox.requests.byEndpoint))
    expect(requests, endpoint).toBeLessThanOrEqual(2);
  expect(await mirrored(database)).toEqual(nothing);
  const runs = await database.query('select distinct status, error_code from sync.runs');
  expect(runs).toEqual([{ status: 'failed', error_code: 'ERR-02' }]);
});

test('a resource that CUSTODY_RESOURCES leaves out is neither asked for nor judged, and cannot be named', async () => {
  const faults = [{ kind: 'err02', endpoint: 'whitelist' }] as const;
  const [service, database] = await Promise.all([serveSandbox({ faults }), testDatabase()]);
  expect(await sync(service, database)).toMatchObject({ code: 3 });
  expect(await mirrored(database)).toEqual({ ...truth(service.sandbox), whitelist: [] });
  const asked = service.sandbox.requests.byEndpoint['whitelist'];

  const fewer = { CUSTODY_RESOURCES: 'transactions,balances,vaults' };
  const env = environment(service, database, fewer);
  const run = await sync(service, database, fewer);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(run.stdout).not.toContain('whitelist');
  const [status, doctor] = await Promise.all(
    ['status', 'doctor'].map((command) => runHere([command], { env })),
  );
  expect(status, status?.stdout).toMatchObject({ code: 0, stderr: '' });
  expect(status?.stdout).toMatch(/whitelist +unknown +not mirrored: left out of CUSTODY_RESOURCES/);
  expect(doctor, doctor?.stdout).toMatchObject({ code: 0 });
  expect(doctor?.stdout).toMatch(/GET \/whitelist +skipped: CUSTODY_RESOURCES leaves whitelist out/);

  const named = await sync(service, database, fewer, ['balances', 'whitelist']);
  expect(named).toMatchObject({ code: 2, stdout: '' });
  expect(named.stderr).toMatch(/CUSTODY_RESOURCES: leaves whitelist out .*add it there/);
  expect(service.sandbox.requests.byEndpoint['whitelist']).toBe(asked);
});

test('with nothing configured, every variable that must be chosen is named', async () => {
  const needed = ['DATABASE_URL', 'CUSTODY_BASE_URL', 'CUSTODY_API_KEY'];
  const commands: [string, string[]][] = [
    ['sync', needed],
    ['run', needed],
    ['migrate', ['DATABASE_URL']],
    ['status', ['DATABASE_URL']],
  ];
  await Promise.all(
    commands.map(async ([command, names]) => {
      const { code, stderr, stdout } = await runHere([command]);
      const named = [...stderr.matchAll(/^ {2}([A-Z_]+): is required/gm)].map(([, name]) => name);
      expect({ command, code, stdout, named }).toEqual({ command, code: 2, stdout: '', named: names });
    }),
  );
});

test.each([
  { args: ['mirror'], names: 'mirror' },
  { args: ['sync', '--fast'], names: '--fast' },
  { args: ['sync', 'prices'], names: 'transactions, balances, vaults, whitelist' },
  { args: ['sandbox', '--faults', 'earthquake=0.1'], names: 'earthquake' },
  { args: ['sandbox', '--port', 'http'], names: '--port' },
  { args: ['migrate', 'now'], names: 'migrate' },
])('$args is refused with exit code 2 and a hint at the help', async ({ args, names }) => {
  const run = await runHere(args);
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain(names);
  expect(run.stderr).toMatch(/--help|the faults are: err01, /);
  expect(run.stderr).not.toContain('    at ');
});

test('an account that is bound to one address is refused with another, and nothing changes', async () => {
  const [first, second, database] = await Promise.all([
    serveSandbox(),
    serveSandbox({ seed: 8 }),
    testDatabase(),
  ]);
  expect(await sync(first, database, {}, ['vaults'])).toMatchObject({ code: 0 });
  const before = await whereRowsLie(database);
  for (const command of ['sync', 'run']) {
    const refused = await runHere([command], { env: environment(second, database) });
    expect(refused, refused.stderr).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(first.url);
    expect(refused.stderr).toContain(second.url);
    expect(refused.stderr).toMatch(/CUSTODY_BASE_URL .*or .*CUSTODY_ACCOUNT .*ACCOUNT-BOUND-ELSEWHERE/s);
    expect(refused.stderr).not.toContain('    at ');
  }
  expect(second.sandbox.requests.total).toBe(0);
  expect(await whereRowsLie(database)).toEqual(before);

  const other = await sync(second, database, { CUSTODY_ACCOUNT: 'second' }, ['vaults']);
  expect(other, other.stderr).toMatchObject({ code: 0 });
  const counts = await database.query(
    'select account_id, count(*)::int as vaults from custody.vaults group by 1 order by 1',
  );
  expect(counts).toEqual([
    { account_id: 'default', vaults: 10 },
    { account_id: 'second', vaults: 10 },
  ]);
});
