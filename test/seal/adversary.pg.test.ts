// What a superuser could do beside the sealed rows, or as if an operator had done it, is found too.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCheckpoint } from '../../src/seal/note.ts';
import { sealHistory } from '../../src/seal/seal.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { silentLogger } from '../support/loggers.ts';
import { account } from '../support/store.ts';
import { forged, newSigner, openSealed, snapshots, statuses } from './sealed-history.ts';

test('a balance that never began is found among all that were sealed', async () => {
  const { unguarded, verify, store } = await openSealed();
  await store.query(`alter table custody.balances drop constraint balances_pkey`);
  await store.query(`alter table custody.balances alter valid_from drop not null`);
  await unguarded(`create temp table forged as select * from custody.balances where valid_to is null limit 1;
    update forged set valid_from = null, asset_id = 'forged'; insert into custody.balances select * from forged`);
  expect((await verify()).finding).toMatchObject({ kind: 'inserted', table: 'custody.balances' });
});

test('a snapshot cannot be removed with its balances', async () => {
  const { unguarded, verify, store } = await openSealed();
  const [row] = await store.query<{ id: string; type: string; at: string; micros: string }>(
    `select s.change_id::text as id, s.vault_type as type, s.snapshot_at::text as at,
       (extract(epoch from s.snapshot_at) * 1000000)::bigint::text as micros
     from ${snapshots} s join custody.balances b on b.vault_type = s.vault_type and b.valid_from = s.snapshot_at
     where b.valid_to is null order by 1 desc limit 1`,
  );
  await unguarded(`
    delete from ${snapshots} where change_id = ${row?.id};
    delete from custody.balances where vault_type = '${row?.type}' and valid_from = '${row?.at}';
    delete from custody.balances where vault_type = '${row?.type}' and valid_to = '${row?.at}';
    delete from custody.unreadable_balances where vault_type = '${row?.type}' and '${row?.at}' in (valid_from, valid_to)`);
  expect((await verify()).finding).toEqual({
    kind: 'removed',
    table: snapshots,
    key: [account, row?.type, row?.micros],
  });
});

test('a row with a long key is named, and one that no entry holds is not sealed', async () => {
  const { unguarded, verify, seal } = await openSealed();
  const own = `where transaction_id = '${'x'.repeat(1_100)}'`;
  await unguarded(forged(`nextval('custody.change_ids')`, 'x'.repeat(1_100)));
  await seal();
  await unguarded(`create table kept as select * from ${statuses} ${own}; delete from ${statuses} ${own}`);
  expect((await verify()).finding).toMatchObject({ kind: 'removed', table: statuses });
  await unguarded(
    `insert into ${statuses} select * from kept; update ${statuses} set change_id = nextval('custody.change_ids') ${own}`,
  );
  expect((await verify()).finding).toMatchObject({ kind: 'moved', table: statuses });
  await unguarded(`delete from ${statuses} ${own}; insert into ${statuses} select * from kept`);
  await unguarded(forged(`nextval('custody.change_ids')`, 'x'.repeat(70_000)));
  const refused = { code: 'SEAL-FORK', message: expect.stringContaining('too long a key') };
  await expect(seal()).rejects.toMatchObject(refused);
});

test('moments at the ends of what PostgreSQL holds, and deep documents, are sealed', async () => {
  const { unguarded, verify, seal } = await openSealed();
  for (const [n, moment] of [
    '294276-12-31T23:59:59.999999Z',
    '4713-01-01 00:00:00 BC',
    'infinity',
    '-infinity',
    '12000-01-01',
  ].entries())
    await unguarded(`${forged(`nextval('custody.change_ids')`, `moment ${n}`)};
      update ${statuses} set source_timestamp = '${moment}' where transaction_id = 'moment ${n}'`);
  await unguarded(`
    insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
    select '${account}', 'vault', 'hostile ' || n, 1, now(), 'added', d::jsonb, 1 from (values
      (1, repeat('[', 1000) || repeat(']', 1000)),
      (2, '{"n": -0, "e": 1e5, "d": ' || repeat('7', 10000) || '.5, "__proto__": 1, "2": 1, "10": 2, "\u00e9": 1, "U0001F600": 2, "\uffff": 3}'),
      (3, '"\\ue000\\ud83d\\ude00"'), (4, '[1e1000, -1E-300, 0.00]')) v (n, d)`);
  expect(await seal()).toBe(9);
  // All of the history is as it was sealed; what people would read of it was never written.
  expect((await verify()).finding).toMatchObject({ kind: 'present', shown: null });
});

test('a checkpoint of another log in the database is no bad input', async () => {
  const { verify, store, file } = await openSealed();
  const other = newSigner('custody.example/other').signer;
  await store.query(`update sync.seal_checkpoints set note = $1 where tree_size = 100`, [
    other.sign({ size: 100, root: 'r'.repeat(32) }),
  ]);
  expect((await verify(file)).finding).toEqual({ kind: 'unsigned', size: 100 });
});

test('checkpoints that two writers appended in turns are read', async () => {
  const { verify, seal, file } = await openSealed();
  const whole = readFileSync(file, 'utf8');
  const notes = whole.match(/([^\n]+\n){3}\n[^\n]+\n\n/g) ?? [];
  expect(notes.length).toBeGreaterThan(1);
  appendFileSync(file, `${notes[0]}${notes.at(-1)}`);
  expect((await verify()).finding).toBeNull();
  await seal();
  writeFileSync(file, `${whole}${notes[0]?.replace('\n100\n', '\n99\n')}`);
  await expect(verify()).rejects.toMatchObject({ code: 'CONFIGURATION' });
});

test('large documents are sealed few at once', async () => {
  const { store, seal } = await openSealed();
  await store.query(`
    insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
    select '${account}', 'vault', 'large ' || n, 1, now(), 'added', to_jsonb(d), 1 from generate_series(1, 12) n,
      lateral (select string_agg(md5(n || ' ' || k), '') as d from generate_series(1, 50000) k) as large`);
  const checkpoints = () => store.query('select from sync.seal_checkpoints');
  const before = (await checkpoints()).length;
  expect(await seal({ atOnce: 4_096 })).toBe(12);
  expect((await checkpoints()).length - before).toBeGreaterThan(6);
});

test('nothing is sealed on top of a checkpoint that the key did not sign', async () => {
  const { store, seal, signer, verifier, file, grow } = await openSealed();
  const whole = readFileSync(file, 'utf8');
  await grow();
  // Whoever may write the tables makes a checkpoint of their own, for tiles of their own.
  const root = Buffer.from(readCheckpoint(whole.split('\n\n').at(-3) ?? '')?.root ?? '', 'latin1');
  const [{ size } = { size: 0 }] = await store.query<{ size: number }>(
    'select max(tree_size)::int as size from sync.seal_checkpoints',
  );
  const { signer: other } = newSigner();
  await store.query(`update sync.seal_checkpoints set note = $1 where tree_size = $2`, [
    other.sign({ size, root: root.toString('latin1') }),
    size,
  ]);
  writeFileSync(`${file}-new`, '');
  for (const into of [null, `${file}-new`])
    await expect(seal({ file: into })).rejects.toMatchObject({ code: 'SEAL-FORK' });
  expect((await store.query('select from sync.seal_checkpoints where tree_size > $1', [size])).length).toBe(
    0,
  );
  // A key of the same name goes on where it is given the earlier one, and there alone.
  await store.query(`update sync.seal_checkpoints set note = $1 where tree_size = $2`, [
    `${whole.trimEnd().split('\n\n').slice(-2).join('\n\n')}\n`,
    size,
  ]);
  await expect(seal({ file: null, signer: other })).rejects.toMatchObject({ code: 'SEAL-FORK' });
  await expect(seal({ signer: other })).rejects.toMatchObject({
    code: 'SEAL-REFUSED',
    message: expect.stringContaining('SEAL_VERIFIER_KEYS'),
  });
  expect(await seal({ signer: other, earlier: [verifier] })).toBeGreaterThan(0);
  expect(signer.name).toBe(other.name);
});

test('a checkpoint that is removed between looking and sealing is not signed again', async () => {
  const { store, lease, signer, file, grow } = await openSealed();
  await grow();
  const { database } = store;
  const removesBetween: Database = {
    ...database,
    async transact(name, work, settings) {
      if (name === 'seal') await store.query('delete from sync.seal_checkpoints where tree_size > 100');
      return await database.transact(name, work, settings);
    },
  };
  const { signal } = new AbortController();
  const options = { lease: lease(), signer, checkpointsFile: file, logger: silentLogger, signal };
  await expect(sealHistory({ ...options, database: removesBetween })).rejects.toMatchObject({
    code: 'SEAL-FORK',
  });
  expect(await store.query('select from sync.seal_checkpoints where tree_size > 100')).toEqual([]);
});
