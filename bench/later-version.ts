// Pretended versions of the program: copies of parts of the repository, and migrations added to them.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { migrationsFolder } from '../src/store/schema/migrations.ts';

/** Copies these parts of the repository, and links its packages. */
export function copyRepository(copy: string, parts: readonly string[]): void {
  const root = dirname(migrationsFolder());
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

const journalShape = z.looseObject({ entries: z.array(z.unknown()) });

/** Adds a migration to a folder of migrations, as the youngest. */
export function addMigration(folder: string, name: string, sql: string): void {
  const file = join(folder, 'meta/_journal.json');
  const { entries, ...others } = journalShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  const idx = entries.length;
  const entry = { idx, version: '7', when: 4_102_444_800_000 + idx, tag: name, breakpoints: true };
  writeFileSync(file, JSON.stringify({ ...others, entries: [...entries, entry] }));
  writeFileSync(join(folder, `${name}.sql`), sql);
}
