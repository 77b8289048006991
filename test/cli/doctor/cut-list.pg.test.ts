// What doctor says of a list that shows less than there is.
import { expect, test } from 'vitest';
import { examineDatabase } from '../../../src/cli/doctor/database.ts';
import { createFindingList } from '../../../src/cli/doctor/finding.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { openMirror } from '../../support/mirror.ts';

test('doctor says that the list is cut, what shows it and what to ask for', async () => {
  const mirror = await openMirror({ transactions: 120, cut: { days: 3, balances: 5 } });
  const { database } = mirror.context;
  const diagnose = async () => {
    const lines: string[] = [];
    const list = createFindingList((text) => lines.push(text), { width: 1_000, color: false });
    await examineDatabase({ config: mirror.config, database, reading: null, isRemote: false }, list);
    expect(list.faults).toBe(0);
    return lines.filter((line) => line.includes('list of '));
  };
  expect(await diagnose()).toEqual([]);
  await sweepTransactions(mirror.context, { job: 'transactions' });
  const row =
    /note +list of transactions +the service shows less than there is, found .*: the list ended at \d+, and .* shows? records that it does not hold; .* ask the operator of the service/;
  expect(await diagnose()).toEqual([expect.stringMatching(row)]);
  await snapshotBalances(mirror.context);
  const balances =
    /note +list of balances +the service shows .*: asked for by asset_id, \d+ assets were shown that the list does not hold; .* ask the operator/;
  expect(await diagnose()).toEqual([expect.stringMatching(row), expect.stringMatching(balances)]);
  const found = await mirror.query("select updated_at from sync.learned where fact = 'transactions_cut'");
  mirror.sandbox.world.insertTransaction('head', { status: 'completed' });
  await sweepTransactions(mirror.context, { job: 'reconcile' });
  // Since when: a list that is found cut again keeps its first finding.
  expect(await mirror.query("select updated_at from sync.learned where fact = 'transactions_cut'")).toEqual(
    found,
  );
});
