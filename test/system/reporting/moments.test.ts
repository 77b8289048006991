// What was known at a moment, at every moment that matters: at each reading, a microsecond before and a
// microsecond after.
import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../support/database.ts';
import { differences, none } from '../../support/differences.ts';
import { balancesAtRows } from './expected-balances.ts';
import { transactionsAtRows } from './expected-moments.ts';
import { type Observed, observe } from './observed.ts';
import { tellStory } from './story.ts';
import { readAt } from './views.ts';
import { isoOf, type Micros, micros } from './zones.ts';

let accounts: readonly Observed[] = [];

beforeAll(async () => {
  const database = await testDatabase();
  const options = { seed: 3, transactions: 60, whitelistEntries: 8, frozen: false };
  const own = await observe('2025-03-07T12:00:00Z', options, { database });
  const other = await observe('2025-03-07T12:00:00Z', options, { account: 'other', database });
  await tellStory(own, 7);
  await tellStory(other, 3);
  await database.query('analyze');
  accounts = [own, other];
}, 300_000);

function momentsOf({ transactions, balances }: Observed): Micros[] {
  const readings = new Set([...transactions, ...balances].map(({ at }) => at));
  return [...new Set([...readings].flatMap((at) => [at - 1n, at, at + 1n])), micros('2025-07-01T00:00:00Z')];
}

test('transactions as they were known', async () => {
  for (const observed of accounts)
    for (const at of momentsOf(observed)) {
      const rows = await readAt(observed.mirror, 'transactions_at', observed.account, isoOf(at));
      expect(differences(rows, transactionsAtRows(observed, at)), isoOf(at)).toEqual(none);
    }
});

test('balances as they were known', async () => {
  for (const observed of accounts)
    for (const at of momentsOf(observed)) {
      const rows = await readAt(observed.mirror, 'balances_at', observed.account, isoOf(at));
      expect(differences(rows, balancesAtRows(observed, at)), isoOf(at)).toEqual(none);
    }
});

test('before the first reading nothing was known, and at the end of time what is known now', async () => {
  const [own] = accounts;
  if (own === undefined) throw new Error('nothing was observed');
  for (const name of ['transactions_at', 'balances_at'] as const)
    expect(await readAt(own.mirror, name, own.account, '2025-03-08T07:59:59.999999Z')).toEqual([]);
  const now = await own.mirror.query(
    `select count(*)::int as differing from (
       (select transaction_id, status, amount, fee, note, missing_since from reporting.transactions_at('infinity')
        except all select transaction_id, status, amount, fee, note, missing_since from reporting.transactions)
       union all
       (select transaction_id, status, amount, fee, note, missing_since from reporting.transactions
        except all select transaction_id, status, amount, fee, note, missing_since from reporting.transactions_at('infinity'))
     ) as d`,
  );
  expect(now).toEqual([{ differing: 0 }]);
});
