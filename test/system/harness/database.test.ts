import { expect, test } from 'vitest';
import { oneRun } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';

const shared = await testDatabase({ empty: true });
const names: string[] = [];

const nameOf = async (database: { query: typeof shared.query }) => {
  const [row] = await database.query<{ name: string }>('select current_database()::text as name');
  return row?.name ?? '';
};

test('each test has a database of its own, and the file one for all', async () => {
  const mine = await testDatabase({ empty: true });
  names.push(await nameOf(mine));
  expect(await nameOf(mine)).not.toBe(await nameOf(shared));
});

test('a test’s database is gone when the test has ended', async () => {
  const rows = await shared.query('select datname from pg_database where datname = any($1)', [names]);
  expect(names).toHaveLength(1);
  expect(rows).toEqual([]);
});

test('the database of one run of a property is gone when that run has ended, also when it failed', async () => {
  const found: string[] = [];
  const run = oneRun(async (fails: boolean) => {
    found.push(await nameOf(await testDatabase({ empty: true })));
    if (fails) throw new Error('as it must');
  });
  await run(false);
  await expect(run(true)).rejects.toThrow('as it must');
  expect(found).toHaveLength(2);
  expect(await shared.query('select datname from pg_database where datname = any($1)', [found])).toEqual([]);
});

test('waiting ends with the first answer, or says what did not come', async () => {
  const answers = [undefined, null, false, 0];
  expect(await waitFor(() => answers.shift())).toBe(0);
  await expect(waitFor(() => false, { what: 'rain', deadlineMs: 1, intervalMs: 1 })).rejects.toThrow(
    'waited 1 ms in vain for rain',
  );
});
