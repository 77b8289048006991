// The package's own version, from the package.json above the running file, in src/ or dist/.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const schema = z.object({ name: z.literal('custody-mirror'), version: z.string() });

export function packageVersion(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      const parsed = schema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      if (parsed.success) return parsed.data.version;
    }
    if (folder === dirname(folder)) return 'unknown';
  }
}
