// The feed of changes: every row of every history of an account, in the order of commits, with long polling.
import { z } from 'zod';
import { type ChangeKind, type Changes, changeKinds, readChanges } from '../../store/read-api/changes.ts';
import { isMirrored } from '../../store/read-api/known-since.ts';
import { choice, integer, text } from '../../store/read-api/list/parameter-kinds.ts';
import { type Names, readHistory, sharedUpTo, writeHistory } from '../../store/run/histories.ts';
import { accountFor, accountParameter, unknownAccount } from '../answer/account.ts';
import { limitParameter } from '../answer/list-operation.ts';
import type { ApiRequest, Operation, Tools } from '../answer/operation.ts';
import { badParameter, HistoryChanged, Problem } from '../answer/problem.ts';

const longestWait = 30;
/** The greatest whole number that JSON carries exactly everywhere. */
const greatest = Number.MAX_SAFE_INTEGER;
const defaultLimit = 100;
const longestHistory = 500;

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
    'Store `next_after` and `history`, and send them as the next `after` and `history`: nothing is missed or repeated, whatever crashes in between, and a place that a restored database cannot continue is refused (`history-changed`). With `wait`, a response without changes is held until there are some.',
  parameters: {
    account: accountParameter,
    after: integer(
      0,
      greatest,
      'The position: `next_after` of the previous response. Default 0: from the beginning.',
      0,
    ),
    history: text(
      '`history` of the response that gave the position. Required unless `after` is 0.',
      '4f0c2a91b7de-0',
      longestHistory,
    ),
    kind: choice(changeKinds, 'Only changes of one kind.'),
    wait: integer(0, longestWait, 'Seconds to wait for a change if there are none.', 30),
    limit: limitParameter,
  },
  schema: z.object({
    account_id: z.string(),
    data: z.array(change),
    next_after: z.int().meta({ description: 'The position after these changes.' }),
    history: z.string().nullable().meta({
      description:
        'The history that the position belongs to; null before the first change. It changes without a loss too, for instance when the database restarts: store it with each position.',
    }),
    has_more: z.boolean().meta({ description: 'There are more: request them at once.' }),
    last_change_id: z.int().meta({
      description: 'The last change of the account: the position after which only new ones follow.',
    }),
  }),
  rows: { Change: change },
  isList: false,
  problems: ['changes-ahead', 'history-changed'],
  async answer(request, tools) {
    const account = accountFor(request.params, request.reader, tools.account);
    const { rows, next, hasMore, last, names } = await changesOrWait(account, request, tools);
    return {
      json: `{"account_id":${JSON.stringify(account)},"data":[${rows.join()}],"next_after":${next},"history":${JSON.stringify(writeHistory(names))},"has_more":${hasMore},"last_change_id":${last}}`,
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
  const history = placeHistory(params['history'], question.after);
  const read = async () => {
    const { readDatabase } = tools;
    const found = await readDatabase.transact('followChanges', (tx) => readChanges(tx, question));
    if (found.last === 0 && !(await readDatabase.transact('followChanges', (tx) => isMirrored(tx, account))))
      throw unknownAccount();
    refuseOtherPlace(question.after, history, found);
    return found;
  };
  const waitMs = Number(params['wait'] ?? 0) * 1000;
  const first = await read();
  if (first.rows.length > 0 || waitMs === 0) return first;
  return await waitFor(first, read, { account, waitMs, signal, tools });
}

/** @throws Problem for a text that no response gave, and for a position without a history */
function placeHistory(text: string | undefined, after: number): Names {
  if (text === undefined && after > 0)
    throw badParameter('history', 'is required with after: send the history of the response that gave it');
  const names = text === undefined ? [] : readHistory(text);
  if (names === null) throw badParameter('history', 'must be the unchanged history of a response');
  return names;
}

/** @throws Problem for a position that this history does not continue */
function refuseOtherPlace(after: number, history: Names, { names, last, isReplica }: Changes): void {
  const shared = sharedUpTo(history, names);
  const mayFollow = isReplica && !names.some(({ name }) => name === history[0]?.name);
  if (after > shared && !mayFollow)
    throw new HistoryChanged(
      `the database was restored or lost its last changes: those up to ${shared} are as you read them, later ones are gone and their numbers are given out again`,
      { after: shared, history: writeHistory(names) },
    );
  if (after > last || after > shared)
    throw new Problem('changes-ahead', `after is ${after}, but the last change known here is ${last}`);
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
    // The first turn reads what came between the previous reading and the watch.
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
