// Checks the limit of open files before modules are loaded: each is a file, and with too low a limit the
// loader fails with a bare EMFILE. It imports built-in modules only.
import { readFileSync } from 'node:fs';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { setFlagsFromString } from 'node:v8';

// How long to wait for each of several addresses of a name.

/**
 * A quarter of the time for a connection to the database, which is the shortest; longer than a lost packet of
 * the handshake takes to be repeated. Node.js gives up an address after a quarter of a second unless it is
 * the last one: a living one that is far away would lose to a dead one (nodejs/node#54359).
 */
const attemptMs = 1_250;

export function waitForFarAddresses(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(attemptMs);
}

/** Startup opens some 150 at once. The rest is for connections to the database, the service and readers. */
const least = 256;

/** Why the process cannot work, with the fix; null if it can, or if the limit is unknown. */
export function tooFewOpenFiles(): string | null {
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // Only Linux has it.
    return null;
  }
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? least);
  if (limit >= least) return null;
  return `The limit of open files is ${limit} (ulimit -n), and custody-mirror needs at least ${least}, or 1024 for many readers: raise it with ulimit -n, LimitNOFILE in a systemd unit, or ulimits.nofile in Compose.`;
}

// Limits the growth of the JavaScript heap. Invariant: garbage of a first sweep is collected before it fills
// the mirror's memory limit (docs/container.md).

/**
 * Collects the heap earlier. Call it after all modules are loaded: loading grows the young generation to the
 * size that a sweep needs.
 *
 * @param percent how much garbage may gather, in percent of live data
 */
export function limitHeapGrowth(percent = 100): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
