// The rows of an account that are sealed, in the order of its commits: the tables are read by change_id, page
// by page, and merged. What is read of them becomes leaves here; nobody else knows their SQL.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../store/postgres/transaction.ts';
import { createPartEncoder, createRowEncoder, type Leaf, type Row } from './entry.ts';
import { type ColumnType, intervalTables, type SealedTableName, sealedTables } from './tables.ts';

/** Runs one statement that only reads. */
export type Ask = Tx['ask'];

/** A leaf; or, with null for its hash, a row that was thinned, of which the log alone has the hash. */
export type Item = Leaf | { readonly table: null; readonly changeId: number; readonly hash: null };

export interface Span {
  readonly account: string;
  /** The number after which it begins. */
  readonly after: number;
  /** The last number of it. */
  readonly upTo: number;
}

/** Gives the first rows of the span, none where there is none left. */
type ReadPage = (span: Span) => Promise<readonly Item[]>;

/** Rows of a page: documents may be large, and a snapshot has the balances that changed with it. */
const pageRows: Readonly<Record<SealedTableName, number>> = {
  'custody.transaction_status_history': 4_000,
  'custody.transaction_revisions': 1_000,
  'custody.document_revisions': 200,
  'custody.balance_snapshots': 1_000,
  'sync.seal_thinned': 20,
};
const markersOfPage = 4_000;
/** A page of snapshots ends before the one with which more balances than this would have changed. */
const changesOfPage = 20_000;

/** Merges the tables; each part holds what follows the part before. */
export async function* readItems(ask: Ask, span: Span): AsyncGenerator<readonly Item[]> {
  const sources = pagesOf(ask, span.account).map((read) => createSource(read, span));
  for (;;) {
    for (const source of sources) if (source.items.length === 0) await source.fill();
    const open = sources.filter(({ items }) => items.length > 0);
    if (open.length === 0) return;
    yield merged(open);
  }
}

interface Source {
  /** In reverse, so that the next one is taken from the end. */
  items: Item[];
  fill(): Promise<void>;
}

/** The page after the one that is taken is read meanwhile. */
function createSource(read: ReadPage, span: Span): Source {
  let next = read(span);
  next.catch(() => undefined);
  const source: Source = {
    items: [],
    async fill() {
      const page = await next;
      const last = page.at(-1);
      if (last === undefined) return;
      source.items = page.toReversed();
      next = read({ ...span, after: last.changeId });
      next.catch(() => undefined);
    },
  };
  return source;
}

/** What can be given before some source has to be asked again. */
function merged(open: readonly Source[]): Item[] {
  const items: Item[] = [];
  for (;;) {
    let least: Item | undefined;
    let from: Source | undefined;
    for (const source of open) {
      const item = source.items[source.items.length - 1];
      if (item === undefined) return items;
      if (least === undefined || item.changeId < least.changeId) {
        least = item;
        from = source;
      }
    }
    if (least === undefined || from === undefined) return items;
    items.push(least);
    from.items.pop();
  }
}

function pagesOf(ask: Ask, account: string): ReadPage[] {
  const plain = (
    [
      'custody.transaction_status_history',
      'custody.transaction_revisions',
      'custody.document_revisions',
    ] as const
  ).map((table): ReadPage => {
    const encoder = createRowEncoder(table, account);
    return async (span) =>
      (await ask<TextRow>(`seal.read.${table}`, selectPlain(table, span))).map((row) =>
        encoder.leaf(row, Number(row['change_id'])),
      );
  });
  return [...plain, snapshotPages(ask, account), thinningPages(ask, account), markerPages(ask)];
}

type TextRow = Record<string, string | null>;

function snapshotPages(ask: Ask, account: string): ReadPage {
  const encoder = createRowEncoder('custody.balance_snapshots', account);
  const whole = (table: keyof typeof intervalTables) => createPartEncoder(table, account, 'whole');
  const key = (table: keyof typeof intervalTables) => createPartEncoder(table, account, 'key');
  const parts = [
    ['balances_began', 'custody.balances', 'valid_from', whole('custody.balances')],
    ['balances_ended', 'custody.balances', 'valid_to', key('custody.balances')],
    ['unreadable_began', 'custody.unreadable_balances', 'valid_from', whole('custody.unreadable_balances')],
    ['unreadable_ended', 'custody.unreadable_balances', 'valid_to', key('custody.unreadable_balances')],
  ] as const;
  return async (span) => {
    const rows = await ask<TextRow>('seal.read.snapshots', selectSnapshots(span));
    const last = rows.at(-1);
    if (last === undefined) return [];
    const upTo = Number(last['change_id']);
    const read = parts.map(async ([name, table, moment, encode]) => {
      const found = new Map<string, Uint8Array[]>();
      const intervals = await ask<TextRow>(
        `seal.read.${name}`,
        selectIntervals(table, moment, { ...span, upTo }),
      );
      for (const row of intervals) {
        const of = found.get(row['snapshot'] ?? '');
        if (of === undefined) found.set(row['snapshot'] ?? '', [encode(row)]);
        else of.push(encode(row));
      }
      return [name, found] as const;
    });
    const found = await Promise.all(read);
    return rows.map((row) => {
      const id = row['change_id'] ?? '';
      const extras = Object.fromEntries(found.map(([name, of]) => [name, of.get(id) ?? null]));
      return encoder.leaf({ ...row, ...extras } satisfies Row, Number(id));
    });
  };
}

function thinningPages(ask: Ask, account: string): ReadPage {
  const encoder = createRowEncoder('sync.seal_thinned', account);
  return async ({ after, upTo }) =>
    (
      await ask<TextRow>(
        'seal.read.thinnings',
        sql`
      select h.thinning_id::text, json_agg(json_build_array(h.change_id, ${sql.raw(micros('h.thinned_at'))}) order by h.change_id)::text as thinned
      from sync.seal_thinned h where h.account_id = ${account} and h.thinning_id > ${after} and h.thinning_id <= ${upTo}
      group by h.thinning_id order by h.thinning_id limit ${sql.raw(String(pageRows['sync.seal_thinned']))}`,
      )
    ).map((row) => encoder.leaf(row, Number(row['thinning_id'])));
}

function markerPages(ask: Ask): ReadPage {
  return async ({ account, after, upTo }) =>
    (
      await ask<{ change_id: string }>(
        'seal.read.thinned',
        sql`
      select h.change_id::text from sync.seal_thinned h
      where h.account_id = ${account} and h.change_id > ${after} and h.change_id <= ${upTo}
      order by h.change_id limit ${sql.raw(String(markersOfPage))}`,
      )
    ).map(({ change_id }) => ({ table: null, changeId: Number(change_id), hash: null }));
}

function selectPlain(table: SealedTableName, { account, after, upTo }: Span): SQL {
  return sql`
    select ${asTexts(sealedTables[table].columns)} from ${sql.raw(table)} h
    where h.account_id = ${account} and h.change_id > ${after} and h.change_id <= ${upTo}
    order by h.change_id ${first(pageRows[table])}`;
}

function selectSnapshots({ account, after, upTo }: Span): SQL {
  const table = 'custody.balance_snapshots';
  return sql`
    select ${asTexts(sealedTables[table].columns)} from (
      select s.*, sum(s.changed_count) over upto as changes, rank() over upto as nth from (
        select * from ${sql.raw(table)} r
        where r.account_id = ${account} and r.change_id > ${after} and r.change_id <= ${upTo}
        order by r.change_id ${first(pageRows[table])}
      ) as s window upto as (order by s.change_id)
    ) as h
    where h.nth = 1 or h.changes <= ${changesOfPage} order by h.change_id`;
}

/** Rows with the same number, which no writer makes, are on one page. */
function first(rows: number): SQL {
  return sql.raw(`fetch first ${rows} rows with ties`);
}

/** The intervals that begin or end with the snapshots of the span, and the number of the snapshot. */
function selectIntervals(
  table: keyof typeof intervalTables,
  moment: 'valid_from' | 'valid_to',
  { account, after, upTo }: Span,
): SQL {
  return sql`
    select s.change_id::text as snapshot, ${asTexts(intervalTables[table].columns)}
    from custody.balance_snapshots s
    join ${sql.raw(table)} h on h.account_id = s.account_id and h.vault_type = s.vault_type and h.${sql.raw(moment)} = s.snapshot_at
    where s.account_id = ${account} and s.change_id > ${after} and s.change_id <= ${upTo}
    order by s.change_id, h.asset_id collate "C", h.network_id collate "C", h.valid_from`;
}

/** The columns as texts, in the form in which they are encoded. */
function asTexts(columns: Readonly<Record<string, ColumnType>>): SQL {
  const stored = Object.entries(columns).filter(([, type]) => type !== 'rows');
  return sql.raw(stored.map(([name, type]) => `${asText(`h."${name}"`, type)} as "${name}"`).join(', '));
}

function asText(column: string, type: ColumnType): string {
  if (type === 'text') return column;
  if (type === 'moment') return micros(column);
  return type === 'texts' ? `to_json(${column})::text` : `${column}::text`;
}

/** A moment that is not finite, which no writer makes, stays a word. */
function micros(column: string): string {
  return `case when isfinite(${column}) then (extract(epoch from ${column}) * 1000000)::bigint::text else ${column}::text end`;
}

/** The last number of the next so many rows after the number; null where there is none. */
export async function readBatchEnd(
  ask: Ask,
  account: string,
  after: number,
  count: number,
): Promise<number | null> {
  const most = sql.raw(String(count));
  const branches = Object.keys(sealedTables).map((table) => {
    const column = sql.raw(table === 'sync.seal_thinned' ? 'thinning_id' : 'change_id');
    return sql`(select distinct h.${column} as change_id from ${sql.raw(table)} h
      where h.account_id = ${account} and h.${column} > ${after} order by h.${column} limit ${most})`;
  });
  const [row] = await ask<{ last: string | null }>(
    'seal.batch-end',
    sql`select max(change_id)::text as last from (
      select change_id from (${sql.join(branches, sql` union all `)}) as b order by change_id limit ${most}) as n`,
  );
  return row?.last == null ? null : Number(row.last);
}

/** The number of the row with a key, as an entry has it; null where there is none. */
export async function readPlace(
  ask: Ask,
  account: string,
  table: SealedTableName,
  [, ...values]: readonly string[],
): Promise<number | null> {
  const { key, columns } = sealedTables[table];
  const types: Readonly<Record<string, ColumnType>> = columns;
  const same = key.map(
    (name, n) => sql` and ${sql.raw(asText(`h."${name}"`, types[name] ?? 'text'))} = ${values[n] ?? ''}`,
  );
  const number = sql.raw(table === 'sync.seal_thinned' ? 'thinning_id' : 'change_id');
  const [row] = await ask<{ place: string }>(
    'seal.place',
    sql`select h.${number}::text as place from ${sql.raw(table)} h where h.account_id = ${account}${sql.join(same)} limit 1`,
  );
  return row === undefined ? null : Number(row.place);
}

/** A row of balances that begins or ends with no snapshot, so that no leaf holds it; null where there is none. */
export async function readOrphan(ask: Ask, account: string) {
  const each = Object.keys(intervalTables).flatMap((table) =>
    ['valid_from', 'valid_to'].map((name) => {
      const moment = sql.raw(name);
      return sql`(
        select ${table} as "table", array[h.vault_type, h.asset_id, h.network_id, ${sql.raw(micros('h.valid_from'))}] as key
        from ${sql.raw(table)} h left join custody.balance_snapshots s
          on s.account_id = h.account_id and s.vault_type = h.vault_type and s.snapshot_at = h.${moment}
        where h.account_id = ${account} and h.${moment} is not null and s.account_id is null limit 1)`;
    }),
  );
  const [row] = await ask<{ table: string; key: string[] }>(
    'seal.orphan',
    sql`${sql.join(each, sql` union all `)} limit 1`,
  );
  return row === undefined ? null : { table: row.table, key: [account, ...row.key] };
}
