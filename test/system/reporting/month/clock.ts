// The present of a mirror as a test sets it: views and whoever asks by this address have a now() of their
// own. The jobs write by the real clock, on connections of their own.
import pg from 'pg';
import { onCleanup } from '../../../support/cleanup.ts';
import type { TestDatabase } from '../../../support/database.ts';

/** A date is its first moment in UTC, and not in the zone of this process. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    Number(oid) === pg.types.builtins.DATE
      ? (text: string) => new Date(`${text}T00:00:00Z`)
      : pg.types.getTypeParser(oid, format),
};

export interface MonthClock {
  /** Whoever connects by it asks at the moment that was set. */
  readonly url: string;
  set(iso: string): Promise<void>;
  ask(sql: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]>;
}

export async function openClock({ url, query }: TestDatabase): Promise<MonthClock> {
  await query(`create schema month`);
  await query(`create table month.clock (at timestamptz not null)`);
  await query(`insert into month.clock values ('2025-06-01T00:00:00Z')`);
  await query(
    `create function month.now() returns timestamptz language sql stable as 'select at from month.clock'`,
  );
  const views = await query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, viewname) as name, definition from pg_catalog.pg_views
     where schemaname in ('reporting', 'internal', 'custody', 'sync') and definition ~ '\\mnow\\('`,
  );
  for (const { name, definition } of views)
    await query(`create or replace view ${name} as ${definition.replaceAll(/\bnow\(\)/g, 'month.now()')}`);
  const asked = new URL(url);
  asked.searchParams.set('options', '-c search_path=month,pg_catalog,public -c timezone=UTC');
  const pool = new pg.Pool({ connectionString: asked.href, max: 2, types });
  pool.on('error', () => undefined);
  onCleanup(() => pool.end());
  return {
    url: asked.href,
    set: async (iso) => void (await query('update month.clock set at = $1', [iso])),
    ask: async (sql, params = []) => (await pool.query<Record<string, unknown>>(sql, [...params])).rows,
  };
}
