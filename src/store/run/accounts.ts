// Binds an account's name to one base address, so that two services never mix in one mirror; keeps the
// account's time zone, in which the days of reports begin, and how many transactions it holds.
import { and, eq, isNull, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import type { Logger } from '../../base/logger.ts';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { sqlState } from '../postgres/database-errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { type FencedTx, type Lease, withFence } from './leases.ts';

/**
 * Binds the account to the base address at the first call; later calls check it. Another address replaces the
 * first while nothing is mirrored and nobody holds the lease. Addresses are compared without trailing slashes
 * and default port, with scheme and host in lower case.
 *
 * @param account.timeZone IANA name; a new account takes it over
 * @throws MirrorError `ACCOUNT-BOUND-ELSEWHERE` when the account was mirrored from another address;
 *   `CONFIGURATION` when the database does not know the time zone
 */
export async function bindAccount(
  database: Database,
  { account, baseUrl, timeZone }: Readonly<Record<'account' | 'baseUrl' | 'timeZone', string>>,
): Promise<void> {
  const address = normaliseAddress(baseUrl);
  const bind = database.transact('bind-account', async (tx) => {
    await tx.run('accounts.bind', (db) =>
      db
        .insert(accounts)
        .values({ accountId: account, baseUrl: address, firstSeenAt: sql`clock_timestamp()`, timeZone })
        .onConflictDoNothing(),
    );
    const rows = await tx.run('accounts.read', (db) =>
      db
        // Refuses an unknown zone.
        .select({ baseUrl: accounts.baseUrl, now: sql`now() at time zone ${timeZone}` })
        .from(accounts)
        .where(eq(accounts.accountId, account)),
    );
    const first = rows[0]?.baseUrl;
    return first === address || (await rebindEmpty(tx, account, address)) ? address : first;
  });
  const bound = await bind.catch((error: unknown) => {
    throw sqlState(error) === '22023' ? unknownZone(timeZone, error) : error;
  });
  if (bound === address) return;
  throw new MirrorError(
    'ACCOUNT-BOUND-ELSEWHERE',
    `account "${account}" was mirrored from ${bound} and cannot be mirrored from ${address}: set CUSTODY_BASE_URL to the first, or choose another CUSTODY_ACCOUNT for the second`,
  );
}

/** Replaces an address from which no list was read, empty ones included: mistyped, or never reached. */
async function rebindEmpty(tx: Tx, account: string, address: string): Promise<boolean> {
  // Inserts for the account lock its row: this waits for inserts in progress, and then sees them.
  await tx.run('accounts.lock', (db) =>
    db
      .select({ accountId: accounts.accountId })
      .from(accounts)
      .where(eq(accounts.accountId, account))
      .for('update'),
  );
  const rebound = await tx.run('accounts.rebind', (db) =>
    db
      .update(accounts)
      .set({ baseUrl: address })
      .where(
        and(
          eq(accounts.accountId, account),
          isNull(accounts.transactionsSince),
          sql`not exists (select from custody.transactions t where t.account_id = ${account})`,
          sql`not exists (select from custody.balance_snapshots s where s.account_id = ${account})`,
          sql`not exists (select from custody.document_revisions r where r.account_id = ${account})`,
          sql`not exists (select from custody.document_readings d where d.account_id = ${account})`,
          sql`not exists (select from sync.leases l where l.account_id = ${account} and l.expires_at > clock_timestamp())`,
        ),
      )
      .returning({ accountId: accounts.accountId }),
  );
  return rebound.length > 0;
}

/** Of the days from now on; a trigger keeps the previous zone for past days. */
export async function saveTimeZone(
  {
    database,
    lease,
    logger,
  }: { readonly database: Database; readonly lease: Lease; readonly logger: Logger },
  timeZone: string,
): Promise<void> {
  const { account } = lease;
  const changed = await withFence(database, lease, 'accounts.time-zone', (tx) =>
    tx.run('accounts.time-zone', (db) =>
      db
        .update(accounts)
        .set({ timeZone })
        .where(and(eq(accounts.accountId, account), ne(accounts.timeZone, timeZone)))
        .returning({ account: accounts.accountId }),
    ),
  );
  if (changed.length > 0) logger.warn({ account, time_zone: timeZone }, 'time zone of the days changed');
}

function unknownZone(timeZone: string, cause: unknown): MirrorError {
  return new MirrorError(
    'CONFIGURATION',
    `SCHEDULE_TIMEZONE: the database does not know the time zone ${timeZone}: use another name for it, such as Europe/Zurich`,
    { cause },
  );
}

/** The address without user, password, query and fragment, which do not distinguish services. */
export function normaliseAddress(baseUrl: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

/**
 * How many transactions of the account are mirrored and not marked as missing. Each commit keeps the counts:
 * each increment, each status report and each list of accounts in the API asks for them, and counting 300,000
 * small rows in memory took 90 to 200 ms.
 */
export async function countTransactions(database: Database, account: string): Promise<number> {
  const { transactionsTotal, transactionsMissing } = accounts;
  const rows = await readOne(database, 'transactions.count', (db) =>
    db
      .select({ total: transactionsTotal, missing: transactionsMissing })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  const { total, missing } = rows[0] ?? { total: 0, missing: 0 };
  return total - missing;
}

interface CountedChange {
  readonly inserted?: number;
  /** Transactions newly marked as missing, less those that are shown again. */
  readonly missing?: number;
}

/** Adds to the counts. Called in the transaction that writes the rows. */
export function keepCounts(tx: FencedTx, { inserted = 0, missing = 0 }: CountedChange): void {
  if (inserted === 0 && missing === 0) return;
  tx.send('accounts.keep-counts', (db) =>
    db
      .update(accounts)
      .set({
        transactionsTotal: sql`${accounts.transactionsTotal} + ${inserted}`,
        transactionsMissing: sql`${accounts.transactionsMissing} + ${missing}`,
      })
      .where(eq(accounts.accountId, tx.lease.account)),
  );
}

/**
 * Sets the counts right where rows came or went without them, as by a load, and returns like
 * `countTransactions`. Reads all transactions, at the end of a sweep. Commits meanwhile add to the counts as
 * ever: both are seen at one moment, and their difference is added.
 */
export async function recountTransactions(database: Database, lease: Lease): Promise<number> {
  const rows = await database.transact(
    'transactions.recount',
    (tx) =>
      tx.run('transactions.recount', (db) =>
        db.execute<{ mirrored: number; inserted: number; missing: number }>(sql`
          select (t.total - t.missing)::float8 as mirrored, (t.total - a.transactions_total)::float8 as inserted,
            (t.missing - a.transactions_missing)::float8 as missing
          from custody.accounts a cross join lateral (
            select count(*) as total, count(t.missing_since) as missing
            from custody.transactions t where t.account_id = a.account_id
          ) as t where a.account_id = ${lease.account}`),
      ),
    { readOnly: true, statementTimeoutMs: 600_000 },
  );
  const { mirrored, ...wrong } = rows.rows[0] ?? { mirrored: 0, inserted: 0, missing: 0 };
  if (wrong.inserted !== 0 || wrong.missing !== 0)
    await withFence(database, lease, 'recount', async (tx) => keepCounts(tx, wrong));
  return mirrored;
}

/**
 * Refuses an account that was erased or retired while a process waited for its lease, or that is half erased:
 * to mirror it would bring it back; and one that the database does not know, which was made again meanwhile.
 *
 * @throws MirrorError `CONFIGURATION`, `ACCOUNT-RETIRED`, `ACCOUNT-MISSING`
 */
export async function refuseEnded(database: Database, account: string): Promise<void> {
  const { rows } = await readOne(database, 'accounts.ended', (db) =>
    db.execute<{ isKnown: boolean; erasures: string; isHalf: boolean; retired: string | null }>(sql`
      select exists (select from custody.accounts a where a.account_id = ${account}) as "isKnown",
        count(e) as erasures, count(e) > count(e.finished_at) as "isHalf", (${retiredInWords(account)}) as retired
      from internal.erasures e where e.account_id = ${account}`),
  );
  const [found] = rows;
  if (found?.retired != null) throw retired(account, found.retired);
  if (found?.isKnown === true && !found.isHalf) return;
  if (found?.erasures === '0')
    throw new MirrorError(
      'ACCOUNT-MISSING',
      `database ${database.target} holds no account "${account}", and no record that it was erased: it is another database than at the start of this process, which ends; restarted, it mirrors the account anew`,
    );
  throw new MirrorError(
    'CONFIGURATION',
    found?.isKnown !== true
      ? `account "${account}" was erased: stop this process; restarted, it mirrors the account anew`
      : `account "${account}" was half erased: stop this process, and run custody-mirror account erase again`,
  );
}

/** A half-erased account looks like a whole one. */
export function isNotHalfErased(account: string | SQLWrapper): SQL {
  return sql`not exists (select from reporting.half_erased_accounts e where e.account_id = ${account})`;
}

/** Every account of the database, by name. */
export async function accountNames(database: Database): Promise<readonly string[]> {
  return await database.transact('account-names', (tx) => readNames(tx, 'accounts.names'));
}

async function readNames(tx: Tx, statement: string): Promise<readonly string[]> {
  const rows = await tx.run(statement, (db) =>
    db.select({ account: accounts.accountId }).from(accounts).orderBy(accounts.accountId),
  );
  return rows.map(({ account }) => account);
}

// Checks that the accounts of a new key are mirrored: a mistyped name would match nothing.

/** @throws MirrorError `CONFIGURATION`, naming the accounts that are mirrored */
export async function refuseUnknownAccounts(tx: Tx, named: readonly string[]): Promise<void> {
  const known = await readNames(tx, 'keys.accounts');
  const unknown = named.filter((account) => !known.includes(account));
  if (unknown.length === 0) return;
  const there = known.length === 0 ? 'none is mirrored yet' : `there is ${known.slice(0, 20).join(', ')}`;
  throw new MirrorError('CONFIGURATION', `--account: no account is named ${unknown.join(', ')}: ${there}`);
}

// Accounts that are not mirrored any more, on purpose: health says so instead of calling them stale.

/** A select: that the account is retired and by whom, in words; no row if it is not. */
export function retiredInWords(account: string | SQL) {
  return sql`
    select 'is retired by ' || retired_by as retired from sync.retirements
    where account_id = ${account} and ended_at is null limit 1`;
}

/** @param found as `retiredInWords` says it */
function retired(account: string, found: string): MirrorError {
  return new MirrorError(
    'ACCOUNT-RETIRED',
    `account ${account} ${found}: stop this process; custody-mirror account retire ${account} --undo lets it be mirrored again`,
  );
}

/** @throws MirrorError `ACCOUNT-RETIRED` */
export async function refuseRetired(database: Database, account: string): Promise<void> {
  const { rows } = await readOne(database, 'retirements.read', (db) =>
    db.execute<{ retired: string }>(retiredInWords(account)),
  );
  if (rows[0] !== undefined) throw retired(account, rows[0].retired);
}

/**
 * Retires the account of the lease, so that nobody writes for it meanwhile.
 *
 * @param where the command's `host (user)`
 */
export async function retireAccount(database: Database, lease: Lease, where: string): Promise<void> {
  await withFence(database, lease, 'retire', ({ ask, lease: { account } }) =>
    ask(
      'retirements.add',
      sql`insert into sync.retirements (account_id, retired_at, retired_by)
        select ${account}, clock_timestamp(), session_user || '@' || ${where}::text
        where not exists (${retiredInWords(account)})`,
    ),
  );
}

/** @returns whether the account was retired */
export async function unretireAccount(database: Database, account: string, where: string): Promise<boolean> {
  const ended = await database.transact('retirements.end', (tx) =>
    tx.ask(
      'retirements.end',
      sql`update sync.retirements set ended_at = clock_timestamp(), ended_by = session_user || '@' || ${where}::text
        where account_id = ${account} and ended_at is null returning 1`,
    ),
  );
  return ended.length > 0;
}
