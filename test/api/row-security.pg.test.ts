// Where a policy hides rows from the role that reads, the API and /custody answer with an error: an empty
// list would say that there is nothing.
import { expect, test } from 'vitest';
import { grant, reading } from '../../src/store/roles/grants.ts';
import { environment, serveSandbox } from '../support/command.ts';
import { testDatabase } from '../support/database.ts';
import { runHere } from '../support/in-process.ts';
import { testRole } from '../support/roles.ts';
import { startSite } from '../support/site.ts';
import { open } from '../support/store.ts';

test('row security is an error to readers, never an empty answer', async () => {
  const [service, database] = [await serveSandbox({ transactions: 20 }), await testDatabase()];
  expect(await runHere(['sync'], { env: environment(service, database) })).toMatchObject({ code: 0 });
  const role = await testRole(database);
  await grant(open(database.url), role.name, reading);
  const { get } = await startSite(role.url, { of: 'default' });
  const asked = async (path: string) => {
    const text = await (await get(path)).text();
    return text.match(/"transaction_id": ?"/g)?.length ?? text;
  };
  expect(await asked('/custody/transactions')).toBe(20);
  expect(await asked('/api/v1/transactions')).toBe(20);
  await database.query('alter table custody.transactions enable row level security');
  // This one reads the table itself, as the role; a view reads it as its owner, whom no policy binds.
  expect(await asked('/custody/transactions')).toContain('ERR-01');
  expect(await asked('/api/v1/transactions')).toBe(20);
});
