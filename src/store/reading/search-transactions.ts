// Search in transactions: by the beginning of an identifier, hash or address and by words of memo and note,
// which one index finds (custody.search_terms), and by vaults and destinations, which the index of digests
// finds.
import { type SQL, sql } from 'drizzle-orm';
import { filterKey, filterKeys, searchTerms, transactions } from '../../../drizzle/transactions.ts';
import type { Tx } from '../postgres/transaction.ts';

/** A search that finds more is refused: its rows could not be put in order in bounded time. */
export const mostFound = 1_000;

/** How much of an identifier the index holds. */
const indexed = 24;
/**
 * From this length on, what begins with a word is found too. Shorter beginnings would be those of too many
 * hashes.
 */
const shortestBeginning = 6;
const mostWords = 12;
/** Vaults and whitelist entries whose name has a word. The names of more are no name to search for. */
const mostNamed = 50;

/**
 * Identifiers of the transactions that have every word of the text, in an order that is not defined; null
 * when they are too many.
 */
export async function searchTransactions(
  tx: Tx,
  account: string,
  text: string,
): Promise<readonly string[] | null> {
  const words = text.trim().split(/\s+/u).slice(0, mostWords);
  const conditions: SQL[] = [];
  for (const word of words) {
    const named = await readNamed(tx, account, word);
    if (named.length > mostNamed) return null;
    conditions.push(sql`(${hasTerms(word)} or ${isOf(account, [word, ...named])})`);
  }
  const rows = await tx.ask<{ id: string }>(
    'search.transactions',
    sql`
      select ${transactions.transactionId} as id from ${transactions}
      where ${sql.join(conditions, sql` and `)} and ${transactions.accountId} = ${account}
      limit ${mostFound + 1}`,
  );
  return rows.length > mostFound ? null : rows.map(({ id }) => id);
}

/** Identifiers of the vaults and whitelist entries with the word in their name. */
async function readNamed(tx: Tx, account: string, word: string): Promise<readonly string[]> {
  const { rows } = await tx.run('search.transactions.named', (db) =>
    db.execute<{ id: string }>(sql`
      select n.id from (
        select v.vault_id as id, v.name from custody.vaults v where v.account_id = ${account}
        union all
        select w.entry_id, w.name from custody.whitelist_entries w where w.account_id = ${account}
      ) as n where strpos(lower(n.name), lower(${word})) > 0 limit ${mostNamed + 1}`),
  );
  return rows.map(({ id }) => id);
}

/** One of the texts is the identifier of the source or the destination. */
function isOf(account: string, texts: readonly string[]): SQL {
  const columns = ['sourceId', 'destinationId'] as const;
  const keys = columns.flatMap((column) =>
    texts.map((text) => filterKey(sql`${account}::text`, column, sql`${text}::text`)),
  );
  const list = sql.join(
    texts.map((text) => sql`${text}`),
    sql`, `,
  );
  const isOne = sql.join(
    columns.map((column) => sql`${transactions[column]} in (${list})`),
    sql` or `,
  );
  return sql`(${filterKeys(transactions)} && array[${sql.join(keys, sql`, `)}] and (${isOne}))`;
}

/**
 * A word as the index knows it: the beginning of an identifier or of a word, or, where it has punctuation,
 * several words.
 */
function hasTerms(word: string): SQL {
  const characters = [...word];
  const begin = characters.slice(0, indexed).join('').replace(/['\\]/g, '$&$&');
  const term = `'${begin}'${characters.length < shortestBeginning ? '' : ':*'}`;
  const found = sql`${searchTerms(transactions)} @@ (lower(${term})::tsquery || ${wordsOf(word)})`;
  return characters.length > indexed ? sql`(${found} and ${beginsWith(word)})` : found;
}

function wordsOf(word: string): SQL {
  return sql`plainto_tsquery('pg_catalog.simple', translate(${word}, '-/._@<>&', '        '))`;
}

const identifiers = ['transactionId', 'txnHash', 'sourceAddress', 'destinationAddress'] as const;

/** The index holds the beginnings only. */
function beginsWith(word: string): SQL {
  const begins = identifiers.map((name) => sql`starts_with(lower(${transactions[name]}), lower(${word}))`);
  return sql`(${sql.join([...begins, sql`${searchTerms(transactions)} @@ ${wordsOf(word)}`], sql` or `)})`;
}
