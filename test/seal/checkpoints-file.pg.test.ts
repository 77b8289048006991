// The file of checkpoints: what verify says of one that ends early, and what sealing refuses to write to.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verdictText } from '../../src/cli/text/seal-text.ts';
import { longTest } from '../support/form.ts';
import { account } from '../support/store.ts';
import { openSealed } from './sealed-history.ts';

const notesOf = (file: string) => readFileSync(file, 'utf8').match(/([^\n]+\n){3}\n[^\n]+\n\n/g) ?? [];

test('verify distinguishes the checkpoints of the file from those that only the database has', async () => {
  const { verify, file } = await openSealed();
  const whole = await verify();
  expect(verdictText(whole, account, file)).not.toContain('of the database');
  writeFileSync(file, notesOf(file).slice(0, 1).join(''));
  const part = await verify();
  expect(part).toMatchObject({ finding: null, filed: { size: 100 }, upTo: { size: whole.upTo?.size } });
  expect(verdictText(part, account, file)).toMatch(
    /up to checkpoint 100 of \S+Z of the file, and checkpoint \d+ of \S+Z of the database[\s\S]+proves nothing beyond its own/,
  );
}, 240_000);

test('a file that is missing is not written again from the database, and an empty one is', async () => {
  const { seal, grow, file, store } = await openSealed();
  const before = readFileSync(file, 'utf8');
  rmSync(file);
  await grow();
  const refused = { code: 'SEAL-REFUSED', message: expect.stringContaining('create it empty') };
  await expect(seal()).rejects.toMatchObject(refused);
  expect(existsSync(file)).toBe(false);
  const [stop] = await store.query<{ reason: string }>('select reason from sync.seal_stops');
  expect(stop?.reason).toContain('is missing');
  writeFileSync(file, '');
  await seal();
  expect(readFileSync(file, 'utf8').startsWith(before)).toBe(true);
  expect(await store.query('select from sync.seal_stops')).toEqual([]);
}, 240_000);

test('sealing appends nothing to a file that verify refuses', async () => {
  const { seal, verify, grow, file } = await openSealed();
  const whole = readFileSync(file, 'utf8');
  const notes = notesOf(file);
  const [first = '', second = ''] = notes;
  const last = notes.at(-1) ?? '';
  const bad: Record<string, string> = {
    before: `something\n\n${whole}`,
    between: whole.replace(second, `something\n\n${second}`),
    behind: `${whole}something\n\n${last}`,
    signature: whole.replace(/.=\n/, (end) => (end.startsWith('A') ? 'E=\n' : 'A=\n')),
    backwards: whole.replace(first + second, second + first),
  };
  await grow();
  for (const [name, content] of Object.entries(bad)) {
    writeFileSync(file, content);
    await expect(verify(), name).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await expect(seal(), name).rejects.toMatchObject({ code: expect.stringMatching(/^SEAL-/) });
    expect(readFileSync(file, 'utf8'), name).toBe(content);
  }
  // What a stop left is no damage: the beginning of the next checkpoint, or one written twice.
  for (const content of [whole.slice(0, -40), `${whole}${last}`, whole]) {
    writeFileSync(file, content);
    await seal();
    expect((await verify()).finding).toBeNull();
  }
}, 240_000);

longTest(
  'a long file is continued wherever its last part begins, within a checkpoint too',
  async () => {
    const { seal, file } = await openSealed();
    const [first = '', second = ''] = notesOf(file);
    for (let begun = 0; begun < second.length; begun += 1) {
      writeFileSync(file, first.repeat(120) + second.slice(0, begun));
      await seal();
      expect(readFileSync(file, 'utf8').startsWith(first.repeat(120) + second)).toBe(true);
    }
  },
  240_000,
);
