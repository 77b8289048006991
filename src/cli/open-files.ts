// The limit of open files, checked before modules are loaded: each is a file, and with too low a limit the
// loader fails with a bare EMFILE. It imports nothing that has to be loaded.
import { readFileSync } from 'node:fs';

/** Starting opens some 150 at once. The rest is for connections to the database, the service and readers. */
const least = 256;

/** Why the process cannot work, and what to do; null where it can, or where the limit is not known. */
export function tooFewOpenFiles(path = '/proc/self/limits'): string | null {
  let limits: string;
  try {
    limits = readFileSync(path, 'utf8');
  } catch {
    // Linux alone has it.
    return null;
  }
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? least);
  if (limit >= least) return null;
  return `The limit of open files is ${limit} (ulimit -n), and custody-mirror needs at least ${least}, or 1024 where many readers connect: raise it by ulimit -n, by LimitNOFILE in a unit of systemd, or by ulimits.nofile in Compose.`;
}
