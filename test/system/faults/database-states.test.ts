// A database that is there and does not let the mirror write: each state ends a command with a message that
// names it and the fix, harms nothing, and is over as soon as it is fixed, for a daemon without a restart.
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';
import { expectTruth, mirrored, truth, whereRowsLie } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

/**
 * Whether new sessions are read-only; those there are have ended, the test's own among them: it must not be
 * lent one that has not yet heard of its end.
 */
async function setReadOnly(database: TestDatabase, readOnly: boolean): Promise<void> {
  const admin = new URL(database.url);
  admin.pathname = '/postgres';
  await withClient(admin.href, async (client) => {
    const name = client.escapeIdentifier(nameOf(database));
    await client.query(
      `alter database ${name} set default_transaction_read_only = ${readOnly ? 'on' : 'off'}`,
    );
    await client.query('select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1', [
      nameOf(database),
    ]);
  });
}

test('a read-only database is named, left as it is, and written again when it can be', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  expect(await sync(service, database)).toMatchObject({ code: 0 });
  const before = await whereRowsLie(database);
  service.sandbox.world.insertTransaction('head', { status: 'pending' });
  await setReadOnly(database, true);
  const refused = await sync(service, database);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    /database \S+ on \S+ is read-only: .*default_transaction_read_only.*DATABASE-UNREACHABLE/s,
  );
  expect(refused.stderr).not.toContain('    at ');
  expect(await whereRowsLie(database)).toEqual(before);
  await setReadOnly(database, false);
  expect(await sync(service, database)).toMatchObject({ code: 0 });
  await expectTruth(database, service.sandbox);
});

longTest(
  'a daemon lives through connections that are cut and a database that is read-only for a while',
  async () => {
    const [service, database] = await Promise.all([serveSandbox({ transactions: 60 }), testDatabase()]);
    const daemon = await startDaemon(service, database);
    await untilWriter(database, daemon);
    await setReadOnly(database, true);
    await daemon.output(/database \S+ on \S+ is read-only/);
    const { transactionId } = service.sandbox.world.insertTransaction('head', { status: 'pending' });
    expect(await daemon.get('/healthz')).toMatchObject({ status: 200 });
    await setReadOnly(database, false);
    const arrived = async () =>
      (await database.query('select 1 from custody.transactions where transaction_id = $1', [transactionId]))
        .length > 0;
    await waitFor(arrived, { what: 'a record that came meanwhile' });
    // A run whose end could not be written is given up by the next one of its job.
    const stale = () =>
      database.query(`
      select run_id from sync.runs run where status = 'running' and exists (
        select from sync.runs later where later.job = run.job and later.run_id > run.run_id)`);
    expect(await stale()).toEqual([]);
    expect(daemon.stderr() + daemon.stdout()).not.toMatch(/unhandled|uncaught/i);
    await stopGracefully(daemon);
    expect(await database.query("select 1 from sync.runs where status = 'running'")).toEqual([]);
  },
  60_000,
);

test('a database that a newer version has migrated is left alone', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  expect(await sync(service, database, {}, ['vaults'])).toMatchObject({ code: 0 });
  await database.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 4102444800000)",
  );
  const before = await whereRowsLie(database);
  const requests = service.sandbox.requests.total;
  const env = environment(service, database);
  await Promise.all(
    ['sync', 'run', 'migrate', 'status'].map(async (command) => {
      const { code, stdout, stderr } = await runHere([command], { env });
      expect({ command, code, stdout }).toEqual({ command, code: 1, stdout: '' });
      expect(stderr, command).toMatch(/migrated by a newer version of custody-mirror.*SCHEMA-NEWER/s);
      expect(stderr, command).not.toContain('    at ');
    }),
  );
  expect(await whereRowsLie(database)).toEqual(before);
  expect(service.sandbox.requests.total).toBe(requests);
  await database.query("delete from drizzle.__drizzle_migrations where hash = 'of a later version'");
  expect(await sync(service, database)).toMatchObject({ code: 0 });
  await expectTruth(database, service.sandbox);
});

test('a privilege that is missing is named, and what was written without it is nothing', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const { quoted: role, ...as } = await testRole(database);
  await database.query(`
    grant usage on schema custody, sync, internal, drizzle to ${role};
    grant select on all tables in schema custody, sync, drizzle to ${role};
    grant insert on custody.accounts to ${role}`);
  const refused = await sync(service, as);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/denied a privilege \(.*permission denied for table .*DATABASE-REFUSED/s);
  expect(refused.stderr).not.toContain('    at ');
  expect(await mirrored(database)).toEqual({ transactions: [], balances: [], vaults: [], whitelist: [] });

  // Enough to begin with, and not to write the history: no transaction comes without it.
  await database.query(`
    grant select, insert, update, delete on all tables in schema custody, sync, internal to ${role};
    grant usage on all sequences in schema custody, sync to ${role};
    grant execute on all functions in schema custody, reporting, internal to ${role};
    revoke insert on custody.transaction_status_history from ${role}`);
  const half = await sync(service, as);
  expect(half.code).toBe(1);
  expect(half.stdout).toMatch(/transactions: failed: [^|]*transaction_status_history[^|]*\|/);
  expect(await mirrored(database)).toEqual({ ...truth(service.sandbox), transactions: [] });

  await database.query(`grant insert on custody.transaction_status_history to ${role}`);
  const whole = await sync(service, as);
  expect(whole, whole.stderr).toMatchObject({ code: 0 });
  await expectTruth(database, service.sandbox);
});
