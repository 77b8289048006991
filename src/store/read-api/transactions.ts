// Transactions as they are now and as they were known at a moment, their statuses and their revisions.
import { type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { transactionRevisions } from '../../../drizzle/transaction-history.ts';
import { filterColumns, transactions as table } from '../../../drizzle/transactions.ts';
import { transactionFields } from '../../domain/fields.ts';
import type { Tx } from '../postgres/transaction.ts';
import { fieldColumns, tableColumns } from './list/columns.ts';
import { digestFilter, ofVault } from './list/digest-filter.ts';
import { equal, fieldFilters, listOf, period } from './list/list-of.ts';
import type { Filter, Selection } from './list/listing.ts';
import { pastFilters } from './past-filters.ts';

const { sourceTimestamp, ...shownFields } = transactionFields;

const filters = {
  ...fieldFilters(shownFields),
  ...equal('is_open'),
  amount_from: { column: 'amount', is: '>=' },
  amount_to: { column: 'amount', is: '<=' },
  ...period('first_seen'),
  missing: { column: 'missing_since', is: 'not null' },
  search: { column: 'transaction_id', is: '=', by: oneOf },
} as const satisfies Record<string, Filter>;

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
const digested: Readonly<Record<string, Filter>> = Object.fromEntries(
  filterColumns.map((column) => {
    const { name } = shown[column];
    const by = ({ account }: Selection, value: string) => equals({ account, column, value });
    return [name, { column: name, is: '=', by }];
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

function settledFrom(_selection: Selection, moment: string): SQL {
  return settled(sql`>= ${moment}::timestamptz`, sql`v.changed_at >= ${moment}::timestamptz`);
}

function settledBefore(_selection: Selection, moment: string): SQL {
  return settled(sql`< ${moment}::timestamptz`, sql`v.first_seen_at < ${moment}::timestamptz`);
}

/** What the views derive from a field, placed after it. */
const workedOut = { status: { is_open: 'boolean' }, transaction_type: { direction: 'text' } } as const;

/** Completed and failed amounts are never summed together. */
const sums = { of: ['amount'], by: ['asset_id', 'transaction_type', 'status'] } as const;

export const transactions = listOf({
  name: 'transactions',
  describedBy: 'reporting.transactions',
  columns: {
    ...fieldColumns(shownFields, {
      ...workedOut,
      fee: {
        fee_asset_id: 'text',
        fee_asset_is_assumed: 'boolean!',
        vault_id: 'text',
        vault_name: 'text',
        vault_type: 'text',
        counterparty_type: 'text',
        counterparty_id: 'text',
        counterparty_name: 'text',
        counterparty_address: 'text',
      },
    }),
    first_seen_after: 'moment',
    first_seen_at: 'moment!',
    is_older_than_mirror: 'boolean!',
    status_since: 'moment!',
    settled_at: 'moment',
    changed_at: 'moment!',
    missing_since: 'moment',
  },
  sums,
  filters: {
    ...filters,
    ...digested,
    is_open: { column: 'is_open', is: '=', by: openOnes },
    vault: { column: 'source_id', is: '=', by: ({ account }, id) => ofVault(shown, account, id) },
    changed_from: { column: 'changed_at', is: '>=' },
    changed_to: { column: 'changed_at', is: '<', by: changedBefore },
    settled_from: { column: 'settled_at', is: '>=', by: settledFrom },
    settled_to: { column: 'settled_at', is: '<', by: settledBefore },
  },
  orders: {
    first_seen_at: ['first_seen_at', 'transaction_id'],
    changed_at: ['changed_at', 'transaction_id'],
    transaction_id: ['transaction_id'],
  },
  defaultOrder: '-first_seen_at',
  planHint: 'joins-as-written',
});

export const transactionsAt = listOf({
  name: 'transactions-at',
  describedBy: 'reporting.transactions',
  columns: {
    ...fieldColumns(shownFields, workedOut),
    first_seen_at: 'moment!',
    status_since: 'moment!',
    missing_since: 'moment',
  },
  sums,
  from: ({ account, at }) => ({
    item: sql`reporting.transactions_at(${at}::timestamptz) as v`,
    where: sql`v.account_id = ${account}`,
  }),
  filters: { ...filters, ...pastFilters },
  orders: {
    first_seen_at: ['first_seen_at', 'transaction_id'],
    transaction_id: ['transaction_id'],
  },
  defaultOrder: '-first_seen_at',
});

export const timeline = listOf({
  name: 'timeline',
  describedBy: 'reporting.transaction_timeline',
  columns: {
    sequence: 'integer!',
    status: 'text!',
    previous_status: 'text',
    entered_after: 'moment',
    entered_at: 'moment!',
    entered_bound: 'text!',
    left_after: 'moment',
    left_at: 'moment',
    left_bound: 'text!',
    is_current: 'boolean!',
  },
  filters: { transaction_id: { column: 'transaction_id', is: '=', isHidden: true } },
  orders: { sequence: ['sequence'] },
});

export const revisions = listOf({
  name: 'revisions',
  describedBy: 'custody.transaction_revisions',
  columns: tableColumns(transactionRevisions, 'transaction_id'),
  filters: { transaction_id: { column: 'transaction_id', is: '=', isHidden: true } },
  orders: { revision: ['revision'] },
});

export async function hasTransaction(tx: Tx, account: string, id: string): Promise<boolean> {
  const { rows } = await tx.run('read.has-transaction', (db) =>
    db.execute(sql`
      select from custody.transactions t where t.account_id = ${account} and t.transaction_id = ${id}`),
  );
  return rows.length > 0;
}
