// The tools: each question that people ask, the operation of the read API that answers it, and the page that
// shows the same.
import { z } from 'zod';
import type { Client } from '../../client/src/client.ts';
import type { Rows } from './answer.ts';

export interface Tool<Args extends Base = Base> {
  readonly name: string;
  readonly description: string;
  readonly schema: z.ZodType<Args>;
  /** Whose freshness decides whether the answer can be trusted. */
  readonly resources: readonly string[];
  page(args: Args): string;
  readonly note?: string;
  read(client: Client, args: Args, limit: number): Promise<Rows>;
}

const account = z.string().optional().describe('The account; needed if the key sees several.');
const text = (description: string) => z.string().optional().describe(description);
const pages = {
  limit: z.int().min(1).max(100).optional().describe('Rows of this answer. Default 25.'),
  cursor: text('`cursor` of the answer before, to go on.'),
};
const paging = { account, ...pages };
export type Base = { account?: string | undefined; limit?: number | undefined; cursor?: string | undefined };

const moment = 'RFC 3339 with offset, such as 2026-11-20T06:32:00Z';
const at = text(`As known at this moment (${moment}), or at the close of a day (2026-11-20). Default: now.`);
const asset_id = text('Only this asset, such as BTC.');
const trueFalseOrUnknown = z
  .union([z.boolean(), z.literal('unknown')])
  .optional()
  .describe('Default: false.');
const days = {
  day_from: text('First day, such as 2026-11-01, in the account’s time zone.'),
  day_to: text('Last day, included.'),
};
const seen = {
  first_seen_from: text(`First seen at or after (${moment}).`),
  first_seen_to: text(`First seen before (${moment}).`),
};

/** A page with those of its parameters that are given. */
function pageOf(path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

const defined: Tool[] = [];
export const tools: readonly Tool[] = defined;

/** Adds a tool, which has the type of its arguments, as one of many. */
function define<Args extends Base>(schema: z.ZodType<Args>, tool: Omit<Tool<Args>, 'schema'>): void {
  defined.push({
    ...tool,
    schema,
    page: (args) => tool.page(schema.parse(args)),
    read: (client, args, limit) => tool.read(client, schema.parse(args), limit),
  });
}

/** Addresses drop `.` and `..`, so the pages take a tilde in front of them. */
const segment = (id: string) => encodeURIComponent(/^~*\.\.?$/.test(id) ? `~${id}` : id);

define(z.strictObject({ account }), {
  name: 'trust_report',
  description: 'Can these figures be trusted? Health of the mirror, problems, and freshness by resource.',
  resources: ['transactions', 'balances', 'vaults', 'whitelist'],
  page: () => '/sync',
  read: async (client, args) => {
    const [{ account_id, data }, freshness] = await Promise.all([
      client.getHealth({ account: args.account }),
      client.listFreshness({ account: args.account }).toArray(),
    ]);
    return { account_id, data: { health: { ...data, problems: undefined }, freshness } };
  },
});

define(z.strictObject(pages), {
  name: 'list_accounts',
  description: 'The accounts that the key sees. `account_id` is the argument `account` of the other tools.',
  resources: [],
  page: () => '/accounts',
  read: async (client, { cursor }, limit) => {
    const { data, next_cursor } = await client.listAccounts({ limit, cursor }).page();
    return { account_id: null, data, next_cursor };
  },
});

define(z.strictObject({ ...paging, at, asset_id, currency: text('Of the values, such as USD.') }), {
  name: 'holdings',
  description: 'Balances by asset, now or at a moment: all, warm and cold vaults side by side, with values.',
  resources: ['balances'],
  page: (args) => pageOf('/balances', { at: args.at }),
  note: 'Amounts of different assets must not be added. Amounts are null where `all_is_known` is not true: unknown, not zero.',
  read: (client, args, limit) => client.listBalanceSplit({ ...args, limit }).page(),
});

define(z.strictObject({ ...paging, at, currency: text('Such as USD.') }), {
  name: 'portfolio_value',
  description:
    'The total value by vault type and currency, now or at a moment, and how many balances it leaves out.',
  resources: ['balances'],
  page: (args) => pageOf('/balances', { at: args.at }),
  note: 'Values leave out balances without a price (`without_price`) and unknown ones (`unknown`). Warm and cold are parts of all: do not add them to it.',
  read: (client, args, limit) => client.listPortfolioValue({ ...args, limit }).page(),
});

const span = { from: text(`Start (${moment}).`), to: text(`End (${moment}).`) };
define(z.strictObject({ ...paging, ...span, asset_id }), {
  name: 'compare_holdings',
  description:
    'Holdings at two moments compared, by asset: opening and closing balance, what came in, went out and was paid as ' +
    'fees in between, and `difference`, which no transaction explains.',
  resources: ['balances', 'transactions'],
  page: () => '/reconciliation',
  note: 'Opening and closing are the last observations by the two moments: see opening_observed_at and closing_observed_at.',
  read: (client, args, limit) => client.listReconciledSpan({ ...args, limit }).page(),
});

define(
  z.strictObject({
    ...paging,
    asset_id,
    observed_from: text(`From (${moment}).`),
    observed_to: text(`Until (${moment}).`),
  }),
  {
    name: 'explain_difference',
    description:
      'The lines that explain a change of a balance: what each transaction moved in one asset, in a period.',
    resources: ['transactions'],
    page: (args) =>
      args.asset_id === undefined ? '/reconciliation' : `/balances/assets/${segment(args.asset_id)}`,
    read: (client, args, limit) => client.listPostings({ ...args, limit }).page(),
  },
);

define(
  z.strictObject({
    ...paging,
    ...days,
    asset_id,
    is_explained: trueFalseOrUnknown,
  }),
  {
    name: 'reconciliation_exceptions',
    description:
      'Days on which transactions do not explain the change of a balance. Name day_from and day_to.',
    resources: ['balances', 'transactions'],
    page: () => '/reconciliation',
    note: 'Days that cannot be compared are `is_explained: unknown`, and are listed only if that is asked for.',
    read: (client, { is_explained = false, ...args }, limit) =>
      client.listReconciliation({ ...args, is_explained, limit }).page(),
  },
);

define(z.strictObject({ account, transaction_id: z.string().describe('Its identifier.') }), {
  name: 'get_transaction',
  description: 'One transaction with its statuses in time and every other change.',
  resources: ['transactions'],
  page: (args) => `/transactions/${segment(args.transaction_id)}`,
  read: (client, args) => client.getTransaction(args),
});

define(
  z.strictObject({
    ...paging,
    ...seen,
    at,
    asset_id,
    search: text('Part of an identifier, hash, address, name or note.'),
    status: text('Only this status, such as completed or pending.'),
    transaction_type: text('Such as deposit or withdraw.'),
    amount_from: text('Least amount, as decimal text.'),
    amount_to: text('Greatest amount, as decimal text.'),
  }),
  {
    name: 'search_transactions',
    description:
      'Transactions by identifier, hash, address, name, note, asset, status, type, amount or time; newest first.',
    resources: ['transactions'],
    page: (args) =>
      pageOf('/transactions', { search: args.search, status: args.status, asset_id: args.asset_id }),
    read: (client, args, limit) => client.listTransactions({ sort: '-first_seen_at', ...args, limit }).page(),
  },
);

define(z.strictObject({ ...paging, asset_id, first_seen_to: seen.first_seen_to }), {
  name: 'stuck_transactions',
  description:
    'Transactions still in progress, oldest first. With first_seen_to only those open since before then.',
  resources: ['transactions'],
  page: () => pageOf('/transactions', { is_open: 'true' }),
  note: 'status_since is when the present status was first seen. Whether that is long is for the reader to judge.',
  read: (client, args, limit) =>
    client.listTransactions({ ...args, is_open: true, sort: 'first_seen_at', limit }).page(),
});

define(
  z.strictObject({
    ...paging,
    ...seen,
    asset_id,
    is_whitelisted: trueFalseOrUnknown,
  }),
  {
    name: 'payments_to_non_whitelisted_destinations',
    description: 'Withdrawals to destinations that were not whitelisted, newest first.',
    resources: ['transactions', 'whitelist'],
    page: (args) => pageOf('/documents/payments', { is_whitelisted: String(args.is_whitelisted ?? false) }),
    note: 'Before concluding that there was none, ask again with is_whitelisted "unknown": those cannot be judged.',
    read: (client, { is_whitelisted = false, ...args }, limit) =>
      client.listDestinationUses({ sort: '-first_seen_at', ...args, is_whitelisted, limit }).page(),
  },
);

define(z.strictObject({ ...paging, ...days, by: z.enum(['total', 'day']).optional() }), {
  name: 'fees',
  description: 'Fees of a period by the asset they were paid in: totals, or with by "day" by day and type.',
  resources: ['transactions'],
  page: (args) => pageOf('/balances/fees', { day_from: args.day_from, day_to: args.day_to }),
  note: 'A null fee is unknown, not zero. Fees in different assets must not be added.',
  read: (client, { by = 'total', ...args }, limit) =>
    by === 'day'
      ? client.listFees({ ...args, limit }).page()
      : client.listFeeTotals({ ...args, limit }).page(),
});
