// Pretended later versions: copies of this one in folders of their own, with migrations that this one does
// not have.
import { join } from 'node:path';
import { addMigration, copyRepository } from '../../bench/later-version.ts';
import { newFolder } from './folder.ts';

/** A folder with these parts of the repository, and its packages. */
export function copyOfRepository(parts: readonly string[]): string {
  const copy = newFolder();
  copyRepository(copy, parts);
  return copy;
}

/** @returns the command of this build with one migration more, `9999_later` */
export function laterVersion(sql: string): string {
  const copy = copyOfRepository(['dist', 'migrations', 'package.json']);
  addMigration(join(copy, 'migrations'), '9999_later', sql);
  return join(copy, 'dist/src/cli/main.js');
}

/** @returns a folder with the migrations of this version, and these after them */
export function laterMigrations(added: Readonly<Record<string, string>>): string {
  const folder = join(copyOfRepository(['migrations']), 'migrations');
  for (const [name, sql] of Object.entries(added)) addMigration(folder, name, sql);
  return folder;
}
