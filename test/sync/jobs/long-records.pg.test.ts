// Each record is within its budget, and there are many: what is in memory at once stays bounded, and no
// answer makes a state that later runs cannot leave.
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { longTest } from '../../support/form.ts';
import { openMirror } from '../../support/mirror.ts';
import { transactionRecord } from '../../support/wire-records.ts';

const count = 20;
const long = 'x'.repeat(1_000_000);
/** Each answer is within what an answer may be. */
const mostOfPage = count / 2;
const numbers = Array.from({ length: count }, (_, n) => n);

const emptyCodes = { transactions: 'TXN-02', balances: 'BAL-00', vaults: 'VAL-01', whitelist: 'WHT-00' };

/** A mirror of a service whose lists have so many records, and that answers ids alike. */
async function mirrorOfLists(record: (list: string, n: string | number, isAlone: boolean) => object) {
  const fetch: typeof globalThis.fetch = async (input) => {
    const { pathname, searchParams } = new URL(String(input));
    const [, list = 'transactions', id] = pathname.split('/') as [string, keyof typeof emptyCodes, string?];
    if (id !== undefined && list !== 'balances') return Response.json({ vault: record(list, id, true) });
    const offset = Number(searchParams.get('offset') ?? 0);
    const records = numbers.slice(offset, offset + mostOfPage).map((n) => record(list, n, false));
    return records.length === 0
      ? Response.json({ error_code: emptyCodes[list], error_message: 'none' }, { status: 400 })
      : Response.json({ balance_type: id ?? 'all', [list === 'balances' ? 'balance' : list]: records });
  };
  return await openMirror({}, {}, { fetch });
}

const tooLong = { status: 'failed', errorCode: 'LIST-UNSTEADY' };

test('a list that is kept whole until it is written is not kept beyond 16 MiB', async () => {
  let name = long;
  const mirror = await mirrorOfLists((list, n) =>
    list === 'balances'
      ? { asset_id: `A${n}`, asset_name: name, network_id: 'N', balances: { total_balance: '1' } }
      : { whitelist_id: `w${n}`, name },
  );
  for (const run of [snapshotBalances, mirrorWhitelist]) {
    const outcome = await run(mirror.context);
    expect(outcome).toMatchObject(tooLong);
    expect(outcome.errorMessage).toContain('more than 16 MiB');
  }
  expect(
    await mirror.query('select from custody.balances union all select from custody.whitelist_entries'),
  ).toEqual([]);
  name = 'short';
  for (const run of [snapshotBalances, mirrorWhitelist])
    expect(await run(mirror.context)).toMatchObject({ status: 'succeeded' });
});

test('nor are vaults that were read by their ids', async () => {
  const mirror = await mirrorOfLists((_, n, isAlone) => ({
    vault_id: `${n}`,
    name: isAlone ? long : 'short',
  }));
  const outcome = await mirrorVaults(mirror.context);
  expect(outcome).toMatchObject(tooLong);
  expect(outcome.errorMessage).toContain('read by their ids');
});

longTest('records that were long and are short now are compared a few at a time', async () => {
  let note = long;
  const mirror = await mirrorOfLists((_, n) => transactionRecord(`t-${n}`, { note }));
  expect(await syncTransactions(mirror.context, { full: true })).toMatchObject({ inserted: count });
  let most = 0;
  const { database } = mirror.context;
  const measured: typeof database = {
    ...database,
    transact: (label, work, settings) =>
      database.transact(
        label,
        (tx) =>
          work({
            ...tx,
            run: async (name, statement) => {
              const answer = await tx.run(name, statement);
              if (name === 'transactions.read') most = Math.max(most, JSON.stringify(answer).length);
              return answer;
            },
          }),
        settings,
      ),
  };
  note = 'short';
  const outcome = await syncTransactions({ ...mirror.context, database: measured }, { full: true });
  expect(outcome).toMatchObject({ status: 'succeeded', changed: count });
  // Each is there as its text and as a column.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(2 * 2 ** 23);
});
