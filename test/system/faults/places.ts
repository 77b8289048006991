// Where faults can strike: every endpoint, in every phase of reading it, with the job that reads it there and
// a sandbox whose lists are several pages long.
import type { FaultRequest } from '../../../packages/sandbox/src/faults/fault-kinds.ts';
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import type { JobContext } from '../../../src/sync/run/context.ts';
import type { JobOutcome } from '../../../src/sync/run/run-job.ts';

export interface Place {
  readonly name: string;
  /** The word for the endpoint in the message of a failed run. */
  readonly told: RegExp;
  readonly struck: (request: FaultRequest) => boolean;
  readonly sandbox: SandboxOptions;
  readonly job: (context: JobContext) => Promise<JobOutcome>;
  readonly table: 'transactions' | 'balances' | 'vaults' | 'whitelist';
  /** Transactions are read by increments: the end at which they grow is known. */
  readonly increments: boolean;
  /** The outcome of a run while every request at the place fails. */
  readonly blocked: 'fails' | 'goes around a record' | 'goes on';
}

const transactions = 48;
/** What an answer holds at most, so that the short lists have pages too. */
const balancesPage = 8;
const documentsPage = 4;

const offsetOf = ({ query }: FaultRequest) => Number(query.get('offset') ?? 0);
/**
 * By where the page begins: at the head, in the middle, or where the last page or what follows it is asked
 * for.
 */
const phases = (length: number, page: number) =>
  ({
    'first page': (request: FaultRequest) => offsetOf(request) === 0,
    middle: (request: FaultRequest) => offsetOf(request) > 0 && offsetOf(request) < length - page,
    end: (request: FaultRequest) => offsetOf(request) >= length - page,
  }) as const;

function paged(
  endpoint: FaultRequest['endpoint'],
  length: number,
  page: number,
  place: Omit<Place, 'name' | 'struck' | 'increments' | 'blocked'>,
): Place[] {
  return Object.entries(phases(length, page)).map(([phase, within]) => ({
    ...place,
    name: `${endpoint}, ${phase}`,
    struck: (request) => request.endpoint === endpoint && !request.query.has('status') && within(request),
    increments: false,
    // A first page that always fails while its neighbours are answered is one record that cannot be read.
    blocked: endpoint === 'transactions' && phase === 'first page' ? 'goes around a record' : 'fails',
  }));
}

/** Only the list in question has pages: the others of its job are read whole. */
const pagedBalances: SandboxOptions = { transactions: 40, maxLimit: balancesPage };
const pagedBalancesByType: SandboxOptions = {
  transactions: 40,
  defaultLimit: { others: balancesPage },
  paging: { 'balances-by-type': 'supported' },
};
const pagedDocuments: SandboxOptions = {
  transactions: 0,
  defaultLimit: { others: documentsPage },
  paging: { vaults: 'supported', whitelist: 'supported' },
  warmVaults: 9,
  coldVaults: 3,
  whitelistEntries: 11,
};

const increments = {
  told: /^transactions?: /,
  sandbox: { transactions },
  job: (context: JobContext) => syncTransactions(context, { full: false }),
  table: 'transactions',
  increments: true,
  blocked: 'fails',
} as const;

export const transactionPlaces: readonly Place[] = [
  ...paged('transactions', transactions, 12, {
    told: /^transactions: /,
    sandbox: { transactions },
    job: (context) => syncTransactions(context, { full: true }),
    table: 'transactions',
  }),
  {
    ...increments,
    name: 'transactions, growing end',
    struck: ({ endpoint, query }) => endpoint === 'transactions' && !query.has('status'),
  },
  {
    ...increments,
    name: 'transactions, by status',
    struck: ({ endpoint, query }) => endpoint === 'transactions' && query.has('status'),
  },
  {
    ...increments,
    name: 'transaction, by id',
    struck: ({ endpoint }) => endpoint === 'transaction',
    // One transaction that cannot be read does not stop the others.
    blocked: 'goes on',
  },
];

export const otherPlaces: readonly Place[] = [
  ...paged('balances', 20, balancesPage, {
    told: /^balances: |the list balances /,
    sandbox: pagedBalances,
    job: snapshotBalances,
    table: 'balances',
  }),
  ...paged('balances-by-type', 18, balancesPage, {
    told: /^balances_by_type: |the list balances\//,
    sandbox: pagedBalancesByType,
    job: snapshotBalances,
    table: 'balances',
  }),
  ...paged('vaults', 9, documentsPage, {
    told: /^vaults: |the list vaults\//,
    sandbox: pagedDocuments,
    job: mirrorVaults,
    table: 'vaults',
  }),
  {
    name: 'vault, by id',
    told: /^vault: /,
    struck: ({ endpoint }) => endpoint === 'vault',
    sandbox: { ...pagedDocuments, shape: { vaultRecord: 'thin' } },
    job: mirrorVaults,
    table: 'vaults',
    increments: false,
    blocked: 'fails',
  },
  ...paged('whitelist', 11, documentsPage, {
    told: /^whitelist: |the list whitelist /,
    sandbox: pagedDocuments,
    job: mirrorWhitelist,
    table: 'whitelist',
  }),
];
