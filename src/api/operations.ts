// Every route of the API, in the order of the reference, and their groups.

import { unlessStopped, withLinkedSignal } from '../base/waiting.ts';
import { transactionFields } from '../domain/fields.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import {
  balanceHistory,
  balanceSeries,
  balanceSplit,
  balances,
  balanceTrends,
  balanceValues,
  movementValues,
  portfolioValue,
  portfolioValueDaily,
  prices,
  snapshots,
} from '../store/read-api/balances/balances.ts';
import { type ChangeKind, type Changes, changeKinds, readChanges } from '../store/read-api/changes.ts';
import {
  destinations,
  destinationsDaily,
  destinationUses,
  destinationUseTotals,
} from '../store/read-api/destinations.ts';
import {
  type DocumentLists,
  documentChanges,
  readDocument,
  vaults,
  whitelist,
} from '../store/read-api/documents.ts';
import {
  accounts,
  anomalies,
  facts,
  freshness,
  quarantine,
  readHealth,
  runs,
} from '../store/read-api/findings.ts';
import type { Selection } from '../store/read-api/list/listing.ts';
import { choice, identifier, integer, moment, text } from '../store/read-api/list/parameter-kinds.ts';
import {
  calendar,
  explained,
  fees,
  feeTotals,
  flows,
  lateCorrections,
  postings,
  reconciliation,
  reconciliationPostings,
  reconciliationUncertain,
} from '../store/read-api/reconciliation.ts';
import { mostFound, searchTransactions } from '../store/read-api/search-transactions.ts';
import { readSnapshotsAt, readTransaction, readUsualTimes } from '../store/read-api/single-records.ts';
import { revisions, timeline, transactions } from '../store/read-api/transactions.ts';
import { type Names, readHistory, sharedUpTo, writeHistory } from '../store/run/histories.ts';
import { type ListRoute, limitParameter, listOperation, oneOperation } from './answer/list-operation.ts';
import type { ApiRequest, Operation, Tools } from './answer/operation.ts';
import {
  accountFor,
  accountParameter,
  badParameter,
  historyChanged,
  Problem,
  unknownAccount,
} from './answer/parameters.ts';

// The observations of one tick.

const tickOperation = oneOperation({
  id: 'getTick',
  path: '/v1/snapshots/{snapshot_at}',
  summary: 'The observations of all, warm and cold vaults of one tick, and the checkpoint that seals them',
  parameter: { ...moment('When the tick began: its `snapshot_at`.'), in: 'path', required: true },
  read: readSnapshotsAt,
});

// The feed of changes: every row of every history of an account, in the order of commits, with long polling.

const longestWait = 30;
/** The greatest whole number that JSON carries exactly everywhere. */
const greatest = Number.MAX_SAFE_INTEGER;
const defaultLimit = 100;
const longestHistory = 500;

const changesOperation: Operation = {
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
    if (!found.isMirrored) throw unknownAccount();
    refuseOtherPlace(question.after, history, found);
    return found;
  };
  const waitMs = Number(params['wait'] ?? 0) * 1000;
  const first = await read();
  if (first.rows.length > 0 || waitMs === 0) return first;
  return await waitFor(account, read, [signal, AbortSignal.timeout(waitMs)], tools);
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
    throw historyChanged(
      `the database was restored or lost its last changes: those up to ${shared} are as you read them, later ones are gone and their numbers are given out again`,
      { after: shared, history: writeHistory(names) },
    );
  if (after > last || after > shared)
    throw new Problem('changes-ahead', `after is ${after}, but the last change known here is ${last}`);
}

/** Reads again at each sign, until there are changes, the time is over or the reader leaves. */
async function waitFor(
  account: string,
  read: () => Promise<Changes>,
  ends: readonly AbortSignal[],
  { changes }: Tools,
): Promise<Changes> {
  let wake = () => {};
  const unwatch = changes.watch(account, () => wake());
  try {
    return await withLinkedSignal(ends, async (ended) => {
      for (;;) {
        // Of the time before the reading, which may miss what a sign meanwhile stands for.
        const signed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const found = await read();
        if (found.rows.length > 0) return found;
        await unlessStopped(ended, () => signed).catch(() => undefined);
        if (ended.aborted) return found;
      }
    });
  } finally {
    unwatch();
  }
}

// The health of an account with its problems.

const healthOperation = oneOperation({
  id: 'getHealth',
  path: '/v1/health',
  summary: 'Health in one word, and the problems',
  read: readHealth,
});

// The search in transactions, and one of them with its history.

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

const id = identifier('Identifier of the transaction.', transactionFields.transactionId.filter.example);

const transactionOperations = [
  { ...transactions, lookUp: { filter: 'search', find: lookUpSearch } },
  oneOperation({
    id: 'getTransaction',
    path: '/v1/transactions/{transaction_id}',
    summary: 'One transaction with its statuses, revisions and the record as the service sent it',
    parameter: id,
    read: readTransaction,
  }),
  oneOperation({
    id: 'getUsualTimes',
    path: '/v1/transactions/{transaction_id}/usual-times',
    summary: 'How long recent completed transactions of the same type and asset took',
    parameter: id,
    read: readUsualTimes,
  }),
];

export interface TaggedOperation extends Operation {
  /** Its group; openapi.json describes each (`npm run generate`). */
  readonly tag: string;
}

export const operations: readonly TaggedOperation[] = [
  ...tagged('Transactions', ...transactionOperations, timeline, revisions),
  ...tagged('Balances', balances, balanceSplit, balanceHistory, snapshots, tickOperation),
  ...tagged('Balances', balanceSeries, balanceTrends),
  ...tagged('Reports', portfolioValueDaily, movementValues),
  ...tagged('Balances', balanceValues, portfolioValue, prices),
  ...tagged('Vaults', vaults.now, documentOperation(vaults, 'vault')),
  ...tagged('Whitelist', whitelist.now, documentOperation(whitelist, 'whitelist entry')),
  ...tagged('Documents', documentChanges),
  ...tagged('Reports', calendar, flows, fees, feeTotals),
  ...tagged('Reports', reconciliation, explained, postings, reconciliationPostings, reconciliationUncertain),
  ...tagged('Reports', lateCorrections),
  ...tagged('Reports', destinations, destinationsDaily, destinationUses, destinationUseTotals),
  ...tagged('Changes', changesOperation),
  ...tagged('Sync', accounts, freshness, healthOperation, runs, quarantine, anomalies, facts),
];

function tagged(tag: string, ...group: readonly (Operation | ListRoute)[]): readonly TaggedOperation[] {
  return group.map((one) => ({ ...('answer' in one ? one : listOperation(one)), tag }));
}

const byId = new Map(operations.map((operation) => [operation.id, operation]));

export function operationOf(id: string): Operation {
  const operation = byId.get(id);
  if (operation === undefined) throw new TypeError(`there is no operation ${id}`);
  return operation;
}

// One vault or whitelist entry with its revisions.

/** @param words what a document is called */
function documentOperation(lists: DocumentLists, words: string): Operation {
  const { id, now } = lists;
  return oneOperation({
    id: `get${now.row}`,
    path: `${now.path}/{${id}}`,
    summary: `One ${words} with its revisions`,
    parameter: identifier(`Identifier of the ${words}.`, String(now.filters[id]?.example)),
    read: (tx, account, document) => readDocument(tx, lists, account, document),
  });
}
