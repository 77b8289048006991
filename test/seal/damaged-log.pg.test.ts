// What a superuser leaves in the tables of the log itself is a finding of verify, never an error.
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { openLog } from '../../src/seal/log.ts';
import { readVerifier, type Verifier } from '../../src/seal/note.ts';
import { exportLog } from '../../src/seal/publish.ts';
import { askOne } from '../../src/seal/seal.ts';
import { newFolder } from '../support/folder.ts';
import { longTest } from '../support/form.ts';
import { account } from '../support/store.ts';
import { newSigner, openSealed } from './sealed-history.ts';

test('a checkpoint whose note was changed in any way is named, with a file and without one', async () => {
  const { verify, seal, grow, store, unguarded } = await openSealed();
  await grow();
  await store.query('alter table sync.seal_checkpoints alter note drop not null');
  const [{ size, note } = { size: 0, note: '' }] = await store.query<{ size: number; note: string }>(
    'select tree_size::int as size, note from sync.seal_checkpoints order by tree_size desc limit 1',
  );
  const where = `where tree_size = ${size}`;
  for (const changed of [
    null,
    '',
    'nothing',
    note.replace(`\n${size}\n`, '\n7\n'),
    note.replace('acme', 'x'),
  ]) {
    await store.query(`update sync.seal_checkpoints set note = $1 ${where}`, [changed]);
    for (const file of [undefined, null])
      expect((await verify(file)).finding, `${changed}`).toEqual({ kind: 'unsigned', size });
    await expect(seal(), `${changed}`).rejects.toMatchObject({ code: expect.stringMatching(/^SEAL-/) });
  }
  await store.query(`update sync.seal_checkpoints set note = $1 ${where}`, [note]);
  await store.query('alter table internal.seal_tiles alter hashes drop not null');
  await unguarded('update internal.seal_tiles set hashes = null where level = 0');
  expect((await verify()).finding).toBeNull();
  await expect(seal()).rejects.toMatchObject({ code: 'SEAL-FORK' });
});

test('a finding leaves the file of checkpoints closed', async () => {
  const { verify, store, file } = await openSealed();
  // More than is read at once: the same checkpoints may be there again.
  writeFileSync(file, readFileSync(file, 'utf8').repeat(2_000));
  const altered = await store.query<{ size: number }>(
    `update sync.seal_checkpoints set note = 'nothing' where tree_size = (select max(tree_size) from sync.seal_checkpoints)
     returning tree_size::int as size`,
  );
  expect(altered, 'the last checkpoint of the database').toHaveLength(1);
  const open = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === file;
      } catch {
        return false;
      }
    }).length;
  expect((await verify()).finding).toEqual({ kind: 'unsigned', ...altered[0] });
  await expect.poll(open).toBe(0);
});

longTest('checkpoints of an earlier key verify with the keys together, and with neither alone', async () => {
  const { verify, seal, grow, store, verifier } = await openSealed();
  const next = newSigner();
  await grow();
  await seal({ signer: next.signer, earlier: [verifier] });
  const both: readonly Verifier[] = [next.verifier, verifier];
  expect((await verify(undefined, both)).finding).toBeNull();
  expect(readVerifier(next.signer.verifierKey)?.name).toBe(verifier.name);
  await expect(verify(undefined, [next.verifier])).rejects.toMatchObject({ code: 'CONFIGURATION' });
  expect(await store.query('select from sync.seal_checkpoints')).not.toEqual([]);
});

test('a log is exported into no directory that holds anything but an export of it', async () => {
  const { store } = await openSealed();
  const log = openLog(askOne(store.database), account);
  const folder = newFolder();
  const { origin } = await exportLog(log, folder, () => undefined);
  await exportLog(log, folder, () => undefined);
  const refused = {
    code: 'CONFIGURATION',
    message: expect.stringContaining(`is not an export of ${origin}`),
  };
  writeFileSync(join(folder, 'notes'), 'mine');
  await expect(exportLog(log, folder, () => undefined)).rejects.toMatchObject(refused);
  const other = newFolder();
  writeFileSync(join(other, 'checkpoint'), `${origin}2\n1\n`);
  await expect(exportLog(log, other, () => undefined)).rejects.toMatchObject(refused);
  expect(readdirSync(other)).toEqual(['checkpoint']);
});

test('a log with a changed byte in an entry or a hash is exported by nobody', async () => {
  const { store, unguarded } = await openSealed();
  const log = () => openLog(askOne(store.database), account);
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name)).toString('hex')]);
  const whole = newFolder();
  await exportLog(log(), whole, () => undefined);
  for (const column of ['entries', 'hashes']) {
    const folder = newFolder();
    const change = (bytes: string) =>
      unguarded(`update internal.seal_tiles set ${column} = set_byte(${column}, 40, get_byte(${column}, 40) # ${bytes})
        where level = 0 and tile = 0`);
    await change('1');
    await expect(
      exportLog(log(), folder, () => undefined),
      column,
    ).rejects.toMatchObject({ code: 'SEAL-FORK' });
    expect(readdirSync(folder), column).not.toContain('checkpoint');
    await change('1');
    await exportLog(log(), folder, () => undefined);
    expect(files(folder), column).toEqual(files(whole));
  }
});

test('a file that was cut within its last signature was cut', async () => {
  const { verify, file } = await openSealed();
  const whole = readFileSync(file, 'utf8').trimEnd();
  for (const length of [whole.length - 5, whole.length - 40]) {
    writeFileSync(file, whole.slice(0, length));
    await expect(verify()).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('it was cut'),
    });
  }
});

test('what was changed is called by its name', async () => {
  const { verify, seal, grow, unguarded, store } = await openSealed();
  await unguarded(`update custody.balances set valid_to = valid_from + interval '1 second'
    where ctid = (select ctid from custody.balances where valid_to is null order by valid_from limit 1)`);
  expect(verdictText(await verify(), account, null)).toContain('valid_to of custody.balances (');
  await unguarded(
    `update custody.balances set valid_to = null where valid_to = valid_from + interval '1 second'`,
  );
  await grow();
  await store.query('update sync.seal_checkpoints set last_change_id = last_change_id - 1');
  await expect(seal()).rejects.toMatchObject({
    code: 'SEAL-FORK',
    message: expect.stringContaining('last_change_id of the '),
  });
});
