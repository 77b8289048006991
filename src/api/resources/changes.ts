// The feed of changes: every row of every history of an account, in the order of commits, with long polling.
import { z } from 'zod';
import { type ChangeKind, type Changes, changeKinds, readChanges } from '../../store/read-api/changes.ts';
import { isMirrored } from '../../store/read-api/known-since.ts';
import { accountFor, accountParameter, unknownAccount } from '../answer/account.ts';
import { limitParameter } from '../answer/list-operation.ts';
import type { ApiRequest, Operation, Tools } from '../answer/operation.ts';
import { choice, integer } from '../answer/parameter-kinds.ts';
import { Problem } from '../answer/problem.ts';

const longestWait = 30;
/** The greatest whole number that JSON carries exactly everywhere. */
const greatest = Number.MAX_SAFE_INTEGER;
const defaultLimit = 100;

const change = z.object({
  change_id: z.int().meta({ description: 'Increases in commit order; numbers may be skipped.' }),
  kind: z.enum(changeKinds).meta({ description: 'The history that the row belongs to.' }),
  resource_id: z.string().meta({
    description: 'Identifier of the transaction, vault or whitelist entry; for a snapshot, its vault type.',
  }),
  observed_at: z
    .string()
    .meta({ format: 'date-time', description: 'When the response that showed the change arrived.' }),
  run_id: z.int().meta({ description: 'The run that observed it.' }),
  details: z.record(z.string(), z.unknown()).meta({
    description:
      'The other columns of the row: of custody.transaction_status_history, transaction_revisions, document_revisions or balance_snapshots.',
  }),
});

export const changesOperation: Operation = {
  id: 'followChanges',
  path: '/v1/changes',
  summary: 'Everything added to the histories after a position, in commit order',
  description:
    'Store `next_after` and send it as the next `after`: nothing is missed or repeated, whatever crashes in between. With `wait`, a response without changes is held until there are some.',
  parameters: {
    account: accountParameter,
    after: integer(
      0,
      greatest,
      'The position: `next_after` of the previous response. Default 0: from the beginning.',
      0,
    ),
    kind: choice(changeKinds, 'Only one history.'),
    wait: integer(0, longestWait, 'Seconds to wait for a change if there are none.', 30),
    limit: limitParameter,
  },
  schema: z.object({
    account_id: z.string(),
    data: z.array(change),
    next_after: z.int().meta({ description: 'The position after these changes.' }),
    has_more: z.boolean().meta({ description: 'There are more: request them at once.' }),
    last_change_id: z.int().meta({
      description: 'The last change of the account: the position after which only new ones follow.',
    }),
  }),
  rows: { Change: change },
  isList: false,
  problems: ['changes-ahead'],
  async answer(request, tools) {
    const account = accountFor(request.params, request.reader, tools.account);
    const { rows, next, hasMore, last } = await changesOrWait(account, request, tools);
    return {
      json: `{"account_id":${JSON.stringify(account)},"data":[${rows.join()}],"next_after":${next},"has_more":${hasMore},"last_change_id":${last}}`,
    };
  },
};

async function changesOrWait(
  account: string,
  { params, signal }: ApiRequest,
  tools: Tools,
): Promise<Changes> {
  const question = {
    account,
    after: Number(params['after'] ?? 0),
    limit: Number(params['limit'] ?? defaultLimit),
    kind: changeKinds.find((kind): kind is ChangeKind => kind === params['kind']) ?? null,
  };
  const read = async () => {
    const { readDatabase } = tools;
    const found = await readDatabase.transact('followChanges', (tx) => readChanges(tx, question));
    if (found.last === 0 && !(await readDatabase.transact('followChanges', (tx) => isMirrored(tx, account))))
      throw unknownAccount();
    if (question.after > found.last)
      throw new Problem('changes-ahead', `after is ${question.after}, but the last change is ${found.last}`);
    return found;
  };
  const waitMs = Number(params['wait'] ?? 0) * 1000;
  const first = await read();
  if (first.rows.length > 0 || waitMs === 0) return first;
  return await waitFor(first, read, { account, waitMs, signal, tools });
}

interface Waiting {
  readonly account: string;
  readonly waitMs: number;
  readonly signal: AbortSignal;
  readonly tools: Tools;
}

/** Reads again at each sign, until there are changes, the time is over or the reader leaves. */
async function waitFor(
  first: Changes,
  read: () => Promise<Changes>,
  { account, waitMs, signal, tools }: Waiting,
): Promise<Changes> {
  let isSigned = true;
  let wake = () => {};
  let isOver = signal.aborted;
  const end = () => {
    isOver = true;
    wake();
  };
  const unwatch = tools.changes.watch(account, () => {
    isSigned = true;
    wake();
  });
  const timer = setTimeout(end, waitMs);
  signal.addEventListener('abort', end, { once: true });
  try {
    // The first turn reads what came between the reading before and the watch.
    for (let found = first; ; ) {
      if (found.rows.length > 0 || isOver) return found;
      if (isSigned) {
        isSigned = false;
        found = await read();
        continue;
      }
      await new Promise<void>((resume) => {
        wake = resume;
      });
    }
  } finally {
    unwatch();
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}
