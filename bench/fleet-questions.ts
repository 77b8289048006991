// What the bench of many accounts asks the database: who is fresh, what is mirrored, who wrote it.
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { sleep } from '../src/base/loop.ts';
import { withConnection } from './databases.ts';
import type { World } from './messages.ts';

/** The time of the server, by which freshness is judged. */
export async function serverTime(url: string): Promise<string> {
  const [row] = await ask<{ now: string }>(url, 'select clock_timestamp()::text as now');
  return row?.now ?? '';
}

/** Asks again where the server has no connection left. */
export async function ask<Row extends Record<string, unknown>>(
  url: string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<readonly Row[]> {
  for (;;) {
    try {
      return await withConnection(
        url,
        async (client) => (await client.query<Row>(sql, [...parameters])).rows,
      );
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === '53300')) throw error;
      await setTimeout(50);
    }
  }
}

export interface FreshAgain {
  /** Seconds until half of the accounts had a run of their transactions that began later. */
  readonly half: number;
  readonly all: number;
}

const firstRuns = `select r.account_id, min(r.finished_at) as at from sync.runs r
  where r.job = 'transactions' and r.status = 'succeeded' and r.started_at > $1 group by 1`;

/** All four resources were read, and status calls every account healthy. */
const healthy = `select count(*)::int as accounts from custody.accounts a
  where (select count(last_success_at) from reporting.data_freshness f where f.account_id = a.account_id) = 4
    and not exists (select from reporting.health_problems p where p.account_id = a.account_id and p.severity <> 'note')`;

/** Waits until all accounts have a run of their transactions that began after the moment, and are healthy. */
export async function untilFresh(
  url: string,
  accounts: number,
  since: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<FreshAgain> {
  const count = async (sql: string, parameters: readonly unknown[] = []) =>
    Number((await ask<{ accounts: number }>(url, sql, parameters))[0]?.accounts ?? 0);
  const isFresh = async () =>
    (await count(`select count(*)::int as accounts from (${firstRuns}) r`, [since])) === accounts &&
    (await count(healthy)) === accounts;
  while (!(await isFresh())) {
    onWait();
    await sleep(500, signal);
  }
  return await freshTimes(url, since);
}

/** @param accounts only these */
export async function freshTimes(
  url: string,
  since: string,
  accounts: readonly string[] | null = null,
): Promise<FreshAgain> {
  const [row] = await ask<{ half: number; all: number }>(
    url,
    `select percentile_cont(0.5) within group (order by s.seconds) as half, max(s.seconds) as all
     from (select extract(epoch from r.at - $1::timestamptz)::float8 as seconds from (${firstRuns}) r
       where $2::text[] is null or r.account_id = any ($2)) s`,
    [since, accounts],
  );
  return row ?? { half: Number.NaN, all: Number.NaN };
}

/** The process ids of those who hold a lease, by account. */
export async function holders(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await ask<{ account: string; pid: number }>(
    url,
    `select account_id as account, split_part(holder, ':', 2)::int as pid from sync.leases
     where expires_at > clock_timestamp()`,
  );
  return new Map(rows.map(({ account, pid }) => [account, pid]));
}

/** Notes of each row that is written from now on by which connection it was, and who held the lease. */
export async function noteWriters(url: string): Promise<void> {
  await ask(
    url,
    `create schema audit;
     create table audit.written (application text, pid int);
     create function audit.write() returns trigger language plpgsql as $$ begin
       insert into audit.written select current_setting('application_name'), split_part(holder, ':', 2)::int
         from sync.leases where account_id = new.account_id;
       return null; end $$;
     create trigger audit after insert or update on custody.transactions for each row execute function audit.write();
     create trigger audit after insert on custody.transaction_status_history for each row execute function audit.write();
     create trigger audit after insert on custody.balance_snapshots for each row execute function audit.write()`,
  );
}

/** @returns how many rows were noted, and how many of them a process wrote that did not hold the lease */
export async function writtenRows(url: string, pids: ReadonlyMap<string, number>) {
  const rows = await ask<{ application: string; pid: number; rows: number }>(
    url,
    'select application, pid, count(*)::int as rows from audit.written group by 1, 2',
  );
  const sum = (some: typeof rows) => some.reduce((all, row) => all + row.rows, 0);
  return { all: sum(rows), stale: sum(rows.filter(({ application, pid }) => pids.get(application) !== pid)) };
}

/** What is mirrored of each account, by name. */
export async function mirroredWorlds(url: string): Promise<ReadonlyMap<string, World>> {
  const rows = await ask<World & { account: string }>(
    url,
    `select account, count(*)::int as transactions, md5(string_agg(line, E'\\n' order by line collate "C")) as digest
     from (select account_id as account, concat_ws(' ', transaction_id, status, coalesce(amount::text, '')) as line
       from custody.transactions where missing_since is null) t group by 1`,
  );
  return new Map(rows.map(({ account, ...world }) => [account, world]));
}

/** How many rows of histories do not follow the row before, or end unlike the present status. */
export async function brokenHistories(url: string): Promise<number> {
  const [row] = await ask<{ rows: number }>(
    url,
    `select count(*)::int as rows from (
       select h.sequence, h.from_status, h.to_status, t.status, row_number() over w as expected,
         lag(h.to_status) over w as before, lead(h.sequence) over w as next
       from custody.transaction_status_history h join custody.transactions t using (account_id, transaction_id)
       window w as (partition by h.account_id, h.transaction_id order by h.sequence)) h
     where sequence <> expected or from_status is distinct from before or (next is null and to_status <> status)`,
  );
  return row?.rows ?? Number.NaN;
}

/** Bytes with indexes: of the database, and of a row of what grows while nothing changes. */
export async function sizes(url: string) {
  const [row] = await ask<Readonly<Record<'database' | 'run' | 'snapshot', number>>>(
    url,
    `select pg_database_size(current_database())::float8 as database,
       pg_total_relation_size('sync.runs') / (select count(*)::float8 from sync.runs) as run,
       pg_total_relation_size('custody.balance_snapshots')
         / (select count(*)::float8 from custody.balance_snapshots) as snapshot`,
  );
  return row ?? { database: Number.NaN, run: Number.NaN, snapshot: Number.NaN };
}
