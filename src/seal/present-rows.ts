// Reads the rows that people read, so few at a time that they fit into memory, however long they are.
import { type SQL, sql } from 'drizzle-orm';
import type { Log } from './log.ts';
import { asText } from './rows.ts';
import type { SealedTable } from './tables.ts';

/** Fetched at once, all of them short; a longer row, in bytes, comes alone. */
const rowsAtOnce = 250;
const shortRow = 2 ** 16;

interface PresentRow extends Record<string, unknown> {
  readonly json: string;
  readonly history: string | null;
}

/**
 * Rows `t`, each with what its history says. By a cursor, which depends on no order of texts. The next page
 * is read while one is compared. Of a long row it has the place alone.
 */
export async function* readPresent({ ask, account }: Log, table: SealedTable, which: SQL, history: SQL) {
  const cursor = sql.raw(`"${table.name}"`);
  const columns = [...table.columns];
  const texts = columns.map(([column, type]) => asText(`t."${column}"`, type)).join();
  const isLong = columns.flatMap(([column, type]) => (type === 'json' ? [isLongJson(`t."${column}"`)] : []));
  const from = sql.raw(`from ${table.name} t`);
  await ask(
    'seal.present',
    sql`declare ${cursor} no scroll cursor for select t.place,
      case when t.place is null then to_json(array[${sql.raw(texts)}])::text end as json,
      case when t.place is null then ${history}::text end as history
      from (select *, case when ${sql.raw(isLong.join(' or '))} then ctid::text end as place ${from}) t
      where t.account_id = ${account} and ${which}`,
  );
  const fetch = () =>
    ask<PresentRow & { place: string | null }>(
      'seal.present-page',
      sql`fetch ${sql.raw(String(rowsAtOnce))} from ${cursor}`,
    );
  let next = fetch();
  for (let rows = await next; rows.length > 0; rows = await next) {
    next = fetch();
    next.catch(() => undefined);
    yield rows.filter(({ place }) => place === null);
    for (const { place } of rows)
      if (place !== null)
        yield await ask<PresentRow>(
          'seal.present-row',
          sql`select to_json(array[${sql.raw(texts)}])::text as json, ${history}::text as history ${from}
            where t.ctid = ${place}::tid`,
        );
  }
  await ask('seal.present-end', sql`close ${cursor}`);
}

/** What is stored in little is looked at only where it was compressed. */
function isLongJson(column: string): string {
  const mayBe = `(pg_column_size(${column}) > 2000 or pg_column_compression(${column}) is not null)`;
  return `(${mayBe} and pg_column_size(${column}::text) > ${shortRow})`;
}
