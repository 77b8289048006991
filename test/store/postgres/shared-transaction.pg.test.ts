// Readers that are parts of one transaction.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { sharedTransaction } from '../../../src/store/postgres/database.ts';
import type { PlanHint, Tx } from '../../../src/store/postgres/transaction.ts';
import { testDatabase } from '../../support/database.ts';
import { open } from '../../support/store.ts';

const reading = async () => open((await testDatabase()).url, { readOnly: true, maxConnections: 1 });
const joins = (tx: Tx, hint?: PlanHint) =>
  tx.ask('joins', sql`select current_setting('join_collapse_limit') as most`, hint);

test('a part that is refused leaves the others their plans', async () => {
  const database = await reading();
  const seen = await database.transact('page', async (tx) => {
    const within = sharedTransaction(database, tx);
    const refused = within.transact('list', async (part) => {
      expect(await joins(part, 'joins-as-written')).toEqual([{ most: '1' }]);
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    return await within.transact('next', (part) => joins(part));
  });
  expect(seen).toEqual([{ most: '8' }]);
});

test('a failed part reports why, and not that its setting could not be taken back', async () => {
  const database = await reading();
  const failed = database.transact('page', (tx) =>
    sharedTransaction(database, tx).transact('list', (part) =>
      part.ask('fails', sql`select 1 / 0`, 'joins-as-written'),
    ),
  );
  await expect(failed).rejects.toThrow('division by zero');
});

test("parts that wait when the transaction ends do not run on a connection that is another reader's", async () => {
  const database = await reading();
  let late: Promise<unknown> = Promise.resolve();
  let goOn: (value?: unknown) => void = () => undefined;
  const held = new Promise((resolve) => {
    goOn = resolve;
  });
  const ended = database.transact('page', async (tx) => {
    const within = sharedTransaction(database, tx);
    const slow = within.transact('slow', () => held);
    late = slow.then(() => within.transact('late', (part) => joins(part)));
    late.catch(() => undefined);
    throw new Error('refused');
  });
  await expect(ended).rejects.toThrow('refused');
  goOn();
  await expect(late).rejects.toThrow('transaction page is over');
  expect(await database.transact('next', (next) => joins(next))).toEqual([{ most: '8' }]);
});
