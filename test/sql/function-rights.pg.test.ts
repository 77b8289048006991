// Who may execute the functions of the mirror: PUBLIC none; who reads, those that it and the views call.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrationsFolder } from '../../src/store/schema/migrations.ts';
import { testDatabase } from '../support/database.ts';
import { testRole } from '../support/roles.ts';

/** The statement of the migrations that takes the functions from PUBLIC. */
function closeFunctions(): string {
  const files = readdirSync(migrationsFolder()).filter((name) => name.endsWith('.sql'));
  const statements = files.flatMap((name) =>
    readFileSync(join(migrationsFolder(), name), 'utf8').split('--> statement-breakpoint'),
  );
  return statements.findLast((text) => text.includes('REVOKE EXECUTE ON FUNCTION')) ?? '';
}

test('PUBLIC may execute no function of the mirror', async () => {
  const database = await testDatabase();
  const functions = await database.query<{ name: string; is_open: boolean }>(
    `select p.oid::regprocedure::text as name, exists (
       select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0) as is_open
     from pg_proc p where p.pronamespace::regnamespace::text in ('custody', 'reporting', 'sync', 'internal', 'drizzle')`,
  );
  expect(functions.length).toBeGreaterThan(20);
  expect(functions.filter(({ is_open }) => is_open)).toEqual([]);
});

test('everybody who could use the schemas before PUBLIC lost its right still reads every view, and nobody else', async () => {
  const database = await testDatabase();
  const [reader, other] = [await testRole(database), await testRole(database)];
  await database.query(`
    grant execute on all functions in schema custody, reporting, internal to public;
    grant usage on schema custody, reporting to ${reader.quoted};
    grant usage on schema reporting to ${other.quoted};
    grant select on all tables in schema custody, reporting to ${reader.quoted}`);
  await database.query(closeFunctions());
  const mayExecute = async (role: string) =>
    (
      await database.query<{ name: string }>(
        `select p.proname as name from pg_proc p
         where p.pronamespace::regnamespace::text in ('custody', 'reporting', 'internal') and has_function_privilege($1, p.oid, 'execute')
         order by 1`,
        [role],
      )
    ).map(({ name }) => name);
  const kept = await mayExecute(reader.name);
  expect(kept).toEqual(expect.arrayContaining(['balances_shown', 'destination_key', 'price_known']));
  for (const name of ['announce', 'announce_statuses', 'refuse_rewriting_history'])
    expect(kept).not.toContain(name);
  expect(await mayExecute(other.name)).toEqual(kept);
  expect(await mayExecute((await testRole(database)).name)).toEqual([]);
  const views = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'reporting'::regnamespace and relkind = 'v'`,
  );
  expect(views.length).toBeGreaterThan(30);
  for (const { name } of views)
    await database.query(
      `begin; set local role ${reader.quoted}; select * from reporting.${name} limit 1; commit`,
    );
});
