// The names of an account's history (custody.histories). Numbers are given out again after a restore or a
// failover that lost rows, so a place in the feed is a number and a name. A name is drawn when rows may have
// been lost: at the first commit after the server started, was replaced or copied, or the tables were created
// anew. Nothing that a restore brings back equals the start of the server and the table's file. Invariant:
// two databases have the same rows up to where their names diverge.
import { type SQL, sql } from 'drizzle-orm';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import type { Tx } from '../postgres/transaction.ts';

/** A name, and the change after which it holds. */
export interface Named {
  readonly name: string;
  readonly beganAfter: number;
}

/** Newest first. */
export type Names = readonly Named[];

/** Identifies the running server, the database and the table. Null-safe for tables of another version. */
export const currentOrigin = sql`concat_ws(' ', extract(epoch from pg_postmaster_start_time()),
  pg_relation_filepath(to_regclass('custody.histories')))`;

const numberedTables = [
  'transaction_status_history',
  'transaction_revisions',
  'document_revisions',
  'balance_snapshots',
] as const;

/** The greatest change_id of the account, or 0: one lookup by index in each table. */
export function lastChangeId(account: string): SQL {
  const greatest = numberedTables.map(
    (table) =>
      sql`(select max(m.change_id) from ${sql.raw(`custody.${table}`)} m where m.account_id = ${account})`,
  );
  return sql`coalesce(greatest(${sql.join(greatest, sql`, `)}), 0)`;
}

type Identity = readonly [table: string, column: string];

/** Numbered before a lease may have been taken. */
const requests: Identity = ['sync.sync_requests', 'request_id'];

/**
 * Columns that are keys of an account and numbered by the database. Fee rules, which people enter, are left
 * out: their trigger does the same (sql/rules/keep_former.sql). A test compares them with the catalog.
 */
const identities: readonly Identity[] = [
  ['sync.runs', 'run_id'],
  ['sync.anomalies', 'anomaly_id'],
  ['sync.quarantine', 'quarantine_id'],
  requests,
];

/** A select: the sequence of the column, and the last number of the account. */
const lastOf = ([table, column]: Identity, account: string) =>
  sql`select pg_get_serial_sequence(${table}, ${column})::regclass,
    (select max(m.${sql.raw(column)}) from ${sql.raw(table)} m where m.account_id = ${account})`;

/** A from clause: those of them that are behind. */
const behindOf = (lasts: readonly SQL[]) =>
  sql`(${sql.join([...lasts], sql` union all `)}) as n (sequence, last)
    where n.last > coalesce(pg_sequence_last_value(n.sequence), 0)`;

/**
 * For the first commit under a lease. Draws a name unless the last one is of this origin. Sequences behind the
 * rows of the account, as logical replication or a load leaves them, are set to the last of them, that of
 * changes with a new name or after a load alone: otherwise keys would be given out again, and changes not be
 * numbered in the order of commits.
 */
export async function keepHistory(
  tx: Tx,
  account: string,
  origin: string,
  at: Instant,
  isLoaded = false,
): Promise<void> {
  const last = sql`select h.ordinal, h.origin from custody.histories h
    where h.account_id = ${account} order by h.ordinal desc limit 1`;
  const drawn = await tx.ask(
    'histories.draw',
    sql`
      with last as (${last})
      insert into custody.histories (account_id, ordinal, history, began_after, began_at, origin)
      select ${account}, coalesce((select ordinal from last), 0) + 1,
        left(replace(gen_random_uuid()::text, '-', ''), 12), ${lastChangeId(account)},
        ${instantToIso(at)}, ${origin}
      where (select origin from last) is distinct from ${origin} returning 'drawn' as is`,
  );
  // A row with a number far ahead is for the sealing to refuse.
  const changes = sql`select 'custody.change_ids'::regclass, ${lastChangeId(account)}`;
  const behind = behindOf([
    ...(drawn.length > 0 || isLoaded ? [changes] : []),
    ...identities.map((identity) => lastOf(identity, account)),
  ]);
  const numbered = numberedTables.map((table) => `custody.${table}`);
  await setForward(tx, behind, [...numbered, ...identities.map(([table]) => table)]);
}

/** The same for the requests of `sync`, which come from processes without a lease. */
export async function keepRequests(tx: Tx, account: string): Promise<void> {
  await setForward(tx, behindOf([lastOf(requests, account)]), [requests[0]]);
}

async function setForward(tx: Tx, behind: SQL, tables: readonly string[]): Promise<void> {
  if ((await tx.ask('histories.behind', sql`select from ${behind}`)).length === 0) return;
  // Nobody draws a number meanwhile, which `setval` would give out again. Readers cannot take these locks, as
  // they could an advisory one.
  await tx.run('histories.lock', (db) =>
    db.execute(`lock table ${tables.join()} in share row exclusive mode`),
  );
  await tx.ask('histories.sequences', sql`select setval(n.sequence, n.last) from ${behind}`);
}

/** The names of an account as JSON: [name, began_after], newest first. */
export function namesOf(account: string): SQL {
  return sql`(select coalesce(json_agg(json_build_array(h.history, h.began_after) order by h.ordinal desc), '[]')
    from custody.histories h where h.account_id = ${account})`;
}

/** @param json as `namesOf` gives it */
export function namesFrom(json: readonly (readonly [string, number])[]): Names {
  return json.map(([name, beganAfter]) => ({ name, beganAfter }));
}

/** How many names a place carries: enough that one of them is known where a database was restored. */
const namesCarried = 16;

/** The names as the text that goes with a place; null if there are none. */
export function writeHistory(names: Names): string | null {
  if (names.length === 0) return null;
  return names
    .slice(0, namesCarried)
    .map(({ name, beganAfter }) => `${name}-${beganAfter}`)
    .join('.');
}

/** @returns null for what `writeHistory` did not write */
export function readHistory(text: string): Names | null {
  if (!/^[0-9a-f]{12}-\d{1,16}(\.[0-9a-f]{12}-\d{1,16})*$/.test(text)) return null;
  return text.split('.').map((part) => ({ name: part.slice(0, 12), beganAfter: Number(part.slice(13)) }));
}

/** Up to which change the history of a place is this one. Infinity if their newest name is the same. */
export function sharedUpTo(theirs: Names, ours: Names): number {
  const endOf = (names: Names, at: number) => names[at - 1]?.beganAfter ?? Number.POSITIVE_INFINITY;
  for (const [at, { name }] of theirs.entries()) {
    const known = ours.findIndex((own) => own.name === name);
    if (known >= 0) return Math.min(endOf(theirs, at), endOf(ours, known));
  }
  return 0;
}
