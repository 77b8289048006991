// Whenever a process that seals or verifies is killed, the next one goes on: one log, one file, no row twice
// or left out, and the verdict that an uninterrupted one gives.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeSealKey, readSigner, readVerifier } from '../../src/seal/note.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import { onCleanup } from '../support/cleanup.ts';
import { sized } from '../support/form.ts';
import { account, openStore } from '../support/store.ts';
import { hour } from './observed-ticks.ts';
import { newFolder, openHistory } from './sealed-history.ts';

const kills = sized({ short: 1, long: 200 }, 'SEAL_KILLS');
/** In a part that is not the first. */
const rename = (name: string) => `update custody.vaults set name = '${name}' where vault_id = 'vault1-9'`;
const forged = 'name of custody.vaults';
const program = fileURLToPath(new URL('sealing-process.mjs', import.meta.url));

/**
 * The first one is killed as soon as it has begun, the others at a random place, which may be too late.
 *
 * @param kill its number; null if it is not killed
 * @returns its exit code; null if it was killed
 */
async function run(args: readonly string[], kill: number | null): Promise<number | null> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onCleanup(async () => void child.kill('SIGKILL'));
  const ended: Promise<[number | null]> = once(child, 'close') as never;
  let lines = Math.floor(Math.random() * 8);
  for await (const _line of createInterface({ input: child.stdout })) {
    if (kill === 1) child.kill('SIGKILL');
    else if (kill !== null && lines === 0) setTimeout(() => child.kill('SIGKILL'), Math.random() * 10);
    lines -= 1;
  }
  const [code] = await ended;
  return code;
}

test(`after ${kills} kills while sealing there is one log`, async () => {
  const { database, query, url } = await openStore();
  const [key, file] = [makeSealKey('custody.example/acme'), join(newFolder(), 'checkpoints')];
  const seal = (kill: number | null) => run(['seal', url, account, key, file], kill);
  let rows = 0;
  for (let nth = 1; nth <= kills + 1; nth += 1) {
    await query(
      `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
       select $1, 'vault', $2 || '-' || n, 1, now(), 'added', '{}', 1 from generate_series(1, 40) n`,
      [account, nth],
    );
    rows += 40;
    const code = await seal(nth <= kills ? nth : null);
    if (nth > kills) expect(code).toBe(0);
  }
  const verifier = readVerifier(readSigner(key)?.verifierKey ?? '');
  const verdict = await verifyHistory({
    database,
    account,
    verifiers: verifier === null ? [] : [verifier],
    checkpointsFile: file,
    signal: new AbortController().signal,
  });
  // History alone was written, and all of it is as it was sealed.
  expect(verdict).toMatchObject({ finding: { kind: 'present' }, upTo: { size: rows } });
  const notes = await query<{ note: string }>('select note from sync.seal_checkpoints order by tree_size');
  expect(readFileSync(file, 'utf8')).toBe(notes.map(({ note }) => `${note}\n`).join(''));
}, 900_000);

test(`after ${kills} kills while verifying the verdict is right`, async () => {
  const history = await openHistory();
  const { query, url } = history.store;
  await history.grow();
  await history.seal({ atOnce: 20 });
  const verify = (kill: number | null) => run(['verify', url, account, history.key, history.file], kill);
  const held = () =>
    query(`select (select array_agg(note order by tree_size) from sync.seal_checkpoints) as notes,
      (select count(*) from internal.seal_tiles) as tiles, (select count(*) from custody.transaction_status_history) as rows`);
  const saved = async () => {
    const [row] = await query<{
      at: string | null;
      finding: string | null;
      reached: number | null;
      is_place: boolean;
    }>(
      `select v.verified_at::text as at, v.finding, v.reached::int, v.reached is null
         or exists (select from sync.seal_checkpoints c where c.tree_size = v.reached) as is_place
       from sync.seal_verifications v`,
    );
    expect(row?.is_place ?? true).toBe(true);
    return { at: row?.at ?? null, finding: row?.finding ?? null, reached: row?.reached ?? 0 };
  };
  let [before, ended] = [await saved(), 0];
  for (let nth = 1; nth <= kills; nth += 1) {
    // The history goes on meanwhile, and in the middle somebody changes it.
    if (nth % 10 === 0) {
      await history.observe([{ afterMs: (1_000 + nth) * hour, held: [[String(nth)], null, null] }]);
      await history.seal();
    }
    if (nth === Math.ceil(kills / 2)) await history.unguarded(rename('Forged'));
    const whole = await held();
    const code = await verify(nth);
    const after = await saved();
    expect(await held()).toEqual(whole);
    if (code !== null) ended += 1;
    // A verification that was not over goes on; a finding stays, with the time it was first found.
    if (after.at === before.at && after.finding === null)
      expect(after.reached).toBeGreaterThanOrEqual(before.reached);
    if (before.finding !== null) expect(after).toMatchObject({ at: before.at, finding: before.finding });
    else if (after.finding !== null) expect(after.finding).toContain(forged);
    if (nth < kills / 2) expect(after.finding).toBeNull();
    before = after;
  }
  // One that had passed the row before it was changed does not see it, and the next one does.
  await verify(null);
  expect(await verify(null)).toBe(1);
  expect((await saved()).finding).toContain(forged);
  await history.unguarded(rename('Vault 9'));
  expect(await verify(null)).toBe(0);
  expect(await saved()).toMatchObject({ finding: null, reached: 0 });
  expect(ended).toBeLessThan(kills);
}, 900_000);
