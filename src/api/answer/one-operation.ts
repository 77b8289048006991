// A route for a single object of an account.
import type { z } from 'zod';
import type { Tx } from '../../store/postgres/transaction.ts';
import { isMirrored } from '../../store/read-api/known-since.ts';
import type { Parameter } from '../../store/read-api/list/parameter-kinds.ts';
import { accountFor, accountParameter, unknownAccount } from './account.ts';
import { type Operation, pathParameter } from './operation.ts';
import { Problem } from './problem.ts';
import { oneSchema } from './schemas.ts';

export interface OneDescription {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The parameter of the path that names it; none for what an account has once. */
  readonly parameter?: Parameter;
  /** Name of the schema. */
  readonly row: string;
  readonly schema: z.ZodType;
  /** @returns a JSON object; null when there is none */
  read(tx: Tx, account: string, id: string): Promise<string | null>;
}

export function oneOperation(one: OneDescription): Operation {
  const { parameter, row, schema } = one;
  const identifier = pathParameter(one);
  return {
    ...one,
    description: one.description ?? '',
    parameters: {
      account: accountParameter,
      ...(identifier === null || parameter === undefined ? {} : { [identifier]: parameter }),
    },
    schema: oneSchema(schema),
    rows: { [row]: schema },
    isList: false,
    problems: identifier === null ? [] : ['not-found'],
    async answer({ params, reader }, { readDatabase, account: own }) {
      const account = accountFor(params, reader, own);
      const id = identifier === null ? '' : (params[identifier] ?? '');
      const found = await readDatabase.transact(
        one.id,
        async (tx) => {
          const json = await one.read(tx, account, id);
          if (json === null && !(await isMirrored(tx, account))) throw unknownAccount();
          return json;
        },
        { snapshot: true },
      );
      if (found === null) throw new Problem('not-found', `the account has nothing with this ${identifier}`);
      return { json: `{"account_id":${JSON.stringify(account)},"data":${found}}` };
    },
  };
}
