// How long each of several addresses of a name is waited for. Imports built-in modules only.
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/**
 * A quarter of the time for a connection to the database, which is the shortest; longer than a lost packet of
 * the handshake takes to be repeated. Node.js gives up an address after a quarter of a second unless it is
 * the last one: a living one that is far away would lose to a dead one (nodejs/node#54359).
 */
const attemptMs = 1_250;

export function waitForFarAddresses(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(attemptMs);
}
