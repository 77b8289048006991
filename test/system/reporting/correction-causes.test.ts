// Which transactions make a figure of a closed day differ, and when that was last seen: a correction of
// something else is no cause, however late it is.
import { expect, test } from 'vitest';
import { day, hour, openAccount, play, type Seen, withdrawal } from './late.ts';

const deposit: Seen = { ...withdrawal, type: 'deposit' };

/** The closed first day, by measure: from what to what, by how many transactions, on which day of January. */
async function causesOf(steps: readonly (readonly [at: number, seen: readonly Seen[] | string])[]) {
  const store = await openAccount();
  for (const [at, seen] of steps)
    await play(store, typeof seen === 'string' ? { gone: seen } : { shown: seen }, at);
  const rows = await store.query<Record<'measure' | 'type' | 'was' | 'is' | 'n' | 'on', string>>(
    `select measure, transaction_type as type, as_reported as was, as_known_now as is, transactions::int as n,
       extract(day from corrected_at)::int as on from reporting.late_corrections
     where day = '2026-01-01' and corrected_at = corrected_after + timestamptz '2026-01-02Z'`,
  );
  return Object.fromEntries(
    rows.map((row) => [`${row.measure} ${row.type}`, [row.was, row.is, row.n, row.on]]),
  );
}

test('one that goes missing, or is renamed, is no cause of what another one changed, and no later moment of it', async () => {
  const second = { ...deposit, id: 'second', amount: '7' };
  const causes = await causesOf([
    [hour, [deposit, second]],
    [3 * day, [{ ...second, amount: '8' }]],
    [8 * day, 'w'],
  ]);
  expect(causes).toEqual({
    'in_amount deposit': ['12', '13', 1, 4],
    'completed_amount deposit': ['12', '13', 1, 4],
  });
});

test('what takes a transaction out of a figure is its last correction, whatever was corrected before', async () => {
  const causes = await causesOf([
    [hour, [deposit]],
    [3 * day, [{ ...deposit, amount: '6' }]],
    [7 * day, [{ ...deposit, amount: '6', type: 'withdraw' }]],
  ]);
  expect(causes).toMatchObject({
    'completed deposit': ['1', '0', 1, 8],
    'in_amount deposit': ['5', '0', 1, 8],
    'out_amount withdraw': ['0', '6', 1, 8],
    'completed withdraw': ['0', '1', 1, 8],
  });
});

test('a count is not dated by an amount, and what came back to what it was is no cause', async () => {
  const other = { ...withdrawal, id: 'other', amount: '6' };
  const causes = await causesOf([
    [hour, [withdrawal, other]],
    [2 * day, [{ ...other, fee: '0.7' }]],
    [3 * day, [{ ...withdrawal, status: 'failed' }]],
    [5 * day, [{ ...other, amount: '7' }]],
    [7 * day, [other]],
  ]);
  expect(causes).toEqual({
    'completed withdraw': ['2', '1', 1, 4],
    'completed_amount withdraw': ['11', '6', 1, 4],
    'out_amount withdraw': ['11', '6', 1, 4],
    'fee withdraw': ['0.2', '0.1', 1, 4],
  });
});
