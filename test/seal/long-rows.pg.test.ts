// Records may be long, and many of them may be: each is compared.
import { expect } from 'vitest';
import { longTest } from '../support/form.ts';
import { account, pageOf } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { openHistory } from './sealed-history.ts';

longTest('rows with long records are compared', async () => {
  const { store, unguarded, grow, seal, verify, lease } = await openHistory();
  await grow();
  const noise = Array.from({ length: 6_000 }, (_, n) => Math.sin(n).toString()).join('');
  // One that is stored in little, because it can be compressed, and one that cannot.
  const wires = ['x'.repeat(100_000), 'x'.repeat(800_000), noise].flatMap((note, kind) =>
    Array.from({ length: 15 }, (_, n) => ({ id: `long-${kind}-${n}`, note })),
  );
  for (const wire of wires) await commit({ ...store, lease: lease() }, pageOf([wire], 100_000));
  await seal();
  const intact = await verify();
  expect([intact.finding, intact.present]).toEqual([null, 40 + wires.length + 20]);
  for (const [id, column, change] of [
    ['long-1-7', 'amount', 'amount = 77'],
    ['long-2-3', 'raw', `raw = raw || '{"added": 1}'`],
  ] as const) {
    await unguarded(`update custody.transactions set ${change} where transaction_id = '${id}'`);
    const { finding } = await verify();
    expect(finding).toMatchObject({ kind: 'present', key: [account, id], column });
    await unguarded(
      `update custody.transactions set amount = 1.50, raw = raw - 'added' where transaction_id = '${id}'`,
    );
  }
});
