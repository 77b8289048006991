// Checks the row of a transaction against its history. History is sealed, the row is not: a row that differs
// was altered in the database, not by the service, and its values must not enter history as the content
// before a change.
import { type SQL, sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { columnOf, namesOf, transactionFields } from '../../domain/fields.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { type Micros, microsOf, microsToIso } from '../values/micros.ts';
import type { KnownTransaction } from './transaction-changes.ts';

/** What the history of a transaction says of its row. */
export interface TransactionHistory {
  readonly firstSeenAt: Micros;
  readonly firstSeenAfter: Micros | null;
  readonly status: string;
  readonly statusChangedAt: Micros;
  readonly missingSince: Micros | null;
  readonly changedAt: Micros;
  /** Digests of the content seen last: two if two observations are of one moment. */
  readonly digests: readonly string[];
  readonly lastSequence: number;
  readonly lastRevision: number;
}

/**
 * What the history of `transactions` says, as JSON: an expression; null without a history.
 *
 * @param account as the planner should see it
 * @param id the column of the outer table
 */
export function historyOf(account: SQL, id: SQL): SQL {
  const micros = (moment: string) => microsOf(sql.raw(moment));
  const [statuses, revisions] = [transactionStatusHistory, transactionRevisions].map(
    (table) => sql`from ${table} h where h.account_id = ${account} and h.transaction_id = ${id}`,
  );
  return sql`(
    select json_build_object(
      'firstSeenAt', ${micros('f.observed_at')},
      'firstSeenAfter', ${micros('f.observed_after')},
      'status', l.to_status,
      'statusChangedAt', ${micros('l.observed_at')},
      'missingSince', case when r.content_hash is null then ${micros('r.observed_at')} end,
      'changedAt', ${micros('greatest(l.observed_at, l.read_at, c.observed_at)')},
      'digests', array_remove(array[
        case when (l.observed_at < c.observed_at) is not true then l.content_hash end,
        case when l.observed_at <= c.observed_at then c.content_hash end], null),
      'lastSequence', l.sequence,
      'lastRevision', coalesce(r.revision, 0))
    from (select h.to_status, h.observed_at, h.read_at, h.content_hash, h.sequence ${statuses} order by h.sequence desc limit 1) l
    join (select h.observed_at, h.observed_after ${statuses} order by h.sequence limit 1) f on true
    left join (select h.revision, h.observed_at, h.content_hash ${revisions} order by h.revision desc limit 1) r on true
    left join (select h.observed_at, h.content_hash ${revisions} and h.content_hash is not null
      order by h.revision desc limit 1) c on true)`;
}

/** Marks a row without history: somebody added it. */
export function foreignRow(row: KnownTransaction): KnownTransaction {
  return { ...row, isForeign: true, altered: { row: 'without history', raw: row.record.raw } };
}

/** Rebuilds a deleted row from its history, except for its content, for which `observed` stands in. */
export function deletedRow(observed: Transaction, history: TransactionHistory): KnownTransaction {
  const { firstSeenAt, status, statusChangedAt, changedAt, missingSince, lastSequence, lastRevision } =
    history;
  return {
    record: { ...observed, status, contentHash: history.digests[0] ?? '' },
    ...{ firstSeenAt, statusChangedAt, changedAt, missingSince, lastSequence, lastRevision },
    isContentLost: true,
    altered: { row: null },
  };
}

/**
 * Reads the columns of a record from its stored text, as this version or, if that `fits`, as an earlier one
 * read them; null if no record could have been stored in this form.
 */
export type ReadStored = (raw: string, fits: (record: Transaction) => boolean) => Transaction | null;

const compared = namesOf(transactionFields).filter((name) => name !== 'sourceTimestamp');

/**
 * @param readStored if left out, only the digest and the status are compared
 * @returns the row as its history has it
 */
export function withoutAlterations(
  row: KnownTransaction,
  history: TransactionHistory,
  readStored?: ReadStored,
): KnownTransaction {
  const digest = history.digests.find((each) => each === row.record.contentHash) ?? history.digests[0];
  // Written by a version that kept no digests.
  if (digest === undefined) return row;
  const fits = (record: Transaction) => compared.every((name) => record[name] === row.record[name]);
  const stored = readStored === undefined ? row.record : readStored(row.record.raw, fits);
  const isOwn =
    stored !== null &&
    stored.transactionId === row.record.transactionId &&
    history.digests.includes(stored.contentHash);
  const record = isOwn
    ? { ...stored, raw: row.record.raw, sourceTimestamp: null }
    : { ...row.record, status: history.status, contentHash: digest };
  const { firstSeenAt, statusChangedAt, changedAt, missingSince } = history;
  const expected = { ...row, record, firstSeenAt, statusChangedAt, missingSince, changedAt };
  const altered = differences(row, expected);
  if (!isOwn) altered['raw'] = 'of another digest';
  if (Object.keys(altered).length === 0) return row;
  return { ...expected, altered, isContentLost: !isOwn };
}

/** The columns that differ, with the row's values. */
function differences(row: KnownTransaction, expected: KnownTransaction): Record<string, JsonObject[string]> {
  const found: Record<string, JsonObject[string]> = {};
  for (const name of [...compared, 'contentHash'] as const)
    if (row.record[name] !== expected.record[name]) found[columnOf(name)] = row.record[name];
  for (const name of ['firstSeenAt', 'statusChangedAt', 'changedAt', 'missingSince'] as const) {
    const moment = row[name];
    if (moment !== expected[name]) found[columnOf(name)] = moment === null ? null : microsToIso(moment);
  }
  return found;
}
