// Pretended later and earlier versions: copies of this one in folders of their own, with migrations that this
// one does not have, or without its last ones.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { migrationsFolder } from '../../src/store/schema/migrations.ts';
import { onCleanup } from './cleanup.ts';

/** A folder with these parts of the repository, and its packages. */
export function copyOfRepository(parts: readonly string[]): string {
  const root = dirname(migrationsFolder());
  const copy = mkdtempSync(join(tmpdir(), 'custody-mirror-later-'));
  onCleanup(async () => rmSync(copy, { recursive: true }));
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Adds a migration to a folder of migrations, as the youngest. */
export function addMigration(folder: string, name: string, sql: string): void {
  const file = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8'));
  const idx = journal.entries.length;
  const entry = { idx, version: '7', when: 4_102_444_800_000 + idx, tag: name, breakpoints: true };
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(folder, `${name}.sql`), sql);
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
