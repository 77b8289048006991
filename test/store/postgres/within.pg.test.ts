// Readers that are parts of one transaction.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Tx } from '../../../src/store/postgres/transaction.ts';
import { databaseWithin } from '../../../src/store/postgres/within.ts';
import { testDatabase } from '../../support/database.ts';
import { open } from '../../support/store.ts';

const reading = async () => open((await testDatabase()).url, { readOnly: true, maxConnections: 1 });
const joins = (tx: Tx) => tx.ask('joins', sql`select current_setting('join_collapse_limit') as most`);

test('a part that is refused leaves the others their plans', async () => {
  const database = await reading();
  const seen = await database.transact('page', async (tx) => {
    const within = databaseWithin(database, tx);
    const refused = within.transact('list', () => Promise.reject(new Error('refused')), {
      joinsAsWritten: true,
    });
    await expect(refused).rejects.toThrow('refused');
    return await within.transact('next', joins);
  });
  expect(seen).toEqual([{ most: '8' }]);
});

test('a part that failed tells why, and not that its setting could not be taken back', async () => {
  const database = await reading();
  const failed = database.transact('page', (tx) =>
    databaseWithin(database, tx).transact('list', (part) => part.ask('fails', sql`select 1 / 0`), {
      joinsAsWritten: true,
    }),
  );
  await expect(failed).rejects.toThrow('division by zero');
});

test("parts that wait when the transaction ends do not run on a connection that is another reader's", async () => {
  const database = await reading();
  let late: Promise<unknown> = Promise.resolve();
  const ended = database.transact('page', async (tx) => {
    const within = databaseWithin(database, tx);
    const slow = within.transact('slow', () => new Promise((resolve) => setTimeout(resolve, 50)));
    late = slow.then(() => within.transact('late', joins));
    late.catch(() => undefined);
    throw new Error('refused');
  });
  await expect(ended).rejects.toThrow('refused');
  await expect(late).rejects.toThrow('transaction page is over');
  expect(await database.transact('next', joins)).toEqual([{ most: '8' }]);
});
