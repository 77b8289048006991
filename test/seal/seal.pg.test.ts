// Sealing: every row once, in the order of its number, also after stops; and what keeps it from signing.
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toBuffer } from '../../src/base/encoded-values.ts';
import { readAdded } from '../../src/seal/reading.ts';
import { askOne } from '../../src/seal/seal.ts';
import { intervalTables, sealedTables } from '../../src/seal/tables.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import { readTransaction } from '../../src/store/read-api/single-records.ts';
import { newFolder } from '../support/folder.ts';
import { account, open } from '../support/store.ts';
import { askedThrough, newSigner, openHistory, openSealed } from './sealed-history.ts';

test('the columns that are sealed are those of the tables', async () => {
  const { store } = await openHistory();
  for (const table of [...sealedTables, ...intervalTables]) {
    const found = await store.query<{ name: string; is_key: boolean }>(
      `select a.attname as name, coalesce(a.attnum = any(i.indkey), false) as is_key
       from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
       where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
      [table.name],
    );
    expect(found.map(({ name }) => name).sort()).toEqual([...table.columns.keys()].sort());
    expect(found.flatMap(({ name, is_key }) => (is_key ? [name] : [])).sort()).toEqual([...table.key].sort());
  }
});

test('the example in the document has these hashes', async () => {
  const { store, unguarded } = await openHistory();
  await unguarded(
    `insert into custody.transaction_status_history (account_id, transaction_id, sequence, to_status, observed_at, run_id, content_hash, change_id)
     values ('acme', 'a', 1, 'pending', '2026-01-01T00:00:00Z', 1, 'izW9S3rD37-S8vines70Isbn6dh0_KyfOad2Zb4cJAc', 7)`,
  );
  const [leaf] = await readAdded(askOne(store.database), 'acme', 0, 10);
  const document = readFileSync(new URL('../../docs/sealing-format.md', import.meta.url), 'utf8');
  expect(document).toContain(`leaf     ${toBuffer(leaf?.hash ?? '').toString('hex')}`);
  expect(document).toContain(`SHA-256  ${toBuffer((leaf?.entry ?? '').slice(-32)).toString('hex')}`);
});

test('every row is sealed once, and the history is intact', async () => {
  const history = await openHistory();
  await history.grow();
  const { query } = history.store;
  const [{ rows } = { rows: 0 }] = await query<{ rows: number }>(
    `select (select count(*) from custody.transaction_status_history)::int + (select count(*) from custody.transaction_revisions)::int
       + (select count(*) from custody.document_revisions)::int + (select count(*) from custody.balance_snapshots)::int as rows`,
  );
  expect(rows).toBeGreaterThan(100);
  expect(await history.seal()).toBe(rows);
  expect(await history.seal()).toBe(0);
  await history.grow();
  const more = await history.seal({ atOnce: 7 });
  expect(await history.verify()).toMatchObject({ finding: null, upTo: { size: rows + more } });
  const notes = await query<{ note: string }>('select note from sync.seal_checkpoints order by tree_size');
  expect(readFileSync(history.file, 'utf8')).toBe(notes.map(({ note }) => `${note}\n`).join(''));
});

test('a transaction says in which checkpoint it is sealed, or that it is not yet, and nothing without a log', async () => {
  const history = await openHistory();
  const { database, query } = history.store;
  const sealedOf = async (id: string) => {
    const read = await database.transact('test', (tx) => readTransaction(tx, account, id), {
      readOnly: true,
    });
    return (JSON.parse(read ?? '{}') as { sealed: unknown }).sealed;
  };
  await history.grow();
  expect(await sealedOf('1-0-ü')).toBeNull();
  await history.seal({ atOnce: 50 });
  const [first] = await query<{ size: number; signed: Date }>(
    `select tree_size::int as size, signed_at as signed from sync.seal_checkpoints where last_change_id >= (
       select max(change_id) from custody.transaction_status_history where transaction_id = '1-0-ü') order by 1 limit 1`,
  );
  const sealed = (await sealedOf('1-0-ü')) as { checkpoint: number; signed_at: string };
  expect(sealed.checkpoint).toBe(first?.size);
  expect(Date.parse(sealed.signed_at)).toBe(first?.signed.getTime());
  await history.grow();
  expect(await sealedOf('2-0-ü')).toEqual({
    ...{ checkpoint: null, signed_at: null },
    ...{ verified_at: null, is_altered: false },
  });
});

test('what a stop left out of the file, or cut in it, is appended before anything else', async () => {
  const history = await openSealed();
  const whole = readFileSync(history.file, 'utf8');
  for (const length of [
    whole.length - 1,
    whole.length - 40,
    whole.lastIndexOf('custody.example/acme\n', whole.length - 100),
    30,
    0,
  ]) {
    truncateSync(history.file, length);
    await history.seal();
    expect(readFileSync(history.file, 'utf8')).toBe(whole);
  }
  await history.grow();
  await history.seal({ file: null });
  await history.seal();
  expect(readFileSync(history.file, 'utf8').startsWith(whole)).toBe(true);
  expect((await history.verify()).finding).toBeNull();
});

test('a file with a checkpoint that the database lacks is a fork, and nothing is signed', async () => {
  const history = await openSealed();
  const { query } = history.store;
  const [{ size } = { size: 0 }] = await query<{ size: number }>(
    'delete from sync.seal_checkpoints where tree_size = (select max(tree_size) from sync.seal_checkpoints) returning tree_size::int as size',
  );
  await expect(history.seal()).rejects.toMatchObject({ code: 'SEAL-FORK' });
  // The rows themselves are as the file says.
  expect(await history.verify()).toMatchObject({ finding: null, upTo: { size } });
  expect((await query('select from sync.seal_checkpoints where tree_size >= $1', [size])).length).toBe(0);
});

test('tiles, checkpoints and keys that do not fit are reported, and nothing is signed', async () => {
  const history = await openSealed();
  const { query } = history.store;
  await history.grow();
  const other = newSigner('custody.example/other');
  await expect(history.seal({ signer: other.signer })).rejects.toMatchObject({ code: 'SEAL-REFUSED' });
  const folder = newFolder();
  const foreign = join(folder, 'foreign');
  writeFileSync(foreign, `${other.signer.sign({ size: 1, root: 'r'.repeat(32) })}\n`);
  await expect(history.seal({ file: foreign })).rejects.toMatchObject({ code: 'SEAL-REFUSED' });
  // As of a log that another one took the place of: nothing was restored.
  await expect(history.seal({ signer: other.signer, file: foreign })).rejects.toMatchObject({
    code: 'SEAL-REFUSED',
    message: expect.stringContaining('the key is named'),
  });
  const text = join(folder, 'text');
  writeFileSync(text, 'a list of something else\n');
  await expect(history.seal({ file: text })).rejects.toMatchObject({ code: 'SEAL-REFUSED' });
  await expect(history.seal({ file: folder })).rejects.toMatchObject({ code: 'SEAL-REFUSED' });
  const forged = join(folder, 'forged');
  writeFileSync(forged, `${history.signer.sign({ size: 3, root: 'r'.repeat(32) })}\n`);
  await expect(history.seal({ file: forged })).rejects.toMatchObject({ code: 'SEAL-FORK' });
  await query(`update internal.seal_tiles set hashes = overlay(hashes placing '\\x00'::bytea from 5)
    where (level, tile) = (select level, max(tile) from internal.seal_tiles where level = 0 group by level)`);
  await expect(history.seal()).rejects.toMatchObject({ code: 'SEAL-FORK' });
  await query(`delete from internal.seal_tiles where level = 0`);
  await expect(history.seal()).rejects.toMatchObject({ code: 'SEAL-FORK' });
  await query(
    `update sync.seal_checkpoints set note = replace(note, 'custody', 'something') where account_id = $1`,
    [account],
  );
  await expect(history.seal({ file: null })).rejects.toMatchObject({ code: 'SEAL-REFUSED' });
});

test('checkpoints that do not serve are bad input', async () => {
  const history = await openHistory();
  await expect(history.verify(null)).rejects.toMatchObject({ code: 'CONFIGURATION' });
  await history.grow();
  await history.seal();
  const folder = newFolder();
  const whole = readFileSync(history.file, 'utf8');
  const [first = ''] = whole.match(/^([^\n]+\n){3}\n[^\n]+\n\n/) ?? [];
  const files: Record<string, string> = {
    cut: whole.slice(0, 60),
    empty: '',
    text: 'a list\nof something\nelse\n\n— is here\n',
    'bad-signature': whole.replace(/.=\n/, (end) => (end.startsWith('A') ? 'E=\n' : 'A=\n')),
    changed: whole.replace('\n100\n', '\n101\n'),
    other: newSigner('custody.example/other').signer.sign({ size: 1, root: 'r'.repeat(32) }),
    backwards: `${whole.slice(first.length)}${first}`,
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, content);
    await expect(history.verify(path), name).rejects.toMatchObject({ code: 'CONFIGURATION' });
  }
  await expect(history.verify(join(folder, 'none'))).rejects.toMatchObject({ code: 'CONFIGURATION' });
  const other = newSigner('custody.example/other').verifier;
  await expect(history.verify(history.file, [other])).rejects.toMatchObject({ code: 'CONFIGURATION' });
  appendFileSync(history.file, whole.slice(0, 60));
  await expect(history.verify()).rejects.toMatchObject({ code: 'CONFIGURATION' });
});

test('checkpoints that are signed while the history is verified are not taken for a fork', async () => {
  const history = await openSealed();
  let sealed = 0;
  // The transaction of the verification is idle meanwhile, as it is while leaves are sorted.
  const patient = open(history.store.url, { idleTransactionTimeoutMs: 10 });
  const database = askedThrough(patient, async (_label, ask) => {
    const answer = await ask();
    if (sealed === 0) {
      await history.grow();
      sealed = await history.seal();
    }
    return answer;
  });
  const { signal } = new AbortController();
  const options = { account, verifiers: [history.verifier], checkpointsFile: history.file, signal };
  expect(await verifyHistory({ ...options, database })).toMatchObject({
    finding: null,
    unsealed: 0,
  });
  expect(sealed).toBeGreaterThan(0);
});
