// Search in transactions: by the beginning of an identifier, hash or address and by words of memo and note,
// which one index finds (custody.search_terms), by vaults and destinations, which the index of digests finds,
// and by the amount, which has an index too.
import { type SQL, sql } from 'drizzle-orm';
import { filterKey, filterKeys, searchTerms, transactions } from '../../../drizzle/transactions.ts';
import { withoutSeparators } from '../../domain/decimal.ts';
import type { Tx } from '../postgres/transaction.ts';

/** A search that finds more is refused: its rows could not be put in order in bounded time. */
export const mostFound = 1_000;

/** How many characters of an identifier the index holds. */
const indexed = 24;
/**
 * From this length on, texts that begin with a word are found too. Too many hashes share shorter beginnings.
 */
const shortestBeginning = 6;
/** How explorers and pages shorten hashes and addresses: `0xf72a…71e0`. */
const shortened = new RegExp(`^(.{${shortestBeginning},})(?:…|\\.{3})([^.…]+)$`, 'u');
/** At most this many rows with the same beginning are read to compare their ends: more are refused. */
const mostBegun = 20_000;
const mostWords = 12;
/** Most vaults and whitelist entries whose name may contain a word. A more common word is not searched. */
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
  const words = text.trim().split(/\s+/u).slice(0, mostWords).map(lastPart);
  const conditions: SQL[] = [];
  const ends: SQL[] = [];
  for (const word of words) {
    const [, begin, end] = shortened.exec(word) ?? [];
    if (begin !== undefined && end !== undefined) {
      conditions.push(hasTerms(begin));
      ends.push(isAny((name) => sql`${beginsWith(name, begin)} and ${endsWith(name, end)}`));
      continue;
    }
    const named = await readNamed(tx, account, word);
    if (named.length > mostNamed) return null;
    conditions.push(sql`(${hasTerms(word)} or ${isOf(account, [word, ...named])}${orHasAmount(word)})`);
  }
  const most = ends.length === 0 ? mostFound : mostBegun;
  const rows = await tx.ask<{ id: string | null }>(
    'search.transactions',
    sql`
      select case when ${sql.join([sql`true`, ...ends], sql` and `)} then ${transactions.transactionId} end as id
      from ${transactions}
      where ${sql.join(conditions, sql` and `)} and ${transactions.accountId} = ${account}
      limit ${most + 1}`,
  );
  const ids = rows.flatMap(({ id }) => id ?? []);
  return rows.length > most || ids.length > mostFound ? null : ids;
}

/** Of the address of a page of an explorer: its last part is the hash or address. */
function lastPart(word: string): string {
  if (!/^https?:\/\//i.test(word)) return word;
  const [path = ''] = word.split(/\?|#(?:[^/]|$)/, 1);
  return path.split('/').slice(3).findLast(Boolean) ?? word;
}

/** Its amount equals this, whatever its trailing zeros; nothing for a word that is not a number. */
function orHasAmount(word: string): SQL {
  const amount = withoutSeparators(word);
  if (!/^\d{1,60}(?:\.\d{1,60})?$/.test(amount)) return sql``;
  return sql` or trim_scale(${transactions.amount}) = ${amount}::numeric`;
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
  if (characters.length <= indexed) return found;
  // The index holds the beginnings only.
  const begins = isAny((name) => beginsWith(name, word));
  return sql`(${found} and (${begins} or ${searchTerms(transactions)} @@ ${wordsOf(word)}))`;
}

function wordsOf(word: string): SQL {
  return sql`plainto_tsquery('pg_catalog.simple', translate(${word}, '-/._@<>&', '        '))`;
}

const identifiers = ['transactionId', 'txnHash', 'sourceAddress', 'destinationAddress'] as const;
type Identifier = (typeof identifiers)[number];

function isAny(condition: (name: Identifier) => SQL): SQL {
  return sql`(${sql.join(identifiers.map(condition), sql` or `)})`;
}

function beginsWith(name: Identifier, text: string): SQL {
  return sql`starts_with(lower(${transactions[name]}), lower(${text}))`;
}

function endsWith(name: Identifier, text: string): SQL {
  return sql`right(lower(${transactions[name]}), length(${text})) = lower(${text})`;
}
