// Erases one account: every row of every table that names it, in parts, each in a fenced transaction, so that
// other accounts' writers get in between. The tables come from the catalogue, so that none is forgotten. The
// row of the account goes last: until then the same command continues an interrupted one. The record of it
// (internal.erasures) counts each part in the part's own transaction.
import { sql } from 'drizzle-orm';
import { MirrorError } from '../../domain/errors.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { sqlState } from '../postgres/database-errors.ts';
import type { Tx } from '../postgres/transaction.ts';
import { retiredInWords } from '../run/accounts.ts';
import { type FencedTx, type Lease, releaseLease, renewLease, withFence } from '../run/leases.ts';
import type { Parts } from './prune.ts';

const mostPasses = 10;

/**
 * Of every schema of the mirror; the row of the account, its lease and the record are handled apart. A table
 * that refers to others comes before them: it has more ancestors than any of them.
 */
const tablesOfAccounts = sql`
  with recursive ancestors (child, parent) as (
    select f.conrelid, f.confrelid from pg_catalog.pg_constraint f where f.contype = 'f' and f.conrelid <> f.confrelid
    union
    select a.child, f.confrelid from ancestors a
    join pg_catalog.pg_constraint f on f.conrelid = a.parent and f.contype = 'f'
  )
  select format('%I.%I', n.nspname, c.relname) as name
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind = 'r'
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where a.attname = 'account_id' and not a.attisdropped and n.nspname in ('custody', 'sync', 'internal')
    and (n.nspname, c.relname) not in (('custody', 'accounts'), ('sync', 'leases'), ('internal', 'erasures'))
  order by (select count(*) from ancestors where child = c.oid) desc, 1`;

/** @throws MirrorError `CONFIGURATION` when the database holds no such account */
export async function refuseUnknownAccount(database: Database, account: string): Promise<void> {
  const known = await readOne(database, 'accounts.known', (db) =>
    db.execute(sql`select from custody.accounts a where a.account_id = ${account}`),
  );
  if (known.rows.length === 0)
    throw new MirrorError(
      'CONFIGURATION',
      `account "${account}" is not in the database; custody-mirror account list shows those that are`,
    );
}

/**
 * Erases the account of the lease, which ends with it.
 *
 * @param host where the command runs; kept in the record with the role
 * @returns how many rows were erased, those of interrupted attempts included
 * @throws MirrorError `LEASE-LOST`; what was erased until then stays erased and counted
 */
export async function eraseAccount(
  database: Database,
  lease: Lease,
  host: string,
  { signal, atOnce = 5_000 }: Parts,
): Promise<number> {
  try {
    const tables = await withFence(database, lease, 'erase.begin', async (tx) => {
      await begin(tx, host);
      return await tx.ask<{ name: string }>('erase.tables', tablesOfAccounts);
    });
    for (let passes = 1; ; passes += 1) {
      try {
        await eraseRows(database, lease, tables, { signal, atOnce });
        return await withFence(database, lease, 'erase.end', end);
      } catch (error) {
        // Somebody added a row, such as a rule, after the pass.
        if (sqlState(error) !== '23503' || passes >= mostPasses) throw error;
      }
    }
  } catch (error) {
    await releaseLease(database, lease).catch(() => undefined);
    throw error;
  }
}

/** Removing a row of one table may add one to another, such as that of former rules. */
async function eraseRows(
  database: Database,
  lease: Lease,
  tables: readonly { readonly name: string }[],
  { signal, atOnce }: Required<Parts>,
): Promise<void> {
  for (let removed = 1; removed > 0; ) {
    removed = 0;
    for (const { name } of tables) {
      for (let count = atOnce; count >= atOnce; removed += count) {
        signal.throwIfAborted();
        await renewLease(database, lease);
        count = await withFence(database, lease, 'erase.part', (tx) => erasePart(tx, name, atOnce));
      }
    }
  }
}

async function begin(tx: FencedTx, host: string): Promise<void> {
  const { account } = tx.lease;
  const by = sql`session_user || '@' || ${host}::text`;
  const continued = await tx.ask(
    'erase.continue',
    sql`update internal.erasures set erased_by = ${by}
      where account_id = ${account} and finished_at is null returning 1`,
  );
  if (continued.length > 0) return;
  await tx.ask(
    'erase.record',
    sql`insert into internal.erasures (account_id, started_at, erased_by)
      values (${account}, clock_timestamp(), ${by})`,
  );
}

async function erasePart(tx: FencedTx, table: string, atOnce: number): Promise<number> {
  const { account } = tx.lease;
  // The triggers of the histories honour it for the owner of the tables.
  await tx.ask('erase.allow', sql`select set_config('custody_mirror.erasing', 'on', true)`);
  // As they come: in the order of the key, which is not that of the table, 400 parts took 1.6 times as long.
  // Parts over many dead rows were no slower than the first.
  return await removeFrom(
    tx,
    table,
    sql`account_id = ${account}
      and ctid = any(array(select ctid from ${sql.raw(table)} where account_id = ${account} limit ${atOnce}))`,
  );
}

async function removeFrom(tx: Tx & Pick<FencedTx, 'lease'>, table: string, which: ReturnType<typeof sql>) {
  const [row] = await tx.ask<{ rows: number }>(
    'erase.rows',
    sql`with gone as (delete from ${sql.raw(table)} where ${which} returning 1)
      update internal.erasures set rows_erased = rows_erased + (select count(*) from gone)
      where account_id = ${tx.lease.account} and finished_at is null
      returning (select count(*)::int from gone) as rows`,
  );
  return row?.rows ?? 0;
}

async function end(tx: FencedTx): Promise<number> {
  const mine = sql`account_id = ${tx.lease.account}`;
  await removeFrom(tx, 'custody.accounts', mine);
  await removeFrom(tx, 'sync.leases', mine);
  // These keys would read another account that gets this name one day.
  const { account } = tx.lease;
  await tx.ask(
    'erase.keys',
    sql`with others as (
        update sync.api_keys set accounts = array_remove(accounts, ${account}::text)
        where ${account} = any(accounts) and not accounts <@ array[${account}::text])
      update sync.api_keys set revoked_at = clock_timestamp()
      where revoked_at is null and accounts <@ array[${account}::text]`,
  );
  const [record] = await tx.ask<{ rows: string }>(
    'erase.finish',
    sql`update internal.erasures set finished_at = clock_timestamp(), last_token = ${tx.lease.token} where ${mine} and finished_at is null
      returning rows_erased::text as rows`,
  );
  return Number(record?.rows);
}

export interface ListedAccount {
  readonly account: string;
  /** `erased <day> by <role@host>, <n> rows`; else the address, who writes for it, and whether it rests. */
  readonly state: string;
}

/** The accounts of the database, then those that were erased. */
export async function listAccounts(database: Database): Promise<readonly ListedAccount[]> {
  const listed = await readOne(database, 'accounts.list', (db) =>
    db.execute<{ account: string; state: string }>(sql`
      select account, state from (
        select 1 as part, a.account_id as account, a.base_url || coalesce(', written by ' || l.holder, '')
          || coalesce(', ' || (${retiredInWords(sql`a.account_id`)}), '')
          || case when e.account_id is null then '' else ', erasing is unfinished' end as state, a.first_seen_at as at
        from custody.accounts a
        left join sync.leases l on l.account_id = a.account_id and l.expires_at > clock_timestamp()
        left join internal.erasures e on e.account_id = a.account_id and e.finished_at is null
        union all
        select 2, e.account_id, format('erased %s UTC by %s, %s rows',
          to_char(e.finished_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), e.erased_by, e.rows_erased), e.finished_at
        from internal.erasures e where e.finished_at is not null
      ) as listed order by part, account, at`),
  );
  return listed.rows;
}
