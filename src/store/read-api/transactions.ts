// Transactions as they are now and as they were known at a moment, their statuses and their revisions.
import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { changedFilters, transactionRevisions } from '../../../drizzle/transaction-history.ts';
import {
  earlierStatuses,
  filterColumns,
  hadOtherStatuses,
  transactions as table,
} from '../../../drizzle/transactions.ts';
import { transactionFields } from '../../domain/fields.ts';
import type { Tx } from '../postgres/transaction.ts';
import { digestFilter, fieldColumns, ofVault, tableColumns } from './list/columns.ts';
import { type Conditions, list, period, range, type Selection } from './list/listing.ts';
import { fieldParameters, flag, identifier, moment, text } from './list/parameter-kinds.ts';

const { sourceTimestamp, ...shownFields } = transactionFields;
const uuid = shownFields.transactionId.filter.example;

const filters = {
  ...fieldParameters(shownFields, {
    status: { is_open: flag('Only open, or only settled transactions.') },
  }),
  ...range('amount', 'amounts'),
  ...period('first_seen', 'what was first seen'),
  changed_from: moment('Only transactions last changed at this moment or later; not with at.'),
  changed_to: moment('Only transactions last changed before this moment; not with at.'),
  settled_from: moment(
    'Only transactions settled at this moment or later: when their present settled status was first seen, as flows and fees count it; not with at.',
  ),
  settled_to: moment('Only transactions settled before this moment; not with at.'),
  missing: flag('Only what the service no longer lists, or only what it lists. Default: both.'),
  vault: text(
    'Only transactions from or to this vault, by its identifier.',
    shownFields.sourceId.filter.example,
  ),
  search: {
    ...text(
      'Only transactions with every word of this text: in their identifier, hash, addresses, memo or note, or as the identifier or in the name of their vault or destination, as known now. Case does not matter. A word of six or more characters also finds what begins with it; a shortened one such as 0xf72a…71e0, with six or more characters before the gap, what begins and ends with its parts; a number this exact amount; the URL of an explorer what its last part finds. More than 1,000 matches are refused.',
      '795d8712',
    ),
    schema: z
      .string()
      .max(500)
      .regex(/^\s*[^\0\s][^\0]*$/),
    allowed: 'must be text of at most 500 characters without U+0000, and not only spaces',
  },
};

/**
 * The index of open transactions has the order of first_seen_at. In another order, PostgreSQL may
 * overestimate their number and walk over all transactions.
 */
function openOnes({ account, order }: Selection, value: string): SQL | null {
  if (value !== 'true' || order.endsWith('first_seen_at')) return null;
  return sql`v.is_open and v.transaction_id = any(array(
    select o.transaction_id from custody.transactions o
    where o.account_id = ${account} and not reporting.is_settled(o.status) and o.missing_since is null))`;
}

/** What a search found (search-transactions.ts): identifiers as a JSON array. */
function oneOf(_selection: Selection, ids: string): SQL {
  return sql`v.transaction_id = any(array(select jsonb_array_elements_text(${ids}::jsonb)))`;
}

/** The view has the columns of the table by which it filters. */
const shown = alias(table, 'v');
const equals = digestFilter(shown);

/** Filters that the index of digests serves. */
const digested: Conditions = Object.fromEntries(
  filterColumns.map((column) => {
    const { name } = shown[column];
    const by = ({ account }: Selection, value: string) => equals({ account, column, value });
    return [name, { by }];
  }),
);

/** Nothing changes before it is first seen: the second bound is for the index of the order. */
function changedBefore(_selection: Selection, moment: string): SQL {
  return sql`v.changed_at < ${moment}::timestamptz and v.first_seen_at < ${moment}::timestamptz`;
}

/** When it was settled, as the daily reports count it; `bound` follows from it, for the indexes of orders. */
function settled(compares: SQL, bound: SQL): SQL {
  return sql`${bound} and exists (
    select from reporting.settlement_history s where s.account_id = v.account_id and s.transaction_id = v.transaction_id
      and s.known_until is null and s.settled_at ${compares})`;
}

// Filters of the transactions as they were known at a moment. Two indexes give the candidates (those with the
// value now, and those whose value changed since); the past row decides.

const now = alias(table, 'n');
const revision = alias(transactionRevisions, 'r');
const equalsNow = digestFilter(now);

/** The transactions that fit now, and those that may have fitted before. */
function among({ account }: Selection, fitsNow: SQL, mayHaveFitted: SQL): SQL {
  return sql`v.transaction_id in (select n.transaction_id from ${table} as n
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
const digestedThen: Conditions = Object.fromEntries(
  filterColumns.map((column) => {
    const { name } = now[column];
    const by = (selection: Selection, value: string) => {
      const fitsNow = equalsNow({ account: selection.account, column, value });
      const before = name === 'status' ? hadOtherStatus(selection) : wasRevised(selection, value, name);
      return sql`texteq(v.${sql.identifier(name)}, ${value}) and ${among(selection, fitsNow, before)}`;
    };
    return [name, { by }];
  }),
);

function ofVaultThen(selection: Selection, id: string): SQL {
  const before = wasRevised(selection, id, now.sourceId.name, now.destinationId.name);
  return sql`(texteq(v.source_id, ${id}) or texteq(v.destination_id, ${id}))
    and ${among(selection, ofVault(now, selection.account, id), before)}`;
}

function openThen(selection: Selection, value: string): SQL | null {
  if (value !== 'true') return null;
  return sql`v.is_open and ${among(selection, sql`not reporting.is_settled(n.status)`, hadOtherStatus(selection))}`;
}

/** What the views derive from a field, placed after it. */
const workedOut = { status: 'is_open', transaction_type: 'direction' };

export const transactions = list({
  id: 'listTransactions',
  path: '/v1/transactions',
  summary: 'Transactions, now or as they were known at a moment',
  row: 'Transaction',
  view: 'reporting.transactions',
  columns: `
    ${fieldColumns(shownFields, {
      ...workedOut,
      fee: `
        fee_asset_id fee_asset_is_assumed! vault_id vault_name vault_type counterparty_type counterparty_id
        counterparty_name counterparty_address`,
    })}
    first_seen_after first_seen_at! is_older_than_mirror! status_since! settled_at changed_at! missing_since`,
  // Completed and failed amounts are never summed together.
  sums: { of: ['amount'], by: ['asset_id', 'transaction_type', 'status'] },
  filters,
  conditions: {
    ...digested,
    is_open: { by: openOnes },
    changed_to: { by: changedBefore },
    settled_from: {
      by: (_, at) => settled(sql`>= ${at}::timestamptz`, sql`v.changed_at >= ${at}::timestamptz`),
    },
    settled_to: {
      by: (_, at) => settled(sql`< ${at}::timestamptz`, sql`v.first_seen_at < ${at}::timestamptz`),
    },
    missing: { column: 'missing_since', is: 'not null' },
    vault: { by: ({ account }, id) => ofVault(shown, account, id) },
    search: { by: oneOf },
  },
  orders: {
    first_seen_at: ['first_seen_at', 'transaction_id'],
    changed_at: ['changed_at', 'transaction_id'],
    transaction_id: ['transaction_id'],
  },
  defaultOrder: '-first_seen_at',
  planHint: 'joins-as-written',
  past: {
    row: 'TransactionAt',
    of: 'transactions',
    columns: `${fieldColumns(shownFields, workedOut)} first_seen_at! status_since! missing_since`,
    from: ({ account, at }) => ({
      item: sql`reporting.transactions_at(${at}::timestamptz) as v`,
      where: sql`v.account_id = ${account}`,
    }),
    without: ['changed_from', 'changed_to', 'settled_from', 'settled_to'],
    conditions: {
      missing: { column: 'missing_since', is: 'not null' },
      search: { by: oneOf },
      ...digestedThen,
      vault: { by: ofVaultThen },
      is_open: { by: openThen },
    },
    orders: { first_seen_at: ['first_seen_at', 'transaction_id'], transaction_id: ['transaction_id'] },
    planHint: undefined,
  },
});

const ofTransaction = { transaction_id: identifier('Identifier of the transaction.', uuid) };

export const timeline = list({
  id: 'listTransactionTimeline',
  path: '/v1/transactions/{transaction_id}/timeline',
  summary: 'The statuses of a transaction, each with the reads between which it changed',
  row: 'TimelineEntry',
  exists: hasTransaction,
  name: 'timeline',
  view: 'reporting.transaction_timeline',
  columns: `
    sequence! status! previous_status entered_after entered_at! entered_bound! left_after left_at
    left_bound! is_current!`,
  filters: ofTransaction,
  orders: { sequence: ['sequence'] },
});

export const revisions = list({
  id: 'listTransactionRevisions',
  path: '/v1/transactions/{transaction_id}/revisions',
  summary: 'All changes to a transaction other than its status, with the values before and after',
  row: 'TransactionRevision',
  exists: hasTransaction,
  name: 'revisions',
  view: 'custody.transaction_revisions',
  columns: tableColumns(transactionRevisions, 'transaction_id'),
  filters: ofTransaction,
  orders: { revision: ['revision'] },
});

async function hasTransaction(tx: Tx, account: string, id: string): Promise<boolean> {
  const rows = await tx.ask(
    'read.has-transaction',
    sql`select from custody.transactions t where t.account_id = ${account} and t.transaction_id = ${id}`,
  );
  return rows.length > 0;
}
