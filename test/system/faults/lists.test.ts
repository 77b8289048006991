// A list of transactions that shows one id with two contents: the history does not grow with every sweep.
import { expect, test } from 'vitest';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { openRig } from './rig.ts';

const rig = await openRig();

test.each([
  { where: 'on one page', apart: 1 },
  { where: 'on different pages', apart: 52 },
])('one id twice with different content, $where, does not change with every sweep', async ({ apart }) => {
  const cell = await rig.open(`twice-${apart}`, { sandbox: { transactions: 60 } });
  try {
    const { world } = cell.sandbox;
    const inOrder = [...world.transactions()].reverse();
    const [id = '', other = ''] = [inOrder[5]?.transactionId, inOrder[5 + apart]?.transactionId];
    world.alterTransaction(other, { transactionId: id, note: 'the other one' });
    const changes = async () =>
      (
        await cell.query(
          `select revision::text from custody.transaction_revisions where account_id = $1
           union all select 's' || sequence from custody.transaction_status_history
           where account_id = $1 and sequence > 1`,
        )
      ).length;
    const anomalies = () =>
      cell.query(
        'select kind, resource_id from sync.anomalies where account_id = $1 and resolved_at is null',
      );
    for (let sweep = 0; sweep < 4; sweep += 1) await syncTransactions(cell.context, { full: true });
    const before = await changes();
    expect(before).toBeLessThanOrEqual(12);
    expect(await anomalies()).toEqual([
      { kind: apart === 1 ? 'duplicate-id' : 'conflicting-content', resource_id: id },
    ]);
    for (let sweep = 0; sweep < 4; sweep += 1)
      expect(await syncTransactions(cell.context, { full: true })).toMatchObject({ status: 'succeeded' });
    expect(await changes()).toBe(before);
    if (apart === 1) return;

    // When the list shows one of them alone again, it is believed again.
    world.alterTransaction(id, { transactionId: other });
    await syncTransactions(cell.context, { full: true });
    await syncTransactions(cell.context, { full: true });
    expect(await anomalies()).toEqual([]);
    world.alterTransaction(id, { note: 'believed again' });
    await syncTransactions(cell.context, { full: true });
    const [row] = await cell.query(
      'select note from custody.transactions where account_id = $1 and transaction_id = $2',
      [cell.account, id],
    );
    expect(row).toEqual({ note: 'believed again' });
  } finally {
    await cell.close();
  }
});
