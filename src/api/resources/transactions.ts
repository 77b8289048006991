// Transactions now and at a moment, one of them with its history, and its statuses and revisions as lists.
import { z } from 'zod';
import { transactionFields } from '../../domain/fields.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import type { Selection } from '../../store/read-api/list/listing.ts';
import { readTransaction, readUsualTimes } from '../../store/read-api/one-transaction.ts';
import { mostFound, searchTransactions } from '../../store/read-api/search-transactions.ts';
import {
  hasTransaction,
  revisions,
  timeline,
  transactions,
  transactionsAt,
} from '../../store/read-api/transactions.ts';
import { listOperation } from '../answer/list-operation.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { amount, fieldParameters, flag, identifier, moment, text } from '../answer/parameter-kinds.ts';
import { Problem } from '../answer/problem.ts';
import { rowSchema, sealedSchema } from '../answer/schemas.ts';

const { sourceTimestamp, ...shownFields } = transactionFields;
const uuid = shownFields.transactionId.filter.example;

const filters = {
  ...fieldParameters(shownFields, {
    status: { is_open: flag('Only open, or only settled transactions.') },
  }),
  amount_from: amount('Only amounts of at least this.'),
  amount_to: amount('Only amounts of at most this.'),
  first_seen_from: moment('Only what was first seen at this moment or later.'),
  first_seen_to: moment('Only what was first seen before this moment.'),
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

async function lookUpSearch(tx: Tx, selection: Selection): Promise<Selection> {
  const { search } = selection.filters;
  if (search === undefined) return selection;
  const found = await searchTransactions(tx, selection.account, search);
  if (found === null)
    throw new Problem(
      'too-many-matches',
      `more than ${mostFound.toLocaleString('en')} transactions match: make the search longer, or filter by vault, destination_id or asset_id`,
    );
  return { ...selection, filters: { ...selection.filters, search: JSON.stringify(found) } };
}

const seconds = (description: string) => z.number().nullable().meta({ description });

const usualTimes = z.object({
  transaction_type: z.string().nullable().meta({ description: 'The type of these transactions.' }),
  asset_id: z.string().nullable().meta({ description: 'The asset of these transactions.' }),
  completed: z.int().meta({
    description:
      'Number of transactions behind these figures: the last 200 of this type and asset that were observed from start to completion.',
  }),
  since: z.iso.datetime().nullable().meta({ description: 'When the first of them was first seen.' }),
  median_seconds: seconds('Median time from first seen to first seen completed.'),
  p95_seconds: seconds('95 of 100 of them took no longer than this.'),
  longest_seconds: seconds('The longest.'),
});

const id = identifier('Identifier of the transaction.', uuid);

export const transactionOperations = [
  listOperation({
    id: 'listTransactions',
    path: '/v1/transactions',
    summary: 'Transactions, now or as they were known at a moment',
    listing: transactions,
    row: 'Transaction',
    past: { listing: transactionsAt, row: 'TransactionAt', of: 'transactions' },
    filters,
    lookUp: { filter: 'search', find: lookUpSearch },
    problems: ['too-many-matches'],
  }),
  oneOperation({
    id: 'getTransaction',
    path: '/v1/transactions/{transaction_id}',
    summary: 'One transaction with its statuses, revisions and the record as the service sent it',
    parameter: id,
    row: 'TransactionWithHistory',
    schema: rowSchema(transactions, {
      timeline: z.array(rowSchema(timeline)).meta({ description: 'Its statuses, the first 500.' }),
      revisions: z.array(rowSchema(revisions)).meta({ description: 'Its revisions, the first 500.' }),
      sealed: sealedSchema('all statuses and revisions'),
      raw: z.unknown().meta({ description: 'The record as it was received when it last changed.' }),
    }),
    read: readTransaction,
  }),
  oneOperation({
    id: 'getUsualTimes',
    path: '/v1/transactions/{transaction_id}/usual-times',
    summary: 'How long recent completed transactions of the same type and asset took',
    parameter: id,
    row: 'UsualTimes',
    schema: usualTimes,
    read: readUsualTimes,
  }),
  listOperation({
    id: 'listTransactionTimeline',
    path: '/v1/transactions/{transaction_id}/timeline',
    summary: 'The statuses of a transaction, each with the reads between which it changed',
    listing: timeline,
    row: 'TimelineEntry',
    filters: { transaction_id: id },
    exists: hasTransaction,
  }),
  listOperation({
    id: 'listTransactionRevisions',
    path: '/v1/transactions/{transaction_id}/revisions',
    summary: 'All changes to a transaction other than its status, with the values before and after',
    listing: revisions,
    row: 'TransactionRevision',
    filters: { transaction_id: id },
    exists: hasTransaction,
  }),
];
