// The feed of changes: every row of every history of an account, in the order of commits, with long polling.
import { z } from 'zod';
import { type ChangeKind, type Changes, changeKinds, readChanges } from '../../store/read-api/changes.ts';
import { isMirrored } from '../../store/read-api/known-since.ts';
import { accountFor, accountParameter, unknownAccount } from '../answer/account.ts';
import { limitParameter } from '../answer/list-operation.ts';
import type { Asked, Operation, Tools } from '../answer/operation.ts';
import { choice, integer } from '../answer/parameter-kinds.ts';
import { Problem } from '../answer/problem.ts';

const longestWait = 30;
/** The greatest whole number that JSON carries exactly everywhere. */
const greatest = Number.MAX_SAFE_INTEGER;
const defaultLimit = 100;

const change = z.object({
  change_id: z.int().meta({ description: 'Grows in the order of commits; numbers may be skipped.' }),
  kind: z.enum(changeKinds).meta({ description: 'Which history the row is of.' }),
  resource_id: z.string().meta({
    description: 'Identifier of the transaction, vault or whitelist entry; of a snapshot its vault type.',
  }),
  observed_at: z
    .string()
    .meta({ format: 'date-time', description: 'When the answer that showed the change had arrived.' }),
  run_id: z.int().meta({ description: 'The run that saw it.' }),
  details: z.record(z.string(), z.unknown()).meta({
    description:
      'The other columns of the row: of custody.transaction_status_history, transaction_revisions, document_revisions or balance_snapshots.',
  }),
});

export const changesOperation: Operation = {
  id: 'followChanges',
  path: '/v1/changes',
  summary: 'Everything that came into the histories after a place, in the order of commits',
  description:
    'Keep `next_after` and ask with it as `after`: nothing is missed and nothing comes twice, whatever dies in between. With `wait` an answer without changes is held back until there are some.',
  parameters: {
    account: accountParameter,
    after: integer(
      0,
      greatest,
      'The place: `next_after` of the answer before. 0, or without it, from the beginning.',
      0,
    ),
    kind: choice(changeKinds, 'Only one history.'),
    wait: integer(0, longestWait, 'How many seconds to wait for a change where there is none.', 30),
    limit: limitParameter,
  },
  schema: z.object({
    account_id: z.string(),
    data: z.array(change),
    next_after: z.int().meta({ description: 'The place behind these changes.' }),
    has_more: z.boolean().meta({ description: 'There are more: ask again at once.' }),
    last_change_id: z
      .int()
      .meta({ description: 'The last change of the account: the place from which only new ones come.' }),
  }),
  rows: { Change: change },
  isList: false,
  problems: ['changes-ahead'],
  async answer(asked, tools) {
    const account = accountFor(asked.given, asked.reader, tools.account);
    const { rows, next, hasMore, last } = await changesOrWait(account, asked, tools);
    return {
      json: `{"account_id":${JSON.stringify(account)},"data":[${rows.join()}],"next_after":${next},"has_more":${hasMore},"last_change_id":${last}}`,
    };
  },
};

async function changesOrWait(account: string, { given, signal }: Asked, tools: Tools): Promise<Changes> {
  const question = {
    account,
    after: Number(given['after'] ?? 0),
    limit: Number(given['limit'] ?? defaultLimit),
    kind: changeKinds.find((kind): kind is ChangeKind => kind === given['kind']) ?? null,
  };
  const read = async () => {
    const { readDatabase } = tools;
    const found = await readDatabase.transact('followChanges', (tx) => readChanges(tx, question));
    if (found.last === 0 && !(await readDatabase.transact('followChanges', (tx) => isMirrored(tx, account))))
      throw unknownAccount();
    if (question.after > found.last)
      throw new Problem('changes-ahead', `after is ${question.after}, and the last change is ${found.last}`);
    return found;
  };
  const waitMs = Number(given['wait'] ?? 0) * 1000;
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
