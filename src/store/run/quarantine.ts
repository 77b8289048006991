// The quarantine: records that could not be decoded, as text with the reason. A row counts how often its
// record was seen, and is resolved when a record of that key can be read or is no longer listed.
import { and, eq, isNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { quarantine } from '../../../drizzle/findings.ts';
import { instantToIso } from '../../domain/instant.ts';
import type { Resource } from '../../domain/jobs.ts';
import type { UndecodableItem } from '../../domain/page.ts';
import type { Database } from '../postgres/database.ts';
import { textArray } from '../values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros } from '../values/micros.ts';
import { type FencedTx, type Lease, withFence } from './leases.ts';
import type { Run } from './runs.ts';

export interface UndecodableObservation {
  readonly item: UndecodableItem;
  readonly arrivedAt: Micros;
}

/** Rows of one statement, well below the limit of parameters. */
const rowsPerStatement = 2_000;

/** Writes the records into the quarantine. */
export function writeQuarantine(
  tx: FencedTx,
  run: Run,
  resource: Resource,
  observations: readonly UndecodableObservation[],
): void {
  const keyOf = createKeys();
  const seen = new Map<string, { observation: UndecodableObservation; occurrences: number }>();
  for (const observation of observations) {
    const key = keyOf(observation);
    seen.set(key, { observation, occurrences: (seen.get(key)?.occurrences ?? 0) + 1 });
  }
  const rows = [...seen].map(([recordKey, { observation, occurrences }]) => ({
    accountId: tx.lease.account,
    resource,
    recordKey,
    reason: observation.item.reason,
    raw: observation.item.raw,
    runId: BigInt(run.runId),
    firstObservedAt: microsToIso(observation.arrivedAt),
    lastObservedAt: microsToIso(observation.arrivedAt),
    occurrences,
  }));
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    tx.send('quarantine.write', (db) =>
      db
        .insert(quarantine)
        .values(rows.slice(from, from + rowsPerStatement))
        .onConflictDoUpdate({
          target: [quarantine.accountId, quarantine.resource, quarantine.recordKey],
          set: {
            reason: sql`excluded.reason`,
            raw: sql`excluded.raw`,
            runId: sql`excluded.run_id`,
            lastObservedAt: sql`greatest(${quarantine.lastObservedAt}, excluded.last_observed_at)`,
            occurrences: sql`${quarantine.occurrences} + excluded.occurrences`,
            resolvedAt: null,
          },
        }),
    );
  }
}

/** The keys of these records: a list read twice contains each of them twice. */
export function keysInQuarantine(observations: readonly UndecodableObservation[]): ReadonlySet<string> {
  return new Set(observations.map(createKeys()));
}

/**
 * The key of each observation's row. Records may share a key: in one answer each different text of that key
 * gets its own row, so that no text is lost.
 */
function createKeys(): (observation: UndecodableObservation) => string {
  const texts = new Map<string, Map<string, number>>();
  return ({ item: { key, raw }, arrivedAt }) => {
    const answer = `${arrivedAt} ${key}`;
    const known = texts.get(answer) ?? new Map<string, number>();
    texts.set(answer, known);
    const number = known.get(raw) ?? known.size + 1;
    known.set(raw, number);
    return number === 1 ? key : `${key}#${number}`;
  };
}

/** Of the given transactions, those that were in quarantine by `transactions_since`, and since when. */
export async function readOlderUnread(
  tx: FencedTx,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, Micros>> {
  const rows = await tx.run('quarantine.older', (db) =>
    db
      .select({ key: quarantine.recordKey, at: selectMicros(quarantine.firstObservedAt) })
      .from(quarantine)
      .innerJoin(accounts, eq(accounts.accountId, quarantine.accountId))
      .where(
        and(
          eq(quarantine.accountId, tx.lease.account),
          eq(quarantine.resource, 'transactions'),
          sql`${quarantine.recordKey} = any(${textArray(transactionIds)})`,
          sql`${quarantine.firstObservedAt} <= ${accounts.transactionsSince}`,
        ),
      ),
  );
  return new Map(rows.map(({ key, at }) => [key, at]));
}

/** Resolves records that can be read now. */
export function resolveQuarantine(tx: FencedTx, resource: Resource, readableKeys: readonly string[]): void {
  // Others of one answer that shared the key have a number behind it.
  const isReadable = sql`regexp_replace(${quarantine.recordKey}, '#[0-9]+$', '') = any(${textArray(readableKeys)})
    or ${quarantine.recordKey} = any(${textArray(readableKeys)})`;
  resolveWhere(tx, resource, isReadable);
}

/** Resolves the records whose key begins with the prefix: they were missing when the whole list was read. */
export async function resolveUnreadable(
  database: Database,
  lease: Lease,
  resource: Resource,
  prefix: string,
): Promise<void> {
  await withFence(database, lease, 'resolve-unreadable', async (tx) =>
    resolveOtherQuarantine(tx, resource, prefix, []),
  );
}

/**
 * Resolves records that a complete sweep did not find again: the record left the list, or can be read
 * under an id that it did not show before.
 */
export async function resolveUnmetQuarantine(
  database: Database,
  lease: Lease,
  run: Run,
  resource: Resource,
): Promise<void> {
  const isUnmet = and(
    ne(quarantine.runId, BigInt(run.runId)),
    // Records that another run found during this one are still in the list.
    lt(quarantine.lastObservedAt, sql`${instantToIso(run.startedAt)}::timestamptz`),
  );
  await withFence(database, lease, 'resolve-unmet', async (tx) => resolveWhere(tx, resource, isUnmet));
}

/** Resolves the records of a whole list, by the prefix of their keys, except those still unreadable. */
export function resolveOtherQuarantine(
  tx: FencedTx,
  resource: Resource,
  prefix: string,
  unreadable: readonly UndecodableObservation[],
): void {
  const kept = textArray(unreadable.map((observation) => observation.item.key));
  const isOther = sql`starts_with(${quarantine.recordKey}, ${prefix}) and ${quarantine.recordKey} <> all(${kept})`;
  resolveWhere(tx, resource, isOther);
}

function resolveWhere(tx: FencedTx, resource: Resource, condition: SQL | undefined): void {
  tx.send('quarantine.resolve', (db) =>
    db
      .update(quarantine)
      .set({ resolvedAt: tx.at })
      .where(and(openOf(tx.lease.account, resource), condition)),
  );
}

function openOf(account: string, resource: Resource) {
  const { accountId, resource: ofResource, resolvedAt } = quarantine;
  return and(eq(accountId, account), eq(ofResource, resource), isNull(resolvedAt));
}
