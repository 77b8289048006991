// The health of an account with its problems.
import { z } from 'zod';
import { health, problems, readHealth } from '../../store/read-api/findings.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { rowSchema } from '../answer/schemas.ts';

export const healthOperation = oneOperation({
  id: 'getHealth',
  path: '/v1/health',
  summary: 'Health in one word, and the problems',
  row: 'Health',
  schema: rowSchema(health, { problems: z.array(rowSchema(problems)) }),
  read: readHealth,
});
