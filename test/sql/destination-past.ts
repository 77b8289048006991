// Pasts of an account that is paid out of to addresses that are, were or were not whitelisted, played through
// the store.
import fc from 'fast-check';
import type { WhitelistEntry } from '../../src/domain/document.ts';
import type { ListItem } from '../../src/domain/page.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { commitTransactionPages } from '../../src/store/commit/commit-transactions.ts';
import { commitWhitelist } from '../../src/store/commit/documents/commit-documents.ts';
import { markMissingTransactions } from '../../src/store/commit/mark-missing.ts';
import { finishRun, startRun } from '../../src/store/run/runs.ts';
import { digest, epoch, item, noRequests, page, type Store, transaction } from '../support/store.ts';

const forCommit = { tally: noRequests, position: null };

export interface Wire {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string | null;
  readonly destination: {
    readonly type: string | null;
    readonly id: string | null;
    readonly address: string | null;
  };
  readonly asset: string;
}

export interface Listed {
  readonly entry: string;
  readonly address: string | null;
  readonly asset: string | null;
}

export type Step =
  | { readonly kind: 'page'; readonly records: readonly Wire[]; readonly verified: boolean }
  | { readonly kind: 'whitelist'; readonly listed: readonly Listed[]; readonly whole: boolean }
  | { readonly kind: 'missing'; readonly id: string };

const hex = '0xAbCdEf0123456789abcdef0123456789ABCDEF01';
export const destinations = [
  { type: 'whitelist', id: 'e1', address: 'one' },
  { type: 'whitelist', id: 'e2', address: null },
  { type: 'network', id: 'e1', address: 'ONE' },
  { type: 'network', id: '', address: '' },
  { type: 'network', id: '', address: hex },
  { type: null, id: null, address: "it's \\ both" },
] as const;

const ids = ['a', 'b', 'C', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const records = fc.uniqueArray(
  fc.record<Wire>({
    id: fc.constantFrom(...ids),
    type: fc.constantFrom('withdraw', 'withdraw', 'withdraw', 'deposit'),
    status: fc.constantFrom('pending', 'completed', 'completed', 'failed'),
    amount: fc.constantFrom('1.5', '1.5', '1.5', '20', null),
    destination: fc.oneof(
      { weight: 2, arbitrary: fc.constant(destinations[0]) },
      { weight: 3, arbitrary: fc.constantFrom(...destinations) },
    ),
    asset: fc.constantFrom('BTC', 'BTC', 'BTC', 'ETH'),
  }),
  { selector: (record) => record.id, minLength: 1, maxLength: 5 },
);
const listed = fc.uniqueArray(
  fc.record<Listed>({
    entry: fc.constantFrom('e1', 'e1', 'e2', 'e3'),
    address: fc.constantFrom('one', hex.toLowerCase(), hex, null),
    asset: fc.constantFrom('BTC', 'BTC', 'BTC', null, 'ETH'),
  }),
  { selector: (entry) => entry.entry, maxLength: 3 },
);
const later: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(records, fc.constantFrom(true, true, false))
        .map(([found, verified]): Step => ({ kind: 'page', records: found, verified })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(listed, fc.constantFrom(true, true, false))
        .map(([found, whole]): Step => ({ kind: 'whitelist', listed: found, whole })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ids).map((id): Step => ({ kind: 'missing', id })) },
  ),
  { minLength: 6, maxLength: 24 },
);
/** Mostly with both lists read once before anything is paid, so that something is known. */
export const steps = fc
  .tuple(listed, fc.constantFrom(true, true, false), later)
  .map(([first, begun, rest]): Step[] =>
    begun
      ? [
          { kind: 'whitelist', listed: first, whole: true },
          { kind: 'page', records: [], verified: true },
          ...rest,
        ]
      : rest,
  );

function recordOf(wire: Wire): Transaction {
  const { id, status, type, amount, destination, asset } = wire;
  const hash = digest(JSON.stringify(wire));
  const bare = transaction({ id, status, type, amount: amount ?? '0', extra: hash });
  return {
    ...bare,
    amount: amount === null ? null : bare.amount,
    assetId: asset,
    networkId: `${asset} network`,
    destinationType: destination.type,
    destinationId: destination.id,
    destinationAddress: destination.address,
    contentHash: hash,
  };
}

function entryOf({ entry, address, asset }: Listed): ListItem<WhitelistEntry> {
  const document = JSON.stringify({ entry, address, asset });
  const hash = digest(document);
  const unnamed = { name: null, networkId: null, fields: [] };
  return {
    kind: 'record',
    key: entry,
    hash,
    record: { ...unnamed, assetId: asset, entryId: entry, address, document, contentHash: hash },
  };
}

/** What each step takes, in milliseconds; its answer arrives in the middle. */
export const takes = 10;

/** Plays a step as a run of its own, which lies at the moments that the test names and not where it ran. */
export async function play(store: Store, step: Step, at: number): Promise<void> {
  const { database, lease } = store;
  const job = step.kind === 'whitelist' ? 'whitelist' : 'transactions';
  const run = await startRun(database, lease, { job, mode: 'full' });
  if (step.kind === 'page') {
    const items = step.records.map((wire) => item(recordOf(wire)));
    const arrivedAt = epoch + at + takes / 2;
    const pages = [{ ...page(items, at), beganAt: epoch + at, arrivedAt }];
    await commitTransactionPages(database, lease, run, { pages, ...forCommit });
  } else if (step.kind === 'whitelist') {
    await commitWhitelist(database, lease, run, {
      items: step.listed.map(entryOf),
      observation: { beganAt: epoch + at, arrivedAt: epoch + at + takes / 2 },
      listIsComplete: step.whole,
      tally: noRequests,
    });
  } else {
    const asked = epoch + at;
    await markMissingTransactions(database, lease, run, { ids: [step.id], asked, missingSince: asked });
  }
  const verified = step.kind === 'page' ? step.verified : step.kind === 'whitelist' && step.whole;
  await finishRun(database, lease, run, { status: 'succeeded', verified, verdict: null, tally: noRequests });
  await store.query(
    'update sync.runs set started_at = to_timestamp($2::float8), finished_at = to_timestamp($3::float8) where run_id = $1',
    [run.runId, (epoch + at) / 1000, (epoch + at + takes) / 1000],
  );
}
