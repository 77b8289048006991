// Rows whose numbers would leave them out of the log, or others: sealing refuses and says which.
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { account } from '../support/store.ts';
import { forged, openSealed, statuses } from './sealed-history.ts';

test('a sealed row under another number is refused, not left out in silence', async () => {
  const { unguarded, seal, store } = await openSealed();
  const [row] = await store.query<{ id: string }>(
    `select change_id::text as id from ${statuses} order by change_id desc limit 1`,
  );
  await unguarded(`update ${statuses} set change_id = 0 where change_id = ${row?.id}`);
  await expect(seal()).rejects.toMatchObject({
    code: 'SEAL-FORK',
    message: expect.stringContaining('one was added, removed or given another number'),
  });
  await unguarded(`update ${statuses} set change_id = ${row?.id} where change_id = 0`);
  expect(await seal()).toBe(0);
});

test('two rows with one number are both named, sealed or not', async () => {
  const { unguarded, seal, store, grow, verify } = await openSealed();
  const [sealed] = await store.query<{ id: string; number: string }>(
    `select transaction_id as id, change_id::text as number from ${statuses} order by change_id offset 5 limit 1`,
  );
  await grow();
  const [open] = await store.query<{ id: string; number: string }>(
    `select transaction_id as id, change_id::text as number from ${statuses} order by change_id desc limit 1`,
  );
  for (const { id, number } of [sealed, open].filter((row) => row !== undefined)) {
    await unguarded(forged(number));
    const both = [`transaction_id ${id}, `, 'transaction_id forged, '].map((each) =>
      expect.stringContaining(each),
    );
    for (const each of both) await expect(seal()).rejects.toMatchObject({ code: 'SEAL-FORK', message: each });
    const verdict = await verify();
    expect(verdict.finding).toMatchObject({ kind: 'inserted' });
    for (const each of both) expect(verdictText(verdict, account, null)).toEqual(each);
    await unguarded(`delete from ${statuses} where transaction_id = 'forged'`);
  }
  expect(await seal()).toBeGreaterThan(0);
  expect((await verify()).finding).toBeNull();
});

test('a row far ahead is refused before the rows behind it are lost', async () => {
  const { unguarded, seal, grow, verify } = await openSealed();
  await unguarded(forged('1000000'));
  await grow();
  await expect(seal()).rejects.toMatchObject({
    code: 'SEAL-FORK',
    message: expect.stringContaining(`${statuses} has a row with change_id 1000000`),
  });
  await unguarded(`delete from ${statuses} where transaction_id = 'forged'`);
  expect(await seal()).toBeGreaterThan(0);
  expect((await verify()).finding).toBeNull();
});

test('a sequence that was set back is reported', async () => {
  const { seal, store, grow, verify } = await openSealed();
  const [{ last } = { last: '' }] = await store.query<{ last: string }>(
    'select last_value::text as last from custody.change_ids',
  );
  await store.query(`select setval('custody.change_ids', 5)`);
  await expect(seal()).rejects.toMatchObject({
    code: 'SEAL-FORK',
    message: expect.stringContaining('the sequence was set back'),
  });
  await store.query(`select setval('custody.change_ids', ${last})`);
  await grow();
  expect(await seal()).toBeGreaterThan(0);
  expect((await verify()).finding).toBeNull();
});

test('many rows with gaps between their numbers are sealed', async () => {
  const { seal, store, grow, verify } = await openSealed();
  for (let n = 0; n < 2; n += 1) {
    await store.query(`select setval('custody.change_ids', nextval('custody.change_ids') + 1000)`);
    await grow();
    expect(await seal({ atOnce: 70 })).toBeGreaterThan(0);
  }
  expect(await verify()).toMatchObject({ finding: null, unsealed: 0 });
});

test('of a long log the last rows are counted', async () => {
  const { seal, store, unguarded } = await openSealed();
  const add = (from: number, to: number) =>
    unguarded(`insert into ${statuses} (account_id, transaction_id, sequence, from_status, to_status, observed_at, run_id)
      select '${account}', 'long', n + 1, 'pending', 'pending', now(), 1 from generate_series(${from}, ${to}) n`);
  await add(1, 12_000);
  expect(await seal({ atOnce: 4_096 })).toBe(12_000);
  await add(12_001, 12_010);
  expect(await seal()).toBe(10);
  const [{ id } = { id: '' }] = await store.query<{ id: string }>(
    `select change_id::text as id from ${statuses} where sequence = 11000`,
  );
  await unguarded(forged(id));
  await expect(seal()).rejects.toMatchObject({ code: 'SEAL-FORK' });
}, 600_000);
