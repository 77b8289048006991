// Records may be long, and many of them may be: verifying holds a few at a time.
import { expect } from 'vitest';
import { verifyHistory } from '../../src/seal/verify.ts';
import { longTest } from '../support/form.ts';
import { account, pageOf } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { askedThrough, openHistory } from './sealed-history.ts';

const mebibyte = 2 ** 20;

longTest('of rows with long records few are read at once, and each is compared', async () => {
  const { store, verifier, file, unguarded, grow, seal, lease } = await openHistory();
  await grow();
  const noise = Array.from({ length: 6_000 }, (_, n) => Math.sin(n).toString()).join('');
  // One that is stored in little, because it can be compressed, and one that cannot.
  const wires = ['x'.repeat(100_000), 'x'.repeat(800_000), noise].flatMap((note, kind) =>
    Array.from({ length: 15 }, (_, n) => ({ id: `long-${kind}-${n}`, note })),
  );
  for (const wire of wires) await commit({ ...store, lease: lease() }, pageOf([wire], 100_000));
  await seal();
  let most = 0;
  const database = askedThrough(store.database, async (label, ask) => {
    const rows = await ask();
    if (label.startsWith('seal.present')) most = Math.max(most, JSON.stringify(rows).length);
    return rows;
  });
  const options = { database, account, verifiers: [verifier], checkpointsFile: file };
  const verify = () => verifyHistory({ ...options, signal: new AbortController().signal });
  const intact = await verify();
  expect([intact.finding, intact.present]).toEqual([null, 40 + wires.length + 20]);
  expect(most).toBeLessThan(2.5 * mebibyte);
  for (const [id, column, change] of [
    ['long-1-7', 'amount', 'amount = 77'],
    ['long-2-3', 'raw', `raw = raw || '{"added": 1}'`],
  ] as const) {
    await unguarded(`update custody.transactions set ${change} where transaction_id = '${id}'`);
    const { finding } = await verify();
    expect(finding).toMatchObject({ kind: 'present', key: [account, id], column });
    await unguarded(
      `update custody.transactions set amount = 1.5, raw = raw - 'added' where transaction_id = '${id}'`,
    );
  }
});
