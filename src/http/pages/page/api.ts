// The records and answers of the read API, as pages get them.
export type * from '../../../../packages/client/src/generated/types/api-types.ts';
