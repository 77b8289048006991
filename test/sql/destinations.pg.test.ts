// Whatever is committed: reporting tells of each payment what the readings of the transactions and of the
// whitelist prove, and sums them up by payee. The oracle walks through the readings and knows nothing of
// revisions or ranges.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { oneRun } from '../support/cleanup.ts';
import { differences, none } from '../support/differences.ts';
import { sized } from '../support/form.ts';
import { digest, openStore, type Store } from '../support/store.ts';
import { expected } from './destination-model.ts';
import { destinations, play, type Step, steps, takes, type Wire } from './destination-past.ts';

/** That the views show of the payments and of the payees what the oracle says of this past. */
async function expectShown(store: Store, past: readonly Step[]): Promise<void> {
  const { rows, single } = expected(past);
  const payees = await store.query(
    `select account_id, destination_type, destination_id, destination_address, asset_id, network_id, uses, completed_uses,
       completed_amount, missing_uses, non_whitelisted_uses, unknown_whitelist_uses, first_used_at, first_transaction_id,
       last_used_at, last_transaction_id, whitelisted_at_first_use, whitelisted_now from reporting.destinations`,
  );
  expect(differences(payees, rows)).toEqual(none);
  const uses = `select transaction_id, is_completed, is_whitelisted, split_part(whitelist_reason, ':', 1) as reason
    from reporting.destination_uses`;
  expect(differences(await store.query(uses), single)).toEqual(none);
}

test('the views show for each payment what the readings prove, and the payees sum them up', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      oneRun(async (past) => {
        const store = await openStore();
        for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
        await expectShown(store, past);
        const reasons = await store.query(
          `select transaction_id from reporting.destination_uses
         where (is_whitelisted is null) <> (whitelist_reason like 'unknown: %')
           or known_before_at > first_seen_after or known_after_at < first_seen_at
           or is_whitelisted and not (whitelisted_before and whitelisted_after)`,
        );
        expect(reasons).toEqual([]);
      }),
    ),
    { numRuns: sized({ short: 6, long: 60 }, 'DESTINATION_PASTS'), endOnFailure: true },
  );
}, 240_000);

const paid: Wire = {
  id: 'a',
  type: 'withdraw',
  status: 'completed',
  amount: '1.5',
  destination: destinations[0],
  asset: 'BTC',
};

test('texts longer than an entry of an index neither break a commit nor the views', async () => {
  const store = await openStore();
  const long = Array.from({ length: 2_000 }, (_, index) => digest(`${index}`)).join('');
  const destination = { type: long, id: `${long}'`, address: `${long}\\` };
  const past: Step[] = [
    { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\`, asset: null }], whole: true },
    { kind: 'page', records: [paid], verified: true },
    { kind: 'page', records: [{ ...paid, id: 'b', destination, asset: long }], verified: true },
    { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\`, asset: null }], whole: true },
  ];
  for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
  await expectShown(store, past);
  expect(
    await store.query('select count(*)::int from reporting.destination_uses where is_whitelisted'),
  ).toEqual([{ count: 1 }]);
});

test('withdrawals that were loaded while triggers were off are paid to somebody, too', async () => {
  const store = await openStore();
  const past: Step[] = [
    { kind: 'whitelist', listed: [], whole: true },
    { kind: 'page', records: [], verified: true },
    { kind: 'page', records: [paid, { ...paid, id: 'b' }], verified: true },
    { kind: 'whitelist', listed: [], whole: true },
  ];
  await store.query('alter table custody.transactions disable trigger all');
  for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
  await store.query('alter table custody.transactions enable trigger all');
  expect(
    await store.query('select uses::int, non_whitelisted_uses::int as unlisted from reporting.destinations'),
  ).toEqual([{ uses: 2, unlisted: 2 }]);
  expect(
    await store.query(
      'select transaction_id, whitelist_reason as reason from reporting.destination_uses order by 1',
    ),
  ).toEqual([
    { transaction_id: 'a', reason: 'not listed' },
    { transaction_id: 'b', reason: 'not listed' },
  ]);
});

const forEther = [{ entry: 'e1', address: 'one', asset: 'ETH' }];

test.each([
  { readings: [[], forEther, forEther, []], after: [] },
  // It may have been gone before the payment, or come after it: no reading proves that it was.
  { readings: [forEther], after: [] },
  { readings: [[]], after: forEther },
])(
  'an entry for another asset that may have been held at some moment is named: %#',
  async ({ readings, after }) => {
    const store = await openStore();
    const whole = (listed: typeof forEther): Step => ({ kind: 'whitelist', listed, whole: true });
    const [first = [], ...during] = readings;
    const past: Step[] = [
      whole(first),
      { kind: 'page', records: [], verified: true },
      ...during.map(whole),
      { kind: 'page', records: [paid], verified: true },
      whole(after),
    ];
    for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
    await expectShown(store, past);
    expect(
      await store.query('select is_whitelisted, whitelist_reason as reason from reporting.destination_uses'),
    ).toEqual([{ is_whitelisted: false, reason: 'listed for another asset or network' }]);
  },
);

test('a payment that parts of the whitelist prove is not unknown among the payees', async () => {
  const store = await openStore();
  const part = (address: string | null): Step => ({
    kind: 'whitelist',
    listed: [{ entry: 'e1', address, asset: 'BTC' }],
    whole: false,
  });
  const past: Step[] = [
    { kind: 'page', records: [paid], verified: true },
    part('one'),
    { kind: 'page', records: [], verified: true },
    { kind: 'page', records: [{ ...paid, id: 'b' }], verified: true },
    part(null),
  ];
  for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
  await expectShown(store, past);
  expect(
    await store.query('select uses::int, unknown_whitelist_uses::int as unknown from reporting.destinations'),
  ).toEqual([{ uses: 2, unknown: 1 }]);
});
