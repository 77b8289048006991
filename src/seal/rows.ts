// The rows of an account that are sealed, in the order of its commits: the tables are read by their
// numbers, page by page, and merged. What is read becomes leaves here.
import { createPartEncoder, createRowEncoder, type Leaf } from './entry.ts';
import { type Ask, type Span, selectIntervals, selectMarkers, selectPage, type TextRow } from './queries.ts';
import { type SealedTableName, sealedTables, snapshotTable } from './tables.ts';

/** A leaf; or, with null for its hash, a row that was thinned, of which the log alone has the hash. */
export type Item = Leaf | { readonly table: null; readonly changeId: number; readonly hash: null };

/** Gives the first rows of the span, none where there is none left. */
type ReadPage = (span: Span) => Promise<readonly Item[]>;

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

/** Where a row has the number of a thinned one, which no writer makes, it comes behind it. */
function pagesOf(ask: Ask, account: string): readonly ReadPage[] {
  const tables = Object.keys(sealedTables) as SealedTableName[];
  const markers: ReadPage = async (span) =>
    (await ask<TextRow>('seal.read.thinned', selectMarkers(span))).map(({ place }) => ({
      table: null,
      changeId: Number(place),
      hash: null,
    }));
  return [markers, ...tables.map((table) => pagesOfTable(ask, account, table))];
}

function pagesOfTable(ask: Ask, account: string, table: SealedTableName): ReadPage {
  const encoder = createRowEncoder(table, account);
  const partsOf = table === snapshotTable ? partsOfSnapshots(ask, account) : async () => null;
  return async (span) => {
    const rows = await ask<TextRow>(`seal.read.${table}`, selectPage(table, span));
    const parts = await partsOf({ ...span, upTo: Number(rows.at(-1)?.['place'] ?? 0) });
    return rows.map((row) => {
      const of = parts === null ? {} : parts(`${row['vault_type']} ${row['snapshot_at']}`);
      return encoder({ ...row, ...of }, Number(row['place']));
    });
  };
}

const parts = {
  balances_began: ['custody.balances', 'valid_from', 'whole'],
  balances_ended: ['custody.balances', 'valid_to', 'key'],
  unreadable_began: ['custody.unreadable_balances', 'valid_from', 'whole'],
  unreadable_ended: ['custody.unreadable_balances', 'valid_to', 'key'],
} as const;

/** Reads what is sealed with the snapshots of a span: by snapshot, the encoded rows. */
function partsOfSnapshots(ask: Ask, account: string) {
  const encoders = Object.entries(parts).map(
    ([name, [table, moment, part]]) =>
      [name, table, moment, createPartEncoder(table, account, part)] as const,
  );
  return async (span: Span) => {
    const read = encoders.map(async ([name, table, moment, encode]) => {
      const found = new Map<string, Uint8Array[]>();
      for (const row of await ask<TextRow>(`seal.read.${name}`, selectIntervals(table, moment, span))) {
        const of = found.get(row['snapshot'] ?? '') ?? [];
        of.push(encode(row));
        found.set(row['snapshot'] ?? '', of);
      }
      return [name, found] as const;
    });
    const found = await Promise.all(read);
    return (snapshot: string) =>
      Object.fromEntries(found.map(([name, of]) => [name, of.get(snapshot) ?? null]));
  };
}
