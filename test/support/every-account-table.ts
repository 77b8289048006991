// Rows of an account in every table that names one, as the catalogue has them, so that no test forgets a
// table.
import pg from 'pg';
import type { TestDatabase } from './database.ts';

type Queried = Pick<TestDatabase, 'query'>;

/** `internal.erasures` outlives its account. */
const everyTable = `select format('%I.%I', c.relnamespace::regnamespace, c.relname) as name from pg_attribute a join pg_class c on c.oid = a.attrelid
  where a.attname = 'account_id' and c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ('custody', 'sync', 'internal')
    and c.oid <> 'internal.erasures'::regclass order by 1`;

/** A row of this account in each table that names an account, with made-up values where none is given. */
export async function fill({ query }: Queried, of: string): Promise<void> {
  // What the values may be does not matter here.
  const checks = await query<{ drop: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
     from pg_constraint where contype = 'c' and connamespace::regnamespace::text in ('custody', 'sync', 'internal')`,
  );
  for (const { drop } of checks) await query(drop);
  const waiting = await query<{ name: string }>(everyTable);
  for (let tries = waiting.length ** 2; waiting.length > 0; tries -= 1) {
    const [{ name } = { name: '' }] = waiting.splice(0, 1);
    const columns = await query<{ column: string; value: string }>(
      `select quote_ident(attname) as column, case
         when attname = 'account_id' then quote_literal($2)
         when attname in ('resource', 'resource_type') then $q$'vaults'$q$
         when t.typname = 'timestamptz' then $q$'2026-01-01Z'$q$ when t.typname = 'jsonb' then $q$'{}'$q$
         when t.typname = 'bytea' then $q$'\\x00'$q$ when t.typname = 'bool' then 'true'
         when t.typcategory = 'A' then $q$'{}'$q$ when t.typcategory = 'N' then '1' else $q$'x'$q$ end as value
       from pg_attribute a join pg_type t on t.oid = a.atttypid
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
         and (attname = 'account_id' or (attnotnull and not atthasdef and attidentity = ''))`,
      [name, of],
    );
    const names = columns.map(({ column }) => column);
    const values = columns.map(({ value }) => value);
    try {
      await query(`insert into ${name} (${names}) values (${values}) on conflict do nothing`);
    } catch (error) {
      // The row to which its foreign key points comes later.
      if (!isForeignKey(error) || tries < 0) throw error;
      waiting.push({ name });
    }
  }
}

function isForeignKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503';
}

/** How many rows of the account each table has, by the table's name. */
export async function rowsOf({ query }: Queried, of: string): Promise<Readonly<Record<string, number>>> {
  const tables = await query<{ name: string }>(everyTable);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await query<{ rows: number }>(
      `select count(*)::int as rows from ${name} where account_id = $1`,
      [of],
    );
    counts[name] = row?.rows ?? 0;
  }
  return counts;
}
