// Filters of the transactions as they were known at a moment. Two indexes give the
// candidates (those with the value now, and those whose value changed since); the past row decides.
import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { changedFilters, transactionRevisions } from '../../../drizzle/transaction-history.ts';
import {
  earlierStatuses,
  filterColumns,
  hadOtherStatuses,
  transactions,
} from '../../../drizzle/transactions.ts';
import { digestFilter, ofVault } from './list/columns.ts';
import type { Conditions, Selection } from './list/listing.ts';

const now = alias(transactions, 'n');
const revision = alias(transactionRevisions, 'r');
const equals = digestFilter(now);

/** The transactions that fit now, and those that may have fitted before. */
function among({ account }: Selection, fitsNow: SQL, mayHaveFitted: SQL): SQL {
  return sql`v.transaction_id in (select n.transaction_id from ${transactions} as n
    where n.account_id = ${account} and (${fitsNow} or ${mayHaveFitted}))`;
}

/** One of the columns had the value before a revision. */
function wasRevised({ account }: Selection, value: string, ...columns: readonly string[]): SQL {
  const had = columns.map((column) => sql`r.before ->> ${sql.raw(`'${column}'`)} = ${value}`);
  return sql`n.transaction_id = any(array(select r.transaction_id from ${transactionRevisions} as r
    where r.account_id = ${account} and ${changedFilters(revision.changedFields)} and (${sql.join(had, sql` or `)})))`;
}

function hadOtherStatus({ at }: Selection): SQL {
  return sql`(${hadOtherStatuses(now)} and ${earlierStatuses(now)} @> ${at}::timestamptz)`;
}

/** The text is compared as in digestFilter(). */
const equal: Conditions = Object.fromEntries(
  filterColumns.map((column) => {
    const { name } = now[column];
    const by = (selection: Selection, value: string) => {
      const fitsNow = equals({ account: selection.account, column, value });
      const before = name === 'status' ? hadOtherStatus(selection) : wasRevised(selection, value, name);
      return sql`texteq(v.${sql.identifier(name)}, ${value}) and ${among(selection, fitsNow, before)}`;
    };
    return [name, { by }];
  }),
);

function vault(selection: Selection, id: string): SQL {
  const before = wasRevised(selection, id, now.sourceId.name, now.destinationId.name);
  return sql`(texteq(v.source_id, ${id}) or texteq(v.destination_id, ${id}))
    and ${among(selection, ofVault(now, selection.account, id), before)}`;
}

function open(selection: Selection, value: string): SQL | null {
  if (value !== 'true') return null;
  return sql`v.is_open and ${among(selection, sql`not reporting.is_settled(n.status)`, hadOtherStatus(selection))}`;
}

export const pastFilters = {
  ...equal,
  vault: { by: vault },
  is_open: { by: open },
} as const satisfies Conditions;
