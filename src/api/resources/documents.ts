// Vaults and whitelist entries: now, at a moment, and one of each with its revisions.
import { z } from 'zod';
import { type DocumentKind, documentChangeKinds, documentKinds } from '../../domain/document.ts';
import { entryAttributes, vaultAttributes, vaultTypes } from '../../domain/fields.ts';
import {
  type DocumentLists,
  documentChanges,
  readDocument,
  vaults,
  whitelist,
} from '../../store/read-api/documents.ts';
import { listOperation } from '../answer/list-operation.ts';
import { oneOperation } from '../answer/one-operation.ts';
import type { Operation } from '../answer/operation.ts';
import { choice, fieldParameters, flag, identifier, moment, text } from '../answer/parameter-kinds.ts';
import type { Parameters } from '../answer/parameters.ts';
import { rowSchema } from '../answer/schemas.ts';

interface DocumentNames {
  readonly kind: DocumentKind;
  readonly path: string;
  /** Part of the names of schemas and operations. */
  readonly one: string;
  /** The same in words. */
  readonly oneInWords: string;
  readonly many: string;
  readonly example: string;
  readonly filters: Parameters;
}

function documentOperations(lists: DocumentLists, names: DocumentNames): readonly Operation[] {
  const { kind, path, one, oneInWords, many, example, filters } = names;
  const id = identifier(`Identifier of the ${oneInWords}.`, example);
  const byId = { [lists.id]: text('Only the one with this identifier.', example) };
  return [
    listOperation({
      id: `list${many}`,
      path,
      summary: `${many}, now or as known at a moment`,
      description: 'Without `at`, those that the service no longer lists are included, with `missing_since`.',
      listing: lists.now,
      row: one,
      past: { listing: lists.at, row: `${one}At`, of: kind },
      filters: {
        ...byId,
        ...filters,
        missing: flag('Only what the service no longer lists, or only what it lists; not with at.'),
      },
    }),
    oneOperation({
      id: `get${one}`,
      path: `${path}/{${lists.id}}`,
      summary: `One ${oneInWords} with its revisions`,
      parameter: id,
      row: `${one}WithHistory`,
      schema: rowSchema(lists.now, {
        revisions: z
          .array(rowSchema(lists.revisions))
          .meta({ description: 'Every observed state, the last 500.' }),
      }),
      read: (tx, account, params) => readDocument(tx, lists, account, params),
    }),
  ];
}

export const vaultOperations = documentOperations(vaults, {
  kind: 'vault',
  path: '/v1/vaults',
  one: 'Vault',
  oneInWords: 'vault',
  many: 'Vaults',
  example: 'vlt_aa3044f12ffc5957',
  filters: { vault_type: choice(vaultTypes, vaultAttributes.vaultType.filter.says) },
});

export const whitelistOperations = documentOperations(whitelist, {
  kind: 'whitelist_entry',
  path: '/v1/whitelist',
  one: 'WhitelistEntry',
  oneInWords: 'whitelist entry',
  many: 'Whitelist',
  example: 'wl_dcaa3d11d3136c8d',
  filters: fieldParameters(entryAttributes),
});

export const documentChangesOperation = listOperation({
  id: 'listDocumentChanges',
  path: '/v1/documents/changes',
  summary: 'Changes in vaults and whitelist entries, with the members before and after',
  description: 'Each observed state is a row. It began between `observed_after` and `observed_at`.',
  listing: documentChanges,
  row: 'DocumentChange',
  filters: {
    kind: choice(documentKinds, 'Only changes of vaults, or of whitelist entries.'),
    document_id: text('Only changes of the vault or entry with this identifier.', 'wl_dcaa3d11d3136c8d'),
    change: choice(documentChangeKinds, 'Only changes of this kind.'),
    is_older_than_mirror: flag('Only what the initial sync found, or only what came after it.'),
    observed_from: moment('Only changes first observed at this moment or later.'),
    observed_to: moment('Only changes first observed before this moment.'),
  },
});
