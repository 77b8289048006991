// The observations of one tick.
import { z } from 'zod';
import { snapshots } from '../../store/read-api/balances/balances.ts';
import { moment } from '../../store/read-api/list/parameter-kinds.ts';
import { readObservation } from '../../store/read-api/one-tick.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { rowSchema, sealedSchema } from '../answer/schemas.ts';

export const tickOperation = oneOperation({
  id: 'getTick',
  path: '/v1/snapshots/{snapshot_at}',
  summary: 'The observations of all, warm and cold vaults of one tick, and the checkpoint that seals them',
  parameter: { ...moment('When the tick began: its `snapshot_at`.'), in: 'path', required: true },
  row: 'Tick',
  schema: z.object({
    snapshots: z
      .array(rowSchema(snapshots))
      .meta({ description: 'One of each vault type that was observed.' }),
    sealed: sealedSchema('all of them'),
  }),
  read: readObservation,
});
