// Checks the limit of open files before modules are loaded: each is a file, and with too low a limit the
// loader fails with a bare EMFILE. It imports built-in modules only.
import { readFileSync } from 'node:fs';

/** Startup opens some 150 at once. The rest is for connections to the database, the service and readers. */
const least = 256;

/** Why the process cannot work, with the fix; null if it can, or if the limit is unknown. */
export function tooFewOpenFiles(path = '/proc/self/limits'): string | null {
  let limits: string;
  try {
    limits = readFileSync(path, 'utf8');
  } catch {
    // Only Linux has it.
    return null;
  }
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? least);
  if (limit >= least) return null;
  return `The limit of open files is ${limit} (ulimit -n), and custody-mirror needs at least ${least}, or 1024 for many readers: raise it with ulimit -n, LimitNOFILE in a systemd unit, or ulimits.nofile in Compose.`;
}
