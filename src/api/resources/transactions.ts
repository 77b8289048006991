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
    status: { is_open: flag('Only transactions that are open, or that are settled.') },
  }),
  amount_from: amount('Only amounts of at least this.'),
  amount_to: amount('Only amounts of at most this.'),
  first_seen_from: moment('Only what was first seen at this moment or later.'),
  first_seen_to: moment('Only what was first seen before this moment.'),
  changed_from: moment('Only what last changed at this moment or later; not with at.'),
  changed_to: moment('Only what last changed before this moment; not with at.'),
  settled_from: moment(
    'Only what settled at this moment or later: its present final status was first seen then, as flows and fees count it; not with at.',
  ),
  settled_to: moment('Only what settled before this moment; not with at.'),
  missing: flag('Only what the service no longer shows, or only what it shows; both without it.'),
  vault: text(
    'Only what leaves or enters this vault, by its identifier.',
    shownFields.sourceId.filter.example,
  ),
  search: {
    ...text(
      'Only what has every word of this text: in its identifier, hash, addresses, memo or note, or as the identifier or in the name of its vault or destination, as known now. Letters may be large or small. A word of six characters or more also finds what begins with it; a shortened one such as 0xf72a…71e0, with six characters or more before the gap, what begins and ends so; a number what has exactly this amount; and the address of an explorer what its last part finds. More than 1,000 matches are refused.',
      '795d8712',
    ),
    schema: z
      .string()
      .max(500)
      .regex(/^[^\0]*[^\0\s][^\0]*$/),
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
      `more than ${mostFound.toLocaleString('en')} transactions match: search for more of it, or use a filter such as vault, destination_id or asset_id`,
    );
  return { ...selection, filters: { ...selection.filters, search: JSON.stringify(found) } };
}

const seconds = (description: string) => z.number().nullable().meta({ description });

const usualTimes = z.object({
  transaction_type: z.string().nullable().meta({ description: 'The type that is compared.' }),
  asset_id: z.string().nullable().meta({ description: 'The asset that is compared.' }),
  completed: z.int().meta({
    description:
      'How many transactions of this type and asset tell it: the last 200 that are completed and began after the mirror did.',
  }),
  since: z.iso.datetime().nullable().meta({ description: 'When the first of them was first seen.' }),
  median_seconds: seconds(
    'Half of them took no longer than this, from the first sighting to that of completed.',
  ),
  p95_seconds: seconds('95 of 100 of them took no longer than this.'),
  longest_seconds: seconds('None of them took longer than this.'),
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
    summary: 'One transaction with its statuses, its revisions and the record as the service sent it',
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
    summary: 'How long the last completed transactions of the same type and asset took',
    parameter: id,
    row: 'UsualTimes',
    schema: usualTimes,
    read: readUsualTimes,
  }),
  listOperation({
    id: 'listTransactionTimeline',
    path: '/v1/transactions/{transaction_id}/timeline',
    summary: 'The statuses of a transaction, each with the readings between which it changed',
    listing: timeline,
    row: 'TimelineEntry',
    filters: { transaction_id: id },
    exists: hasTransaction,
  }),
  listOperation({
    id: 'listTransactionRevisions',
    path: '/v1/transactions/{transaction_id}/revisions',
    summary: 'The changes of a transaction in anything but its status, with the values before and after',
    listing: revisions,
    row: 'TransactionRevision',
    filters: { transaction_id: id },
    exists: hasTransaction,
  }),
];
