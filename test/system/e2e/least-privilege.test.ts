// The mirror needs a role that may create schemas in its own database and nothing more: with exactly that it
// migrates, mirrors, maintains and lets readers in, and it takes nothing outside its own schemas.
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import type { Row } from '../../support/database.ts';
import { testDatabase } from '../../support/database.ts';
import { sampled } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { testRole } from '../../support/roles.ts';
import { expectTruth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';

const nothingMore = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls noinherit';

/** A database to which nobody else is let in, and a role that owns it, or may merely create schemas there. */
async function bareDatabase(standing: 'owns it' | 'may create schemas') {
  const database = await testDatabase({ empty: true });
  const role = await testRole(database, { attributes: nothingMore });
  const [{ name = '' } = {}] = await database.query<{ name: string }>(
    'select quote_ident(current_database()) as name',
  );
  await database.query(`revoke all on database ${name} from public`);
  await database.query(
    standing === 'owns it'
      ? `alter database ${name} owner to ${role.quoted}`
      : `grant connect, create on database ${name} to ${role.quoted}`,
  );
  await database.query('revoke all on schema public from public');
  // The owner of a database cannot be dropped before it.
  onCleanup(() => database.query(`alter database ${name} owner to current_user`).then(() => undefined));
  return { database, name, role };
}

test.each(sampled(['owns it', 'may create schemas'] as const, { every: 2, from: 1 }))(
  'a role without any attribute that %s does everything the mirror has to',
  async (standing) => {
    const [service, { database, name, role }] = await Promise.all([serveSandbox(), bareDatabase(standing)]);
    const env = environment(service, { url: role.url });
    const succeed = async (...args: string[]) => {
      const run = await runHere(args, { env });
      expect(run, `${args.join(' ')}: ${run.stderr}`).toMatchObject({ code: 0 });
      return run.stdout;
    };
    await succeed('migrate');
    await succeed('sync');
    await expectTruth(database, service.sandbox);

    const daemon = await startDaemon(service, { url: role.url }, { SCHEDULE_MAINTENANCE: '* * * * * *' });
    await waitFor(
      async () => {
        const [row] = await database.query<{ jobs: number }>(
          `select count(distinct job)::int as jobs from sync.runs
           where status = 'succeeded' and started_at > (select acquired_at from sync.leases)`,
        );
        return row?.jobs === 5;
      },
      { what: 'a run of transactions, balances, vaults, whitelist and maintenance' },
    );
    expect(await daemon.get('/readyz')).toMatchObject({ status: 200 });
    await stopGracefully(daemon);

    expect(await succeed('doctor')).toMatch(
      /has all privileges that the mirror needs, and is\s+not a superuser/,
    );
    // The daemon was stopped, and that alone is wrong.
    const status = await runHere(['status', '--json'], { env });
    expect(status, status.stderr).toMatchObject({ code: 1 });
    expect(JSON.parse(status.stdout).problems).toMatchObject([
      { code: 'stopped', since: expect.any(String) },
    ]);
    const reader = await testRole(database);
    await database.query(`grant connect on database ${name} to ${reader.quoted}`);
    await succeed('grant', reader.name);
    const attributes = await database.query(
      `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as more,
         (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
       from pg_roles r where rolname = $1`,
      [role.name],
    );
    expect(attributes).toEqual([{ more: false, memberships: 0 }]);
    expect(await ownedSchemas(database, role.name)).toEqual([
      'custody',
      'drizzle',
      'internal',
      'reporting',
      'sync',
    ]);
  },
  120_000,
);

async function ownedSchemas(
  { query }: { query<Found extends Row>(sql: string, params: readonly unknown[]): Promise<Found[]> },
  role: string,
): Promise<string[]> {
  const rows = await query<{ schema: string }>(
    `select distinct n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where pg_get_userbyid(c.relowner) = $1 and n.nspname !~ '^pg_'
     union select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where pg_get_userbyid(p.proowner) = $1
     union select nspname from pg_namespace where pg_get_userbyid(nspowner) = $1 order by 1`,
    [role],
  );
  return rows.map(({ schema }) => schema);
}
