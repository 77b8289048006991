import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownSchemas } from '../../../src/store/schema/schemas.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox, sync, viewerKey } from '../../support/command.ts';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { listening } from '../../support/listening.ts';
import { startProcess } from '../../support/process.ts';
import { testRole } from '../../support/roles.ts';
import { blocks } from '../docs/blocks.ts';

/** The lines of one check, joined. */
function finding(output: string, subject: string): string {
  const lines = output.split('\n');
  const start = lines.findIndex((line) => / (ok|note|FAULT) +/.test(line) && line.includes(` ${subject} `));
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => /^ {2}(ok|note|FAULT)|^\S|^$/.test(line));
  return lines
    .slice(start, start + 1 + length)
    .map((line) => line.trim())
    .join(' ');
}

test('a mirror that has everything it needs hears so, with what was learned', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database);
  const fresh = await runHere(['doctor'], { env });
  expect(fresh, fresh.stdout).toMatchObject({ code: 0, stderr: '' });
  expect(fresh.stdout).toMatch(/The mirror has all it needs\.\n$/);
  expect(finding(fresh.stdout, 'account default')).toContain('not mirrored yet');
  for (const path of ['/balances', '/balances/warm', '/transactions', '/vaults', '/whitelist'])
    expect(finding(fresh.stdout, `GET ${path}`)).toContain('the key is accepted');
  expect(service.sandbox.requests.total).toBe(5);
  // Nothing is written, the account's name neither.
  expect(await database.query('select from custody.accounts')).toEqual([]);

  expect(await sync(service, database)).toMatchObject({ code: 0 });
  // What a list does with limit and offset is believed after three runs.
  await database.query(
    "insert into sync.learned values ('default', 'paging:whitelist', 'none', 'three runs', now())",
  );
  const { stdout } = await runHere(['doctor'], { env });
  expect(finding(stdout, 'account default')).toContain(`bound to ${service.url}`);
  expect(finding(stdout, 'paging:whitelist')).toContain('none, learned');
});

test('a refused key, an unbound address and a database that was never migrated are each named with the fix', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase({ empty: true })]);
  const env = environment(service, database, { CUSTODY_API_KEY: 'not-the-key-4711' });
  const refused = await runHere(['doctor'], { env });
  expect(refused).toMatchObject({ code: 1, stderr: '' });
  expect(finding(refused.stdout, 'GET /balances')).toMatch(/FAULT.*ERR-02.*check CUSTODY_API_KEY/);
  expect(finding(refused.stdout, 'tables')).toMatch(/note.*migrations? (is|are) pending; run applies them/);
  expect(refused.stdout).toMatch(/5 faults to fix\.\n$/);
  expect(refused.stdout + refused.stderr).not.toContain('not-the-key-4711');

  expect(await sync(service, database)).toMatchObject({ code: 0 });
  const other = await serveSandbox();
  const elsewhere = await runHere(['doctor'], { env: environment(other, database) });
  expect(elsewhere.code).toBe(1);
  expect(finding(elsewhere.stdout, 'account default')).toMatch(/FAULT.*was mirrored from .* not from/);
});

test('what cannot be reached is named, and the rest is checked all the same', async () => {
  const service = await serveSandbox();
  const noDatabase = await runHere(['doctor'], {
    env: environment(service, { url: 'postgres://someone:database-password@127.0.0.1:1/mirror' }),
  });
  expect(noDatabase).toMatchObject({ code: 1, stderr: '' });
  expect(finding(noDatabase.stdout, 'connection')).toMatch(/FAULT.*cannot be reached \(ECONNREFUSED\)/);
  expect(finding(noDatabase.stdout, 'GET /whitelist')).toContain('the key is accepted');
  expect(noDatabase.stdout).not.toContain('database-password');

  const noSocket = await runHere(['doctor'], {
    env: environment(service, { url: 'postgres://someone@%2Ftmp%2Fno-such-folder/mirror' }),
  });
  expect(finding(noSocket.stdout, 'connection')).toMatch(/FAULT.*cannot be reached \(ENOENT\)/);
  expect(noSocket.stdout).not.toContain('DNS');

  const database = await testDatabase();
  const noService = await runHere(['doctor'], {
    env: environment({ url: 'https://custody.invalid/api' }, database),
  });
  expect(noService).toMatchObject({ code: 1, stderr: '' });
  expect(finding(noService.stdout, 'name')).toMatch(/FAULT.*custody\.invalid cannot be resolved/);
  expect(finding(noService.stdout, 'encryption')).toMatch(/FAULT.*NODE_EXTRA_CA_CERTS/);
  expect(finding(noService.stdout, 'tables')).toContain('up to date');
});

test('connections are counted against the limit that leaves the fewest: that of a role is named', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const role = await testRole(database);
  await database.query(`alter role ${role.name} connection limit 9`);
  const { stdout } = await runHere(['doctor'], { env: environment(service, role) });
  expect(finding(stdout, 'connections')).toMatch(
    new RegExp(`^note +connections +\\d of 9 in use; .*raise CONNECTION LIMIT of role ${role.name} `),
  );
});

test('a role that may not create, owns nothing or may only read comes with what to do', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const role = await testRole(database);
  const { stdout, code } = await runHere(['doctor'], { env: environment(service, role) });
  expect(code).toBe(1);
  expect(stdout).toMatch(/FAULT +privileges +schemas belong to others: custody of/);
  expect(stdout).toMatch(
    new RegExp(`GRANT CREATE ON DATABASE … TO +${role.name}|may not create schemas here`),
  );

  await database.query(`alter role ${role.quoted} set default_transaction_read_only = on`);
  const reader = await runHere(['doctor'], { env: environment(service, role) });
  expect(finding(reader.stdout, 'writing')).toMatch(
    /FAULT.*database \S+ on \S+ is read-only; .*default_transaction_read_only/,
  );
});

test('what another role owns is a fault, and the documented statement leads to tables that can be granted and migrated', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const [owner, { name: reader }] = [await testRole(database), await testRole(database)];
  const name = new URL(database.url).pathname.slice(1);
  onCleanup(async () => void (await database.query(`alter database ${name} owner to current_user`)));
  // As a superuser restores it: the database and its schemas are the role's, and what is in them is not.
  await database.query(`alter database ${name} owner to ${owner.quoted}`);
  for (const schema of ownSchemas) await database.query(`alter schema ${schema} owner to ${owner.quoted}`);
  const env = environment(service, owner);
  const faulty = await runHere(['doctor'], { env });
  expect(faulty.code).toBe(1);
  expect(finding(faulty.stdout, 'privileges')).toMatch(
    /FAULT.*tables, views and functions belong to others: \d+ of/,
  );
  expect((await runHere(['grant', reader], { env })).code).toBe(1);

  const [statement] = blocks.filter(({ name: block }) => block.startsWith('docs/restore.md, Owners'));
  await database.query(statement?.text ?? '');
  const mended = await runHere(['doctor'], { env });
  expect(mended, mended.stdout).toMatchObject({ code: 0 });
  expect(await runHere(['grant', reader], { env })).toMatchObject({ code: 0 });
  // A migration may replace any of them.
  const others = await database.query(
    `select c.oid::regclass::text as name from pg_class c where c.relnamespace::regnamespace::text = any($1)
       and pg_get_userbyid(c.relowner) <> $2
     union all select p.oid::regprocedure::text from pg_proc p
       where p.pronamespace::regnamespace::text = any($1) and pg_get_userbyid(p.proowner) <> $2`,
    [ownSchemas, owner.name],
  );
  expect(others).toEqual([]);
  expect(await runHere(['migrate'], { env })).toMatchObject({ code: 0 });
});

longTest(
  'a port that another program has is a fault, and one that custody-mirror itself has is none',
  async () => {
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const portFinding = async (port: number) => {
      const env = environment(service, database, { HTTP_PORT: String(port) });
      return finding((await runHere(['doctor'], { env })).stdout, 'HTTP_PORT');
    };
    const daemon = await startDaemon(service, database);
    const taken = Number(new URL(daemon.url).port);
    expect(await portFinding(taken)).toMatch(
      new RegExp(`^ok.*custody-mirror is running on port ${taken} of 127.0.0.1`),
    );
    await stopGracefully(daemon);
    expect(await portFinding(taken)).toMatch(/^ok.*is free/);
    // The sandbox answers HTTP as well.
    expect(await portFinding(Number(new URL(service.url).port))).toMatch(
      /^FAULT.*is in use by another program; .*set HTTP_PORT to a free port/,
    );
    const { port } = await listening(createServer());
    expect(await portFinding(port)).toMatch(/^FAULT.*is in use by another program/);
  },
);

test('every fault of the configuration is a finding, and a secret that all may read is noted', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const faulty = await runHere(['doctor'], {
    env: environment(service, database, {
      CUSTODY_API_KEY: '',
      CUSTODY_PAGE_SIZE: 'many',
      LEASE_TTL_MS: '1',
    }),
  });
  expect(faulty).toMatchObject({ code: 1, stderr: '' });
  for (const variable of ['CUSTODY_API_KEY', 'CUSTODY_PAGE_SIZE', 'LEASE_TTL_MS'])
    expect(finding(faulty.stdout, variable)).toContain('FAULT');
  expect(faulty.stdout).toMatch(/3 faults to fix\.\n$/);
  const misspelt = await runHere(['doctor'], {
    env: environment(service, database, {
      SCHEDULE_TRANSACTION: 'off',
      CUSTODY_MIRROR_SERVICE_HOST: '10.0.0.1',
    }),
  });
  expect(misspelt.code).toBe(1);
  expect(finding(misspelt.stdout, 'SCHEDULE_TRANSACTION')).toMatch(/FAULT.*SCHEDULE_TRANSACTIONS is/);
  expect(misspelt.stdout).not.toContain('CUSTODY_MIRROR_SERVICE_HOST');

  const folder = newFolder();
  const file = join(folder, 'key');
  await writeFile(file, `${viewerKey}\n`);
  const { CUSTODY_API_KEY: _, ...rest } = environment(service, database);
  const env = { ...rest, CUSTODY_API_KEY_FILE: file };
  await chmod(file, 0o644);
  // Nobody else gets to it through a folder that is closed to others.
  expect(finding((await runHere(['doctor'], { env })).stdout, 'CUSTODY_API_KEY_FILE')).toMatch(/^ok/);
  await chmod(folder, 0o755);
  expect(finding((await runHere(['doctor'], { env })).stdout, 'CUSTODY_API_KEY_FILE')).toMatch(
    /note.*chmod o-r/,
  );
  await chmod(file, 0o640);
  expect(finding((await runHere(['doctor'], { env })).stdout, 'CUSTODY_API_KEY_FILE')).toMatch(/^ok/);
});

test('a long wait that the service asks for is reported at once and not waited for, and the rest is checked', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  service.sandbox.faults.add({ kind: 'err03', endpoint: 'transactions', retryAfter: 900 });
  const began = performance.now();
  const { stdout, code } = await runHere(['doctor'], { env: environment(service, database) });
  expect(code).toBe(1);
  expect(finding(stdout, 'GET /transactions')).toMatch(/FAULT.*ERR-03.*asks to wait 15 min/);
  expect(finding(stdout, 'GET /whitelist')).toContain('the key is accepted');
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('each finding is printed as soon as it is one', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  // The service answers the balances and then nothing any more.
  service.sandbox.faults.add({ kind: 'stall', endpoint: 'transactions' });
  const child = startProcess(['doctor'], { env: environment(service, database) });
  await child.output(/ok +GET \/balances\/warm +the key is accepted/);
  expect(child.stdout()).not.toContain('The mirror has all it needs');
  child.kill('SIGTERM');
  await child.exit();
});

test('a reader that has enough does not turn the exit code into that of a success', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const env = environment(service, database, { CUSTODY_API_KEY: 'not-the-key-4711' });
  const child = startProcess(['doctor'], { env });
  await child.output(/Configuration/);
  child.closeOutput();
  expect(await child.exit()).toEqual({ code: 1, signal: null });
  expect(child.stderr()).toBe('');
});
