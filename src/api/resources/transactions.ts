// The search in transactions, and one of them with its history.
import { z } from 'zod';
import { transactionFields } from '../../domain/fields.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import type { Selection } from '../../store/read-api/list/listing.ts';
import { identifier } from '../../store/read-api/list/parameter-kinds.ts';
import { readTransaction, readUsualTimes } from '../../store/read-api/one-transaction.ts';
import { mostFound, searchTransactions } from '../../store/read-api/search-transactions.ts';
import { revisions, timeline, transactions } from '../../store/read-api/transactions.ts';
import { listOperation } from '../answer/list-operation.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { Problem } from '../answer/problem.ts';
import { rowSchema, sealedSchema } from '../answer/schemas.ts';

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

const id = identifier('Identifier of the transaction.', transactionFields.transactionId.filter.example);

export const transactionOperations = [
  listOperation({
    ...transactions,
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
];
