// Whenever a process that seals is killed, the next one goes on: one log, one file, no row twice or left out.
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
import { newFolder } from '../support/folder.ts';
import { sized } from '../support/form.ts';
import { account, openStore } from '../support/store.ts';

const kills = sized({ short: 1, long: 200 }, 'SEAL_KILLS');
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
  const seal = (kill: number | null) => run([url, account, key, file], kill);
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
