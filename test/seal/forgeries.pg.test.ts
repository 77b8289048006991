// Values, numbers and marks that no writer makes: a superuser finds none with which a change goes unnoticed,
// another row is named, or more is signed than there is.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { openLog } from '../../src/seal/log.ts';
import { proveRow } from '../../src/seal/publish.ts';
import { askOne } from '../../src/seal/seal.ts';
import { longTest } from '../support/form.ts';
import { account } from '../support/store.ts';
import { forged, openSealed, snapshots, statuses } from './sealed-history.ts';

test('a number that is none, or that JavaScript cannot distinguish from its neighbour, is found', async () => {
  const { unguarded, verify, seal, store } = await openSealed();
  const found = { kind: 'inserted', table: statuses, key: [account, 'forged', '1'] };
  for (const number of ['0', '-7', '9007199254740993', '9223372036854775807']) {
    await unguarded(forged(number));
    expect((await verify()).finding, number).toEqual(found);
    // It would keep the others from being sealed.
    if (Number(number) > 0)
      await expect(seal(), number).rejects.toMatchObject({
        code: 'SEAL-FORK',
        message: expect.stringContaining(`${statuses} has a row with change_id ${number}`),
      });
    await unguarded(`delete from ${statuses} where transaction_id = 'forged'`);
  }
  await store.query(`alter table ${statuses} alter change_id drop not null`);
  await unguarded(forged('null'));
  expect((await verify()).finding).toEqual(found);
});

test('a column of numbers that became one of texts is no proof', async () => {
  const { verify, seal, store } = await openSealed();
  await store.query(`alter table ${statuses} alter run_id type text`);
  const refused = { code: 'SEAL-REFUSED', message: expect.stringContaining(`${statuses}.run_id`) };
  await expect(verify()).rejects.toMatchObject(refused);
  await expect(seal()).rejects.toMatchObject(refused);
});

test('a count of changes as large as can be stops nothing', async () => {
  const { unguarded, verify } = await openSealed();
  await unguarded(`update ${snapshots} set changed_count = 2147483647, asset_count = 2147483647
    where change_id = (select max(change_id) from ${snapshots})`);
  expect((await verify()).finding).toMatchObject({ kind: 'changed', table: snapshots });
});

test('the number up to which rows are sealed is that of the last entry', async () => {
  const { unguarded, verify, seal, grow, store } = await openSealed();
  await grow();
  const [last] = await store.query<{ id: string; count: string }>(
    'select max(last_change_id)::text as id from sync.seal_checkpoints',
  );
  for (const change of ['- 3', '+ 3']) {
    await unguarded(
      `update sync.seal_checkpoints set last_change_id = last_change_id ${change} where last_change_id = ${last?.id}`,
    );
    for (const file of [undefined, null])
      await expect(seal(file === null ? { file } : {}), change).rejects.toMatchObject({ code: 'SEAL-FORK' });
    await unguarded(
      `update sync.seal_checkpoints set last_change_id = ${last?.id} where tree_size = (select max(tree_size) from sync.seal_checkpoints)`,
    );
  }
  expect(await seal()).toBeGreaterThan(0);
  expect((await verify()).finding).toBeNull();
});

test('a row with the number of another is not proven by it', async () => {
  const { unguarded, verifier, store } = await openSealed();
  const [row] = await store.query<{ id: string }>(`select change_id::text as id from ${statuses} limit 1`);
  await unguarded(forged(row?.id ?? ''));
  const proof = proveRow(openLog(askOne(store.database), account), statuses, ['forged', '1'], [verifier]);
  expect(await proof).toBeNull();
});

test('a note that was altered as it was written does not reach the file', async () => {
  const { verify, seal, grow, store, file } = await openSealed();
  await grow();
  await store.query(`create function spoil() returns trigger language plpgsql as
    $do$ begin new.note = rtrim(new.note, chr(10)); return new; end $do$`);
  await store.query(
    'create trigger spoil before insert on sync.seal_checkpoints for each row execute function spoil()',
  );
  const whole = readFileSync(file, 'utf8');
  await expect(seal()).rejects.toMatchObject({ code: 'SEAL-FORK' });
  expect(readFileSync(file, 'utf8')).toBe(whole);
  await store.query('drop trigger spoil on sync.seal_checkpoints');
  await store.query(
    `update sync.seal_checkpoints set note = note || chr(10) where note not like '%' || chr(10)`,
  );
  expect(await seal()).toBeGreaterThan(0);
  expect((await verify()).finding).toBeNull();
});

longTest('a file that was cut at any byte is made whole', async () => {
  const { seal, file } = await openSealed();
  const whole = readFileSync(file);
  const note = whole.lastIndexOf('custody.example/acme\n');
  for (let length = note; length < whole.length; length += 1) {
    truncateSync(file, length);
    await seal();
    expect(readFileSync(file, 'utf8'), String(length)).toBe(whole.toString());
    writeFileSync(file, whole);
  }
});

test('a backup from before anything was sealed is a fork', async () => {
  const { unguarded, verify } = await openSealed();
  await unguarded(
    `delete from ${statuses}; delete from internal.seal_tiles; delete from sync.seal_checkpoints`,
  );
  expect((await verify()).finding).toMatchObject({ kind: 'fork', stored: null });
});

test('a checkpoint of database and file is counted once', async () => {
  const { verify, store } = await openSealed();
  const [row] = await store.query<{ count: number }>(
    'select count(*)::int as count from sync.seal_checkpoints',
  );
  expect((await verify()).checkpoints).toBe(row?.count);
  expect((await verify(null)).checkpoints).toBe(row?.count);
});

test('two signed trees of one size are a fork, whichever the rows lead to', async () => {
  const { verify, store, signer } = await openSealed();
  const sizes = await store.query<{ size: number }>(
    'select tree_size::int as size from sync.seal_checkpoints order by 1',
  );
  const [first, last] = [sizes[0], sizes.at(-1)];
  const note = signer.sign({ size: first?.size ?? 0, root: 'r'.repeat(32) });
  const altered = 'update sync.seal_checkpoints set note = $1 where tree_size = $2 returning tree_size';
  expect(await store.query(altered, [note, first?.size])).toHaveLength(1);
  expect((await verify()).finding).toMatchObject({ kind: 'fork', ...first, stored: last });
});

test('a key as the service gave it adds no line to a verdict', async () => {
  const { unguarded, verify } = await openSealed();
  await unguarded(forged('3', 'a\u001b[2K\nintact: the history'));
  const text = verdictText(await verify(), account, null);
  expect(text).toContain('transaction_id a [2K intact: the history, sequence 1');
  expect(text.split('\n')).toHaveLength(3);
});
