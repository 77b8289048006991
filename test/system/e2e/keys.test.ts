// Keys by the command line: made, listed, used against a daemon, revoked; and the key found nowhere but
// where it was printed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environment, serveSandbox } from '../../support/command.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { startProcess } from '../../support/process.ts';

const wholeKey = /^cm_[a-z0-9]{8}_[0-9A-Za-z]{49}\n$/;

function keyCommand(database: TestDatabase, level = 'trace') {
  const env = { DATABASE_URL: database.url, LOG_LEVEL: level };
  return (...args: string[]) => runHere(['key', ...args], { env });
}

longTest(
  'a key is printed alone and once, opens the daemon that runs, and is refused from its revocation on',
  async () => {
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const key = keyCommand(database);
    const daemon = startProcess(['run'], { env: environment(service, database, { LOG_LEVEL: 'trace' }) });
    const [, url = ''] = await daemon.output(/"url":"(http:[^"]+)"/);
    expect((await fetch(`${url}/sync`)).status).toBe(200);

    const made = await key('create', 'nightly export', '--account', 'default', '--expires', '90d');
    expect(made, made.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(wholeKey) });
    expect(made.stderr).toMatch(
      /Created the key cm_\w{8} \(nightly export\)\. It reads default, and expires 20/,
    );
    const secret = made.stdout.trim();
    const prefix = secret.slice(0, 11);
    const as = (password: string) => ({
      headers: { authorization: `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}` },
    });
    expect((await fetch(`${url}/sync`)).status).toBe(401);
    expect((await fetch(`${url}/sync`, as(secret))).status).toBe(200);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);

    const listed = async () => {
      const { keys } = JSON.parse((await key('list', '--json')).stdout) as {
        keys: Record<string, unknown>[];
      };
      return keys;
    };
    await expect.poll(listed).toMatchObject([
      {
        name: 'nightly export',
        prefix,
        accounts: ['default'],
        state: 'active',
        lastUsedAt: expect.any(String),
      },
    ]);
    const revoked = await key('revoke', 'nightly export');
    expect(revoked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${prefix} (nightly export) is revoked`),
    });
    expect((await fetch(`${url}/sync`, as(secret))).status).toBe(401);
    expect(await key('revoke', secret)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('was already revoked'),
    });

    const list = await key('list');
    expect(list.stdout).toMatch(new RegExp(`^${prefix} +revoked .* default +nightly export$`, 'm'));
    const told = readFileSync(`/proc/${daemon.pid}/cmdline`, 'utf8');
    daemon.kill('SIGTERM');
    expect(await daemon.exit()).toEqual({ code: 0, signal: null });
    const rows = await database.query('select k::text from sync.api_keys k');
    const texts = [
      daemon.stdout(),
      daemon.stderr(),
      told,
      list.stdout,
      list.stderr,
      made.stderr,
      revoked.stdout,
      revoked.stderr,
      JSON.stringify(rows),
    ];
    for (const text of texts) expect(text).not.toContain(secret.slice(12));
  },
);

test('what cannot be done is said in a line, with the exit codes of the other commands, and without a key', async () => {
  const database = await testDatabase();
  const key = keyCommand(database, 'info');
  await database.query(
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('acme', 'https://custody.example', now())",
  );
  const first = await key('create', 'one', '--expires', '2999-01-01');
  expect(first.code, first.stderr).toBe(0);
  const secret = first.stdout.trim();
  const failures: readonly [readonly string[], number, RegExp][] = [
    [['create', 'one'], 1, /the name is in use by the key cm_\w{8}: .*\(KEY-UNUSABLE\)/],
    [['create', 'two', '--account', 'acne'], 2, /--account: no account is named acne: there is acme$/m],
    [['create', 'two', '--expires', '2020-01-01'], 1, /has passed by the clock of the database/],
    [['create', 'two', '--expires', 'soon'], 2, /--expires: must be a date such as/],
    [['create', 'two', '--expires', '90d', '--no-expiry'], 2, /'--no-expiry' cannot be used with/],
    [['create', 'two', '--scope', 'all'], 2, /Allowed choices are metrics, balances, custody, read/],
    [['create', 'two', '--from', '10.0.0.0/33'], 2, /--from: must be addresses or networks such as/],
    [['create', secret], 2, /name: must not begin with cm_/],
    [['create'], 2, /missing required argument 'name'/],
    [['revoke', 'nobody'], 1, /no key has that prefix or name/],
    [['revoke', `${secret}x`], 1, /no key has that prefix or name/],
    [['list', '--jsn'], 2, /unknown option/],
  ];
  const runs = await Promise.all(failures.map(([args]) => key(...args)));
  for (const [index, [args, code, words]] of failures.entries()) {
    const run = runs[index];
    expect(run, `${args.join(' ')}: ${run?.stderr}`).toMatchObject({ code, stdout: '' });
    expect(run?.stderr).toMatch(words);
    expect(run?.stderr).not.toContain('    at ');
    expect(run?.stderr).not.toContain(secret.slice(12));
  }
  const empty = await testDatabase({ empty: true });
  expect(await keyCommand(empty)('create', 'x')).toMatchObject({ code: 1, stdout: '' });
});

test('of commands at once that want one name, one makes a key', async () => {
  const database = await testDatabase();
  const key = keyCommand(database);
  const runs = await Promise.all(Array.from({ length: 6 }, () => key('create', 'wanted')));
  expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1, 1, 1]);
  for (const { code, stderr } of runs) if (code === 1) expect(stderr).toContain('(KEY-UNUSABLE)');
  expect(runs.filter(({ stdout }) => wholeKey.test(stdout))).toHaveLength(1);
});
