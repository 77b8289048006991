// The transactions that /custody shows: those that the service still shows, in the order of first_seen_at and transaction_id.
// A page is found by its keys, and only its own rows are read.
import { and, asc, desc, eq, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { textKey, transactions } from '../../../drizzle/transactions.ts';
import { type Database, runStatement, type Tx } from '../postgres/database.ts';
import { type Micros, microsToIso } from '../postgres/micros.ts';
import { transactionRecord } from './custody-records.ts';

/** Each member that is given must be equal; the moments are inclusive bounds of first_seen_at. */
export interface TransactionFilter {
  readonly transactionId?: string;
  readonly status?: string;
  readonly transactionType?: string;
  readonly assetId?: string;
  readonly networkId?: string;
  readonly sourceId?: string;
  readonly sourceAddress?: string;
  readonly destinationId?: string;
  readonly destinationAddress?: string;
  readonly firstSeenFrom?: Micros;
  readonly firstSeenTo?: Micros;
}

export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** From this offset on it pays to ask which end of the list is nearer. */
const deepOffset = 5_000;

/** The texts of the records of one page. */
export async function readTransactionPage(
  database: Database,
  account: string,
  filter: TransactionFilter,
  window: Window,
): Promise<readonly string[]> {
  return await database.transact(
    'custody-transactions',
    async (tx) => {
      const isWhole = Object.keys(filter).length === 0;
      if (!isWhole || window.offset < deepOffset) return await readPage(tx, account, filter, window, asc);
      const shown = await countShown(tx, account);
      const limit = Math.min(window.limit, shown - window.offset);
      if (limit <= 0) return [];
      const after = shown - window.offset - limit;
      return after < window.offset
        ? await readPage(tx, account, filter, { limit, offset: after }, desc)
        : await readPage(tx, account, filter, window, asc);
    },
    { snapshot: true },
  );
}

/** The text of one record; null when there is none. */
export async function readTransactionRecord(
  database: Database,
  account: string,
  transactionId: string,
): Promise<string | null> {
  const rows = await runStatement(database, 'custody-transactions.one', (db) =>
    db
      .select({ record: transactionRecord(transactions) })
      .from(transactions)
      .where(and(shownOf(account), eq(transactions.transactionId, transactionId))),
  );
  return rows[0]?.record ?? null;
}

/** @param direction in which the list is walked to the page, which is given in ascending order either way */
async function readPage(
  tx: Tx,
  account: string,
  filter: TransactionFilter,
  { limit, offset }: Window,
  direction: typeof asc,
): Promise<readonly string[]> {
  const { accountId, transactionId, firstSeenAt } = transactions;
  return await tx.run('custody-transactions.page', async (db) => {
    const keys = db.$with('keys').as(
      db
        .select({ transactionId, firstSeenAt })
        .from(transactions)
        .where(and(shownOf(account), ...conditions(filter)))
        .orderBy(direction(firstSeenAt), direction(transactionId))
        .limit(limit)
        .offset(offset),
    );
    const rows = await db
      .with(keys)
      .select({ record: transactionRecord(transactions) })
      .from(keys)
      .innerJoin(transactions, and(eq(accountId, account), eq(transactionId, keys.transactionId)))
      .orderBy(keys.firstSeenAt, keys.transactionId);
    return rows.map((row) => row.record);
  });
}

/** Exact, because each commit keeps the counts of what it writes (store/run/kept-counts.ts). */
async function countShown(tx: Tx, account: string): Promise<number> {
  const rows = await tx.run('custody-transactions.count', (db) =>
    db
      .select({ shown: sql`${accounts.transactionsTotal} - ${accounts.transactionsMissing}`.mapWith(Number) })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  return rows[0]?.shown ?? 0;
}

function shownOf(account: string): SQL | undefined {
  return and(eq(transactions.accountId, account), isNull(transactions.missingSince));
}

function conditions(filter: TransactionFilter): SQL[] {
  const t = transactions;
  const given: SQL[] = [];
  if (filter.transactionId !== undefined) given.push(eq(t.transactionId, filter.transactionId));
  if (filter.status !== undefined) given.push(eq(t.status, filter.status));
  const texts = [
    [t.transactionType, filter.transactionType],
    [t.assetId, filter.assetId],
    [t.networkId, filter.networkId],
    [t.sourceId, filter.sourceId],
    [t.sourceAddress, filter.sourceAddress],
    [t.destinationId, filter.destinationId],
    [t.destinationAddress, filter.destinationAddress],
  ] as const;
  for (const [column, value] of texts) if (value !== undefined) given.push(textEquals(column, value));
  if (filter.firstSeenFrom !== undefined)
    given.push(sql`${t.firstSeenAt} >= ${microsToIso(filter.firstSeenFrom)}::timestamptz`);
  if (filter.firstSeenTo !== undefined)
    given.push(sql`${t.firstSeenAt} <= ${microsToIso(filter.firstSeenTo)}::timestamptz`);
  return given;
}

/**
 * The digest finds the rows by index, and the text decides. It is compared by `texteq`, which is the operator's function: the
 * planner would count the selectivity of a second `=` once more, and expect too few rows.
 */
function textEquals(column: SQLWrapper, value: string): SQL {
  return sql`(${textKey(column)} = ${textKey(sql`${value}::text`)} and texteq(${column}, ${value}))`;
}
