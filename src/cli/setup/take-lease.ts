// The lease for a command that changes what a daemon would write: none may run meanwhile.
import { createClock } from '../../base/clock.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Database } from '../../store/postgres/database.ts';
import { acquireLease, type Lease } from '../../store/run/leases.ts';
import { holderName } from './compose.ts';

/** How long another attempt waits after this process was killed. */
const leaseMs = 60_000;

/** @throws MirrorError `LEASE-HELD` while another process writes for the account */
export async function takeLease(database: Database, account: string): Promise<Lease> {
  const request = { account, holder: holderName(), ttlMs: leaseMs, clock: createClock() };
  const attempt = await acquireLease(database, request);
  if ('lease' in attempt) return attempt.lease;
  throw new MirrorError(
    'LEASE-HELD',
    `${attempt.heldBy} writes for account "${account}": stop every process of this account, and try again in a minute`,
  );
}
