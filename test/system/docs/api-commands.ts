// Runs the blocks of docs/api.md against a daemon that has mirrored a sandbox.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serveSandbox } from '../../support/command.ts';
import { startDaemon } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Block } from './blocks.ts';
import type { Clone } from './shell.ts';

/** The address of the documents' mirror. */
const place = 'http://127.0.0.1:8787';

export async function askApi(clone: Clone, { text }: Block): Promise<void> {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const daemon = await startDaemon(service, database);
  await waitFor(
    async () =>
      (await database.query('select from custody.balance_snapshots limit 3')).length === 3 &&
      // Longer ago than the second in which `date` is asked.
      (
        await database.query(
          `select from sync.runs where job in ('transactions', 'balances') and status = 'succeeded' and finished_at < now() - interval '1 second'`,
        )
      ).length >= 2,
    { what: 'a mirror of transactions and balances' },
  );
  const { code, output } = await clone.run(text, { replaced: { [place]: daemon.url } });
  expect(code, output).toBe(0);
  expect(output).not.toContain('"status":4');
  if (output.trimStart().startsWith('{')) expect(output).toContain('"data":[');
  for (const file of ['transactions.csv', 'reconciliation.csv'].filter((name) => text.includes(name))) {
    const path = join(clone.directory, file);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toMatch(/^[a-z_]+(,[a-z_]+)+\r\n/);
  }
  if (text.includes('echo "$after"')) expect(Number(output.trim())).toBeGreaterThan(100);
}
