// What readers see of the sealed history, held against the rows of the tables.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSealKey } from '../../../src/seal/note.ts';
import { serveSandbox, sync } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';

test('the last checkpoint shows how many rows of the histories are sealed, and up to which', async () => {
  const folder = newFolder();
  const [service, database] = [await serveSandbox({ transactions: 20 }), await testDatabase()];
  const key = join(folder, 'key');
  writeFileSync(key, makeSealKey('custody.example/acme'));
  const sealed = async () =>
    await database.query<{ rows: number; isSealed: boolean | null }>(`
      with history as (
        select change_id from custody.transaction_status_history union all select change_id from custody.transaction_revisions
        union all select change_id from custody.document_revisions union all select change_id from custody.balance_snapshots
      ), sums as (select count(*)::integer as rows, max(change_id) as up_to from history)
      select rows, (select (c.tree_size, c.last_change_id) = (rows, up_to) from reporting.checkpoints c
        where c.account_id = 'default' order by c.tree_size desc limit 1) as "isSealed" from sums`);
  expect((await sync(service, database)).code).toBe(0);
  expect(await sealed()).toMatchObject([{ isSealed: null }]);
  for (let round = 0; round < 2; round += 1) {
    expect((await sync(service, database, { SEAL_KEY_FILE: key })).code).toBe(0);
    const [found] = await sealed();
    expect(found).toMatchObject({ isSealed: true });
    expect(found?.rows).toBeGreaterThan(20);
  }
});
