// Whatever is committed, whenever the totals are brought up to date: reporting.destinations is what the base tables say.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WhitelistEntry } from '../../src/domain/document.ts';
import type { ListItem } from '../../src/domain/page.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { commitTransactionPages } from '../../src/store/commit-transactions.ts';
import { rollUpDestinations } from '../../src/store/destination-totals.ts';
import { commitWhitelist } from '../../src/store/documents.ts';
import { finishRun, startRun } from '../../src/store/runs.ts';
import {
  account,
  digest,
  epoch,
  item,
  noRequests,
  openStore,
  page,
  type Store,
  transaction,
} from './store.ts';

const never = new AbortController().signal;
const forCommit = { tally: noRequests, position: null };

interface Wire {
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

interface Listed {
  readonly entry: string;
  readonly address: string | null;
}

type Step =
  | { readonly kind: 'page'; readonly records: readonly Wire[] }
  | { readonly kind: 'whitelist'; readonly listed: readonly Listed[] }
  | { readonly kind: 'totals'; readonly atOnce: number };

const destinations = [
  { type: 'whitelist', id: 'e1', address: 'one' },
  { type: 'whitelist', id: 'e2', address: null },
  { type: 'network', id: 'e1', address: 'two' },
  { type: 'network', id: '', address: '' },
  { type: null, id: null, address: "it's \\ both" },
] as const;

const records = fc.uniqueArray(
  fc.record<Wire>({
    id: fc.constantFrom('a', 'b', 'C', 'd', 'e'),
    type: fc.constantFrom('withdraw', 'withdraw', 'withdraw', 'deposit'),
    status: fc.constantFrom('pending', 'completed', 'completed', 'failed'),
    amount: fc.constantFrom('1.5', '1.5', '1.5', '20', null),
    destination: fc.constantFrom(...destinations),
    asset: fc.constantFrom('BTC', 'BTC', 'BTC', 'ETH'),
  }),
  { selector: (record) => record.id, minLength: 1, maxLength: 5 },
);
const listed = fc.uniqueArray(
  fc.record<Listed>({
    entry: fc.constantFrom('e1', 'e2', 'e3'),
    address: fc.constantFrom('one', 'two', null),
  }),
  { selector: (entry) => entry.entry, maxLength: 3 },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: records.map((found): Step => ({ kind: 'page', records: found })) },
    { weight: 2, arbitrary: listed.map((found): Step => ({ kind: 'whitelist', listed: found })) },
    { weight: 3, arbitrary: fc.constantFrom(1, 3, 1000).map((atOnce): Step => ({ kind: 'totals', atOnce })) },
  ),
  { minLength: 3, maxLength: 14 },
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

function entryOf({ entry, address }: Listed): ListItem<WhitelistEntry> {
  const document = JSON.stringify({ entry, address });
  const hash = digest(document);
  const unnamed = { name: null, assetId: null, networkId: null, fields: [] };
  return {
    kind: 'record',
    key: entry,
    hash,
    record: { ...unnamed, entryId: entry, address, document, contentHash: hash },
  };
}

async function play(store: Store, step: Step, at: number): Promise<void> {
  const { database, lease, run } = store;
  if (step.kind === 'page') {
    const pages = [
      page(
        step.records.map((wire) => item(recordOf(wire))),
        at,
      ),
    ];
    await commitTransactionPages(database, lease, run, { pages, ...forCommit });
  } else if (step.kind === 'whitelist') {
    const own = await startRun(database, lease, { job: 'whitelist', mode: 'full' });
    await commitWhitelist(database, lease, own, {
      items: step.listed.map(entryOf),
      observation: { beganAt: epoch + at, arrivedAt: epoch + at + 1 },
      listIsComplete: true,
      tally: noRequests,
    });
    await finishRun(database, lease, own, {
      status: 'succeeded',
      verified: true,
      verdict: null,
      tally: noRequests,
    });
  } else {
    await rollUpDestinations(database, lease, { signal: never, atOnce: step.atOnce });
  }
}

interface Use {
  readonly transaction_id: string;
  readonly status: string;
  readonly amount: string | null;
  readonly first_seen_at: Date;
  readonly destination_type: string | null;
  readonly destination_id: string | null;
  readonly destination_address: string | null;
  readonly asset_id: string;
  readonly network_id: string;
}

interface Revision {
  readonly document_id: string;
  readonly change: string;
  readonly address: string | null;
  readonly run_id: string;
  readonly observed_at: Date;
}

/** The whitelist from its revisions alone. */
async function readWhitelist(store: Store) {
  const revisions = await store.query<Revision & Record<string, unknown>>(
    `select document_id, change, address, run_id, observed_at from custody.document_revisions
     where kind = 'whitelist_entry' order by document_id, revision`,
  );
  const runs = await store.query(`select from sync.runs where job = 'whitelist' and status = 'succeeded'`);
  const firstRun = Math.min(...revisions.map((revision) => Number(revision.run_id)));
  const spans = revisions.flatMap((revision, index) => {
    if (revision.change === 'removed') return [];
    const next = revisions[index + 1];
    const older = revision.change === 'added' && Number(revision.run_id) === firstRun;
    const from = older ? -Infinity : revision.observed_at.getTime();
    const to = next?.document_id === revision.document_id ? next.observed_at.getTime() : Infinity;
    return [{ entry: revision.document_id, address: revision.address, from, to }];
  });
  return (use: Use, at: number) =>
    runs.length === 0
      ? null
      : spans.some(
          ({ entry, address, from, to }) =>
            from <= at &&
            at < to &&
            ((use.destination_type === 'whitelist' && use.destination_id === entry) ||
              (address !== null && address !== '' && use.destination_address === address)),
        );
}

/** The same as the views tell, from the transactions one by one. */
async function expected(store: Store) {
  const uses = await store.query<Use & Record<string, unknown>>(
    `select * from custody.transactions where transaction_type = 'withdraw'`,
  );
  const isListed = await readWhitelist(store);
  const groups = new Map<string, Use[]>();
  for (const use of uses) {
    const key = JSON.stringify([
      use.destination_type,
      use.destination_id,
      use.destination_address,
      use.asset_id,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  const rows = [...groups.values()].map((group) => {
    const order = (use: Use) => [use.first_seen_at.getTime(), use.transaction_id] as const;
    const inOrder = group.toSorted((a, b) => {
      const [[one, x], [other, y]] = [order(a), order(b)];
      return one - other || (x < y ? -1 : 1);
    });
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    if (first === undefined || last === undefined) throw new Error('a group is never empty');
    const completed = group.filter((use) => use.status === 'completed');
    const sum = completed.reduce((total, use) => total + Number(use.amount), 0);
    const then = group.map((use) => isListed(use, use.first_seen_at.getTime()));
    return {
      account_id: account,
      destination_type: first.destination_type,
      destination_id: first.destination_id,
      destination_address: first.destination_address,
      asset_id: first.asset_id,
      network_id: first.network_id,
      uses: String(group.length),
      completed_uses: String(completed.length),
      completed_amount: completed.some((use) => use.amount === null) ? null : String(sum),
      off_whitelist_uses: then.includes(null) ? null : String(then.filter((found) => !found).length),
      first_used_at: first.first_seen_at,
      first_transaction_id: first.transaction_id,
      last_used_at: last.first_seen_at,
      last_transaction_id: last.transaction_id,
      whitelisted_at_first_use: isListed(first, first.first_seen_at.getTime()),
      whitelisted_now: isListed(first, Number.MAX_SAFE_INTEGER),
    };
  });
  const single = uses.map((use) => ({
    transaction_id: use.transaction_id,
    is_completed: use.status === 'completed',
    is_whitelisted: isListed(use, use.first_seen_at.getTime()),
  }));
  return { rows: sorted(rows), single: sorted(single) };
}

async function shown(store: Store) {
  const rows = await store.query(
    `select account_id, destination_type, destination_id, destination_address, asset_id, network_id, uses, completed_uses,
       completed_amount, off_whitelist_uses, first_used_at, first_transaction_id, last_used_at, last_transaction_id,
       whitelisted_at_first_use, whitelisted_now from reporting.destinations`,
  );
  const single = await store.query(
    'select transaction_id, is_completed, is_whitelisted from reporting.destination_uses',
  );
  return { rows: sorted(rows), single: sorted(single) };
}

function sorted(rows: readonly object[]): object[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test('the view is what the base tables say, however often the totals were brought up to date', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (past) => {
      const store = await openStore();
      for (const [index, step] of past.entries()) {
        await play(store, step, index * 10);
        expect(await shown(store)).toEqual(await expected(store));
      }
      await store.database.close();
      await store.drop();
    }),
    { numRuns: 12, endOnFailure: true },
  );
}, 180_000);

const paid: Wire = {
  id: 'a',
  type: 'withdraw',
  status: 'completed',
  amount: '1.5',
  destination: destinations[0],
  asset: 'BTC',
};
const pay = (...wires: readonly Wire[]): Step => ({ kind: 'page', records: wires });
const rollUp = (store: Store, atOnce = 1000) =>
  rollUpDestinations(store.database, store.lease, { signal: never, atOnce });
const totals = (store: Store) =>
  store.query(
    'select uses::int, trim_scale(completed_amount) as completed_amount from internal.destination_totals order by 1, 2',
  );

test('the totals are added to, and made anew where a withdrawal in them turned out to be another', async () => {
  const store = await openStore();
  await play(store, pay(paid, { ...paid, id: 'b', status: 'pending' }), 0);
  expect(await rollUp(store, 1)).toEqual({ steps: 2, rebuilt: false });
  expect(await totals(store)).toEqual([{ uses: 2, completed_amount: '1.5' }]);
  await play(store, pay({ ...paid, id: 'b' }, { ...paid, id: 'c', amount: '7', status: 'failed' }), 10);
  expect(await rollUp(store)).toEqual({ steps: 1, rebuilt: false });
  expect(await totals(store)).toEqual([{ uses: 3, completed_amount: '3' }]);
  await play(store, pay({ ...paid, id: 'b', amount: '2' }), 20);
  expect(await shown(store)).toEqual(await expected(store));
  expect((await rollUp(store)).rebuilt).toBe(true);
  expect(await totals(store)).toEqual([{ uses: 3, completed_amount: '3.5' }]);
  expect(await rollUp(store)).toEqual({ steps: 1, rebuilt: false });
});

test('two that bring the totals up to date at once count nothing twice', async () => {
  const store = await openStore();
  for (let at = 0; at < 5; at += 1) await play(store, pay({ ...paid, id: `t${at}` }), at * 10);
  await Promise.all([rollUp(store, 1), rollUp(store, 2), rollUp(store, 1)]);
  expect(await totals(store)).toEqual([{ uses: 5, completed_amount: '7.5' }]);
});

test('stopped half way, the totals go on from there', async () => {
  const store = await openStore();
  for (let at = 0; at < 4; at += 1) await play(store, pay({ ...paid, id: `t${at}` }), at * 10);
  const stop = new AbortController();
  const stopping: typeof store.database = {
    ...store.database,
    async transact(label, work, options) {
      const result = await store.database.transact(label, work, options);
      if (label === 'roll-up-destinations') stop.abort(new Error('stopped'));
      return result;
    },
  };
  await expect(rollUpDestinations(stopping, store.lease, { signal: stop.signal, atOnce: 2 })).rejects.toThrow(
    'stopped',
  );
  expect(await totals(store)).toMatchObject([{ uses: 2 }]);
  expect(await shown(store)).toEqual(await expected(store));
  await rollUp(store);
  expect(await totals(store)).toMatchObject([{ uses: 4 }]);
});

test('texts longer than an entry of an index neither break a commit nor the totals', async () => {
  const store = await openStore();
  const long = Array.from({ length: 2_000 }, (_, index) => digest(`${index}`)).join('');
  const hostile = { type: long, id: `${long}'`, address: `${long}\\` };
  await play(store, pay({ ...paid, destination: hostile, asset: long }), 0);
  await play(store, { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\` }] }, 10);
  expect(await shown(store)).toEqual(await expected(store));
  await rollUp(store);
  expect(await shown(store)).toEqual(await expected(store));
});
