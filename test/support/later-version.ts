// Pretended later and earlier versions: copies of this one in folders of their own, with migrations that this
// one does not have, or without its last ones.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addMigration, copyRepository } from '../../bench/later-version.ts';
import { onCleanup } from './cleanup.ts';

/** A folder with these parts of the repository, and its packages. */
export function copyOfRepository(parts: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'custody-mirror-later-'));
  onCleanup(async () => rmSync(copy, { recursive: true }));
  copyRepository(copy, parts);
  return copy;
}

/** @returns the command of this build as it was when its youngest migration was the named one */
export function earlierVersion(youngest: string): string {
  const copy = copyOfRepository(['dist', 'migrations', 'package.json']);
  const file = join(copy, 'migrations/meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const end = journal.entries.findIndex(({ tag }: { tag: string }) => tag === youngest) + 1;
  if (end === 0) throw new Error(`there is no migration ${youngest}`);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }));
  return join(copy, 'dist/src/cli/main.js');
}

/** @returns a folder with the migrations of this version, and these after them */
export function laterMigrations(added: Readonly<Record<string, string>>): string {
  const folder = join(copyOfRepository(['migrations']), 'migrations');
  for (const [name, sql] of Object.entries(added)) addMigration(folder, name, sql);
  return folder;
}
