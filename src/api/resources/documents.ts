// One vault or whitelist entry with its revisions.
import { z } from 'zod';
import { type DocumentLists, readDocument } from '../../store/read-api/documents.ts';
import { identifier } from '../../store/read-api/list/parameter-kinds.ts';
import { oneOperation } from '../answer/one-operation.ts';
import type { Operation } from '../answer/operation.ts';
import { rowSchema } from '../answer/schemas.ts';

/** @param words what a document is called */
export function documentOperation(lists: DocumentLists, words: string): Operation {
  const { id, now, revisions } = lists;
  return oneOperation({
    id: `get${now.row}`,
    path: `${now.path}/{${id}}`,
    summary: `One ${words} with its revisions`,
    parameter: identifier(`Identifier of the ${words}.`, String(now.filters[id]?.example)),
    row: `${now.row}WithHistory`,
    schema: rowSchema(now, {
      revisions: z.array(rowSchema(revisions)).meta({ description: 'Every observed state, the last 500.' }),
    }),
    read: (tx, account, document) => readDocument(tx, lists, account, document),
  });
}
