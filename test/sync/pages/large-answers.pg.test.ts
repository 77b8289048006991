// Pages longer than an answer may be: they are read with a lower limit, which is learned as a refused one is.
import { expect, test } from 'vitest';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { openMirror } from '../../support/mirror.ts';
import { mirrored, truth } from '../../support/truth.ts';

test('an answer that is too large is asked for with half the limit', async () => {
  const { context, sandbox, query } = await openMirror({ transactions: 120 }, {}, { maxBodyBytes: 20_000 });
  const outcome = await syncTransactions(context, { full: true });
  expect(outcome).toMatchObject({ status: 'succeeded', quarantined: 0 });
  expect((await mirrored({ query })).transactions).toEqual(truth(sandbox).transactions);
  const learned = await query(`select value, evidence from sync.learned where fact = 'transactions_limit'`);
  expect(learned).toMatchObject([
    { value: '12', evidence: 'a limit of 25 was refused with BODY-TOO-LARGE, 12 was accepted' },
  ]);
});
