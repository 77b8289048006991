// Search in transactions, by one index (custody.search_terms): by the beginning of an identifier, hash or address, and by words.
import { type SQL, sql } from 'drizzle-orm';
import { searchTerms, transactions } from '../../../drizzle/transactions.ts';
import type { Tx } from '../postgres/database.ts';

/** A search that finds more is refused: its rows could not be put in order in bounded time. */
export const mostFound = 1_000;

/** How much of an identifier the index holds. */
const indexed = 24;
/** From this length on, what begins with a word is found too. Shorter beginnings would be those of too many hashes. */
const shortestBeginning = 6;
const mostWords = 12;

/**
 * Identifiers of the transactions that hold every word of the text, in an order that is not defined; null when they are too many.
 */
export async function searchTransactions(
  tx: Tx,
  account: string,
  text: string,
): Promise<readonly string[] | null> {
  const words = text.trim().split(/\s+/u).slice(0, mostWords);
  const query = sql.join(words.map(termsOf), sql` && `);
  const exact = words.filter((word) => [...word].length > indexed).map(beginsWith);
  // The index finds everything before the first row is read. Other plans would read row after row until they found enough.
  const setScans = (state: 'on' | 'off') =>
    tx.run('search.transactions.scans', (db) =>
      db.execute(
        sql`select set_config('enable_seqscan', ${state}, true), set_config('enable_indexscan', ${state}, true)`,
      ),
    );
  await setScans('off');
  const { rows } = await tx.run('search.transactions', (db) =>
    db.execute<{ id: string }>(sql`
      select ${transactions.transactionId} as id from ${transactions}
      where ${sql.join([sql`${searchTerms(transactions)} @@ (${query})`, ...exact], sql` and `)}
        and ${transactions.accountId} = ${account}
      limit ${mostFound + 1}`),
  );
  await setScans('on');
  return rows.length > mostFound ? null : rows.map(({ id }) => id);
}

/** A word as the index knows it: the beginning of an identifier or of a word, or, where it has punctuation, several words. */
function termsOf(word: string): SQL {
  const characters = [...word];
  const begin = characters.slice(0, indexed).join('').replace(/['\\]/g, '$&$&');
  const term = `'${begin}'${characters.length < shortestBeginning ? '' : ':*'}`;
  return sql`(lower(${term})::tsquery || ${wordsOf(word)})`;
}

function wordsOf(word: string): SQL {
  return sql`plainto_tsquery('pg_catalog.simple', translate(${word}, '-/._@', '     '))`;
}

const identifiers = [
  'transactionId',
  'txnHash',
  'sourceId',
  'sourceAddress',
  'destinationId',
  'destinationAddress',
] as const;

/** The index holds the beginnings only. */
function beginsWith(word: string): SQL {
  const begins = identifiers.map((name) => sql`starts_with(lower(${transactions[name]}), lower(${word}))`);
  return sql`(${sql.join([...begins, sql`${searchTerms(transactions)} @@ ${wordsOf(word)}`], sql` or `)})`;
}
