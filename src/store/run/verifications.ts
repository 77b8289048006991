// The result of the last verification of the sealed history on schedule (sync.seal_verifications), and
// whether sealing has stopped (sync.seal_stops).
import { eq, sql } from 'drizzle-orm';
import { sealCheckpoints, sealStops, sealTiles, sealVerifications } from '../../../drizzle/seals.ts';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { selectIso } from '../values/micros.ts';
import { type FencedTx, type Lease, writeFenced } from './leases.ts';

export interface Verification {
  /** How many rows of the history are as they were sealed. */
  readonly treeSize: number;
  /** In words; null if everything is as it was sealed. */
  readonly finding: string | null;
}

export async function saveVerification(
  database: Database,
  lease: Lease,
  { treeSize, finding }: Verification,
): Promise<void> {
  const found = { verifiedAt: sql`clock_timestamp()`, treeSize, finding };
  // A repeated finding keeps the moment of the first time.
  const was = sealVerifications;
  const verifiedAt =
    finding === null
      ? found.verifiedAt
      : sql`case when ${was.finding} is null then clock_timestamp() else ${was.verifiedAt} end`;
  await writeFenced(database, lease, 'seal-verifications.save', (db) =>
    db
      .insert(sealVerifications)
      .values({ accountId: lease.account, ...found })
      .onConflictDoUpdate({ target: sealVerifications.accountId, set: { ...found, verifiedAt } }),
  );
}

/** When the history was last verified on schedule, or a finding first found; null for never. */
export async function readVerifiedAt(database: Database, account: string): Promise<Date | null> {
  const { accountId, verifiedAt } = sealVerifications;
  const [row] = await readOne(database, 'seal-verifications.read', (db) =>
    db
      .select({ at: selectIso(verifiedAt) })
      .from(sealVerifications)
      .where(eq(accountId, account)),
  );
  return row?.at == null ? null : new Date(row.at);
}

/** Failures that do not pass with time; health reports them. */
const stops: readonly string[] = ['SEAL-FORK', 'SEAL-REFUSED'];

/** Seals, and records that sealing has stopped, or has not. */
export async function recordingSealStop<Value>(
  database: Database,
  lease: Lease,
  seal: () => Promise<Value>,
): Promise<Value> {
  try {
    const sealed = await seal();
    await clearSealStop(database, lease);
    return sealed;
  } catch (error) {
    if (error instanceof MirrorError && stops.includes(error.code))
      await saveSealStop(database, lease, `${error.message} (${error.code})`);
    throw error;
  }
}

/** Removes the log of the account, so that the next sealing begins another one with all rows. */
export function removeLog(tx: FencedTx): void {
  for (const table of [sealTiles, sealCheckpoints, sealVerifications, sealStops])
    tx.send('seal.remove', (db) => db.delete(table).where(eq(table.accountId, tx.lease.account)));
}

/** Records that sealing failed; a reason that is recorded already keeps its time. */
async function saveSealStop(database: Database, lease: Lease, reason: string): Promise<void> {
  await writeFenced(database, lease, 'seal-stops.save', (db) =>
    db
      .insert(sealStops)
      .values({ accountId: lease.account, stoppedAt: sql`clock_timestamp()`, reason })
      .onConflictDoUpdate({ target: sealStops.accountId, set: { reason } }),
  );
}

async function clearSealStop(database: Database, lease: Lease): Promise<void> {
  const isMine = eq(sealStops.accountId, lease.account);
  const found = await readOne(database, 'seal-stops.read', (db) =>
    db.select({ reason: sealStops.reason }).from(sealStops).where(isMine),
  );
  if (found.length > 0)
    await writeFenced(database, lease, 'seal-stops.clear', (db) => db.delete(sealStops).where(isMine));
}

export async function isSealed(database: Database, account: string): Promise<boolean> {
  const isOfAccount = eq(sealCheckpoints.accountId, account);
  return (await readOne(database, 'seal.is-sealed', (db) => db.$count(sealCheckpoints, isOfAccount))) > 0;
}
